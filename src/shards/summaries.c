/* SPDX-License-Identifier: Apache-2.0
 *
 * Summaries put together. Which files count depends on what is in them alone:
 * not on the order in which they were written or are listed.
 */
#include "ballast/shards/summaries.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "ballast/base/file_replace.h"
#include "ballast/base/map.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/vec.h"

#define SUFFIX ".summary"
#define FILES_PART 4 /* of the memory: the files' text */
#define SHOWN_PART 2 /* likewise: what the members show */
#define GLANCE (NANOS_PER_SECOND / 5)

/* Another one of these is another content: files are replaced, and not written to. */
struct file_state {
    ino_t number;
    off_t size;
    struct timespec changed;
};

/* A file of a shard. */
struct shard_file {
    struct shard shard; /* by its name */
    struct file_state state;
    char *text; /* NULL: it is not read */
    size_t length;
    const struct summary *summary; /* NULL: it does not count: */
    const char *why;
};

struct merge {
    const struct summaries_options *options;
    struct fleet_builder *builder;
    struct arena *arena;
    int64_t now;
    VEC_OF(struct shard_file) files;
    size_t bytes;                                    /* of their texts */
    size_t shown;                                    /* bytes that the members showed so far */
    uint32_t count;                                  /* of shards; 0: there is no file */
    struct map *by_member;                           /* name -> its section */
    struct map *clusters;                            /* their names */
    VEC_OF(const struct summary_section *) sections; /* by member */
};

/* --- names --- */

static const char *
file_name(struct arena *arena, struct shard shard)
{
    return arena_printf(arena, "%u-of-%u" SUFFIX, (unsigned)shard.index, (unsigned)shard.count);
}

/* A number from 1 to `max` without zeros before it; *text goes on behind it. */
static bool
parse_number(const char **text, uint32_t max, uint32_t *ret)
{
    uint64_t number = 0;
    size_t digits = strspn(*text, "0123456789");

    for (size_t i = 0; i < digits && number <= max; i++) {
        number = number * 10 + (uint64_t)((*text)[i] - '0');
    }
    *ret = (uint32_t)number;
    bool done = digits > 0 && **text != '0' && number <= max;

    *text += digits;
    return done;
}

static bool
parse_name(const char *name, struct shard *ret)
{
    static const char of[] = "-of-";

    if (!parse_number(&name, SHARDS_MAX, &ret->index) || strncmp(name, of, strlen(of)) != 0) {
        return false;
    }
    name += strlen(of);
    return parse_number(&name, SHARDS_MAX, &ret->count) && str_eq(name, SUFFIX) &&
           ret->index <= ret->count;
}

static int
shard_cmp(const void *a, const void *b)
{
    const struct shard *x = a, *y = b;

    return x->count != y->count   ? (x->count < y->count ? -1 : 1)
           : x->index != y->index ? (x->index < y->index ? -1 : 1)
                                  : 0;
}

static int
file_cmp(const void *a, const void *b)
{
    const struct shard_file *x = a, *y = b;

    return shard_cmp(&x->shard, &y->shard);
}

static const char *
path_of(struct merge *m, struct shard shard)
{
    return arena_printf(m->arena, "%s/%s", m->options->directory, file_name(m->arena, shard));
}

/* --- files --- */

static const char *
kept(struct merge *m, const char *text)
{
    return arena_strndup(m->arena, text, strlen(text));
}

static struct shard_file *
find_file(const struct merge *m, struct shard shard)
{
    for (size_t i = 0; i < m->files.count; i++) {
        struct shard_file *file = &m->files.items[i];

        if (file->shard.count == shard.count && file->shard.index == shard.index) {
            return file;
        }
    }
    return NULL;
}

static void
release_text(struct merge *m, struct shard_file *file)
{
    m->bytes -= file->text != NULL ? file->length : 0;
    free(file->text);
    file->text = NULL;
    file->summary = NULL;
}

/* Bytes that one more file may have. */
static size_t
room_for_text(const struct merge *m)
{
    size_t all = m->options->memory > 0 ? m->options->memory / FILES_PART : SIZE_MAX;
    size_t left = m->bytes < all ? all - m->bytes : 0;

    return left < SUMMARY_MAX ? left : SUMMARY_MAX;
}

/* false: why it cannot be read. */
static bool
read_text(struct merge *m, struct shard_file *file)
{
    size_t most = room_for_text(m);

    errno = 0;
    file->text = file_read_head(path_of(m, file->shard), most + 1, &file->length);
    if (file->text == NULL) {
        file->why = arena_printf(m->arena, "it cannot be read: %s",
                                 errno != 0 ? strerror(errno) : "it is no regular file");
        return false;
    }
    char *shrunk = realloc(file->text, file->length + 1);

    if (shrunk != NULL) {
        file->text = shrunk;
    }
    m->bytes += file->length;
    if (file->length > most) {
        file->why = "it takes more memory than there is for summaries (--memory-limit)";
        return false;
    }
    return true;
}

