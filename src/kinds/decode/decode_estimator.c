/* SPDX-License-Identifier: Apache-2.0
 *
 * Decodes ballast.io/v1alpha1 EstimatorAnswers: the answers of a member's estimator.
 */
#include "ballast/annotations/requirements_key.h"
#include "ballast/base/timestamp.h"
#include "decoders.h"
#include "kinds/builder/builder.h"

struct stuck_list {
    const struct stuck_answer *items;
    uint32_t count;
};

struct room_list {
    const struct room_answer *items;
    uint32_t count;
};

struct set_list {
    const struct set_answer *items;
    uint32_t count;
};

struct answers_object {
    int64_t threshold; /* nanoseconds; -1: absent */
    struct stuck_list stuck;
    struct room_list room;
    struct set_list sets;
};

static bool
convert_threshold(struct decoder *decoder, const struct field *field, const struct value *value,
                  void *target)
{
    int64_t nanos = 0;

    (void)field;
    if (value_type(value) != VALUE_STRING) {
        return decode_fail_type(decoder, "string", value);
    }
    if (!duration_parse(value_string(value), &nanos) || nanos < 0) {
        return decode_fail(decoder, "want a duration such as 5m, got \"%s\"", value_string(value));
    }
    *(int64_t *)target = nanos;
    return true;
}

static const struct field stuck_table[] = {
    FIELD("apiVersion", convert_string, struct stuck_answer, api_version,
          .flags = FIELD_REQUIRED | FIELD_NON_EMPTY, AS_TEXT(0, TEXT_API)),
    FIELD("kind", convert_string, struct stuck_answer, kind,
          .flags = FIELD_REQUIRED | FIELD_NON_EMPTY, AS_TEXT(0, TEXT_KIND)),
    FIELD("namespace", convert_string, struct stuck_answer, namespace_, AS_TEXT(0, TEXT_NAME)),
    FIELD("name", convert_string, struct stuck_answer, name,
          .flags = FIELD_REQUIRED | FIELD_NON_EMPTY, AS_TEXT(0, TEXT_NAME)),
    FIELD("replicas", convert_count32, struct stuck_answer, replicas, .flags = FIELD_REQUIRED,
          AS_INT32(0)),
    FIELD_END,
};

static const struct field room_table[] = {
    FIELD("requirements", convert_requirements, struct room_answer, requirements,
          AS_OBJECT(0, requirements_table)),
    FIELD("replicas", convert_count32, struct room_answer, replicas, .flags = FIELD_REQUIRED,
          AS_INT32(0)),
    FIELD_END,
};

static const struct field set_table[] = {
    FIELD("namespace", convert_string, struct set_answer, namespace_, AS_TEXT(0, TEXT_NAME)),
    FIELD("components", convert_list, struct set_answer, components, .flags = FIELD_REQUIRED,
          .item_size = sizeof(struct component), AS_OBJECTS(0, decode_component_table)),
    FIELD("sets", convert_count32, struct set_answer, sets, .flags = FIELD_REQUIRED, AS_INT32(0)),
    FIELD_END,
};

CHECK_LIST(struct set_answer, components, n_components);

const struct field estimator_answers_table[] = {
    FIELD("unschedulableThreshold", convert_threshold, struct answers_object, threshold,
          AS_TEXT(0, TEXT_TIME)),
    FIELD("unschedulable", convert_list, struct answers_object, stuck,
          .item_size = sizeof(struct stuck_answer), AS_OBJECTS(0, stuck_table)),
    FIELD("available", convert_list, struct answers_object, room,
          .item_size = sizeof(struct room_answer), AS_OBJECTS(0, room_table)),
    FIELD("availableSets", convert_list, struct answers_object, sets,
          .item_size = sizeof(struct set_answer), AS_OBJECTS(0, set_table)),
    FIELD_END,
};

bool
estimator_answers_decode(struct decoder *decoder, const struct value *value,
                         struct member_builder *member)
{
    struct answers_object object = {.threshold = -1};

    if (!decode_object(decoder, estimator_answers_table, value, &object)) {
        return false;
    }
    if (object.stuck.count > 0 && object.threshold < 0) {
        return decode_fail(decoder, "unschedulableThreshold: required");
    }
    if (object.stuck.count > 0 &&
        (member->stuck_answers.count == 0 || object.threshold < member->stuck_threshold)) {
        member->stuck_threshold = object.threshold;
    }
    for (uint32_t i = 0; i < object.stuck.count; i++) {
        vec_add(&member->stuck_answers, object.stuck.items[i]);
    }
    for (uint32_t i = 0; i < object.room.count; i++) {
        struct room_answer answer = object.room.items[i];

        answer.key = requirements_key(decoder->arena, answer.requirements);
        vec_add(&member->room_answers, answer);
    }
    for (uint32_t i = 0; i < object.sets.count; i++) {
        struct set_answer answer = object.sets.items[i];

        answer.key = component_set_key(decoder->arena, answer.namespace_, answer.components,
                                       answer.n_components);
        vec_add(&member->set_answers, answer);
    }
    return true;
}
