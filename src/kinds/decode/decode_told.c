/* SPDX-License-Identifier: Apache-2.0
 *
 * Decodes a workload's status in a member: its counts of replicas, and the signs that it has ended.
 * Kinds share no word for the end: Jobs and Kubeflow's jobs have conditions, Argo a phase, Flink,
 * Spark, Ray and Volcano a state of their own.
 */
#include "decoders.h"

#include <strings.h>

#include "ballast/base/wide.h"

static const struct {
    const char *word;
    enum ended ended;
} words[] = {
    {"Succeeded", ENDED_WELL},          {"Completed", ENDED_WELL},
    {"Complete", ENDED_WELL},           {"Finished", ENDED_WELL},
    {"Failed", ENDED_FAILED},           {"Error", ENDED_FAILED},
    {"SuccessCriteriaMet", ENDED_WELL}, {"FailureTarget", ENDED_FAILED}, /* a Job ends its pods */
    {"Canceled", ENDED_FAILED},         {"Cancelled", ENDED_FAILED},
    {"Aborted", ENDED_FAILED},          {"Terminated", ENDED_FAILED},
    {"Stopped", ENDED_FAILED},          {"Suspended", ENDED_SUSPENDED},
};

static enum ended
ended_by(const char *word)
{
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strcasecmp(words[i].word, word) == 0) { /* Flink and Spark use capitals */
            return words[i].ended;
        }
    }
    return ENDED_NOT;
}

/* The strongest sign in a status counts. */
static void
note_ended(void *target, enum ended ended)
{
    uint8_t *now = target;

    *now = (uint8_t)ended > *now ? (uint8_t)ended : *now;
}

static bool
convert_ended_word(struct decoder *decoder, const struct field *field, const struct value *value,
                   void *target)
{
    (void)decoder;
    (void)field;
    note_ended(target,
               value_type(value) == VALUE_STRING ? ended_by(value_string(value)) : ENDED_NOT);
    return true;
}

/* A RayCluster's state is a word, a Volcano Job's an object. */
static bool
convert_state(struct decoder *decoder, const struct field *field, const struct value *value,
              void *target)
{
    struct aggregated_status *status = target;

    if (value_type(value) == VALUE_STRING) {
        note_ended(&status->ended, ended_by(value_string(value)));
        return true;
    }
    return convert_if_object(decoder, field, value, target);
}

/* Tekton reports a failed run as Succeeded: False. */
bool
convert_ended_conditions(struct decoder *decoder, const struct field *field,
                         const struct value *value, void *target)
{
    size_t count = value_type(value) == VALUE_LIST ? value_count(value) : 0;

    (void)decoder;
    (void)field;
    for (size_t i = 0; i < count; i++) {
        const struct value *condition = value_at(value, i);

        if (value_type(condition) != VALUE_OBJECT) {
            continue;
        }
        const char *type = value_text(condition, "type");
        const char *status = value_text(condition, "status");

        if (str_eq(status, "True")) {
            note_ended(target, ended_by(type));
        } else if (str_eq(status, "False") && str_eq(type, "Succeeded")) {
            note_ended(target, ENDED_WITHOUT_SUCCESS);
        }
    }
    return true;
}

const struct field ended_condition_table[] = {
    KEPT("type", AS_TEXT(1, TEXT_WORD)),
    KEPT("status", AS_TEXT(2, TEXT_WORD)),
    FIELD_END,
};

/* A member's object may have any JSON here: a value that is no count is unknown. */
static bool
convert_told_count(struct decoder *decoder, const struct field *field, const struct value *value,
                   void *target)
{
    bool is_count = value_type(value) == VALUE_INTEGER && value_integer(value) >= 0 &&
                    value_integer(value) <= INT32_MAX;

    (void)decoder;
    (void)field;
    *(int32_t *)target = is_count ? pin_int32(value_integer(value)) : -1;
    return true;
}

/* Flink's and Volcano's states. */
static const struct field ended_state_table[] = {
    FIELD("state", convert_ended_word, struct aggregated_status, ended, AS_TEXT(0, TEXT_WORD)),
    FIELD("phase", convert_ended_word, struct aggregated_status, ended, AS_TEXT(0, TEXT_WORD)),
    FIELD_END,
};

#define TOLD_COUNTS                                                                                \
    FIELD("replicas", convert_told_count, struct aggregated_status, replicas, AS_INT32(0)),        \
        FIELD("readyReplicas", convert_told_count, struct aggregated_status, ready_replicas,       \
              AS_INT32(0)),                                                                        \
        FIELD("updatedReplicas", convert_told_count, struct aggregated_status, updated_replicas,   \
              AS_INT32(0)),                                                                        \
        KEPT("availableReplicas", AS_INT32(0))

const struct field told_counts_table[] = {TOLD_COUNTS, FIELD_END};

const struct field told_status_table[] = {
    TOLD_COUNTS,
    FIELD("phase", convert_ended_word, struct aggregated_status, ended, AS_TEXT(0, TEXT_WORD)),
    FIELD("jobDeploymentStatus", convert_ended_word, struct aggregated_status, ended,
          AS_TEXT(0, TEXT_WORD)),
    PART("jobStatus", convert_if_object, AS_OBJECT(0, ended_state_table)),
    PART("applicationState", convert_if_object, AS_OBJECT(0, ended_state_table)),
    PART("state", convert_state, AS_WORD_OR_OBJECT(ended_state_table)),
    FIELD("conditions", convert_ended_conditions, struct aggregated_status, ended,
          AS_OBJECTS(0, ended_condition_table)),
    FIELD_END,
};
