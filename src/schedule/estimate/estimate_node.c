/* SPDX-License-Identifier: Apache-2.0
 *
 * The scheduler-estimator's view of a member, and kube-scheduler's: what its pods leave free on
 * each node, which nodes a replica may go to, and how many fit.
 */
#include <string.h>

#include "ballast/base/name_index.h"
#include "ballast/base/str.h"
#include "ballast/base/wide.h"
#include "ballast/schedule/estimate.h"

static int64_t
subtract_pinned(int64_t a, int64_t b)
{
    int64_t difference;

    if (__builtin_sub_overflow(a, b, &difference)) {
        return a < 0 ? INT64_MIN : INT64_MAX;
    }
    return difference;
}

/* Both lists are sorted. Resources that the node lacks do not count. */
static void
room_take(struct node_room *room, const struct resource_amounts *requests)
{
    uint32_t at = 0;

    for (uint32_t i = 0; i < requests->count; i++) {
        const struct resource_amount *request = &requests->items[i];
        int order = -1;

        while (at < room->n_free && (order = strcmp(room->free[at].name, request->name)) < 0) {
            at++;
        }
        if (at < room->n_free && order == 0) {
            room->free[at].amount = subtract_pinned(room->free[at].amount, request->amount);
        }
    }
}

static void
room_init(struct node_room *room, struct arena *arena, const struct node *node)
{
    const struct resource_amounts *allocatable = &node->kind->allocatable;

    *room = (struct node_room){
        .node = node,
        .free = arena_memdup(arena, allocatable->items,
                             allocatable->count * sizeof(allocatable->items[0])),
        .n_free = allocatable->count,
        .pods = resource_amounts_find(allocatable, "pods"),
    };
}

/* Only after all pods, since a request may be negative. */
static void
room_clamp(struct node_room *room)
{
    room->pods = room->pods > 0 ? room->pods : 0;
    for (uint32_t i = 0; i < room->n_free; i++) {
        room->free[i].amount = room->free[i].amount > 0 ? room->free[i].amount : 0;
    }
}

static void
room_take_pods(struct node_room *room, int64_t pods, const struct resource_amounts *requests,
               const struct resource_amounts *beyond, const struct pods_counted *counted)
{
    room->pods = subtract_pinned(room->pods, pods);
    room_take(room, requests);
    if (counted->by_scheduler) {
        room_take(room, beyond);
    }
}

static void
room_give(struct node_room *room, const struct resource_amounts *amounts)
{
    for (uint32_t i = 0; i < amounts->count; i++) {
        uint32_t at =
            names_find(room->free, sizeof(room->free[0]), room->n_free, amounts->items[i].name);

        if (at != NAME_NONE) {
            room->free[at].amount =
                resource_amount_plus(room->free[at].amount, amounts->items[i].amount);
        }
    }
}

/* All pods without the ranked ones leave the pods of priority 0. */
static void
room_take_settled(struct node_room *room, const struct pod_sum *settled,
                  const struct pods_counted *counted)
{
    const bool all_stay = !counted->preempts || counted->priority <= 0;

    if (all_stay) {
        room_take_pods(room, settled->pods, &settled->requests, &settled->beyond, counted);
    }
    for (uint32_t i = 0; counted->preempts && i < settled->n_ranked; i++) {
        const struct ranked_sum *ranked = &settled->ranked[i];
        const bool stays = ranked->priority >= counted->priority;

        if (!all_stay && stays) {
            room_take_pods(room, ranked->sum.pods, &ranked->sum.requests, &ranked->sum.beyond,
                           counted);
        } else if (all_stay && !stays) {
            room->pods += ranked->sum.pods;
            room_give(room, &ranked->sum.requests);
            if (counted->by_scheduler) {
                room_give(room, &ranked->sum.beyond);
            }
        }
    }
}

/* Returns the node on which a pod counts; "": none. */
static const char *
place_of(const struct pod *pod, const struct pods_counted *counted)
{
    if (pod_is_finished(pod) || (counted->preempts && pod->priority < counted->priority)) {
        return "";
    }
    return counted->by_scheduler ? pod_node(pod) : pod->node_name;
}

struct node_room *
estimate_node_rooms(struct arena *arena, const struct member *member, struct pods_counted counted)
{
    struct node_room *rooms = ARENA_ARRAY(arena, struct node_room, member->n_nodes);

    for (uint32_t i = 0; i < member->n_nodes; i++) {
        const struct pod_sum *settled = member->has_pods ? member->nodes[i].settled : NULL;

        room_init(&rooms[i], arena, &member->nodes[i]);
        if (settled != NULL) {
            room_take_settled(&rooms[i], settled, &counted);
        }
    }
    for (uint32_t i = 0; i < member->n_pods; i++) {
        const struct pod *pod = &member->pods[i];
        const char *place = place_of(pod, &counted);
        uint32_t at = str_is_empty(place) ? NAME_NONE
                                          : names_find(member->nodes, sizeof(member->nodes[0]),
                                                       member->n_nodes, place);

        if (at != NAME_NONE) {
            room_take_pods(&rooms[at], 1, &pod->requests, &pod->beyond, &counted);
        }
    }
    for (uint32_t i = 0; i < member->n_nodes; i++) {
        room_clamp(&rooms[i]);
    }
    return rooms;
}

