/* SPDX-License-Identifier: Apache-2.0
 *
 * Looks up names of a fleet for completion, in a child process without terminal and with a time
 * limit. If a disk, a plugin or a server is slow, the shell gets the names found by then.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ballast/base/buf.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "ballast/directory/fleet_directory.h"
#include "complete.h"

#define NAMES_MAX ((size_t)4 << 20) /* bytes */
#define NANOS_PER_MILLISECOND (NANOS_PER_SECOND / 1000)

struct file_visit {
    const struct fleet_name_query *query;
    FILE *out;
};

/* Kinds whose objects yield names, by kind and prefix of the API version. */
static const struct named_kind {
    const char *kind, *api;
    bool is_cluster;
} named_kinds[] = {
    {"Cluster", "cluster.karmada.io/", true},
    {"KubeFedCluster", "core.kubefed.io/", true},
    {"ResourceBinding", "work.karmada.io/", false},
    {"ClusterResourceBinding", "work.karmada.io/", false},
    {"FederatedDeployment", "types.kubefed.io/", false},
    {"FederatedReplicaSet", "types.kubefed.io/", false},
};

void
fleet_name_print(const struct fleet_name_query *query, const struct value *object, FILE *out)
{
    const struct value *metadata = value_get(object, "metadata");
    /* NULL for a federated object: that is the workload itself */
    const struct value *of = value_get(value_get(object, "spec"), "resource");
    const char *namespace_ = value_text(metadata, "namespace");
    const char *name = value_text(of != NULL ? of : metadata, "name");

    if (query->kind == FLEET_NAMESPACES) {
        fprintf(out, "%s\n", namespace_);
    } else if (query->kind == FLEET_CLUSTERS) {
        fprintf(out, "%s\n", value_text(metadata, "name"));
    } else if (query->namespace_ == NULL || str_eq(query->namespace_, namespace_)) {
        fprintf(out, "%s%s%s\n", namespace_, str_is_empty(namespace_) ? "" : "/", name);
    }
}

static void
visit_object(void *context, const struct value *object, const char *list_api_version,
             const char *list_kind)
{
    const struct file_visit *visit = context;
    const char *kind = value_text(object, "kind");
    const char *api = value_text(object, "apiVersion");
    size_t length = strlen(kind);

    if (length == 0) { /* an item of a list such as "ClusterList" */
        kind = list_kind;
        api = list_api_version;
        length = strlen(kind) >= strlen("List") ? strlen(kind) - strlen("List") : 0;
    }
    for (size_t i = 0; i < sizeof(named_kinds) / sizeof(named_kinds[0]); i++) {
        const struct named_kind *named = &named_kinds[i];

        if (strlen(named->kind) == length && strncmp(named->kind, kind, length) == 0 &&
            strncmp(api, named->api, strlen(named->api)) == 0 &&
            named->is_cluster == (visit->query->kind == FLEET_CLUSTERS)) {
            fleet_name_print(visit->query, object, visit->out);
        }
    }
}

static void
visit_bad_object(void *context, const char *place, const char *why)
{
    (void)context;
    (void)place;
    (void)why;
}

static void
print_of_files(const struct fleet_name_query *query, FILE *out)
{
    struct file_visit visit = {query, out};
    const struct fleet_visitor visitor = {&visit, visit_object, visit_bad_object};
    struct error ignored = ERROR_INIT;
    struct fleet_directory *directory = fleet_directory_open(query->settings->fleet, &ignored);

    if (directory != NULL) {
        fleet_directory_visit(directory, &visitor, &ignored);
    }
    fleet_directory_close(directory);
}

/* Runs in the child, which exits after it. */
static void
print_all(const struct cli *cli, const struct fleet_name_query *query, int64_t time, int fd)
{
    int nothing = open("/dev/null", O_RDWR);
    FILE *out = fdopen(fd, "w");

    setsid(); /* a plugin must have no terminal, either */
    if (out == NULL || nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 ||
        dup2(nothing, STDOUT_FILENO) < 0 || dup2(nothing, STDERR_FILENO) < 0) {
        return;
    }
    setvbuf(out, NULL, _IOLBF, 0); /* names found before the kill count */
    if (str_is_empty(query->settings->fleet)) {
        /* ends before the kill, so that a plugin ends, too */
        live_names_print(cli, query, time * 8 / 10, out);
    } else {
        print_of_files(query, out);
    }
    fflush(out);
}

/* Reads until the child closes the pipe, or time is up. */
static void
collect(const struct cli *cli, int fd, int64_t time, struct buf *ret)
{
    int64_t until = cli->clock.monotonic(cli->clock.context) + time;
    char chunk[4096];

    while (!ret->overflowed && !*cli->stop) {
        int64_t left = until - cli->clock.monotonic(cli->clock.context);
        struct pollfd waiting = {.fd = fd, .events = POLLIN};

        if (left <= 0 || poll(&waiting, 1, pin_int32(left / NANOS_PER_MILLISECOND) + 1) != 1) {
            return;
        }
        ssize_t length = read(fd, chunk, sizeof(chunk));

        if (length <= 0) {
            return;
        }
        buf_append(ret, chunk, (size_t)length);
    }
}

/* Passes on whole lines only: the kill may cut the last one. */
static void
pass_names(char *lines, void (*found)(void *context, const char *name), void *context)
{
    for (char *end; (end = strchr(lines, '\n')) != NULL; lines = end + 1) {
        *end = '\0';
        if (!str_is_empty(lines)) {
            found(context, lines);
        }
    }
}

void
fleet_names_find(const struct cli *cli, const struct fleet_name_query *query, int64_t time,
                 void (*found)(void *context, const char *name), void *context)
{
    int ends[2];
    struct buf names;

    if (str_eq(query->settings->fleet, "-") || pipe2(ends, O_CLOEXEC) != 0) {
        return; /* completion must not consume the terminal's input */
    }
    pid_t child = fork();

    if (child == 0) {
        print_all(cli, query, time, ends[1]);
        _exit(0);
    }
    close(ends[1]);
    buf_init(&names, NAMES_MAX);
    if (child > 0) {
        collect(cli, ends[0], time, &names);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    }
    close(ends[0]);
    if (names.length > 0) {
        pass_names(names.data, found, context);
    }
    buf_release(&names);
}
