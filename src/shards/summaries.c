/* SPDX-License-Identifier: Apache-2.0
 *
 * Summaries put together. Which files count depends on what is in them alone:
 * not on the order in which they were written or are listed.
 */
#include "ballast/shards/summaries.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "summary_merge.h"

#define FILES_PART 4 /* 1/4 of the memory is for texts */

/* --- files --- */

static int
carried_cmp(const void *a, const void *b)
{
    const struct carried_summary *x = a, *y = b;

    return shard_cmp(&x->shard, &y->shard);
}

int
shard_file_cmp(const void *a, const void *b)
{
    const struct shard_file *x = a, *y = b;

    return shard_cmp(&x->shard, &y->shard);
}

static const char *
kept(struct merge *m, const char *text)
{
    return arena_strndup(m->arena, text, strlen(text));
}

static struct shard_file *
find_file(const struct merge *m, struct shard shard)
{
    const struct shard_file wanted = {.shard = shard};

    return m->n_sorted > 0
               ? bsearch(&wanted, m->files.items, m->n_sorted, sizeof(wanted), shard_file_cmp)
               : NULL;
}

const struct shard_file *
merge_find_file(const struct merge *m, struct shard shard)
{
    return find_file(m, shard);
}

static void
release_text(struct merge *m, struct shard_file *file)
{
    m->bytes -= file->text != NULL ? file->length : 0;
    free(file->text);
    file->text = NULL;
}

static void
drop(struct merge *m, struct shard_file *file)
{
    release_text(m, file);
    file->summary = NULL;
}

static size_t
room_for_text(const struct merge *m)
{
    size_t all = m->options->memory > 0 ? m->options->memory / FILES_PART : SIZE_MAX;
    size_t left = m->bytes < all ? all - m->bytes : 0;

    return left < SUMMARY_MAX ? left : SUMMARY_MAX;
}

/* False sets file->why. */
static bool
read_text(struct merge *m, struct shard_file *file, const struct carried_summary *carried)
{
    const struct summary_carrier *carrier = &m->options->carrier;
    struct error err = ERROR_INIT;

    file->text = carrier->read(carrier->context, carried, room_for_text(m), &file->length, &err);
    if (file->text != NULL) {
        m->bytes += file->length;
        return true;
    }
    file->why = err.code == ERROR_LIMIT
                    ? "it takes more memory than there is for summaries (--memory-limit)"
                : err.code == ERROR_PARSE
                    ? kept(m, err.message)
                    : arena_printf(m->arena, "it cannot be read: %s", err.message);
    return false;
}

/* Returns why a summary does not fit; NULL if it does. */
static const char *
mismatch(struct merge *m, const struct shard_file *file, const struct summary_head *head)
{
    const struct summary_purpose *wanted = &m->options->purpose, *got = &head->purpose;
    char time[TIMESTAMP_TEXT_MAX];
    int64_t age = timestamp_add(m->now, -head->observed_at);

    if (shard_cmp(&head->shard, &file->shard) != 0) {
        return arena_printf(m->arena, "it is of shard %u of %u", (unsigned)head->shard.index,
                            (unsigned)head->shard.count);
    }
    if (!str_eq(wanted->fleet, got->fleet)) {
        return arena_printf(m->arena, "it is of another fleet: %s", got->fleet);
    }
    if (!str_eq(wanted->settings, got->settings)) {
        return arena_printf(m->arena, "it was made with other settings: %s, want %s", got->settings,
                            wanted->settings);
    }
    if (!str_is_empty(wanted->cycle) && !str_eq(wanted->cycle, got->cycle)) {
        return arena_printf(m->arena, "it is of another cycle: %s", got->cycle);
    }
    if (m->options->max_age > 0 && (age > m->options->max_age || age < -m->options->max_age)) {
        return arena_printf(m->arena, "it is of %s, too far from when the fleet was read",
                            timestamp_format_seconds(head->observed_at, time));
    }
    return NULL;
}

static void
load(struct merge *m, struct shard_file *file, const struct carried_summary *carried)
{
    struct error err = ERROR_INIT;

    if (read_text(m, file, carried)) {
        const struct summary *summary = summary_parse(m->arena, file->text, file->length, &err);

        file->why = summary != NULL ? mismatch(m, file, &summary->head) : kept(m, err.message);
        file->summary = file->why == NULL ? summary : NULL;
    }
    if (file->summary == NULL) {
        drop(m, file); /* file->why stays */
    }
}

/* Reads a file that is new or changed. */
static void
glance_at(struct merge *m, const struct carried_summary *carried)
{
    struct shard_file *found = find_file(m, carried->shard);

    if (found != NULL && (found->is_taken || found->version == carried->version)) {
        return;
    }
    if (found == NULL) {
        found = vec_push(&m->files);
    } else {
        drop(m, found);
    }
    *found = (struct shard_file){
        .shard = carried->shard, .version = carried->version, .name = kept(m, carried->name)};
    if (carried->why != NULL) {
        found->why = kept(m, carried->why);
    } else {
        load(m, found, carried);
    }
}

struct glance {
    struct arena *arena;
    uint32_t count; /* of shards; 0: any */
    VEC_OF(struct carried_summary) listed;
};

