/* SPDX-License-Identifier: Apache-2.0
 *
 * A summary's text into its parts, all of it checked: it comes from another
 * process, over storage that others may write to.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "ballast/base/arena.h"
#include "ballast/base/map.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/vec.h"
#include "ballast/kinds/pod_folder.h"
#include "ballast/shards/summary.h"
#include "summary_parts.h"

#define HEAD_MAX ((size_t)16 << 10) /* its texts are said of each member where they are others */
#define LINE_MAX ((size_t)16 << 20) /* what is said of a member beside its objects */
#define LENGTH_DIGITS 20
#define SLICE ((size_t)256 << 10)
#define OBJECT_MAX ((size_t)8 << 20)
#define OBJECT_VALUES_MAX ((size_t)1 << 17)

struct reading {
    struct arena *arena;
    const char *at, *end; /* what is left of the text */
    struct summary *summary;
    VEC_OF(struct summary_section) sections;
    struct map *members; /* their names */
    struct error *err;
};

/* --- the first line --- */

/* The next word of the line, NUL-terminated in the arena; "" at its end. */
static const char *
next_word(struct reading *r, const char *line_end)
{
    const char *begin = r->at;

    while (r->at < line_end && *r->at != ' ') {
        r->at++;
    }
    const char *word = arena_strndup(r->arena, begin, (size_t)(r->at - begin));

    r->at += r->at < line_end ? 1 : 0;
    return word;
}

static bool
parse_length(const char *text, size_t *ret)
{
    size_t digits = strspn(text, "0123456789");

    *ret = 0;
    if (digits == 0 || digits >= LENGTH_DIGITS || text[digits] != '\0') {
        return false;
    }
    for (size_t i = 0; i < digits; i++) {
        *ret = *ret * 10 + (size_t)(text[i] - '0');
    }
    return true;
}

/* Leaves what is behind it. */
static bool
read_seal(struct reading *r)
{
    const char *line_end = memchr(r->at, '\n', (size_t)(r->end - r->at));
    char checksum[CHECKSUM_DIGITS + 1];
    size_t length;

    if (line_end == NULL || line_end - r->at > 256) {
        return error_set(r->err, ERROR_PARSE, "it is no summary");
    }
    if (!str_eq(next_word(r, line_end), SUMMARY_MAGIC)) {
        return error_set(r->err, ERROR_PARSE, "it is no summary");
    }
    const char *version = next_word(r, line_end);

    if (!str_eq(version, SUMMARY_VERSION)) {
        return error_set(r->err, ERROR_INVALID, "it is of version \"%s\", want " SUMMARY_VERSION,
                         version);
    }
    const char *wanted = next_word(r, line_end);

    if (!parse_length(next_word(r, line_end), &length)) {
        return error_set(r->err, ERROR_PARSE, "it is no summary");
    }
    r->at = line_end + 1;
    if (length != (size_t)(r->end - r->at)) {
        return error_set(r->err, ERROR_PARSE, "it is torn: want %zu bytes, got %zu", length,
                         (size_t)(r->end - r->at));
    }
    summary_checksum(r->at, length, checksum);
    return str_eq(checksum, wanted) ||
           error_set(r->err, ERROR_PARSE, "it is torn: its checksum is another one");
}

/* --- lines of JSON --- */

/* A line of `most` bytes at most. NULL with the error: it is no object. To be freed. */
static struct document *
read_line(struct reading *r, const char *what, size_t most)
{
    const char *line_end = memchr(r->at, '\n', (size_t)(r->end - r->at));
    size_t length = line_end != NULL ? (size_t)(line_end - r->at) : 0;

    if (line_end == NULL || length > most) {
        error_set(r->err, ERROR_PARSE, "%s: want a line of at most %zu bytes", what, most);
        return NULL;
    }
    struct document *document = document_parse_json(r->at, length, 1, r->err);

    if (document != NULL && value_type(document_root(document)) != VALUE_OBJECT) {
        error_set(r->err, ERROR_PARSE, "want object, got %s",
                  value_type_name(value_type(document_root(document))));
        document_free(document);
        document = NULL;
    }
    if (document == NULL) {
        error_wrap(r->err, "%s", what);
        return NULL;
    }
    r->at = line_end + 1;
    return document;
}

/* An integer of a range; outside of it when there is none. */
static int64_t
read_integer(const struct value *object, const char *key, int64_t min, int64_t max)
{
    const struct value *value = value_find(object, key, VALUE_INTEGER);

    return value != NULL && value_integer(value) >= min && value_integer(value) <= max
               ? value_integer(value)
               : min - 1;
}

