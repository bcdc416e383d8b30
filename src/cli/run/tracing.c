/* SPDX-License-Identifier: Apache-2.0
 *
 * What becomes a span, with the attributes that OpenTelemetry's conventions have
 * names for (HTTP clients, CLI programs, Kubernetes), and the way to a collector.
 */
#include "tracing.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ballast/base/heap.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/http/http.h"
#include "ballast/otlp/environment.h"
#include "request_path.h"

#define PHASES_MAX 32 /* each time that one begins; requests of later ones are the command's */
#define ANSWER_MAX ((size_t)300) /* of a collector that refuses it */
#define HEAD_MAX ((size_t)64 << 10)
#define PATH_MAX_KEPT ((size_t)4096)
#define NAME_MAX_KEPT ((size_t)256)
#define ATTRIBUTES_MAX 16
#define MS (NANOS_PER_SECOND / 1000)

/* One time of a phase. */
struct traced_phase {
    const char *name;
    uint64_t id;
    int64_t begun, ended; /* monotonic; TIME_NONE: it goes on */
};

struct tracing {
    const struct invocation *invocation;
    struct otlp_settings settings;
    struct otlp_spans *spans;
    struct kube_observer observer;
    uint64_t root;
    int64_t begun;         /* monotonic */
    int64_t begun_at;      /* by the machine's clock */
    pthread_mutex_t mutex; /* of the phases: the Lease is renewed in a thread */
    struct traced_phase phases[PHASES_MAX];
    size_t n_phases;
};

/* Of one span, while they are put together. */
struct attribute_list {
    struct otlp_attribute items[ATTRIBUTES_MAX];
    size_t count;
};

static void
add_text(struct attribute_list *list, const char *key, const char *text)
{
    if (text != NULL && !str_is_empty(text)) {
        list->items[list->count++] = (struct otlp_attribute){.key = key, .text = text};
    }
}

static void
add_number(struct attribute_list *list, const char *key, int64_t number)
{
    list->items[list->count++] = (struct otlp_attribute){.key = key, .number = number};
}

static int64_t
monotonic(const struct tracing *tracing)
{
    const struct clock *clock = &tracing->invocation->cli->clock;

    return clock->monotonic(clock->context);
}

/* By one clock for all of them, so that no span seems to end before it begins. */
static int64_t
wall_of(const struct tracing *tracing, int64_t moment)
{
    return tracing->begun_at + (moment - tracing->begun);
}

/* ---- phases ---- */

static void
begin_phase(struct tracing *tracing, const char *name)
{
    const uint64_t id = otlp_spans_next_id(tracing->spans);

    pthread_mutex_lock(&tracing->mutex);
    if (tracing->n_phases < PHASES_MAX) {
        tracing->phases[tracing->n_phases++] =
            (struct traced_phase){name, id, monotonic(tracing), TIME_NONE};
    }
    pthread_mutex_unlock(&tracing->mutex);
}

static void
end_phase(struct tracing *tracing, const char *name)
{
    struct traced_phase over = {.name = NULL};

    pthread_mutex_lock(&tracing->mutex);
    for (size_t i = tracing->n_phases; i-- > 0 && over.name == NULL;) {
        struct traced_phase *phase = &tracing->phases[i];

        if (phase->ended == TIME_NONE && str_eq(phase->name, name)) {
            phase->ended = monotonic(tracing);
            over = *phase;
        }
    }
    pthread_mutex_unlock(&tracing->mutex);
    if (over.name != NULL) {
        otlp_spans_add(tracing->spans, &(struct otlp_span){.id = over.id,
                                                           .parent = tracing->root,
                                                           .name = over.name,
                                                           .kind = OTLP_INTERNAL,
                                                           .begun = wall_of(tracing, over.begun),
                                                           .ended = wall_of(tracing, over.ended),
                                                           .is_frame = true});
    }
}

void
tracing_phase(struct tracing *tracing, const char *name, bool begins)
{
    if (tracing == NULL) {
        return;
    }
    if (begins) {
        begin_phase(tracing, name);
    } else {
        end_phase(tracing, name);
    }
}