static void
on_found(void *context, const struct carried_summary *summary)
{
    struct glance *seen = context;

    if (seen->count == 0 || summary->shard.count == seen->count) {
        struct carried_summary *copy = vec_push(&seen->listed);

        *copy = *summary;
        copy->name = arena_strndup(seen->arena, summary->name, strlen(summary->name));
        copy->why = summary->why != NULL
                        ? arena_strndup(seen->arena, summary->why, strlen(summary->why))
                        : NULL;
    }
}

/* Reads by shard: if memory ends, it ends for the last shards, in any order of listing. */
static bool
glance(struct merge *m, struct error *err)
{
    const struct summary_carrier *carrier = &m->options->carrier;
    struct glance seen = {.arena = arena_new(), .count = m->options->count};
    bool done = carrier->list(carrier->context, on_found, &seen, err);

    if (seen.listed.count > 1) {
        qsort(seen.listed.items, seen.listed.count, sizeof(*seen.listed.items), carried_cmp);
    }
    for (size_t i = 0; done && i < seen.listed.count; i++) {
        glance_at(m, &seen.listed.items[i]);
    }
    vec_free(&seen.listed);
    arena_free(seen.arena);
    if (m->files.count > 1) {
        qsort(m->files.items, m->files.count, sizeof(*m->files.items), shard_file_cmp);
    }
    m->n_sorted = m->files.count;
    return done;
}

/* Works as glance(), but a temporary failure only leaves members unseen. */
static bool
glance_if(struct merge *m, struct error *err)
{
    struct error why = ERROR_INIT;

    if (glance(m, &why)) {
        m->failure = NULL;
        return true;
    }
    if (why.code != ERROR_UNAVAILABLE && why.code != ERROR_DEADLINE) {
        *err = why;
        return false;
    }
    m->failure =
        m->failure != NULL ? m->failure : kept(m, why.message); /* keeps the first failure */
    return true;
}

static bool
is_complete(const struct merge *m)
{
    uint32_t n_good = 0;

    for (size_t i = 0; i < m->files.count; i++) {
        n_good += m->files.items[i].summary != NULL ? 1 : 0;
    }
    return n_good >= m->options->count;
}

/* Needs a cycle: a summary without one may be an earlier cycle's. */
static void
take_early(struct merge *m)
{
    if (str_is_empty(m->options->purpose.cycle)) {
        return;
    }
    for (size_t i = 0; i < m->files.count; i++) {
        struct shard_file *file = &m->files.items[i];

        if (file->summary != NULL && !file->is_taken && merge_take_whole(m, file)) {
            release_text(m, file);
        }
    }
}

/* Looks again until all shards have written, or until patience ends. */
static bool
wait_for_files(struct merge *m, struct error *err)
{
    const struct summaries_options *options = m->options;
    const struct clock *clock = &options->clock;
    int64_t until = timestamp_add(clock->monotonic(clock->context), options->patience);
    const struct timespec pause = {.tv_sec = options->carrier.pause / NANOS_PER_SECOND,
                                   .tv_nsec = options->carrier.pause % NANOS_PER_SECOND};
    bool done = glance_if(m, err);

    while (done && !is_complete(m) && clock->monotonic(clock->context) < until) {
        take_early(m);
        nanosleep(&pause, NULL);
        if (options->stop != NULL && *options->stop) {
            return error_set(err, ERROR_STOPPED, "stopped by a signal");
        }
        done = glance_if(m, err);
    }
    return done;
}

/* After a change of the number of shards, files of both numbers exist: the latest one decides. */
static void
choose_count(struct merge *m)
{
    int64_t latest = TIME_NONE;

    m->count = m->options->count;
    for (size_t i = 0; i < m->files.count && m->options->count == 0; i++) {
        const struct shard_file *file = &m->files.items[i];
        int64_t time = file->summary != NULL ? file->summary->head.observed_at : TIME_NONE;

        if (time >= latest) {
            latest = time;
            m->count = file->shard.count;
        }
    }
}

static void
note_clusters(struct merge *m)
{
    const char *name;

    for (size_t i = 0; (name = fleet_builder_cluster(m->builder, i)) != NULL; i++) {
        map_put_str(m->clusters, name, NULL);
    }
}

static bool
look(void *context, struct fleet_builder *builder, int64_t now, struct error *err)
{
    const struct summaries_options *options = context;
    struct merge m = {
        .options = options,
        .builder = builder,
        .arena = arena_new(),
        .now = now != TIME_NONE ? now : options->clock.wall(options->clock.context),
        .clusters = map_new(),
    };

    note_clusters(&m);
    bool done = wait_for_files(&m, err);

    if (done) {
        choose_count(&m);
        merge_members(&m);
    }
    for (size_t i = 0; i < m.files.count; i++) {
        release_text(&m, &m.files.items[i]);
    }
    vec_free(&m.files);
    vec_free(&m.told);
    map_free(m.clusters);
    arena_free(m.arena);
    return done;
}

struct member_port
summaries_port(const struct summaries_options *options)
{
    return (struct member_port){(void *)(uintptr_t)options, look};
}