static const char *
keep(struct reading *r, const struct value *object, const char *key)
{
    const char *text = value_text(object, key);

    return arena_strndup(r->arena, text, strlen(text));
}

static bool
read_head(struct reading *r)
{
    struct document *document = read_line(r, "head", HEAD_MAX);
    struct summary_head *head = &r->summary->head;

    if (document == NULL) {
        return false;
    }
    const struct value *root = document_root(document);
    int64_t count = read_integer(root, "shards", 1, SHARDS_MAX);
    int64_t index = read_integer(root, "shard", 1, count);
    bool done = count >= 1 && index >= 1 &&
                timestamp_parse(value_text(root, "observedAt"), &head->observed_at) &&
                head->observed_at != TIME_NONE;

    head->purpose = (struct summary_purpose){keep(r, root, "fleet"), keep(r, root, "cycle"),
                                             keep(r, root, "settings")};
    head->shard = (struct shard){(uint32_t)index, (uint32_t)count};
    document_free(document);
    return done || error_set(r->err, ERROR_PARSE,
                             "head: want shard, shards (1 to %u) and observedAt", SHARDS_MAX);
}

/* --- sections --- */

static void
read_saw(const struct value *list, bool saw[N_MEMBER_PARTS])
{
    for (size_t i = 0; i < value_count(list); i++) {
        const struct value *kind = value_at(list, i);

        for (int part = 0; part < N_MEMBER_PARTS; part++) {
            saw[part] |= value_type(kind) == VALUE_STRING &&
                         str_eq(value_string(kind), prune_part_kind((enum member_part)part));
        }
    }
}

static void
read_problems(struct reading *r, const struct value *list, struct summary_section *section)
{
    struct problem *problems = ARENA_ARRAY(r->arena, struct problem, value_count(list));

    for (size_t i = 0; i < value_count(list); i++) {
        const struct value *problem = value_at(list, i);

        problems[section->n_problems++] =
            (struct problem){keep(r, problem, "object"), keep(r, problem, "message")};
    }
    section->problems = problems;
}

static void
read_remarks(struct reading *r, const struct value *root, struct summary_section *section)
{
    const struct value *known = value_find(root, "isKnown", VALUE_BOOL);
    const struct value *gap = value_find(root, "gap", VALUE_OBJECT);
    const struct value *saw = value_find(root, "saw", VALUE_LIST);
    const struct value *problems = value_find(root, "problems", VALUE_LIST);

    section->is_known = known != NULL && value_bool(known);
    if (gap != NULL) {
        section->gap = (struct member_gap){keep(r, gap, "parts"), keep(r, gap, "message")};
    }
    if (saw != NULL) {
        read_saw(saw, section->saw);
    }
    if (problems != NULL) {
        read_problems(r, problems, section);
    }
}

/* Beside nothing, only what can be taken back from a time: no INT64_MIN. */
static bool
read_clock(struct reading *r, const struct value *root, struct summary_section *section)
{
    if (value_get(root, "clockOffset") == NULL) {
        return true;
    }
    section->clock_offset = read_integer(root, "clockOffset", -INT64_MAX, INT64_MAX);
    return section->clock_offset >= -INT64_MAX ||
           error_set(r->err, ERROR_PARSE, "%s: want clockOffset in nanoseconds", section->member);
}

/* Whether it may be said here, and was not yet. */
static bool
check_member(struct reading *r, const char *member)
{
    const struct shard *shard = &r->summary->head.shard;
    bool is_new = false;

    if (str_is_empty(member)) {
        return error_set(r->err, ERROR_PARSE, "a member without a name");
    }
    uint32_t owner = shard_of(member, shard->count);

    if (owner != shard->index) {
        return error_set(r->err, ERROR_INVALID, "it tells of %s, which shard %u looks into", member,
                         (unsigned)owner);
    }
    map_put_str(r->members, member, &is_new);
    return is_new || error_set(r->err, ERROR_INVALID, "it tells of %s twice", member);
}

static bool
read_section(struct reading *r)
{
    struct document *document = read_line(r, "a member", LINE_MAX);

    if (document == NULL) {
        return false;
    }
    const struct value *root = document_root(document);
    struct summary_section section = {.member = keep(r, root, "member")};
    int64_t left = r->end - r->at;
    int64_t bytes = read_integer(root, "bytes", 0, left > 0 ? left - 1 : 0);

    read_remarks(r, root, &section);
    bool done = check_member(r, section.member) && read_clock(r, root, &section);

    document_free(document);
    if (!done) {
        return false;
    }
    if (bytes < 0 || left == 0 || r->at[bytes] != '\n') {
        return error_set(r->err, ERROR_PARSE, "%s: want bytes, and a line of so many",
                         section.member);
    }
    section.objects = r->at;
    section.length = (size_t)bytes;
    r->at += bytes + 1;
    vec_add(&r->sections, section);
    return true;
}

