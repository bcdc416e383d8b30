/* SPDX-License-Identifier: Apache-2.0
 *
 * Decodes spec.failover of a binding, and applies its rules of state preservation: only here is a
 * workload's status JSON (after BuildPreservedLabelState of karmada pkg/util/helper/failover.go).
 */
#include "decoders.h"
#include "kinds/builder/builder.h"

#include "ballast/base/wide.h"
#include "ballast/format/json_path.h"

static const struct field decision_conditions_table[] = {
    FIELD("tolerationSeconds", convert_int64, struct failover_behavior, toleration_seconds,
          AS_INT64(0)),
    FIELD("tolerationSeconds", convert_presence, struct failover_behavior, has_toleration_seconds),
    FIELD_END,
};

static const struct field rule_table[] = {
    FIELD("aliasLabelName", convert_string, struct state_rule, alias,
          .flags = FIELD_REQUIRED | FIELD_NON_EMPTY, AS_TEXT(0, TEXT_LABEL_KEY)),
    FIELD("jsonPath", convert_string, struct state_rule, json_path, .flags = FIELD_REQUIRED,
          AS_TEXT(0, TEXT_NAME)),
    FIELD_END,
};

static const struct field preservation_table[] = {
    FIELD("rules", convert_list, struct failover_behavior, rules, .flags = OF_RULES,
          .item_size = sizeof(struct state_rule), .table = rule_table, .form = PRUNE_STATE_RULES),
    FIELD_END,
};

CHECK_LIST(struct failover_behavior, rules, n_rules);

static const struct field behavior_table[] = {
    PART("decisionConditions", convert_struct, AS_OBJECT(0, decision_conditions_table)),
    FIELD("purgeMode", convert_string, struct failover_behavior, purge_mode, AS_TEXT(0, TEXT_WORD)),
    FIELD("gracePeriodSeconds", convert_int64, struct failover_behavior, grace_period_seconds,
          AS_INT64(0)),
    FIELD("gracePeriodSeconds", convert_presence, struct failover_behavior,
          has_grace_period_seconds),
    PART("statePreservation", convert_struct, AS_OBJECT(0, preservation_table)),
    FIELD_END,
};

const struct field failover_table[] = {
    FIELD("application", convert_struct_pointer, struct binding_draft, rare.failover_application,
          .item_size = sizeof(struct failover_behavior), AS_OBJECT(0, behavior_table)),
    FIELD("cluster", convert_struct_pointer, struct binding_draft, rare.failover_cluster,
          .item_size = sizeof(struct failover_behavior), AS_OBJECT(0, behavior_table)),
    FIELD_END,
};

/* The last rule of an alias counts, as in a map. */
static void
set_label(struct label *labels, uint32_t *count, const struct label *label)
{
    for (uint32_t i = 0; i < *count; i++) {
        if (str_eq(labels[i].key, label->key)) {
            labels[i] = *label;
            return;
        }
    }
    labels[(*count)++] = *label;
}

static bool
apply_rules(struct decoder *decoder, const struct failover_behavior *behavior,
            const struct value *status, struct preserved_state *state, struct error *err)
{
    struct label *labels = ARENA_ARRAY(decoder->arena, struct label, behavior->n_rules);
    struct buf *text = &builder_of(decoder)->text;
    uint32_t count = 0;

    for (uint32_t i = 0; i < behavior->n_rules; i++) {
        const struct state_rule *rule = &behavior->rules[i];

        buf_clear(text);
        if (!json_path_print(rule->json_path, status, text, err)) {
            return false;
        }
        set_label(labels, &count,
                  &(struct label){rule->alias, builder_keep_text(builder_of(decoder),
                                                                 buf_text(text), text->length)});
    }
    labels_sort(labels, count);
    state->labels = (struct label_list){.items = labels, .count = count, .present = true};
    return true;
}

static void
preserve(struct decoder *decoder, const struct failover_behavior *behavior,
         const struct value *item, struct preserved_state *state)
{
    const struct value *status = value_get(item, "status");
    struct error err = ERROR_INIT;

    *state = (struct preserved_state){
        .cluster_name = intern_cstr(decoder->strings, value_text(item, "clusterName")),
        .problem = "",
    };
    if (!value_is_set(status)) {
        state->problem = "its status has not been collected";
    } else if (!apply_rules(decoder, behavior, status, state, &err)) {
        state->problem = builder_keep_text(builder_of(decoder), err.message, strlen(err.message));
    }
}

/* Casts const away: the behaviours are the decoder's own memory. */
static void
preserve_all(struct decoder *decoder, const struct value *aggregated,
             const struct failover_behavior *behavior)
{
    struct failover_behavior *own = (struct failover_behavior *)behavior;
    uint32_t count = pin_uint32(value_count(aggregated));

    if (behavior == NULL || behavior->n_rules == 0) {
        return;
    }
    struct preserved_state *states = ARENA_ARRAY(decoder->arena, struct preserved_state, count);

    for (uint32_t i = 0; i < count; i++) {
        preserve(decoder, behavior, value_at(aggregated, i), &states[i]);
    }
    own->states = states;
    own->n_states = count;
}

void
decode_preserved_states(struct decoder *decoder, const struct value *aggregated,
                        const struct rare_members *rare)
{
    preserve_all(decoder, aggregated, rare->failover_application);
    preserve_all(decoder, aggregated, rare->failover_cluster);
}