/* The phase in which it was, or the command. */
static uint64_t
parent_at(struct tracing *tracing, int64_t moment)
{
    uint64_t parent = tracing->root;

    pthread_mutex_lock(&tracing->mutex);
    for (size_t i = 0; i < tracing->n_phases; i++) {
        const struct traced_phase *phase = &tracing->phases[i];

        if (phase->begun <= moment && (phase->ended == TIME_NONE || moment <= phase->ended)) {
            parent = phase->id;
        }
    }
    pthread_mutex_unlock(&tracing->mutex);
    return parent;
}

/* ---- requests ---- */

/* Texts of a try, for as long as its span is put together. */
struct try_texts {
    struct buf template_, cluster, name;
    struct http_url url;
    char *full;
    char status[16];
};

static void
read_texts(struct try_texts *texts, const struct kube_try *attempt)
{
    buf_init(&texts->template_, PATH_MAX_KEPT);
    buf_init(&texts->cluster, NAME_MAX_KEPT);
    buf_init(&texts->name, PATH_MAX_KEPT);
    request_path_template(attempt->path, &texts->template_, &texts->cluster);
    buf_printf(&texts->name, "%s %s", attempt->verb, buf_text(&texts->template_));
    http_url_split(&texts->url, attempt->server);
    texts->full =
        str_print("%s://%s:%s%s%s", texts->url.scheme != NULL ? texts->url.scheme : "",
                  texts->url.host != NULL ? texts->url.host : "",
                  texts->url.port != NULL ? texts->url.port : "",
                  texts->url.path != NULL && !str_eq(texts->url.path, "/") ? texts->url.path : "",
                  attempt->path);
    snprintf(texts->status, sizeof(texts->status), "%d", attempt->status);
}

static void
release_texts(struct try_texts *texts)
{
    buf_release(&texts->template_);
    buf_release(&texts->cluster);
    buf_release(&texts->name);
    http_url_release(&texts->url);
    free(texts->full);
}

/* What a query says is left out: it is of no interest, and long. */
static struct attribute_list
attributes_of(const struct try_texts *texts, const struct kube_try *attempt)
{
    struct attribute_list list = {.count = 0};

    add_text(&list, "http.request.method", attempt->verb);
    add_text(&list, "url.full", texts->full);
    add_text(&list, "url.template", buf_text(&texts->template_));
    add_text(&list, "server.address", texts->url.host);
    if (texts->url.port != NULL) {
        add_number(&list, "server.port", strtol(texts->url.port, NULL, 10));
    }
    add_text(&list, "k8s.cluster.name",
             attempt->cluster != NULL ? attempt->cluster : buf_text(&texts->cluster));
    if (attempt->number > 1) {
        add_number(&list, "http.request.resend_count", attempt->number - 1);
    }
    if (attempt->status > 0) {
        add_number(&list, "http.response.status_code", attempt->status);
        add_number(&list, "http.response.body.size", (int64_t)attempt->bytes);
    }
    if (attempt->why != NULL) {
        add_text(&list, "error.type",
                 attempt->status >= 400 ? texts->status : error_code_name(attempt->why->code));
    }
    return list;
}

static void
on_try(void *context, const struct kube_try *attempt)
{
    struct tracing *tracing = context;
    struct try_texts texts;

    read_texts(&texts, attempt);
    const struct attribute_list list = attributes_of(&texts, attempt);

    otlp_spans_add(tracing->spans,
                   &(struct otlp_span){
                       .id = otlp_spans_next_id(tracing->spans),
                       .parent = parent_at(tracing, attempt->begun),
                       .name = buf_text(&texts.name),
                       .kind = OTLP_CLIENT,
                       .begun = wall_of(tracing, attempt->begun),
                       .ended = wall_of(tracing, attempt->begun + attempt->took),
                       .attributes = list.items,
                       .n_attributes = list.count,
                       .failure = attempt->why != NULL ? attempt->why->message : NULL,
                   });
    release_texts(&texts);
}

const struct kube_observer *
tracing_observer(const struct tracing *tracing)
{
    return tracing != NULL ? &tracing->observer : NULL;
}

