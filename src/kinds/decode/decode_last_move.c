/* SPDX-License-Identifier: Apache-2.0
 *
 * Decodes the annotation of the last move.
 */
#include "decoders.h"

#include "ballast/base/wide.h"

#define REASON_MAX 64 /* bytes */

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
    if (document == NULL) { /* one text, since a snapshot does not keep the cause */
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
