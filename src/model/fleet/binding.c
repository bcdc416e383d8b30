/* SPDX-License-Identifier: Apache-2.0
 *
 * What is asked of a binding.
 */
#include "ballast/model/binding.h"
#include "ballast/base/wide.h"

#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/model/federation.h"
#include "ballast/model/member.h"

const struct rare_members *
binding_rare(const struct binding *binding)
{
    static const struct rare_members none = {
        .affinity_group = "", .anti_affinity_group = "", .observing_affinity_name = ""};

    return binding->rare != NULL ? binding->rare : &none;
}

int32_t
binding_priority(const struct binding *binding)
{
    const struct rare_members *rare = binding_rare(binding);

    return rare->has_schedule_priority ? rare->schedule_priority : 0;
}

const struct requirements *
binding_said_requirements(const struct binding *binding)
{
    const struct requirements *requirements = binding->requirements;

    return requirements != NULL && !requirements->is_absent ? requirements : NULL;
}

bool
binding_is_workload(const struct binding *binding)
{
    return binding->replicas > 0 || binding_said_requirements(binding) != NULL ||
           binding_rare(binding)->n_components > 0;
}

const struct target *
target_list_find(const struct target_list *list, const char *name)
{
    const struct named_items named = {list->items, sizeof(list->items[0]), list->count,
                                      list->by_name};

    bool is_sorted = list->is_sorted && list->count >= NAME_INDEX_MIN;
    uint32_t found = is_sorted ? names_find(list->items, named.item_size, list->count, name)
                               : name_index_find(&named, name, 0);

    return found != NAME_NONE ? &list->items[found] : NULL;
}

const struct target *
target_list_find_next(const struct target_list *list, const char *name, uint32_t *at)
{
    const struct target *items = list->items;
    uint32_t i = *at;

    if (!list->is_sorted || list->count < NAME_INDEX_MIN) {
        return target_list_find(list, name);
    }
    if (i > 0 && strcmp(items[i - 1].name, name) >= 0) {
        i = names_before(items, sizeof(items[0]), list->count, name);
    }
    int order = i < list->count ? strcmp(items[i].name, name) : 1;

    if (order < 0) { /* the name is at the next place or behind it */
        i++;
        order = i < list->count ? strcmp(items[i].name, name) : 1;
    }
    if (order < 0) {
        i += names_before(&items[i], sizeof(items[0]), list->count - i, name);
        order = i < list->count ? strcmp(items[i].name, name) : 1;
    }
    *at = i;
    return order == 0 ? &items[i] : NULL;
}

bool
binding_is_set(const struct binding *binding)
{
    uint32_t n_components = binding_rare(binding)->n_components;

    return n_components > 1 || (n_components == 1 && binding->replicas == 0 &&
                                binding_said_requirements(binding) == NULL);
}

bool
binding_is_divided(const struct binding *binding)
{
    return !binding_is_set(binding) &&
           (placement_is_divided(binding->placement) ||
            (binding->federated != NULL && binding->federated->has_preference));
}

int32_t
binding_copy_size(const struct binding *binding)
{
    return binding_is_set(binding) ? binding_rare(binding)->set_pods : binding->replicas;
}

const char *
binding_target_extra(const struct binding *binding, uint32_t target)
{
    const char *const *extras = binding_rare(binding)->target_extras;

    return extras != NULL ? extras[target] : NULL;
}

int32_t
binding_written_replicas(const struct binding *binding, uint32_t target)
{
    const int32_t *written = binding_rare(binding)->written;

    return written != NULL ? written[target] : binding->clusters.items[target].replicas;
}

bool
binding_is_empty_workload(const struct binding *binding)
{
    return binding->replicas == 0 && binding_is_workload(binding) && !binding_is_set(binding);
}

int
binding_find_target(const struct binding *binding, const char *cluster_name)
{
    const struct target *found = target_list_find(&binding->clusters, cluster_name);

    return found != NULL ? pin_int32(found - binding->clusters.items) : -1;
}

bool
binding_reschedule_required(const struct binding *binding)
{
    return binding->reschedule_triggered_at != TIME_NONE &&
           binding->last_scheduled_time != TIME_NONE &&
           binding->reschedule_triggered_at > binding->last_scheduled_time;
}

/* A malformed time is no mark. A later time is of a request that is gone, such as a deleted
 * WorkloadRebalancer's: meeting it met earlier requests too. */
