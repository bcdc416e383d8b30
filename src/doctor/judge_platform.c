/* SPDX-License-Identifier: Apache-2.0
 *
 * Judges which platform the control plane has, and which version.
 */
#include <string.h>

#include "doctor_internal.h"

/* New users often give the kubeconfig of Karmada's host cluster. */
static void
report_no_platform(struct doctor *doctor)
{
    const struct doctor_facts *facts = doctor->facts;
    const char *kubectl = doctor->needs->kubectl;

    if (facts->host.status == 200) {
        doctor_say(doctor, DOCTOR_FAILED,
                   "Karmada's components run in this cluster, but Karmada's own API server is "
                   "another one",
                   arena_printf(doctor->arena,
                                "give Ballast the kubeconfig of karmada-apiserver: --kubeconfig "
                                "FILE\n%s -n karmada-system get services,secrets",
                                kubectl));
    } else if (facts->member.status == 200) {
        doctor_say(doctor, DOCTOR_FAILED,
                   "this is no control plane; it looks like a member of Karmada's (it has the "
                   "namespace karmada-cluster)",
                   "give Ballast the kubeconfig of Karmada's own API server: --kubeconfig FILE");
    } else {
        doctor_say(doctor, DOCTOR_FAILED,
                   "this server has neither Karmada's API (cluster.karmada.io) nor KubeFed's "
                   "(core.kubefed.io)",
                   "give Ballast the kubeconfig of Karmada's own API server: --kubeconfig FILE, "
                   "or --context NAME");
    }
}

/* The server should be the platform's, but lacks `what`. */
static void
report_gap(struct doctor *doctor, const char *what, const struct doctor_reply *reply)
{
    const char *kubectl = doctor->needs->kubectl;

    if (reply->status == 404) {
        doctor_say(doctor, DOCTOR_FAILED,
                   arena_printf(doctor->arena, "this server has no %s", what),
                   arena_printf(doctor->arena,
                                "install all of Karmada's CRDs and APIServices, or give "
                                "--kubeconfig FILE of Karmada's own API server\n%s get apiservices "
                                "| grep -e karmada -e kubefed",
                                kubectl));
        return;
    }
    doctor_say(doctor, DOCTOR_FAILED,
               arena_printf(doctor->arena, "%s cannot be read: %s", what, reply->error.message),
               arena_printf(doctor->arena,
                            "see whether karmada-aggregated-apiserver runs: %s get apiservice "
                            "v1alpha1.cluster.karmada.io",
                            kubectl));
}

static bool
is_there(const struct doctor_reply *reply)
{
    return reply->status == 200 || reply->status == 403;
}

void
judge_platform(struct doctor *doctor)
{
    const struct doctor_facts *facts = doctor->facts;

    if (facts->platform == PLATFORM_AUTO ||
        (facts->platform == PLATFORM_KARMADA && facts->clusters.status == 404 &&
         facts->bindings.status == 404)) {
        report_no_platform(doctor);
    } else if (facts->platform == PLATFORM_KUBEFED && !is_there(&facts->kubefed)) {
        report_gap(doctor, "KubeFedClusters (core.kubefed.io)", &facts->kubefed);
    } else if (facts->platform == PLATFORM_KARMADA && !is_there(&facts->clusters)) {
        report_gap(doctor, "Clusters (cluster.karmada.io)", &facts->clusters);
    } else if (facts->platform == PLATFORM_KARMADA && !is_there(&facts->bindings)) {
        report_gap(doctor, "ResourceBindings (work.karmada.io)", &facts->bindings);
    } else {
        doctor->reached = STAGE_PLATFORM;
        doctor_say(doctor, DOCTOR_OK,
                   facts->platform == PLATFORM_KUBEFED
                       ? arena_printf(doctor->arena, "KubeFed in %s",
                                      doctor_kubefed_namespace(doctor->needs))
                       : "Karmada",
                   "");
    }
}

/* Karmada's API server reports Kubernetes' version, and none of its objects has Karmada's. */
void
judge_version(struct doctor *doctor)
{
    const struct doctor_facts *facts = doctor->facts;
    const char *tag = strrchr(facts->image, ':');

    if (facts->platform == PLATFORM_KUBEFED) {
        doctor_say(doctor, DOCTOR_NOTE, "KubeFed's API does not tell its version", "");
    } else if (tag != NULL) {
        doctor_say(doctor, DOCTOR_OK,
                   arena_printf(doctor->arena, "Karmada %s (image of karmada-controller-manager)",
                                tag + 1),
                   "");
    } else if (facts->since_1_14 == KUBE_SERVED) {
        doctor_say(doctor, DOCTOR_OK, "Karmada 1.14 or later: it has ClusterTaintPolicies", "");
    } else if (facts->since_1_10 == KUBE_SERVED && facts->since_1_14 == KUBE_NOT_SERVED) {
        doctor_say(doctor, DOCTOR_OK,
                   "Karmada 1.10 to 1.13: it has WorkloadRebalancers and no ClusterTaintPolicies",
                   "");
    } else if (facts->since_1_10 == KUBE_NOT_SERVED) {
        doctor_say(doctor, DOCTOR_OK, "Karmada before 1.10: it has no WorkloadRebalancers", "");
    } else {
        doctor_say(doctor, DOCTOR_NOTE,
                   "not seen: Karmada's API server does not tell Karmada's version", "");
    }
}
