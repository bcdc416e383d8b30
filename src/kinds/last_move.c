/* SPDX-License-Identifier: Apache-2.0
 *
 * The annotation of the last move, read and written.
 */
#include "ballast/kinds/last_move.h"
#include "ballast/base/wide.h"

#include "ballast/base/hash.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/format/value_text.h"
#include "ballast/model/finding.h"
#include "decode_common.h"
#include "decode_last_move.h"

#define REASON_MAX 64 /* bytes */
/* Written down with the move, so it is no secret and the same in every run. */
static const struct hash_key mark_key = {0x6c6d, UINT64_C(0x62616c6c61737421)};

/* --- reading --- */

static bool
convert_attempt(struct decoder *decoder, const struct field *field, const struct value *value,
                void *target)
{
    int32_t *attempt = target;

    if (!convert_count32(decoder, field, value, target)) {
        return false;
    }
    return (*attempt >= 1 && *attempt <= LAST_MOVE_ATTEMPT_MAX) ||
           decode_fail(decoder, "want 1 to %d, got %d", LAST_MOVE_ATTEMPT_MAX, *attempt);
}

static bool
convert_mark(struct decoder *decoder, const struct field *field, const struct value *value,
             void *target)
{
    int64_t mark = 0;

    if (!convert_int64(decoder, field, value, &mark)) {
        return false;
    }
    *(uint32_t *)target = pin_uint32(mark);
    return (mark >= 0 && mark <= UINT32_MAX) || decode_fail(decoder, "out of range");
}

static bool
convert_reason(struct decoder *decoder, const struct field *field, const struct value *value,
               void *target)
{
    if (value_type(value) == VALUE_STRING && value_string_length(value) > REASON_MAX) {
        return decode_fail(decoder, "longer than %d bytes", REASON_MAX);
    }
    return convert_string(decoder, field, value, target);
}

static bool
convert_clusters(struct decoder *decoder, const struct field *field, const struct value *value,
                 void *target)
{
    if (value_count(value) > LAST_MOVE_CLUSTERS_MAX) {
        return decode_fail(decoder, "more than %d clusters", LAST_MOVE_CLUSTERS_MAX);
    }
    return convert_list(decoder, field, value, target);
}

static bool
convert_names(struct decoder *decoder, const struct field *field, const struct value *value,
              void *target)
{
    if (value_count(value) > LAST_MOVE_CLUSTERS_MAX) {
        return decode_fail(decoder, "more than %d names", LAST_MOVE_CLUSTERS_MAX);
    }
    return convert_string_list(decoder, field, value, target);
}

static bool
convert_earlier(struct decoder *decoder, const struct field *field, const struct value *value,
                void *target)
{
    if (value_count(value) > LAST_MOVE_EARLIER_MAX) {
        return decode_fail(decoder, "more than %d moves", LAST_MOVE_EARLIER_MAX);
    }
    return convert_list(decoder, field, value, target);
}

static const struct field moved_table[] = {
    FIELD("name", convert_string, struct target, name, .flags = FIELD_REQUIRED | FIELD_NON_EMPTY,
          AS_TEXT(0, TEXT_NAME)),
    FIELD("replicas", convert_count32, struct target, replicas, AS_INT32(0)),
    FIELD_END,
};

#define PAST_FIELDS(type, base)                                                                    \
    FIELD("time", convert_time, type, base time, .flags = FIELD_REQUIRED, AS_TIME(0)),             \
        FIELD("from", convert_clusters, type, base from, .item_size = sizeof(struct target),       \
              AS_OBJECTS(0, moved_table)),                                                         \
        FIELD("to", convert_clusters, type, base to, .item_size = sizeof(struct target),           \
              AS_OBJECTS(0, moved_table)),                                                         \
        FIELD("left", convert_clusters, type, base left, .item_size = sizeof(struct target),       \
              AS_OBJECTS(0, moved_table)),                                                         \
        FIELD("ready", convert_presence, type, base tells_ready),                                  \
        FIELD("ready", convert_count32, type, base ready, AS_INT32(0)),                            \
        FIELD("reason", convert_reason, type, base reason, AS_TEXT(0, TEXT_WORD)),                 \
        FIELD("lost", convert_names, type, base lost, AS_TEXTS(0, TEXT_NAME)),                     \
        FIELD("refusedByNamespace", convert_names, type, base refused, AS_TEXTS(0, TEXT_NAME)),    \
        FIELD("failures", convert_names, type, base failures, AS_TEXTS(0, TEXT_WORD))

