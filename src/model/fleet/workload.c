/* SPDX-License-Identifier: Apache-2.0
 *
 * What controllers say of a workload in a member.
 */
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/model/member.h"

bool
workload_is_behind(const struct workload *workload)
{
    /* a Job and many custom resources never report an observed generation */
    return workload->generation > workload->observed_generation &&
           (workload->observed_generation > 0 || str_eq(workload->api_version, "apps/v1"));
}

static const char *
find_text(const char *message, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strstr(message, texts[i]) != NULL) {
            return texts[i];
        }
    }
    return NULL;
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

    return find_text(message, texts, sizeof(texts) / sizeof(texts[0]));
}

const char *
refusal_of_object(const char *message)
{
    /* kubernetes staging/src/k8s.io/apimachinery/pkg/api/errors and .../util/validation/field;
     * karmada pkg/util/objectwatcher */
    static const char *const texts[] = {
        "already exist", "is immutable",   "is invalid",
        "Invalid value", "Required value", "no matches for kind",
    };

    return find_text(message, texts, sizeof(texts) / sizeof(texts[0]));
}
