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
#include "ballast/base/wide.h"
#include "ballast/kinds/prune.h"
#include "ballast/shards/summary.h"
#include "summary_parts.h"

#define HEAD_MAX ((size_t)16 << 10) /* messages about members repeat its texts */
#define LINE_MAX ((size_t)16 << 20) /* facts of a member besides objects */
#define LENGTH_DIGITS 20

struct reading {
    struct arena *arena;
    const char *at, *end; /* unread text */
    struct summary *summary;
    VEC_OF(struct summary_section) sections;
    struct map *members; /* by name */
    uint64_t unpacked;   /* bytes of all unpacked pieces */
    struct error *err;
};

/* --- the first line --- */

/* Returns the next word of the line, in the arena; "" at the end. */
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

/* Reads an object from a line of at most `most` bytes. The caller frees it. NULL with err. */
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

/* Returns an integer from `min` to `max`; min - 1 if there is none. */
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
    head->shard = (struct shard){pin_uint32(index), pin_uint32(count)};
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
    struct summary_problem *problems =
        ARENA_ARRAY(r->arena, struct summary_problem, value_count(list));

    for (size_t i = 0; i < value_count(list); i++) {
        const struct value *problem = value_at(list, i);
        int64_t place = read_integer(problem, "at", 0, INT64_MAX);

        problems[section->n_problems++] = (struct summary_problem){
            .problem = {keep(r, problem, "object"), keep(r, problem, "message")},
            .place = place > 0 ? (uint64_t)place : 0};
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

/* Reads an optional clock offset. INT64_MIN cannot be subtracted from a time. */
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

/* Without slices, the section has the whole member. */
static bool
read_slices(struct reading *r, const struct value *root, struct summary_section *section)
{
    const struct value *list = value_find(root, "slices", VALUE_LIST);
    int64_t of = value_get(root, "of") != NULL ? read_integer(root, "of", 2, SLICES_MAX) : 1;
    bool is_good = of >= 1 && (list != NULL) == (of > 1);

    section->n_slices = is_good ? pin_uint32(of) : 1;
    section->slices = of > 1 ? 0 : 1;
    for (size_t i = 0; is_good && i < value_count(list); i++) {
        const struct value *slice = value_at(list, i);

        is_good = value_type(slice) == VALUE_INTEGER && value_integer(slice) >= 1 &&
                  value_integer(slice) <= of;
        section->slices |= is_good ? (slice_set)1 << (value_integer(slice) - 1) : 0;
    }
    return (is_good && section->slices != 0) ||
           error_set(r->err, ERROR_PARSE, "%s: want slices, and of how many (2 to %u)",
                     section->member, SLICES_MAX);
}

/* Checks that the member is the shard's, and new. */
static bool
check_member(struct reading *r, const struct summary_section *section)
{
    const struct shard shard = r->summary->head.shard;
    const char *member = section->member;
    bool is_new = false;

    if (str_is_empty(member)) {
        return error_set(r->err, ERROR_PARSE, "a member without a name");
    }
    slice_set others = section->slices & ~slices_of_shard(member, section->n_slices, shard);
    uint32_t slice = slice_set_first(others);

    if (slice > 0) {
        return error_set(r->err, ERROR_INVALID, "it tells of %s, which shard %u looks into", member,
                         (unsigned)shard_of_slice(member, slice, section->n_slices, shard.count));
    }
    map_put_str(r->members, member, &is_new);
    return is_new || error_set(r->err, ERROR_INVALID, "it tells of %s twice", member);
}

/* Returns a number from 1 to `most` in a list; 0 if there is none. */
static size_t
size_at(const struct value *list, size_t index, size_t most)
{
    const struct value *value = index < value_count(list) ? value_at(list, index) : NULL;
    bool is_good = value != NULL && value_type(value) == VALUE_INTEGER &&
                   value_integer(value) > 0 && (uint64_t)value_integer(value) <= most;

    return is_good ? (size_t)value_integer(value) : 0;
}

/* Pieces follow each other and fill their line. */
static bool
read_pieces(struct reading *r, const struct value *list, struct summary_section *section)
{
    struct summary_piece *pieces = ARENA_ARRAY(r->arena, struct summary_piece, value_count(list));

    if (list == NULL) {
        return error_set(r->err, ERROR_PARSE, "%s: want packed, a list", section->member);
    }
    section->packed = r->at;
    for (size_t i = 0; i < value_count(list); i++) {
        const struct value *pair = value_at(list, i);
        size_t left = (size_t)(r->end - r->at);
        size_t length = value_type(pair) == VALUE_LIST ? size_at(pair, 0, left) : 0;
        size_t original = length > 0 ? size_at(pair, 1, SUMMARY_PIECE_MAX) : 0;

        if (original == 0 || value_count(pair) != 2) {
            return error_set(r->err, ERROR_PARSE,
                             "%s: packed[%zu]: want a piece of at most %zu bytes that unpack to at "
                             "most %zu",
                             section->member, i, left, SUMMARY_PIECE_MAX);
        }
        pieces[section->n_pieces++] = (struct summary_piece){r->at, length, original};
        section->length += length;
        r->unpacked += original;
        r->at += length;
    }
    section->pieces = pieces;
    if (r->unpacked > SUMMARY_UNPACKED_MAX) {
        return error_set(r->err, ERROR_LIMIT, "%s: want no more than %" PRIu64 " bytes of objects",
                         section->member, SUMMARY_UNPACKED_MAX);
    }
    if (r->at == r->end || *r->at != '\n') {
        return error_set(r->err, ERROR_PARSE, "%s: want the end of a line behind what is packed",
                         section->member);
    }
    r->at++;
    return true;
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

    read_remarks(r, root, &section);
    bool done = read_slices(r, root, &section) && check_member(r, &section) &&
                read_clock(r, root, &section) &&
                read_pieces(r, value_find(root, "packed", VALUE_LIST), &section);

    document_free(document);
    if (done) {
        vec_add(&r->sections, section);
    }
    return done;
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
    r.summary->n_sections = pin_uint32(r.sections.count);
    vec_free(&r.sections);
    map_free(r.members);
    return done ? r.summary : NULL;
}