/* ---- the command ---- */

static void
on_warning(void *context, const char *text)
{
    const struct invocation *invocation = context;

    log_line(&invocation->logger, LOG_WARNING, 0, "traces: %s", text);
}

/* A user in the URL would be shown wherever that is. */
static bool
is_usable(const struct invocation *invocation, const char *text)
{
    struct http_url url;
    const bool is_url =
        http_url_split(&url, text) && (str_eq(url.scheme, "http") || str_eq(url.scheme, "https"));
    const bool has_user = url.user != NULL;

    http_url_release(&url);
    if (has_user) {
        on_warning((void *)invocation, "the endpoint's URL has a user in it: give credentials in "
                                       "OTEL_EXPORTER_OTLP_HEADERS; no trace is sent");
    } else if (!is_url) {
        on_warning((void *)invocation,
                   "the endpoint is no http:// or https:// URL: no trace is sent");
    }
    return is_url && !has_user;
}

/* Those whose name cannot be one are left out. */
static void
check_headers(const struct invocation *invocation, struct otlp_settings *settings)
{
    for (size_t i = 0; i < settings->n_headers; i++) {
        struct otlp_header *header = &settings->headers[i];

        if (!http_header_is_name(header->name)) {
            char *text = str_print("\"%s\" is no name of a header: it is not sent", header->name);

            on_warning((void *)invocation, text);
            free(text);
            header->name[0] = '\0';
        }
    }
}

static uint64_t
random_64(const struct invocation *invocation)
{
    const struct clock *clock = &invocation->cli->clock;
    const uint64_t high = clock->random(clock->context);

    return (high << 32) | clock->random(clock->context);
}

/* A new trace's, where nobody began it. */
static void
name_trace(struct tracing *tracing)
{
    const struct invocation *invocation = tracing->invocation;
    char *trace = tracing->settings.trace;

    if (str_is_empty(trace)) {
        snprintf(trace, OTLP_TRACE_ID_SIZE, "%016" PRIx64 "%016" PRIx64, random_64(invocation) | 1,
                 random_64(invocation)); /* all zeros would be none */
    }
}

struct tracing *
tracing_begin(const struct invocation *invocation)
{
    const struct cli *cli = invocation->cli;
    const struct otlp_reader reader = {invocation->arena, cli->getenv, on_warning,
                                       (void *)invocation};
    struct otlp_settings settings;

    if (cli->getenv == NULL) {
        return NULL;
    }
    otlp_settings_read(&reader, &settings);
    if (settings.url == NULL || !is_usable(invocation, settings.url)) {
        otlp_settings_release(&settings);
        return NULL;
    }
    struct tracing *tracing = heap_new(1, sizeof(*tracing));

    *tracing = (struct tracing){.invocation = invocation,
                                .settings = settings,
                                .observer = {tracing, on_try},
                                .begun_at = cli->clock.wall(cli->clock.context)};
    tracing->begun = monotonic(tracing);
    check_headers(invocation, &tracing->settings);
    pthread_mutex_init(&tracing->mutex, NULL);
    name_trace(tracing);
    tracing->spans = otlp_spans_new(tracing->settings.trace, random_64(invocation));
    tracing->root = otlp_spans_next_id(tracing->spans);
    return tracing;
}

static const char *
failure_of(enum exit_status status)
{
    switch (status) {
#define X(id, value, text)                                                                         \
    case STATUS_##id:                                                                              \
        return STATUS_##id == STATUS_DONE || STATUS_##id == STATUS_CHANGES ? NULL : (text);
        EXIT_STATUSES(X)
#undef X
    }
    return NULL;
}