/* How a summary is not what is wanted; NULL: it is. */
static const char *
mismatch(struct merge *m, const struct shard_file *file, const struct summary_head *head)
{
    const struct summary_purpose *wanted = &m->options->purpose, *got = &head->purpose;
    char time[TIMESTAMP_TEXT_MAX];
    int64_t age = timestamp_add(m->now, -head->observed_at);

    if (head->shard.index != file->shard.index || head->shard.count != file->shard.count) {
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
load(struct merge *m, struct shard_file *file)
{
    struct error err = ERROR_INIT;

    if (read_text(m, file)) {
        const struct summary *summary = summary_parse(m->arena, file->text, file->length, &err);

        file->why = summary != NULL ? mismatch(m, file, &summary->head) : kept(m, err.message);
        file->summary = file->why == NULL ? summary : NULL;
    }
    if (file->summary == NULL) {
        release_text(m, file); /* whose words are kept */
    }
}

static struct file_state
state_of(const char *path)
{
    struct stat stat_of;

    return stat(path, &stat_of) == 0
               ? (struct file_state){stat_of.st_ino, stat_of.st_size, stat_of.st_mtim}
               : (struct file_state){.number = 0};
}

static bool
is_same_state(const struct file_state *a, const struct file_state *b)
{
    return a->number == b->number && a->size == b->size && a->changed.tv_sec == b->changed.tv_sec &&
           a->changed.tv_nsec == b->changed.tv_nsec;
}

/* Reads a file where it is new, or another one than before. */
static void
glance_at(struct merge *m, struct shard shard)
{
    const struct file_state state = state_of(path_of(m, shard));
    struct shard_file *found = find_file(m, shard);

    if (found != NULL && is_same_state(&found->state, &state)) {
        return;
    }
    if (found == NULL) {
        found = vec_push(&m->files);
    } else {
        release_text(m, found);
    }
    *found = (struct shard_file){.shard = shard, .state = state};
    load(m, found);
}

/* A directory that is not there has no summaries yet. Where memory ends, it ends for the last
 * shards, in whatever order they are listed. */
static bool
glance(struct merge *m, struct error *err)
{
    DIR *directory = opendir(m->options->directory);
    const struct dirent *entry;
    VEC_OF(struct shard) listed = {.count = 0};
    struct shard shard;

    if (directory == NULL) {
        return errno == ENOENT || error_set_errno(err, errno, "%s", m->options->directory);
    }
    while ((entry = readdir(directory)) != NULL) {
        if (parse_name(entry->d_name, &shard) &&
            (m->options->count == 0 || shard.count == m->options->count)) {
            vec_add(&listed, shard);
        }
    }
    closedir(directory);
    if (listed.count > 1) {
        qsort(listed.items, listed.count, sizeof(*listed.items), shard_cmp);
    }
    for (size_t i = 0; i < listed.count; i++) {
        glance_at(m, listed.items[i]);
    }
    vec_free(&listed);
    if (m->files.count > 1) {
        qsort(m->files.items, m->files.count, sizeof(*m->files.items), file_cmp);
    }
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

/* Looks again and again until all shards have told what they saw, or it is time to go on without
 * some of them. */
static bool
wait_for_files(struct merge *m, struct error *err)
{
    const struct summaries_options *options = m->options;
    const struct clock *clock = &options->clock;
    int64_t until = timestamp_add(clock->monotonic(clock->context), options->patience);
    const struct timespec pause = {.tv_nsec = GLANCE};
    bool done = glance(m, err);

    while (done && !is_complete(m) && clock->monotonic(clock->context) < until) {
        nanosleep(&pause, NULL);
        if (options->stop != NULL && *options->stop) {
            return error_set(err, ERROR_STOPPED, "stopped by a signal");
        }
        done = glance(m, err);
    }
    return done;
}

/* Another number of shards than before leaves summaries of both behind: the latest one counts with
 * its like. */
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

/* --- members --- */

static int
section_cmp(const void *a, const void *b)
{
    const struct summary_section *const *x = a, *const *y = b;

    return strcmp((*x)->member, (*y)->member);
}

/* Those of clusters that are there; and what the shard saw of others, for it is a problem then. */
static void
take_sections(struct merge *m, const struct summary *summary)
{
    for (uint32_t i = 0; i < summary->n_sections; i++) {
        const struct summary_section *section = &summary->sections[i];

        if (map_get_str(m->clusters, section->member) != NULL || !section->is_known) {
            *map_put_str(m->by_member, section->member, NULL) = (void *)(uintptr_t)section;
            vec_add(&m->sections, section);
        }
    }
}

/* What is not seen of a member that no summary tells of. */
static const char *
missing_parts(const struct merge *m)
{
    bool nodes = sources_have(m->options->sources, SOURCE_NODES);

    return !sources_have(m->options->sources, SOURCE_PODS) ? "nodes"
           : nodes                                         ? "pods, nodes"
                                                           : "pods";
}

static const char *
why_missing(struct merge *m, const char *member)
{
    if (m->count == 0) {
        return arena_printf(m->arena, "there is no summary in %s", m->options->directory);
    }
    const struct shard shard = {shard_of(member, m->count), m->count};
    const struct shard_file *file = find_file(m, shard);

    if (file == NULL) {
        return arena_printf(m->arena, "there is no summary of shard %u of %u",
                            (unsigned)shard.index, (unsigned)shard.count);
    }
    return arena_printf(m->arena, "%s: %s", file_name(m->arena, shard),
                        file->summary != NULL ? "it does not tell of the member" : file->why);
}

static void
note_missing(struct merge *m)
{
    const char *name;

    for (size_t i = 0; (name = fleet_builder_cluster(m->builder, i)) != NULL; i++) {
        if (map_get_str(m->by_member, name) == NULL) {
            fleet_builder_miss(m->builder, name, missing_parts(m), why_missing(m, name));
        }
    }
}

/* Of the memory for what the members show, one takes half at most, and no more than is left. */
static size_t
memory_for(const struct merge *m)
{
    size_t all = m->options->memory / SHOWN_PART;
    size_t left = m->shown < all ? all - m->shown : 1;

    return left < all / SHOWN_PART ? left : all / SHOWN_PART;
}

static void
add_section(struct merge *m, const struct summary_section *section)
{
    size_t before = fleet_builder_footprint(m->builder, section->member);
    struct error err = ERROR_INIT;
    bool done = summary_section_add(section, m->builder, memory_for(m), &err);
    size_t after = fleet_builder_footprint(m->builder, section->member);

    m->shown += after > before ? after - before : 0;
    if (!done) {
        const struct shard shard = {shard_of(section->member, m->count), m->count};

        fleet_builder_miss(
            m->builder, section->member, missing_parts(m),
            arena_printf(m->arena, "%s: %s", file_name(m->arena, shard), err.message));
    }
}

static void
add_sections(struct merge *m)
{
    if (m->sections.count > 1) {
        qsort(m->sections.items, m->sections.count, sizeof(*m->sections.items), section_cmp);
    }
    for (size_t i = 0; i < m->sections.count; i++) {
        summary_section_remark(m->sections.items[i], m->builder);
    }
    for (size_t i = 0; i < m->sections.count; i++) {
        add_section(m, m->sections.items[i]);
    }
}

static void
merge(struct merge *m)
{
    const char *name;

    for (size_t i = 0; (name = fleet_builder_cluster(m->builder, i)) != NULL; i++) {
        map_put_str(m->clusters, name, NULL);
    }
    choose_count(m);
    for (size_t i = 0; i < m->files.count; i++) {
        const struct shard_file *file = &m->files.items[i];

        if (file->summary != NULL && file->shard.count == m->count) {
            take_sections(m, file->summary);
        }
    }
    note_missing(m);
    add_sections(m);
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
        .by_member = map_new(),
        .clusters = map_new(),
    };
    bool done = wait_for_files(&m, err);

    if (done) {
        merge(&m);
    }
    for (size_t i = 0; i < m.files.count; i++) {
        release_text(&m, &m.files.items[i]);
    }
    vec_free(&m.files);
    vec_free(&m.sections);
    map_free(m.by_member);
    map_free(m.clusters);
    arena_free(m.arena);
    return done;
}

struct member_port
summaries_port(const struct summaries_options *options)
{
    return (struct member_port){(void *)(uintptr_t)options, look};
}

const char *
summaries_put(struct arena *arena, const char *directory, struct shard shard,
              const struct buf *summary, struct error *err)
{
    const char *path = arena_printf(arena, "%s/%s", directory, file_name(arena, shard));

    if (mkdir(directory, 0700) != 0 && errno != EEXIST) {
        error_set_errno(err, errno, "%s", directory);
        return NULL;
    }
    return file_replace(path, buf_text(summary), summary->length, 0600, err) ? path : NULL;
}