static const struct field past_table[] = {PAST_FIELDS(struct past_move, ), FIELD_END};

const struct field last_move_table[] = {
    PAST_FIELDS(struct last_move, last.),
    FIELD("attempt", convert_attempt, struct last_move, attempt, .flags = FIELD_REQUIRED,
          AS_INT32(0)),
    FIELD("deferred", convert_count32, struct last_move, deferred, AS_INT32(0)),
    FIELD("workload", convert_mark, struct last_move, workload, AS_INT64(0)),
    FIELD("earlier", convert_earlier, struct last_move, earlier,
          .item_size = sizeof(struct past_move), AS_OBJECTS(0, past_table)),
    FIELD_END,
};

const struct last_move *
decode_last_move(struct decoder *outer, const char *text, size_t length, const char **ret_problem)
{
    struct error err = ERROR_INIT;
    struct decoder decoder = {
        .arena = outer->arena, .strings = outer->strings, .context = outer->context, .err = &err};
    struct document *document = NULL;
    struct last_move *move = ARENA_NEW(outer->arena, struct last_move);

    if (length <= LAST_MOVE_TEXT_MAX) {
        document = document_parse_json(text, length, 1, &err);
    }
    if (document == NULL) { /* one text for all that a snapshot does not tell apart */
        error_set(&err, ERROR_INVALID, "it is no JSON of up to %d bytes", LAST_MOVE_TEXT_MAX);
    }
    bool ok =
        document != NULL && decode_object(&decoder, last_move_table, document_root(document), move);

    document_free(document);
    if (!ok) {
        *ret_problem = arena_strndup(outer->arena, err.message, strlen(err.message));
    }
    return ok ? move : NULL;
}

/* --- writing --- */

static void
write_clusters(const char *key, const struct target_list *list, struct buf *out)
{
    buf_printf(out, ",\"%s\":[", key);
    for (uint32_t i = 0; i < list->count && i < LAST_MOVE_CLUSTERS_MAX; i++) {
        buf_append_str(out, i > 0 ? ",{\"name\":" : "{\"name\":");
        text_write_string(list->items[i].name, strlen(list->items[i].name), out);
        buf_printf(out, ",\"replicas\":%d}", list->items[i].replicas);
    }
    buf_append_char(out, ']');
}

static void
write_names(const char *key, const struct str_list *names, struct buf *out)
{
    for (uint32_t i = 0; i < names->count && i < LAST_MOVE_CLUSTERS_MAX; i++) {
        if (i == 0) {
            buf_printf(out, ",\"%s\":[", key);
        } else {
            buf_append_char(out, ',');
        }
        text_write_string(names->items[i], strlen(names->items[i]), out);
    }
    buf_append_str(out, names->count > 0 ? "]" : "");
}

static void
write_past_move(const struct past_move *move, struct buf *out)
{
    char time[TIMESTAMP_TEXT_MAX];

    buf_printf(out, "{\"time\":\"%s\"", timestamp_format(move->time, time));
    write_clusters("from", &move->from, out);
    write_clusters("to", &move->to, out);
    if (move->left.count > 0) {
        write_clusters("left", &move->left, out);
    }
    if (move->tells_ready) {
        buf_printf(out, ",\"ready\":%d", move->ready);
    }
    buf_append_str(out, ",\"reason\":");
    text_write_string(move->reason, strlen(move->reason), out);
    write_names("lost", &move->lost, out);
    write_names("refusedByNamespace", &move->refused, out);
    write_names("failures", &move->failures, out);
}

