/* SPDX-License-Identifier: Apache-2.0
 *
 * The filters, one cluster at a time, and their results kept for the next binding
 * of the same placement, kind and affinity term. Clusters that are targets
 * already are exempt from two of them, so both answers are kept side by side.
 */
#include "filter.h"
#include "schedule/attempt/scheduler.h"

#include <string.h>

#include "ballast/base/timestamp.h"
#include "ballast/model/affinity.h"

#define NOT_ASKED UINT8_MAX /* no verdict */
#define ORDER_NOT_ASKED UINT32_MAX

/* Limit of the cached views; beyond it, a view serves one decision. Otherwise placements of single
 * bindings would take more memory than the fleet. */
#define CACHE_MAX ((size_t)64 << 20)

static const struct placement no_placement;

static bool
is_deleting(const struct filter_view *view, const struct cluster *cluster)
{
    (void)view;
    return cluster->deletion_timestamp != TIME_NONE;
}

static bool
lacks_api(const struct filter_view *view, const struct cluster *cluster)
{
    return !cluster_has_api(cluster, view->api_version, view->kind);
}

static const struct taint *
untolerated_taint(const struct placement *placement, const struct cluster *cluster)
{
    return taint_list_find_untolerated(&cluster->taints, &placement->cluster_tolerations);
}

static bool
has_untolerated_taint(const struct filter_view *view, const struct cluster *cluster)
{
    return untolerated_taint(view->placement, cluster) != NULL;
}

/* Overflow affinities are for workloads: upstream gives others only the term's own clusters. */
bool
affinity_term_matches(const struct affinity_term *term, bool is_workload,
                      const struct cluster *cluster)
{
    if (cluster_affinity_matches(&term->affinity, cluster)) {
        return true;
    }
    for (uint32_t i = 0; is_workload && i < term->overflow.count; i++) {
        if (cluster_affinity_matches(&term->overflow.items[i].affinity, cluster)) {
            return true;
        }
    }
    return false;
}

static bool
is_outside_affinity(const struct filter_view *view, const struct cluster *cluster)
{
    const struct affinity_term *term = view->term;

    if (view->placement->cluster_affinity != NULL) {
        return !cluster_affinity_matches(view->placement->cluster_affinity, cluster);
    }
    return term != NULL && !affinity_term_matches(term, view->workload, cluster);
}

/* Returns the text of the first unmet spread constraint; NULL if all are met. */
static const char *
missing_property(const struct placement *placement, const struct cluster *cluster)
{
    for (uint32_t i = 0; i < placement->spread_constraints.count; i++) {
        switch (placement->spread_constraints.items[i].field) {
        case SPREAD_BY_PROVIDER:
            if (str_is_empty(cluster->provider)) {
                return "cluster(s) did not have provider property";
            }
            break;
        case SPREAD_BY_REGION:
            if (str_is_empty(cluster->region)) {
                return "cluster(s) did not have region property";
            }
            break;
        case SPREAD_BY_ZONE:
            if (cluster->zones.count == 0) {
                return "cluster(s) did not have zones property";
            }
            break;
        case SPREAD_BY_LABEL:
        case SPREAD_BY_CLUSTER:
            break;
        }
    }
    return NULL;
}

static bool
lacks_property(const struct filter_view *view, const struct cluster *cluster)
{
    return missing_property(view->placement, cluster) != NULL;
}

/* Returns which placement keeps a federated object out of a cluster; both are in its placement. */
static const char *
federated_bound(const struct federated *federated, const struct cluster *cluster)
{
    return federated->namespace_ != NULL &&
                   !federated_placement_selects(federated->namespace_, cluster)
               ? "cluster(s) are not in the placement of its FederatedNamespace"
               : "cluster(s) are not selected by its own spec.placement.clusterSelector";
}

/* Input of the filters by binding. */
struct own_question {
    const struct scheduler *scheduler;
    const struct binding *binding;
    bool is_evicting;
    uint32_t cluster;
};

static bool
is_being_evicted(const struct own_question *asked)
{
    return asked->is_evicting;
}

static bool
has_group_elsewhere(const struct own_question *asked)
{
    return workload_groups_verdict(asked->scheduler->affinity_groups, asked->binding,
                                   asked->cluster) == FILTER_WORKLOAD_AFFINITY;
}

static bool
has_a_rival(const struct own_question *asked)
{
    return workload_groups_verdict(asked->scheduler->affinity_groups, asked->binding,
                                   asked->cluster) == FILTER_WORKLOAD_ANTI_AFFINITY;
}

/* One filter: either `refuses`, whose answer a view keeps for all bindings, or `refuses_binding`,
 * which is asked each time. */
