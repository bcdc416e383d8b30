/* SPDX-License-Identifier: Apache-2.0
 *
 * Bindings as an API server keeps them.
 */
#include "api.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "objects.h"

#include "ballast/base/str.h"

#define TEXT_MAX ((size_t)1 << 20)
#define ANNOTATION_LAST_MOVE "ballast.io/last-move"

struct document *
parse_own(const struct buf *text)
{
    struct error err = ERROR_INIT;
    struct document *document = document_parse_json(buf_text(text), text->length, 1, &err);

    if (document == NULL) {
        BUG("%s: %s", err.message, buf_text(text));
    }
    return document;
}

static const char *
text_member(const struct value *object, const char *key)
{
    const struct value *member = object != NULL ? value_get(object, key) : NULL;

    return member != NULL && value_type(member) == VALUE_STRING ? value_string(member) : "";
}

static bool
same_member(const struct value *a, const struct value *b, const char *key)
{
    const struct value *x = value_get(a, key);
    const struct value *y = value_get(b, key);

    return x == NULL || y == NULL ? x == y : value_equal(x, y);
}

static void
read_targets(const struct sim *sim, struct sim_workload *workload, const struct value *spec)
{
    const struct value *clusters = value_get(spec, "clusters");

    workload->assigned = 0;
    memset(workload->split, 0, sizeof(workload->split));
    for (size_t i = 0; clusters != NULL && i < value_count(clusters); i++) {
        const struct value *entry = value_at(clusters, i);
        const struct value *replicas = value_get(entry, "replicas");
        int cluster = sim_find_cluster(sim, text_member(entry, "name"));

        if (cluster >= 0) {
            workload->assigned |= 1u << cluster;
            workload->split[cluster] = replicas != NULL ? (int)value_integer(replicas) : 0;
        } else {
            BUG("%s is assigned to %s, which is not there", workload->name,
                text_member(entry, "name"));
        }
    }
}

static void
read_tasks(const struct sim *sim, struct sim_workload *workload, const struct value *spec)
{
    const struct value *tasks = value_get(spec, "gracefulEvictionTasks");

    workload->evicting = 0;
    for (size_t i = 0; tasks != NULL && i < value_count(tasks); i++) {
        int cluster = sim_find_cluster(sim, text_member(value_at(tasks, i), "fromCluster"));

        if (cluster != NOBODY) {
            workload->evicting |= 1u << cluster;
        }
    }
}

static void
read_binding(const struct sim *sim, struct sim_workload *workload)
{
    const struct value *spec = value_get(document_root(workload->binding), "spec");

    read_targets(sim, workload, spec);
    read_tasks(sim, workload, spec);
}

void
api_create_binding(struct sim *sim, int workload)
{
    struct sim_workload *subject = &sim->workloads[workload];
    struct buf text;

    buf_init(&text, TEXT_MAX);
    subject->generation = 1;
    subject->first_replicas = subject->replicas;
    objects_write_binding(sim, subject, ++sim->version, &text);
    subject->binding = parse_own(&text);
    buf_release(&text);
    read_binding(sim, subject);
    measures_saw_scale(sim, workload, subject->replicas);
}

/* The object with the metadata that a write gives it. */
static struct document *
with_metadata(struct sim *sim, struct sim_workload *workload, const struct document *merged)
{
    struct buf text;

    buf_init(&text, TEXT_MAX);
    buf_printf(&text,
               "{\"metadata\":{\"resourceVersion\":\"%" PRId64 "\",\"generation\":%" PRId64 "}}",
               ++sim->version, workload->generation);
    struct document *metadata = parse_own(&text);
    struct document *whole = document_merge(document_root(merged), document_root(metadata));

    document_free(metadata);
    buf_release(&text);
    return whole;
}

/* Puts the merged object in place; false when it is as it was. Takes it over. */
static bool
put(struct sim *sim, struct sim_workload *workload, struct document *merged)
{
    const struct value *before = document_root(workload->binding);
    bool is_changed = !value_equal(document_root(merged), before);

    if (is_changed) {
        if (!same_member(document_root(merged), before, "spec")) {
            workload->generation++;
            workload->next_try = sim->now;
        }
        struct document *whole = with_metadata(sim, workload, merged);

        document_free(workload->binding);
        workload->binding = whole;
        read_binding(sim, workload);
    }
    document_free(merged);
    return is_changed;
}

static bool
is_outdated(const struct value *object, const struct value *patch)
{
    const char *wanted = text_member(value_get(patch, "metadata"), "resourceVersion");

    return !str_is_empty(wanted) &&
           !str_eq(wanted, text_member(value_get(object, "metadata"), "resourceVersion"));
}

static void
count_write(struct sim *sim, int workload, enum writer writer, const int *before)
{
    const struct sim_workload *subject = &sim->workloads[workload];
    bool by_others = writer == WRITER_USER || writer == WRITER_OTHER;

    sim->measures.writes += writer == WRITER_POLICY || writer == WRITER_SCHEDULER ? 1 : 0;
    if (memcmp(before, subject->split, sizeof(subject->split)) != 0) {
        sim->workloads[workload].placed = sim->now;
        measures_saw_split(sim, workload, before, subject->split, by_others);
    }
}

bool
api_patch(struct sim *sim, int workload, enum writer writer, const struct buf *patch,
          struct error *err)
{
    struct sim_workload *subject = &sim->workloads[workload];
    struct document *change = parse_own(patch);
    int before[SIM_CLUSTERS];

    if (is_outdated(document_root(subject->binding), document_root(change))) {
        document_free(change);
        return error_set(err, ERROR_CONFLICT, "the object has been modified");
    }
    memcpy(before, subject->split, sizeof(before));
    if (put(sim, subject, document_merge(document_root(subject->binding), document_root(change)))) {
        count_write(sim, workload, writer, before);
    }
    document_free(change);
    return true;
}

void
api_patch_status(struct sim *sim, int workload, const struct buf *status)
{
    struct sim_workload *subject = &sim->workloads[workload];
    struct document *change = parse_own(status);

    put(sim, subject, document_merge(document_root(subject->binding), document_root(change)));
    document_free(change);
}

void
api_write(struct sim *sim, int workload, enum writer writer, const char *format, ...)
{
    struct error err = ERROR_INIT;
    char text[4096];
    struct buf patch;
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    buf_init(&patch, TEXT_MAX);
    buf_append_str(&patch, text);
    if (!api_patch(sim, workload, writer, &patch, &err)) {
        BUG("%s", err.message);
    }
    buf_release(&patch);
}

int
api_attempt(const struct sim *sim, int workload)
{
    const struct value *metadata =
        value_get(document_root(sim->workloads[workload].binding), "metadata");
    const char *memory = text_member(value_get(metadata, "annotations"), ANNOTATION_LAST_MOVE);
    struct error err = ERROR_INIT;
    struct document *document =
        str_is_empty(memory) ? NULL : document_parse_json(memory, strlen(memory), 1, &err);
    const struct value *attempt =
        document != NULL ? value_get(document_root(document), "attempt") : NULL;
    int count = attempt != NULL ? (int)value_integer(attempt) : 0;

    document_free(document);
    return count;
}