/* false when it is too long with so many of the earlier moves. */
static bool
write_last_move(const struct last_move *move, uint32_t n_earlier, struct buf *out)
{
    buf_clear(out);
    out->overflowed = false;
    write_past_move(&move->last, out);
    buf_printf(out, ",\"attempt\":%d,\"workload\":%u", move->attempt, move->workload);
    if (move->deferred > 0) {
        buf_printf(out, ",\"deferred\":%d", move->deferred);
    }
    for (uint32_t i = 0; i < n_earlier; i++) {
        buf_append_str(out, i == 0 ? ",\"earlier\":[" : ",");
        write_past_move(&move->earlier.items[i], out);
        buf_append_char(out, '}');
    }
    buf_append_str(out, n_earlier > 0 ? "]}" : "}");
    return !out->overflowed;
}

const char *
last_move_text(struct arena *arena, const struct last_move *move)
{
    uint32_t n_earlier = move->earlier.count;
    struct buf text;

    buf_init(&text, LAST_MOVE_TEXT_MAX);
    n_earlier = n_earlier < LAST_MOVE_EARLIER_MAX ? n_earlier : LAST_MOVE_EARLIER_MAX;
    while (!write_last_move(move, n_earlier, &text) && n_earlier > 0) {
        n_earlier--;
    }
    const char *kept = text.overflowed ? "{}" : arena_strndup(arena, buf_text(&text), text.length);

    buf_release(&text);
    return kept;
}

bool
past_move_left_lost(const struct past_move *move, const char *cluster)
{
    if (!str_eq(move->reason, finding_type_name(FINDING_UNHEALTHY_CLUSTER)) ||
        target_list_find(&move->from, cluster) == NULL) {
        return false;
    }
    bool is_lost = move->lost.count == 0;

    for (uint32_t i = 0; i < move->lost.count; i++) {
        is_lost = is_lost || str_eq(move->lost.items[i], cluster);
    }
    return is_lost;
}

static bool
asks_for_nothing(const struct requirements *requirements)
{
    return requirements->request.count == 0 &&
           requirements->node_claim.hard_node_affinity.count == 0 &&
           requirements->node_claim.node_selector.count == 0 &&
           requirements->node_claim.tolerations.count == 0;
}

/* Requirements that ask for nothing count like none: Ballast makes such ones for a binding whose
 * template or pods it has read, which a later run may not have read. */
static uint64_t
mark_of(const struct requirements *requirements)
{
    uint64_t mark = 0;

    if (requirements == NULL || asks_for_nothing(requirements)) {
        return 0;
    }
    for (uint32_t i = 0; i < requirements->request.count; i++) {
        const struct quantity *amount = &requirements->request.items[i].amount;

        mark += digest_bytes(&mark_key, &amount->nano, sizeof(amount->nano)).low;
    }
    const uint32_t counts[] = {requirements->node_claim.hard_node_affinity.count,
                               requirements->node_claim.node_selector.count,
                               requirements->node_claim.tolerations.count};

    return mark + digest_bytes(&mark_key, counts, sizeof(counts)).low;
}

uint32_t
workload_mark(const struct binding *binding)
{
    uint64_t mark = mark_of(binding->requirements);

    for (uint32_t i = 0; binding_is_set(binding) && i < binding_rare(binding)->n_components; i++) {
        const struct component *component = &binding_rare(binding)->components[i];
        uint64_t parts[] = {mark, mark_of(component->requirements), (uint32_t)component->replicas};

        mark = digest_bytes(&mark_key, parts, sizeof(parts)).low;
    }
    return low_uint32(mark);
}

int64_t
binding_placed_at(const struct binding *binding)
{
    const char *text = label_list_find(&binding->annotations, ANNOTATION_PLACED_AT);
    int64_t time;

    return text != NULL && timestamp_parse(text, &time) ? time : TIME_NONE;
}
