/* SPDX-License-Identifier: Apache-2.0
 *
 * Decodes PodDisruptionBudget of a member.
 */
#include "kinds/builder/builder.h"
#include "kinds/builder/kind.h"
#include "kinds/decode/decoders.h"
#include "member_decoders.h"

#include "ballast/model/disruption.h"

/* Target: struct share_of_pods. A text that is no percentage is no error: the disruption controller
 * then allows no disruption. */
static bool
convert_share(struct decoder *decoder, const struct field *field, const struct value *value,
              void *target)
{
    struct share_of_pods *share = target;

    if (value_type(value) == VALUE_STRING) {
        *share = share_of_pods_parse(value_string(value));
        return true;
    }
    share->unit = SHARE_COUNT;
    return convert_count64(decoder, field, value, &share->value);
}

#define AS_SHARE .form = PRUNE_SCALAR, .text = TEXT_NUMBER

static const struct field spec_table[] = {
    FIELD("minAvailable", convert_share, struct disruption_budget, min_available, AS_SHARE),
    FIELD("maxUnavailable", convert_share, struct disruption_budget, max_unavailable, AS_SHARE),
    FIELD("selector", convert_struct_pointer, struct disruption_budget, selector,
          .item_size = sizeof(struct label_selector), AS_OBJECT(0, label_selector_table)),
    FIELD_END,
};

static const struct field status_table[] = {
    FIELD("observedGeneration", convert_int64, struct disruption_budget, observed_generation,
          AS_INT64(0)),
    FIELD("disruptionsAllowed", convert_int64, struct disruption_budget, disruptions_allowed,
          AS_INT64(0)),
    FIELD_END,
};

static const struct field metadata_table[] = {
    FIELD("namespace", convert_string, struct disruption_budget, namespace_, AS_TEXT(0, TEXT_NAME)),
    FIELD("name", convert_string, struct disruption_budget, name,
          .flags = FIELD_REQUIRED | FIELD_NON_EMPTY, AS_TEXT(0, TEXT_NAME)),
    FIELD("generation", convert_int64, struct disruption_budget, generation, AS_INT64(0)),
    FIELD_END,
};

const struct field disruption_budget_table[] = {
    PART("metadata", convert_struct, .flags = FIELD_REQUIRED, AS_OBJECT(0, metadata_table)),
    PART("spec", convert_struct, AS_OBJECT(0, spec_table)),
    PART("status", convert_struct, AS_OBJECT(0, status_table)),
    FIELD_END,
};

static struct object_key
budget_key(const void *items, uint32_t index)
{
    const struct disruption_budget *budget = (const struct disruption_budget *)items + index;

    return (struct object_key){budget->namespace_, "PodDisruptionBudget", budget->name};
}

/* In v1beta1, an empty selector selects no pod, like an absent one. */
static bool
selects_nothing(const char *api_version, const struct label_selector *selector)
{
    return str_eq(api_version, "policy/v1beta1") && selector != NULL &&
           selector->match_labels.count == 0 && selector->match_expressions.count == 0;
}

/* Keeps an unreadable budget: it may protect any pod of its namespace. */
static void
keep_unread(const struct taking *t, struct member_builder *member, const char *message)
{
    struct fleet *fleet = t->builder->fleet;
    const struct value *metadata = value_get(t->value, "metadata");

    vec_add(&member->disruption_budgets,
            ((struct disruption_budget){
                .namespace_ = intern_cstr(fleet->strings, value_text(metadata, "namespace")),
                .name = intern_cstr(fleet->strings, value_text(metadata, "name")),
                .problem = arena_strndup(fleet->arena, message, strlen(message)),
            }));
}

enum add_result
take_disruption_budget(const struct taking *t)
{
    struct member_builder *member = builder_member(t->builder, t->member);
    struct disruption_budget budget = {.name = ""};
    struct error err = ERROR_INIT;

    member->has[MEMBER_DISRUPTION_BUDGETS] = true;
    if (!decode_object(builder_decoder(t->builder, &err), disruption_budget_table, t->value,
                       &budget)) {
        const enum add_result result = taking_skip(t, err.message);

        if (result == ADD_SKIPPED) {
            keep_unread(t, member, err.message);
        }
        return result;
    }
    if (selects_nothing(t->api_version, budget.selector)) {
        budget.selector = NULL;
    }
    vec_add(&member->disruption_budgets, budget);
    return taking_keep(t, &member->places_of[MEMBER_DISRUPTION_BUDGETS], budget_key,
                       member->disruption_budgets.items, &member->disruption_budgets.count);
}
