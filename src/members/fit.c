/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the limits on pods in members: quotas and limits of namespaces, volumes, and
 * PodDisruptionBudgets. The survey names the pods and clusters; the pod templates decide which
 * lists to read.
 */
#include "ballast/base/str.h"
#include "probe.h"

#define PART 4 /* divisor of a look's time and memory */

enum { LIMIT_RANGES, RESOURCE_QUOTAS, CLAIMS, VOLUMES, STORAGE_CLASSES, CSI_NODES };

#define STORAGE "/apis/storage.k8s.io/v1"
static const struct member_resource resources[] = {
    [LIMIT_RANGES] = {"limitranges", "/api/v1", NULL, "LimitRangeList", MEMBER_LIMIT_RANGES, true},
    [RESOURCE_QUOTAS] = {"resourcequotas", "/api/v1", NULL, "ResourceQuotaList",
                         MEMBER_RESOURCE_QUOTAS, true},
    [CLAIMS] = {"persistentvolumeclaims", "/api/v1", NULL, "PersistentVolumeClaimList",
                MEMBER_CLAIMS, true},
    [VOLUMES] = {"persistentvolumes", "/api/v1", NULL, "PersistentVolumeList", MEMBER_VOLUMES,
                 true},
    [STORAGE_CLASSES] = {"storageclasses", STORAGE, NULL, "StorageClassList",
                         MEMBER_STORAGE_CLASSES, true},
    [CSI_NODES] = {"csinodes", STORAGE, NULL, "CSINodeList", MEMBER_CSI_NODES, true},
};

const struct member_resource member_budgets = {"poddisruptionbudgets",    "/apis/policy/v1",
                                               "/apis/policy/v1beta1",    "PodDisruptionBudgetList",
                                               MEMBER_DISRUPTION_BUDGETS, true};

struct wish {
    struct few_namespaces namespaces;
    struct few_namespaces budgets; /* namespaces whose PodDisruptionBudgets are wanted */
    bool volumes;
    bool claims; /* without volumes, for pods that are there */
};

/* The pods of an object without a namespace may be in any. */
static void
wish_for_budgets(struct few_namespaces *few, const char *namespace_)
{
    if (str_is_empty(namespace_)) {
        few->are_too_many = true;
    } else {
        few_namespaces_add(few, namespace_);
    }
}

static void
add_wish(struct wish *wish, const struct fit_question *question, const char *namespace_,
         const struct pod_template *pod_template)
{
    if (question->may_stop) { /* also without a template, as a budget may select its pods */
        wish_for_budgets(&wish->budgets, namespace_);
    } else if (pod_template != NULL) {
        const struct pod_volumes *volumes = pod_template->volumes;
        bool has_claims = volumes != NULL && volumes->n_claims > 0;

        if (question->is_there) {
            wish->claims |= has_claims || pod_template->claims_made.count > 0;
        } else {
            few_namespaces_add(&wish->namespaces, pod_template->namespace_);
            wish->volumes |= volumes != NULL && (has_claims || volumes->n_own_classes > 0 ||
                                                 pod_volumes_have_replaced(volumes));
        }
    }
}

static struct wish *
find_wishes(struct arena *arena, const struct fleet *fleet, const struct survey *asked,
            struct fleet_builder *builder)
{
    struct wish *wishes = ARENA_ARRAY(arena, struct wish, fleet->n_clusters);

    for (uint32_t i = 0; i < asked->n_fit; i++) {
        const struct fit_question *question = &asked->fit[i];
        const struct binding *binding = &fleet->bindings[question->binding];
        const struct pod_template *pod_template = fleet_builder_template(builder, binding);

        for (uint32_t c = 0; c < question->n_clusters; c++) {
            add_wish(&wishes[question->clusters[c]], question, binding->resource.namespace_,
                     pod_template);
        }
    }
    return wishes;
}

static void
add_few(struct member_probe *member, const struct member_resource *resource,
        const struct few_namespaces *few)
{
    if (few->are_too_many) {
        member_add_list(member, resource, "", "");
    }
    for (unsigned i = 0; i < few->count && !few->are_too_many; i++) {
        member_add_list(member, resource, few->names[i], "");
    }
}

static bool
is_wanted(const struct wish *wish)
{
    return wish->namespaces.count > 0 || wish->claims || wish->budgets.count > 0 ||
           wish->budgets.are_too_many;
}

static void
add_lists(struct member_probe *member, const struct wish *wish)
{
    add_few(member, &resources[LIMIT_RANGES], &wish->namespaces);
    add_few(member, &resources[RESOURCE_QUOTAS], &wish->namespaces);
    add_few(member, &member_budgets, &wish->budgets);
    if (wish->claims && !wish->volumes) {
        member_add_list(member, &resources[CLAIMS], "", "");
    }
    /* pods of any namespace have claims, and so volumes on a node */
    for (int list = CLAIMS; list <= CSI_NODES && wish->volumes; list++) {
        member_add_list(member, &resources[list], "", "");
    }
}

static void
finish_fit(struct member_probe *member)
{
    struct fleet_builder *builder = member->looking->builder;

    for (unsigned i = 0; i < member->n_lists; i++) {
        if (member->lists[i].state == LIST_DONE) {
            fleet_builder_saw(builder, member->address->name,
                              (enum member_part)member->lists[i].resource->part);
        }
    }
    member_choose_failure(member);
}

static void
look_for(struct member_probes *looking)
{
    const struct wish *wishes = looking->context;

    for (size_t i = 0; i < looking->n_members; i++) {
        add_lists(&looking->members[i], &wishes[i]);
        member_reach(&looking->members[i]);
    }
    member_report_progress(looking);
    kube_engine_run(looking->engine);
    for (size_t i = 0; i < looking->n_members; i++) {
        finish_fit(&looking->members[i]);
    }
}

bool
members_look_fit(const struct members_look *look, const struct fleet *fleet,
                 const struct survey *asked, struct fleet_builder *builder,
                 struct kube_statistics *requests, struct error *err)
{
    struct arena *arena = arena_new();
    const struct wish *by_cluster = find_wishes(arena, fleet, asked, builder);
    struct member_address *addresses = ARENA_ARRAY(arena, struct member_address, look->n_addresses);
    struct wish *wishes = ARENA_ARRAY(arena, struct wish, look->n_addresses);
    bool *direct = ARENA_ARRAY(arena, bool, look->n_addresses);
    struct members_options options = *look->options;
    struct members_look some = *look;
    struct member_probes looking = {.look = &some,
                                    .context = wishes,
                                    .arena = arena,
                                    .builder = builder,
                                    .requests = requests,
                                    .unmarked = ""};

    options.time /= PART;
    options.memory /= PART;
    some.options = &options;
    some.addresses = addresses;
    some.n_addresses = 0;
    some.direct = direct;
    for (size_t i = 0; i < look->n_addresses; i++) {
        uint32_t cluster = fleet_find_cluster(fleet, look->addresses[i].name);

        if (cluster != CLUSTER_NONE && is_wanted(&by_cluster[cluster])) {
            wishes[some.n_addresses] = by_cluster[cluster];
            direct[some.n_addresses] = look->direct != NULL && look->direct[i];
            addresses[some.n_addresses++] = look->addresses[i];
        }
    }
    bool done = some.n_addresses == 0 || member_probes_run(&looking, look_for, err);

    arena_free(arena);
    return done;
}