enum reschedule_state
binding_reschedule_state(const struct binding *binding)
{
    const char *mark = label_list_find(&binding->annotations, ANNOTATION_RESCHEDULED_FOR);
    size_t length = mark != NULL ? strcspn(mark, " ") : 0;
    char text[TIMESTAMP_TEXT_MAX];
    int64_t met;

    if (length == 0 || length >= sizeof(text)) {
        return RESCHEDULE_OPEN;
    }
    memcpy(text, mark, length);
    text[length] = '\0';
    if (!timestamp_parse(text, &met) || met < binding->reschedule_triggered_at) {
        return RESCHEDULE_OPEN;
    }
    return mark[length] == '\0' ? RESCHEDULE_MET : RESCHEDULE_PARTLY;
}

bool
status_is_not_applied(const struct aggregated_status *status)
{
    return status != NULL && !status->applied && status->applied_message != NULL &&
           *status->applied_message != '\0';
}

const struct aggregated_status *
binding_find_status(const struct binding *binding, const char *cluster_name)
{
    uint32_t found = binding_nth_status(binding, cluster_name, 0);

    return found != NAME_NONE ? &binding->aggregated[found] : NULL;
}

bool
binding_is_not_applied(const struct binding *binding, const char *cluster_name,
                       const struct aggregated_status *status)
{
    const struct propagation_failure *failure =
        binding->federated != NULL ? federated_failure(binding->federated, cluster_name) : NULL;

    return (failure != NULL && propagation_is_failure(failure)) || status_is_not_applied(status);
}

bool
binding_is_refused(const struct binding *binding, const char *cluster_name,
                   const struct aggregated_status *status)
{
    const struct propagation_failure *failure =
        binding->federated != NULL ? federated_failure(binding->federated, cluster_name) : NULL;

    return (failure != NULL && propagation_is_refusal(failure)) ||
           (status_is_not_applied(status) &&
            refusal_by_namespace(status->applied_message) == NULL &&
            refusal_of_object(status->applied_message) == NULL);
}

uint32_t
binding_nth_status(const struct binding *binding, const char *cluster_name, uint32_t nth)
{
    const struct named_items named = {binding->aggregated, sizeof(binding->aggregated[0]),
                                      binding->n_aggregated, binding->status_by_cluster};

    return name_index_find(&named, cluster_name, nth);
}

bool
binding_is_evicting(const struct binding *binding, const char *cluster_name)
{
    const struct rare_members *rare = binding_rare(binding);
    const struct named_items named = {rare->eviction_tasks, sizeof(rare->eviction_tasks[0]),
                                      rare->n_eviction_tasks, rare->tasks_by_cluster};

    return name_index_find(&named, cluster_name, 0) != NAME_NONE;
}

bool
binding_is_suspended_in(const struct binding *binding, const char *cluster_name)
{
    const struct str_list *list = &binding_rare(binding)->dispatch_suspended_to;

    return binding_rare(binding)->suspend_dispatching ||
           names_find(list->items, sizeof(list->items[0]), list->count, cluster_name) != NAME_NONE;
}

bool
binding_is_grouped(const struct binding *binding)
{
    const struct rare_members *rare = binding_rare(binding);

    return binding->kind == BINDING_RESOURCE &&
           !(str_is_empty(rare->affinity_group) && str_is_empty(rare->anti_affinity_group));
}

static const char *const kind_names[] = {
#define X(id, name) [BINDING_##id] = (name),
    BINDING_KINDS(X)
#undef X
};

const char *
binding_kind_name(enum binding_kind kind)
{
    return kind_names[kind];
}

bool
binding_kind_parse(const char *name, enum binding_kind *ret)
{
    for (size_t i = 0; i < sizeof(kind_names) / sizeof(kind_names[0]); i++) {
        if (str_eq(kind_names[i], name)) {
            *ret = (enum binding_kind)i;
            return true;
        }
    }
    return false;
}

bool
binding_kind_is_federated(enum binding_kind kind)
{
    return kind == BINDING_FEDERATED_DEPLOYMENT || kind == BINDING_FEDERATED_REPLICA_SET;
}

int
binding_cmp(const struct binding *a, const struct binding *b)
{
    int order = strcmp(a->namespace_, b->namespace_);

    if (order == 0) {
        order = strcmp(a->name, b->name);
    }
    return order != 0 ? order : (a->kind > b->kind) - (a->kind < b->kind);
}