static void
add_root(struct tracing *tracing, enum exit_status status)
{
    const uint64_t dropped = otlp_spans_dropped(tracing->spans);
    const char *failure = failure_of(status);
    char *name = str_print("ballast %s", tracing->invocation->command);
    char *type = str_print("%d", (int)status);
    struct attribute_list list = {.count = 0};

    add_text(&list, "process.executable.name", "ballast");
    add_number(&list, "process.pid", getpid());
    add_number(&list, "process.exit.code", (int)status);
    add_text(&list, "error.type", failure != NULL ? type : "");
    if (dropped > 0) {
        add_number(&list, "ballast.spans.dropped", (int64_t)dropped);
    }
    otlp_spans_add(tracing->spans,
                   &(struct otlp_span){.id = tracing->root,
                                       .parent = tracing->settings.parent,
                                       .name = name,
                                       .kind = OTLP_INTERNAL,
                                       .begun = tracing->begun_at,
                                       .ended = wall_of(tracing, monotonic(tracing)),
                                       .attributes = list.items,
                                       .n_attributes = list.count,
                                       .failure = failure,
                                       .is_frame = true});
    free(type);
    free(name);
}

/* ---- the way to the collector ---- */

static bool
keep_answer(void *context, const char *bytes, size_t length)
{
    struct buf *answer = context;
    const size_t room = answer->maximum - answer->length;

    buf_append(answer, bytes, length < room ? length : room);
    return true;
}

/* False with err, which has no word of ours in it that may not be shown. */
static bool
send_it(const struct tracing *tracing, const struct buf *body, struct error *err)
{
    const struct otlp_settings *settings = &tracing->settings;
    const atomic_bool *stop = tracing->invocation->cli->stop;
    const struct http_tls tls = {.ca = {.file = settings->ca_file},
                                 .certificate = {.file = settings->certificate_file},
                                 .key = {.file = settings->key_file}};
    struct http_exchange exchange = {.easy = NULL};
    struct buf answer;

    buf_init(&answer, ANSWER_MAX);
    for (size_t i = 0; i < settings->n_headers; i++) {
        const struct otlp_header *header = &settings->headers[i];

        if (!str_is_empty(header->name)) {
            http_add_header(&exchange, "%s: %s", header->name, header->value);
        }
    }
    http_add_header(&exchange, "Content-Type: application/json");
    const int status = http_perform(
        &exchange,
        &(struct http_request){.url = settings->url,
                               .user_agent = "ballast/" BALLAST_VERSION,
                               .body = buf_text(body),
                               .body_length = body->length,
                               .tls = strncasecmp(settings->url, "https:", 6) == 0 ? &tls : NULL,
                               .timeout = settings->timeout,
                               .connect_timeout = settings->timeout,
                               .max_head = HEAD_MAX,
                               .body_part = keep_answer,
                               .context = &answer},
        *stop ? NULL : stop, err); /* only a signal that comes meanwhile cuts it short */

    if (status > 0 && (status < 200 || status > 299)) {
        error_set(err, ERROR_UNAVAILABLE, "HTTP %d%s%s", status, answer.length > 0 ? ": " : "",
                  buf_text(&answer));
    }
    buf_release(&answer);
    return status >= 200 && status <= 299;
}

static void
write_collector(struct tracing *tracing)
{
    const struct otlp_source source = {BALLAST_VERSION, tracing->settings.resource,
                                       tracing->settings.n_resource};
    const struct logger *logger = &tracing->invocation->logger;
    const uint64_t dropped = otlp_spans_dropped(tracing->spans);
    struct error err = ERROR_INIT;
    struct buf body;

    buf_init(&body, OTLP_REQUEST_MAX);
    otlp_spans_write(tracing->spans, &source, &body);
    if (send_it(tracing, &body, &err)) {
        log_line(logger, LOG_INFO, 1, "trace %s: sent to %s, %llu spans were dropped",
                 tracing->settings.trace, tracing->settings.url, (unsigned long long)dropped);
    } else {
        log_line(logger, LOG_WARNING, 0, "traces: %s: %s", tracing->settings.url, err.message);
    }
    buf_release(&body);
}

void
tracing_end(struct tracing *tracing, enum exit_status status)
{
    if (tracing == NULL) {
        return;
    }
    add_root(tracing, status);
    write_collector(tracing);
    otlp_spans_free(tracing->spans);
    otlp_settings_release(&tracing->settings);
    pthread_mutex_destroy(&tracing->mutex);
    free(tracing);
}