struct filter {
    const char *name; /* upstream's plugin */
    bool (*refuses)(const struct filter_view *view, const struct cluster *cluster);
    bool (*refuses_binding)(const struct own_question *asked);
    const char *text; /* upstream's */
    /* Text that depends on the cluster. */
    const char *(*text_for)(const struct placement *placement, const struct cluster *cluster);
    /* Text for a federated object. */
    const char *(*federated_text)(const struct federated *federated, const struct cluster *cluster);
    /* End of the text: a taint, or a binding of the affinity group. */
    const struct taint *(*taint)(const struct placement *placement, const struct cluster *cluster);
    const char *(*witness)(const struct workload_groups *groups, const struct binding *binding,
                           enum filter_verdict verdict, uint32_t cluster, struct arena *arena);
    /* Running replicas may stay although new ones could not come. Groups have their own rules. */
    bool exempts_targets;
    bool goes_uncounted; /* upstream's FitError does not count clusters that it refuses */
};

/* From here on, verdicts differ by binding and are asked for every cluster of every decision. */
#define FIRST_BY_BINDING FILTER_CLUSTER_EVICTION

/* In the order of asking: the first filter that refuses a cluster is its verdict. */
static const struct filter filters[N_FILTER_VERDICTS] = {
    [FILTER_PASSED] = {.name = "", .text = ""},
    [FILTER_DELETING] = {.name = "ClusterDeleting", /* the scheduler's own, before its plugins */
                         .refuses = is_deleting,
                         .text = "cluster(s) is being deleted",
                         .goes_uncounted = true},
    [FILTER_API_ENABLEMENT] = {.name = "APIEnablement",
                               .refuses = lacks_api,
                               .text = "cluster(s) did not have the API resource",
                               .exempts_targets = true},
    [FILTER_TAINT_TOLERATION] = {.name = "TaintToleration",
                                 .refuses = has_untolerated_taint,
                                 .text = "cluster(s) had untolerated taint",
                                 .taint = untolerated_taint,
                                 .exempts_targets = true},
    [FILTER_CLUSTER_AFFINITY] =
        {.name = "ClusterAffinity",
         .refuses = is_outside_affinity,
         .text = "cluster(s) did not match the placement cluster affinity constraint",
         .federated_text = federated_bound},
    [FILTER_SPREAD_CONSTRAINT] = {.name = "SpreadConstraint",
                                  .refuses = lacks_property,
                                  .text = "",
                                  .text_for = missing_property},
    [FILTER_CLUSTER_EVICTION] = {.name = "ClusterEviction",
                                 .refuses_binding = is_being_evicted,
                                 .text = "cluster(s) is in the process of eviction"},
    [FILTER_WORKLOAD_AFFINITY] =
        {.name = "WorkloadAffinity",
         .refuses_binding = has_group_elsewhere,
         .text = "ResourceBinding with the same affinity group does not target this cluster",
         .witness = workload_groups_witness},
    [FILTER_WORKLOAD_ANTI_AFFINITY] =
        {.name = "WorkloadAntiAffinity",
         .refuses_binding = has_a_rival,
         .text = "cluster already has workload with the same anti-affinity group",
         .witness = workload_groups_witness},
};

static struct kept_verdicts
judge(const struct filter_view *view, const struct cluster *cluster)
{
    struct kept_verdicts kept = {FILTER_PASSED, FILTER_PASSED};

    for (unsigned i = 0; i < N_FILTER_VERDICTS && kept.target == FILTER_PASSED; i++) {
        const struct filter *filter = &filters[i];

        if (filter->refuses == NULL || !filter->refuses(view, cluster)) {
            continue;
        }
        if (kept.newcomer == FILTER_PASSED) {
            kept.newcomer = (uint8_t)i;
        }
        if (!filter->exempts_targets) {
            kept.target = (uint8_t)i;
        }
    }
    return kept;
}

static uint32_t
overflow_order(const struct affinity_term *term, const struct cluster *cluster)
{
    if (cluster_affinity_matches(&term->affinity, cluster)) {
        return 0;
    }
    for (uint32_t i = 0; i < term->overflow.count; i++) {
        if (cluster_affinity_matches(&term->overflow.items[i].affinity, cluster)) {
            return i + 1;
        }
    }
    return 1000;
}

/* clusterAffinity overrides the terms. */
static bool
has_overflow_orders(const struct placement *placement, const struct affinity_term *term)
{
    return placement->cluster_affinity == NULL && term != NULL && term->overflow.present;
}

uint32_t
schedule_overflow_order(const struct binding *binding, const char *affinity,
                        const struct cluster *cluster)
{
    const struct placement *placement = binding->placement;
    const struct affinity_term *term = placement_find_term(placement, affinity);

    return has_overflow_orders(placement, term) ? overflow_order(term, cluster) : 0;
}