const struct summary *
summary_parse(struct arena *arena, const char *text, size_t length, struct error *err)
{
    struct reading r = {.arena = arena,
                        .at = text,
                        .end = text + length,
                        .summary = ARENA_NEW(arena, struct summary),
                        .members = map_new(),
                        .err = err};
    bool done = read_seal(&r) && read_head(&r);

    while (done && r.at < r.end) {
        done = read_section(&r);
    }
    r.summary->sections = vec_to_arena(&r.sections, arena);
    r.summary->n_sections = (uint32_t)r.sections.count;
    vec_free(&r.sections);
    map_free(r.members);
    return done ? r.summary : NULL;
}

/* --- into a fleet --- */

void
summary_section_remark(const struct summary_section *section, struct fleet_builder *builder)
{
    if (section->clock_offset != 0) {
        fleet_builder_clock(builder, section->member, section->clock_offset);
    }
    if (section->gap.parts != NULL) {
        fleet_builder_miss(builder, section->member, section->gap.parts, section->gap.message);
    }
}

struct adding {
    const struct summary_section *section;
    struct fleet_builder *builder;
    size_t most;        /* that the fleet may take with it; 0: no bound */
    uint32_t n_skipped; /* objects */
};

/* Whoever wrote it could not read the object either, and says so. Of pods he writes none that he
 * could not read: with one that is skipped here he means something that nobody sees. */
static bool
is_told_bad(const struct adding *adding, const struct value *object)
{
    const char *kind = value_text(object, "kind");

    return adding->n_skipped <= adding->section->n_problems &&
           !str_eq(kind, prune_part_kind(MEMBER_PODS)) && !str_eq(kind, SETTLED_PODS_KIND);
}

static bool
add_object(void *context, const struct stream_object *object, struct error *err)
{
    struct adding *adding = context;
    const char *member = adding->section->member;
    const struct object_origin origin = {.file = "", .member = member, .is_told = true};
    struct error why = ERROR_INIT;

    if (!object->in_list) {
        return error_set(err, ERROR_PARSE, "its objects are no list");
    }
    enum add_result result = fleet_builder_add(
        adding->builder, object->root, object->list_api_version, object->list_kind, &origin, &why);

    adding->n_skipped += result == ADD_SKIPPED ? 1 : 0;
    if (result == ADD_FAILED || (result == ADD_SKIPPED && !is_told_bad(adding, object->root))) {
        *err = why;
        return false;
    }
    return adding->most == 0 || fleet_builder_footprint(adding->builder, member) <= adding->most ||
           error_set(err, ERROR_LIMIT, "what it shows takes too much memory (--memory-limit)");
}

static bool
add_objects(struct adding *adding, struct error *err)
{
    static const struct stream_ops ops = {add_object, NULL};
    const struct summary_section *section = adding->section;
    struct stream *stream = stream_new(&ops, adding);
    bool done = section->length > 0 || error_set(err, ERROR_PARSE, "its objects are no list");

    stream_bound(stream, OBJECT_MAX, OBJECT_VALUES_MAX);
    stream_want(stream, fleet_builder_wanted, adding->builder);
    for (size_t at = 0; done && at < section->length; at += SLICE) {
        size_t slice = section->length - at < SLICE ? section->length - at : SLICE;

        done = stream_feed(stream, section->objects + at, slice, err);
    }
    done = done && stream_finish(stream, err);
    stream_free(stream);
    return done;
}

bool
summary_section_add(const struct summary_section *section, struct fleet_builder *builder,
                    size_t memory, struct error *err)
{
    struct adding adding = {.section = section, .builder = builder};

    if (memory > 0) {
        adding.most = fleet_builder_footprint(builder, section->member) + memory;
    }
    bool done = add_objects(&adding, err);

    for (int part = 0; part < N_MEMBER_PARTS; part++) {
        if (!done) {
            fleet_builder_forget(builder, section->member, (enum member_part)part);
        } else if (section->saw[part]) {
            fleet_builder_saw(builder, section->member, (enum member_part)part);
        }
    }
    for (uint32_t i = 0; done && i < section->n_problems; i++) {
        fleet_builder_problem(builder, section->member, section->problems[i].object,
                              section->problems[i].message);
    }
    return done;
}
