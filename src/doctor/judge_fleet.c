/* SPDX-License-Identifier: Apache-2.0
 *
 * Judges the fleet as a plan sees it: objects, members, other writers and failover.
 */
#include <string.h>

#include "ballast/base/buf.h"
#include "doctor_internal.h"

#define NAMES_TEXT_MAX ((size_t)64 << 10)
#define SKEW_MAX NANOS_PER_MINUTE

void
judge_fleet(struct doctor *doctor)
{
    const struct doctor_facts *facts = doctor->facts;
    const struct fleet *fleet = facts->fleet;

    if (fleet == NULL) {
        const bool was_tried = facts->unread.code != ERROR_NONE;

        doctor_say(doctor, was_tried ? DOCTOR_FAILED : DOCTOR_NOTE,
                   was_tried ? facts->unread.message : "not read: the rights to plan come first",
                   was_tried ? "correct what the message names, then run ballast doctor again"
                             : "");
        return;
    }
    doctor->reached = STAGE_FLEET;
    doctor_say(doctor, fleet->n_clusters > 0 ? DOCTOR_OK : DOCTOR_WARNING,
               arena_printf(doctor->arena, "%u cluster%s, %u binding%s",
                            (unsigned)fleet->n_clusters, fleet->n_clusters == 1 ? "" : "s",
                            (unsigned)fleet->n_bindings, fleet->n_bindings == 1 ? "" : "s"),
               fleet->n_clusters > 0 ? "" : "join a member: karmadactl join NAME");
    if (fleet->n_problems > 0) {
        doctor_say(doctor, fleet_is_unread(fleet) ? DOCTOR_FAILED : DOCTOR_WARNING,
                   arena_printf(doctor->arena, "Ballast skips %u malformed object%s: %s: %s",
                                (unsigned)fleet->n_problems,
                                fleet->n_problems == 1 ? "" : "s, first", fleet->problems[0].object,
                                fleet->problems[0].message),
                   "correct what the message names; ballast plan names all of them");
    }
    for (uint32_t i = 0; i < facts->notices.count; i++) {
        doctor_say(doctor, DOCTOR_WARNING,
                   arena_printf(doctor->arena, "%s: %s", facts->notices.items[i].about,
                                facts->notices.items[i].message),
                   "");
    }
}

static const struct unseen_member *
find_unseen(const struct coverage *coverage, uint32_t cluster)
{
    for (uint32_t i = 0; i < coverage->n_unseen; i++) {
        if (coverage->unseen[i].cluster == cluster) {
            return &coverage->unseen[i];
        }
    }
    return NULL;
}

/* Lists the members that Ballast saw directly, or by the proxy. */
static void
report_seen(struct doctor *doctor, bool is_direct)
{
    const struct fleet *fleet = doctor->facts->fleet;
    struct buf names;
    uint32_t count = 0;

    buf_init(&names, NAMES_TEXT_MAX);
    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        if (fleet->members[i].is_direct == is_direct &&
            find_unseen(doctor->facts->coverage, i) == NULL) {
            buf_printf(&names, "%s%s", count++ > 0 ? ", " : "", fleet->clusters[i].name);
        }
    }
    if (count > 0) {
        doctor_say(doctor, DOCTOR_OK,
                   arena_printf(doctor->arena, "%u of %u seen %s: %s", (unsigned)count,
                                (unsigned)doctor->facts->coverage->asked,
                                is_direct ? "directly" : "by the control plane's proxy",
                                buf_text(&names)),
                   "");
    }
    buf_release(&names);
}

/* Advises to repeat the request, and on the most common cause of its failure. */
static const char *
advice_on_member(struct doctor *doctor, const char *name, const char *message)
{
    const char *path = arena_printf(
        doctor->arena, "/apis/cluster.karmada.io/v1alpha1/clusters/%s/proxy/api/v1/nodes?limit=1",
        name);
    const char *kubectl = doctor->needs->kubectl;

    if (doctor->facts->platform == PLATFORM_KUBEFED) {
        return "apply cronjob/kubefed/members in that member, and see whether the Secret of its "
               "KubeFedCluster still is good";
    }
    return arena_printf(
        doctor->arena, "%s%s%s get --raw %s", strstr(message, "HTTP 403") != NULL ? kubectl : "",
        strstr(message, "HTTP 403") != NULL ? " apply -k cronjob/karmada/members\n" : "", kubectl,
        doctor_word(doctor->arena, path));
}