uint32_t
filter_view_overflow_order(const struct filter_view *view, uint32_t cluster)
{
    if (view->overflow_order == NULL) {
        return 0;
    }
    if (view->overflow_order[cluster] == ORDER_NOT_ASKED) {
        view->overflow_order[cluster] = overflow_order(view->term, &view->clusters[cluster]);
    }
    return view->overflow_order[cluster];
}

static void
view_open(const struct scheduler *scheduler, struct filter_view *view)
{
    uint32_t n = scheduler->fleet->n_clusters;

    view->clusters = scheduler->fleet->clusters;
    memset(view->verdicts, NOT_ASKED, n * sizeof(*view->verdicts));
    if (view->overflow_order != NULL) {
        memset(view->overflow_order, NOT_ASKED, n * sizeof(*view->overflow_order));
    }
}

/* Strings are interned and placements shared, so addresses are enough. Equal objects at two
 * addresses get two views, which only costs time. */
static bool
view_has_key(const struct filter_view *view, const struct filter_view *key)
{
    return view->placement == key->placement && view->term == key->term &&
           view->kind == key->kind && view->api_version == key->api_version &&
           view->workload == key->workload;
}

/* Returns the views of one placement: few, by its terms and kinds. */
static struct filter_view **
views_of(const struct scheduler *scheduler, const struct placement *placement)
{
    uint32_t id = placement != &no_placement ? placement->id : scheduler->n_placements;

    return &scheduler->views[id < scheduler->n_placements ? id : scheduler->n_placements];
}

static struct filter_view *
view_add(struct scheduler *scheduler, const struct filter_view *key, bool has_orders)
{
    uint32_t n = scheduler->fleet->n_clusters;
    struct filter_view *view = ARENA_NEW(scheduler->arena, struct filter_view);

    *view = *key;
    view->verdicts = ARENA_ARRAY(scheduler->arena, struct kept_verdicts, n);
    scheduler->cached_bytes += sizeof(*view) + n * sizeof(*view->verdicts);
    if (has_orders) {
        view->overflow_order = ARENA_ARRAY(scheduler->arena, uint32_t, n);
        scheduler->cached_bytes += n * sizeof(*view->overflow_order);
    }
    view_open(scheduler, view);
    struct filter_view **first = views_of(scheduler, view->placement);

    view->next = *first;
    *first = view;
    return view;
}

static struct filter_view *
view_spare(struct scheduler *scheduler, const struct filter_view *key, bool has_orders)
{
    struct filter_view *view = &scheduler->spare;

    if (view->placement != NULL && view_has_key(view, key)) {
        return view;
    }
    *view = *key;
    view->verdicts = scheduler->spare_verdicts;
    view->overflow_order = has_orders ? scheduler->spare_overflow_order : NULL;
    view_open(scheduler, view);
    return view;
}

struct filter_view *
filter_view_get(struct scheduler *scheduler, const struct binding *binding,
                const struct affinity_term *term)
{
    const struct placement *placement =
        binding->placement != NULL ? binding->placement : &no_placement;
    bool has_orders = has_overflow_orders(placement, term);
    struct filter_view key = {
        .placement = placement,
        .term = term,
        .api_version = binding->resource.api_version,
        .kind = binding->resource.kind,
        .workload = has_orders && binding_is_workload(binding),
    };

    for (struct filter_view *view = *views_of(scheduler, placement); view != NULL;
         view = view->next) {
        if (view_has_key(view, &key)) {
            return view;
        }
    }
    if (scheduler->cached_bytes >= CACHE_MAX) {
        return view_spare(scheduler, &key, has_orders);
    }
    return view_add(scheduler, &key, has_orders);
}

static struct kept_verdicts
verdicts_of(const struct filter_view *view, uint32_t cluster)
{
    struct kept_verdicts *kept = &view->verdicts[cluster];

    if (kept->newcomer == NOT_ASKED) {
        *kept = judge(view, &view->clusters[cluster]);
    }
    return *kept;
}

enum filter_verdict
filter_view_verdict(const struct filter_view *view, uint32_t cluster, bool is_target)
{
    const struct kept_verdicts kept = verdicts_of(view, cluster);

    return (enum filter_verdict)(is_target ? kept.target : kept.newcomer);
}

enum filter_verdict
filter_own_verdict(const struct scheduler *scheduler, const struct binding *binding,
                   bool is_evicting, uint32_t cluster)
{
    const struct own_question asked = {scheduler, binding, is_evicting, cluster};

    if (!is_evicting && scheduler->affinity_groups == NULL) {
        return FILTER_PASSED; /* the usual case: no filter by binding can refuse */
    }
    for (unsigned i = FIRST_BY_BINDING; i < N_FILTER_VERDICTS; i++) {
        if (filters[i].refuses_binding != NULL && filters[i].refuses_binding(&asked)) {
            return (enum filter_verdict)i;
        }
    }
    return FILTER_PASSED;
}

