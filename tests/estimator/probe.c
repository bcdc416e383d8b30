/* SPDX-License-Identifier: Apache-2.0
 *
 * Asks estimators from the command line and prints what came of it as one line
 * of JSON, for tests/estimator/run.
 *
 *     probe [OPTION VALUE]... CLUSTER=HOST:PORT[,HOST:PORT]...
 *
 * The call with number i of a cluster is for the resource default/NAME-i with a
 * threshold of i nanoseconds: a server that answers the threshold shows that no
 * answer reached the wrong call.
 */
#include "../decode_one.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "ballast/base/clock.h"
#include "ballast/base/text.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/vec.h"
#include "ballast/estimator/estimator_client.h"

#define MS (NANOS_PER_SECOND / 1000)
#define HOSTS_MAX 4096

struct probe {
    struct estimator_client_options options;
    uint32_t calls, rounds;
    enum estimator_method method;
    const char *name;
    const char *binding_file;
    const struct binding *binding;
    struct estimator_assumed assumed;
};

static atomic_bool stop;

static void
on_signal(int number)
{
    (void)number;
    stop = true;
}

static int64_t
monotonic(void *context)
{
    (void)context;
    return clock_monotonic();
}

_Noreturn static void
die(const char *what)
{
    fprintf(stderr, "probe: %s\n", what);
    exit(64);
}

static enum estimator_method
method_of(const char *name)
{
    return strcmp(name, "replicas") == 0 ? ESTIMATOR_MAX_AVAILABLE_REPLICAS
           : strcmp(name, "sets") == 0   ? ESTIMATOR_MAX_AVAILABLE_COMPONENT_SETS
                                         : ESTIMATOR_UNSCHEDULABLE_REPLICAS;
}

static void
take_option(struct probe *probe, const char *name, const char *value)
{
    struct estimator_client_options *options = &probe->options;
    struct {
        const char *name;
        const char **text;
    } const texts[] = {{"--ca", &options->ca_file},
                       {"--cert", &options->cert_file},
                       {"--key", &options->key_file},
                       {"--name", &probe->name},
                       {"--binding", &probe->binding_file}};
    struct {
        const char *name;
        int64_t *nanos;
    } const times[] = {{"--timeout", &options->call_timeout},
                       {"--dial", &options->dial_timeout},
                       {"--deadline", &options->deadline},
                       {"--patience", &options->patience}};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        if (strcmp(name, texts[i].name) == 0) {
            *texts[i].text = value;
            return;
        }
    }
    long number = strtol(value, NULL, 10);

    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
        if (strcmp(name, times[i].name) == 0) {
            *times[i].nanos = number * MS;
            return;
        }
    }
    if (strcmp(name, "--calls") == 0) {
        probe->calls = (uint32_t)number;
    } else if (strcmp(name, "--rounds") == 0) {
        probe->rounds = (uint32_t)number;
    } else if (strcmp(name, "--concurrency") == 0) {
        options->concurrency = (uint32_t)number;
    } else if (strcmp(name, "--max") == 0) {
        options->max_message_bytes = (size_t)number;
    } else if (strcmp(name, "--insecure") == 0) {
        options->insecure_skip_verify = number != 0;
    } else if (strcmp(name, "--method") == 0) {
        probe->method = method_of(value);
    } else {
        die(name);
    }
}

/* ---- the binding that is asked for ---- */

static void
read_binding(struct probe *probe, struct fleet_builder *builder)
{
    static char text[1 << 20];
    struct error err = ERROR_INIT;
    FILE *file = fopen(probe->binding_file, "rb");
    size_t length = file != NULL ? fread(text, 1, sizeof(text), file) : 0;
    struct document *document = document_parse_json(text, length, 1, &err);

    if (file != NULL) {
        fclose(file);
    }
    probe->binding =
        document != NULL ? decode_binding(builder, document_root(document), &err) : NULL;
    if (probe->binding == NULL) {
        die(err.message);
    }
    document_free(document);
    probe->assumed =
        (struct estimator_assumed){.namespace_ = "assumed",
                                   .components = binding_rare(probe->binding)->components,
                                   .n_components = binding_rare(probe->binding)->n_components};
}

static void
fill_from_binding(const struct probe *probe, struct estimator_call *call)
{
    call->resource = &probe->binding->resource;
    call->requirements = probe->binding->requirements;
    call->namespace_ = probe->binding->resource.namespace_;
    call->components = binding_rare(probe->binding)->components;
    call->n_components = binding_rare(probe->binding)->n_components;
    call->assumed = &probe->assumed;
    call->n_assumed = probe->assumed.n_components > 0 ? 1 : 0;
}

/* ---- calls ---- */

struct asked {
    const char *cluster;
    struct estimator_address address;
};

static struct asked
parse_target(char *argument)
{
    struct asked target = {.cluster = argument};
    char *at = strchr(argument, '=');

    while (at != NULL && target.address.count < ESTIMATOR_HOSTS_MAX) {
        *at = '\0';
        target.address.hosts[target.address.count++] = at + 1;
        at = strchr(at + 1, ',');
    }
    if (target.address.count == 0) {
        die("want CLUSTER=HOST:PORT");
    }
    return target;
}

static void
fill(const struct probe *probe, struct arena *arena, const struct asked *target, uint32_t number,
     struct estimator_call *call)
{
    struct object_reference *resource = ARENA_NEW(arena, struct object_reference);