static void
report_unseen(struct doctor *doctor, const struct unseen_member *unseen)
{
    const struct policy *policy = doctor->needs->policy;
    const struct limit *allowed = &policy->allow_unseen;
    const bool is_allowed = !doctor->facts->coverage->is_blind &&
                            (allowed->unit == LIMIT_UNIT_NONE || allowed->value > 0);
    const char *name = doctor->facts->fleet->clusters[unseen->cluster].name;

    doctor_say(doctor, unseen->is_ready && !is_allowed ? DOCTOR_FAILED : DOCTOR_WARNING,
               arena_printf(doctor->arena, "%s is out of reach: %s: %s", name, unseen->parts,
                            unseen->message),
               advice_on_member(doctor, name, unseen->message));
}

static void
report_state(struct doctor *doctor, uint32_t cluster)
{
    const struct fleet *fleet = doctor->facts->fleet;
    const struct cluster_health *health = &doctor->facts->diagnosis->clusters[cluster];
    const char *name = fleet->clusters[cluster].name;
    const int64_t offset = fleet->members[cluster].clock_offset;

    if (!health->ready) {
        doctor_say(
            doctor, DOCTOR_WARNING,
            arena_printf(doctor->arena, "%s is not Ready: %s", name,
                         str_is_empty(health->reason) ? "its Cluster says so" : health->reason),
            arena_printf(doctor->arena, "%s describe cluster %s", doctor->needs->kubectl, name));
    }
    if (offset > SKEW_MAX || offset < -SKEW_MAX) {
        doctor_say(doctor, DOCTOR_WARNING,
                   arena_printf(doctor->arena, "the clock of %s is %s %s the control plane's", name,
                                doctor_span(doctor->arena, offset),
                                offset > 0 ? "ahead of" : "behind"),
                   "set the clock there: Ballast corrects for it, but Karmada does not");
    }
}

void
judge_members(struct doctor *doctor)
{
    const struct coverage *coverage = doctor->facts->coverage;

    if (coverage->asked == 0) {
        doctor_say(doctor, DOCTOR_NOTE, "not looked into: --sources names no source that does", "");
    } else {
        report_seen(doctor, false);
        report_seen(doctor, true);
    }
    for (uint32_t i = 0; i < coverage->n_unseen; i++) {
        report_unseen(doctor, &coverage->unseen[i]);
    }
    for (uint32_t i = 0; i < doctor->facts->fleet->n_clusters; i++) {
        report_state(doctor, i);
    }
}

void
judge_other_writers(struct doctor *doctor)
{
    const struct doctor_facts *facts = doctor->facts;
    const enum doctor_mark mark = doctor->needs->writes ? DOCTOR_FAILED : DOCTOR_WARNING;

    if (facts->platform == PLATFORM_KUBEFED) {
        const bool has_scheduler = fleet_has_kubefed_scheduler(facts->fleet, facts->now);

        doctor_say(doctor, has_scheduler ? mark : DOCTOR_OK,
                   has_scheduler ? "KubeFed's own scheduler is on, and reverts what Ballast writes"
                                 : "KubeFed's own scheduler is off",
                   has_scheduler
                       ? "switch the feature SchedulerPreferences off in the KubeFedConfig"
                       : "");
    } else if (fleet_has_descheduler(facts->fleet, facts->now)) {
        doctor_say(doctor, mark, "karmada-descheduler runs as well: it renews its Lease",
                   "where Karmada's components run: kubectl -n karmada-system scale deployment "
                   "karmada-descheduler --replicas=0");
    } else {
        doctor_say(doctor, DOCTOR_OK,
                   "karmada-descheduler is not seen at work (its Lease in karmada-system)", "");
    }
}

static const char *
failover_text(struct doctor *doctor)
{
    const struct karmada_at_work *karmada = &doctor->facts->diagnosis->karmada;
    const struct policy *policy = doctor->needs->policy;

    if (karmada->evicts) {
        return arena_printf(
            doctor->arena,
            "Karmada fails clusters with a NoExecute taint over, and Ballast leaves "
            "them alone: %s",
            karmada->ground);
    }
    if (!policy->triggers[FINDING_UNHEALTHY_CLUSTER]) {
        return "Ballast only reports lost clusters: the trigger UnhealthyCluster is off";
    }
    return policy->failover.karmada == KARMADA_FAILOVER_IGNORE
               ? "Ballast fails lost clusters over, whatever Karmada does (failover.karmada: "
                 "Ignore)"
               : "Ballast fails lost clusters over: Karmada's own failover left no mark in the "
                 "last "
                 "hour. If karmada-controller-manager runs with "
                 "--enable-no-execute-taint-eviction, set failover.karmada: Leave";
}

void
judge_failover(struct doctor *doctor)
{
    if (doctor->facts->platform != PLATFORM_KUBEFED) {
        doctor_say(doctor, DOCTOR_OK, failover_text(doctor), "");
    }
}