const int64_t *
filter_view_weights(struct scheduler *scheduler, struct filter_view *view)
{
    const struct fleet *fleet = scheduler->fleet;
    const struct static_weight_list *rules = &view->placement->replica_scheduling.static_weights;
    int64_t *weights = scheduler->spare_weights;

    if (view->weights != NULL) {
        return view->weights;
    }
    if (view != &scheduler->spare) {
        weights = ARENA_ARRAY(scheduler->arena, int64_t, fleet->n_clusters);
        scheduler->cached_bytes += fleet->n_clusters * sizeof(*weights);
    }
    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        weights[i] = 0;
        for (uint32_t j = 0; j < rules->count; j++) {
            if (rules->items[j].weight > weights[i] &&
                cluster_affinity_matches(&rules->items[j].target, &fleet->clusters[i])) {
                weights[i] = rules->items[j].weight;
            }
        }
    }
    view->weights = weights;
    return weights;
}

const char *
filter_text(const struct binding *binding, const struct placement *placement,
            enum filter_verdict verdict, const struct cluster *cluster)
{
    const struct filter *filter = &filters[verdict];

    if (filter->federated_text != NULL && binding->federated != NULL) {
        return filter->federated_text(binding->federated, cluster);
    }
    return filter->text_for != NULL && placement != NULL ? filter->text_for(placement, cluster)
                                                         : filter->text;
}

static enum filter_verdict
verdict_in(const struct scheduler *scheduler, const struct filter_view *view,
           const struct binding *binding, uint32_t cluster)
{
    const char *name = scheduler->fleet->clusters[cluster].name;
    const struct kept_verdicts kept = verdicts_of(view, cluster);
    enum filter_verdict verdict = (enum filter_verdict)kept.newcomer;

    /* being a target matters in few clusters, and the lookup is expensive */
    if (kept.newcomer != kept.target && binding_find_target(binding, name) >= 0) {
        verdict = (enum filter_verdict)kept.target;
    }
    return verdict == FILTER_PASSED
               ? filter_own_verdict(scheduler, binding, binding_is_evicting(binding, name), cluster)
               : verdict;
}

static struct filter_view *
view_in_term(struct scheduler *scheduler, const struct binding *binding, const char *affinity_name)
{
    const struct affinity_term *term =
        binding->placement != NULL ? placement_find_term(binding->placement, affinity_name) : NULL;

    return filter_view_get(scheduler, binding, term);
}

enum filter_verdict
scheduler_filter(struct scheduler *scheduler, const struct binding *binding,
                 const char *affinity_name, uint32_t cluster)
{
    return verdict_in(scheduler, view_in_term(scheduler, binding, affinity_name), binding, cluster);
}

uint32_t
scheduler_list_passed(struct scheduler *scheduler, const struct binding *binding,
                      const char *affinity_name, uint32_t *clusters, uint32_t count)
{
    const struct filter_view *view = view_in_term(scheduler, binding, affinity_name);
    uint32_t n_passed = 0;

    for (uint32_t i = 0; i < count; i++) {
        if (verdict_in(scheduler, view, binding, clusters[i]) == FILTER_PASSED) {
            clusters[n_passed++] = clusters[i];
        }
    }
    return n_passed;
}

const struct taint *
filter_taint(const struct placement *placement, enum filter_verdict verdict,
             const struct cluster *cluster)
{
    return filters[verdict].taint != NULL ? filters[verdict].taint(placement, cluster) : NULL;
}

bool
filter_is_counted(enum filter_verdict verdict)
{
    return !filters[verdict].goes_uncounted;
}

const char *
filter_verdict_name(enum filter_verdict verdict)
{
    return filters[verdict].name;
}

bool
filter_heeds_affinity_group(enum filter_verdict verdict)
{
    return filters[verdict].witness != NULL;
}

const char *
scheduler_filter_reason(struct scheduler *scheduler, const struct binding *binding,
                        enum filter_verdict verdict, uint32_t cluster, struct arena *arena)
{
    const struct cluster *subject = &scheduler->fleet->clusters[cluster];
    const struct placement *placement =
        binding->placement != NULL ? binding->placement : &no_placement;
    const char *text = filter_text(binding, placement, verdict, subject);
    const struct taint *taint = filter_taint(placement, verdict, subject);

    if (taint != NULL) {
        return arena_printf(arena, "%s {%s%s%s:%s}", text, taint->key,
                            str_is_empty(taint->value) ? "" : "=", taint->value, taint->effect);
    }
    if (filter_heeds_affinity_group(verdict)) {
        return arena_printf(
            arena, "%s (%s)", text,
            filters[verdict].witness(scheduler->affinity_groups, binding, verdict, cluster, arena));
    }
    return text;
}