    *resource = (struct object_reference){
        .api_version = "apps/v1", .kind = "Deployment", .namespace_ = "default"};
    resource->name = arena_printf(arena, "%s-%u", probe->name, (unsigned)number);
    *call = (struct estimator_call){
        .method = probe->method,
        .cluster = target->cluster,
        .address = &target->address,
        .object = arena_printf(arena, "kind=Deployment, name=default/%s\r\nx: y", resource->name),
        .resource = resource,
        .namespace_ = "default",
        .threshold = number,
    };
    if (probe->binding != NULL) {
        fill_from_binding(probe, call);
    }
}

/* ---- what came of it ---- */

static bool
is_alike(const struct estimator_call *a, const struct estimator_call *b)
{
    return strcmp(a->cluster, b->cluster) == 0 && a->code == b->code &&
           a->grpc_status == b->grpc_status && a->abstains == b->abstains &&
           strcmp(a->message, b->message) == 0;
}

/* Outcomes that are alike are counted together. */
static void
print_outcomes(const struct estimator_call *calls, size_t count)
{
    struct outcome {
        const struct estimator_call *call;
        size_t count;
    };
    VEC_OF(struct outcome) seen = VEC_INIT;
    struct buf out;

    for (size_t i = 0; i < count; i++) {
        size_t at = 0;

        while (at < seen.count && !is_alike(seen.items[at].call, &calls[i])) {
            at++;
        }
        if (at == seen.count) {
            vec_push(&seen)->call = &calls[i];
        }
        seen.items[at].count++;
    }
    buf_init(&out, SIZE_MAX);
    for (size_t i = 0; i < seen.count; i++) {
        const struct estimator_call *call = seen.items[i].call;

        buf_printf(&out, "%s{\"cluster\":", i > 0 ? "," : "");
        text_append_quoted(&out, call->cluster);
        buf_printf(&out,
                   ",\"code\":\"%s\",\"grpc\":%d,\"answer\":%d,\"abstains\":%s,\"tries\":%u,"
                   "\"count\":%zu,\"message\":",
                   call->code == ERROR_NONE ? "" : error_code_name(call->code), call->grpc_status,
                   (int)call->answer, call->abstains ? "true" : "false", (unsigned)call->tries,
                   seen.items[i].count);
        text_append_quoted(&out, call->message);
        buf_append_str(&out, "}");
    }
    printf("\"outcomes\":[%s]", buf_text(&out));
    buf_release(&out);
    vec_free(&seen);
}

/* The most memory so far (VmHWM; what getrusage has is of the process that started us, too). */
static long
peak_kb(void)
{
    char line[256];
    long kb = 0;
    FILE *file = fopen("/proc/self/status", "r");

    while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
        if (strncmp(line, "VmHWM:", 6) == 0) {
            kb = strtol(line + 6, NULL, 10);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return kb;
}

static void
print(const struct probe *probe, const struct estimator_client *client,
      const struct estimator_call *calls, size_t count, int64_t nanos)
{
    struct estimator_statistics s = estimator_client_statistics(client);
    struct rusage used;
    size_t matched = 0;

    for (size_t i = 0; i < count; i++) {
        matched += calls[i].code == ERROR_NONE && calls[i].answer == (int64_t)(i % probe->calls);
    }
    getrusage(RUSAGE_SELF, &used);
    printf("{\"cpu_ms\":%.1f,\"rss_kb\":%ld,",
           (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e3 +
               (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e3,
           peak_kb());
    printf("\"ms\":%.1f,\"matched\":%zu,\"calls\":%ju,\"requests\":%ju,\"failures\":%ju,"
           "\"connections\":%ju,\"sent\":%ju,\"read\":%ju,",
           (double)nanos / (double)MS, matched, (uintmax_t)s.calls, (uintmax_t)s.requests,
           (uintmax_t)s.failures, (uintmax_t)s.connections, (uintmax_t)s.bytes_sent,
           (uintmax_t)s.bytes_read);
    print_outcomes(calls, count);
    printf("}\n");
}

static void
ask(struct probe *probe, struct asked *targets, size_t n_targets)
{
    struct error err = ERROR_INIT;
    struct arena *arena = arena_new();
    size_t count = n_targets * probe->calls;
    struct estimator_call *calls = ARENA_ARRAY(arena, struct estimator_call, count);
    struct estimator_client *client = estimator_client_new(&probe->options, &err);

    if (client == NULL) {
        die(err.message);
    }
    for (uint32_t round = 0; round < probe->rounds; round++) {
        for (size_t i = 0; i < count; i++) {
            fill(probe, arena, &targets[i / probe->calls], (uint32_t)(i % probe->calls), &calls[i]);
        }
        int64_t begin = monotonic(NULL);

        estimator_perform(client, calls, (uint32_t)count);
        print(probe, client, calls, count, monotonic(NULL) - begin);
    }
    estimator_client_free(client);
    arena_free(arena);
}

int
main(int argc, char **argv)
{
    static struct asked targets[HOSTS_MAX];
    struct fleet_builder *builder = fleet_builder_new();
    size_t n_targets = 0;
    struct probe probe = {
        .options = {.clock = {.monotonic = monotonic}, .stop = &stop},
        .calls = 1,
        .rounds = 1,
        .name = "ok",
    };

    signal(SIGTERM, on_signal);
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--", 2) == 0 && i + 1 < argc) {
            take_option(&probe, argv[i], argv[i + 1]);
            i++;
        } else if (n_targets < HOSTS_MAX) {
            targets[n_targets++] = parse_target(argv[i]);
        }
    }
    if (probe.binding_file != NULL) {
        read_binding(&probe, builder);
    }
    ask(&probe, targets, n_targets);
    fleet_builder_free(builder);
    return 0;
}
