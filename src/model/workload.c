/* SPDX-License-Identifier: Apache-2.0
 *
 * What controllers say of a workload in a member.
 */
#include <string.h>

#include "ballast/model/member.h"

bool
workload_is_behind(const struct workload *workload)
{
    return workload->generation > workload->observed_generation;
}

const char *
refusal_by_namespace(const char *message)
{
    /* kubernetes staging/src/k8s.io/apiserver/pkg/admission/plugin/resourcequota,
     * plugin/pkg/admission/limitranger and serviceaccount, pod-security-admission */
    static const char *const texts[] = {
        QUOTA_EXCEEDED,         "failed quota",      "insufficient quota",
        "per Container is",     "per Pod is",        "per PersistentVolumeClaim is",
        "violates PodSecurity", "serviceaccount \"",
    };

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        if (strstr(message, texts[i]) != NULL) {
            return texts[i];
        }
    }
    return NULL;
}