static bool
selected_by_labels(const struct node *node, const struct label_list *wanted)
{
    for (uint32_t i = 0; i < wanted->count; i++) {
        const char *value = node_label(node, wanted->items[i].key);

        if (value == NULL || !str_eq(value, wanted->items[i].value)) {
            return false;
        }
    }
    return true;
}

/* kube-apiserver gives a pod tolerations for each of these taints that its own tolerations do not
 * name (kubernetes plugin/pkg/admission/defaulttolerationseconds). */
static bool
is_tolerated_by_default(const struct taint *taint, const struct toleration_list *tolerations)
{
    if (!str_eq(taint->effect, "NoExecute") ||
        (!str_eq(taint->key, "node.kubernetes.io/not-ready") &&
         !str_eq(taint->key, "node.kubernetes.io/unreachable"))) {
        return false;
    }
    for (uint32_t i = 0; i < tolerations->count; i++) {
        const struct toleration *own = &tolerations->items[i];

        if ((str_is_empty(own->key) || str_eq(own->key, taint->key)) &&
            (str_is_empty(own->effect) || str_eq(own->effect, taint->effect))) {
            return false;
        }
    }
    return true;
}

static bool
tolerates_taints(const struct taint_list *taints, const struct toleration_list *tolerations,
                 bool by_default)
{
    for (uint32_t i = 0; i < taints->count; i++) {
        const struct taint_list one = {.items = &taints->items[i], .count = 1};

        if (taint_list_find_untolerated(&one, tolerations) != NULL &&
            !(by_default && is_tolerated_by_default(&taints->items[i], tolerations))) {
            return false;
        }
    }
    return true;
}

static bool
tolerated(const struct node *node, const struct toleration_list *tolerations, bool by_default)
{
    static const struct taint cordon = {
        .key = "node.kubernetes.io/unschedulable", .value = "", .effect = "NoSchedule"};
    static const struct taint_list cordons = {.items = &cordon, .count = 1};

    return (!node->kind->unschedulable || tolerates_taints(&cordons, tolerations, by_default)) &&
           tolerates_taints(&node->kind->taints, tolerations, by_default);
}

bool
estimate_node_selected(const struct node *node, const struct requirements *requirements)
{
    const struct node_claim *claim = &requirements->node_claim;

    return !requirements->has_node_claim ||
           (selected_by_labels(node, &claim->node_selector) &&
            node_selector_matches(&claim->hard_node_affinity, node));
}

bool
estimate_node_tolerated(const struct node *node, const struct requirements *requirements)
{
    static const struct toleration_list no_tolerations;

    return tolerates_taints(&node->kind->taints,
                            requirements->has_node_claim ? &requirements->node_claim.tolerations
                                                         : &no_tolerations,
                            true);
}

bool
estimate_node_eligible(const struct node *node, const struct requirements *requirements,
                       bool by_default)
{
    static const struct toleration_list no_tolerations;

    if (requirements == NULL || !requirements->has_node_claim) {
        return tolerated(node, &no_tolerations, by_default);
    }
    const struct node_claim *claim = &requirements->node_claim;

    return tolerated(node, &claim->tolerations, by_default) &&
           estimate_node_selected(node, requirements);
}

/* Returns the amount that limits replicas on a node; 0: no limit. */
static int64_t
bounding_amount(const struct resource_quantity *item)
{
    int64_t requested = resource_amount_of(item->name, item->amount);

    return requested > 0 && resource_name_counts_on_node(item->name) ? requested : 0;
}

static int64_t
bound_by(int64_t fits, const struct node_room *room, const char *name, int64_t requested)
{
    const struct resource_amounts free = {.items = room->free, .count = room->n_free};
    int64_t of_resource = resource_amounts_find(&free, name) / requested;

    return of_resource < fits ? of_resource : fits;
}

int32_t
estimate_node_room(const struct node_room *room, const struct requirements *requirements)
{
    static const struct resource_list nothing;
    const struct resource_list *request = requirements != NULL ? &requirements->request : &nothing;
    int64_t fits = room->pods;

    for (uint32_t i = 0; i < request->count && fits > 0; i++) {
        int64_t requested = bounding_amount(&request->items[i]);

        if (requested > 0) {
            fits = bound_by(fits, room, request->items[i].name, requested);
        }
    }
    return pin_count(fits);
}

uint32_t
estimate_node_request(const struct requirements *requirements, struct resource_amount *ret)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < requirements->request.count; i++) {
        const struct resource_quantity *item = &requirements->request.items[i];
        int64_t requested = bounding_amount(item);

        if (requested > 0) {
            ret[count++] = (struct resource_amount){item->name, requested};
        }
    }
    return count;
}

int32_t
estimate_node_room_for(const struct node_room *room, const struct resource_amounts *request)
{
    int64_t fits = room->pods;

    for (uint32_t i = 0; i < request->count && fits > 0; i++) {
        fits = bound_by(fits, room, request->items[i].name, request->items[i].amount);
    }
    return pin_count(fits);
}
