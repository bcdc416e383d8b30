/* SPDX-License-Identifier: Apache-2.0
 *
 * A finished fleet: finding things in it, and its end.
 */
#include "ballast/model/fleet.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/name_index.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"

/* karmada-descheduler renews its Lease every few seconds. Its clock may be slightly off. */
#define DESCHEDULER_SILENT_AFTER (2 * NANOS_PER_MINUTE)

/* A cluster that does not answer in time costs KubeFed's controller a probe or two. */
#define KUBEFED_SILENT_AFTER (2 * NANOS_PER_MINUTE)
#define KUBEFED_PROBES_MISSED 6
#define KUBEFED_PERIOD_MAX (INT64_C(1440) * NANOS_PER_MINUTE) /* longer periods count as this */

void
fleet_free(struct fleet *fleet)
{
    if (fleet != NULL) {
        free(fleet->heap);
        arena_free(fleet->arena);
        interner_free(fleet->strings);
        free(fleet);
    }
}

const struct requirements requirements_absent = {
    .namespace_ = "", .priority_class_name = "", .is_absent = true};

struct requirements *
requirements_of_its_own(struct fleet *fleet, const struct requirements *requirements)
{
    struct requirements *own =
        arena_memdup(fleet->arena, requirements != NULL ? requirements : &requirements_absent,
                     sizeof(*requirements));

    own->id = fleet->n_requirements++;
    return own;
}

const struct taint *
binding_find_evicting_taint(const struct binding *binding, const struct cluster *cluster,
                            int64_t by, int64_t *ret_when)
{
    int64_t when = TIME_NONE;
    const struct taint *taint = taint_list_find_evicting(
        &cluster->taints,
        binding->placement != NULL ? &binding->placement->cluster_tolerations : NULL, &when);

    if (taint == NULL || when > by) {
        return NULL;
    }
    *ret_when = when;
    return taint;
}

uint32_t
fleet_find_cluster(const struct fleet *fleet, const char *name)
{
    uint32_t found =
        names_find(fleet->clusters, sizeof(fleet->clusters[0]), fleet->n_clusters, name);

    return found != NAME_NONE ? found : CLUSTER_NONE;
}

const char *
binding_api_version(const struct fleet *fleet, const struct binding *binding)
{
    const struct federated_type *type =
        binding->federated != NULL
            ? federation_type(fleet->federation, binding_kind_name(binding->kind))
            : NULL;

    if (type != NULL) {
        return type->api_version;
    }
    return binding->federated != NULL ? "types.kubefed.io/v1beta1" : "work.karmada.io/v1alpha2";
}

int64_t
fleet_probed(const struct fleet *fleet)
{
    int64_t newest = TIME_NONE;

    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        newest = fleet->clusters[i].probed > newest ? fleet->clusters[i].probed : newest;
    }
    return newest;
}

static int64_t
silent_after(const struct federation *federation)
{
    int64_t span = federation->probe_period < KUBEFED_PERIOD_MAX
                       ? federation->probe_period * KUBEFED_PROBES_MISSED
                       : KUBEFED_PERIOD_MAX * KUBEFED_PROBES_MISSED;

    return span > KUBEFED_SILENT_AFTER ? span : KUBEFED_SILENT_AFTER;
}

static bool
was_probed_lately(const struct fleet *fleet, int64_t probed, int64_t now)
{
    return timestamp_add(probed, silent_after(fleet->federation)) >= now;
}

bool
fleet_is_unwatched(const struct fleet *fleet, int64_t now)
{
    int64_t probed = fleet->federation != NULL ? fleet_probed(fleet) : TIME_NONE;

    return probed != TIME_NONE && !was_probed_lately(fleet, probed, now);
}

bool
fleet_has_kubefed_scheduler(const struct fleet *fleet, int64_t now)
{
    int64_t probed = fleet->federation != NULL ? fleet_probed(fleet) : TIME_NONE;

    return probed != TIME_NONE && fleet->federation->schedules &&
           was_probed_lately(fleet, probed, now);
}

bool
fleet_has_descheduler(const struct fleet *fleet, int64_t now)
{
    int64_t renewed = fleet->descheduler_renewed;

    return fleet->deploys_descheduler || (renewed != TIME_NONE && now != TIME_NONE &&
                                          timestamp_add(renewed, DESCHEDULER_SILENT_AFTER) > now);
}

bool
fleet_is_unread(const struct fleet *fleet)
{
    return fleet->has_unread_kind || (fleet->n_problems > 0 && fleet->n_bindings == 0);
}
