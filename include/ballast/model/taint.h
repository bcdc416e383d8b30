/* SPDX-License-Identifier: Apache-2.0
 *
 * Taints and tolerations (corev1.Taint, corev1.Toleration), matched as
 * Toleration.ToleratesTaint does. The operators Lt and Gt never match, since
 * Karmada does not turn on their feature gate.
 */
#ifndef BALLAST_MODEL_TAINT_H
#define BALLAST_MODEL_TAINT_H

#include <stdbool.h>
#include <stdint.h>

struct taint {
    const char *key;
    const char *value;
    const char *effect; /* NoSchedule, PreferNoSchedule, NoExecute */
    int64_t time_added; /* TIME_NONE: absent */
};

struct taint_list {
    const struct taint *items;
    uint32_t count;
};

struct toleration {
    const char *key;
    const char *operator; /* "" is Equal */
    const char *value;
    const char *effect; /* "" is every effect */
    int64_t toleration_seconds;
    bool has_toleration_seconds;
};

struct toleration_list {
    const struct toleration *items;
    uint32_t count;
    bool present;
};

/* True if the toleration tolerates the taint, for however long. */
bool toleration_tolerates(const struct toleration *toleration, const struct taint *taint);
/* Returns the first taint with effect NoSchedule or NoExecute that no toleration tolerates; NULL if
 * there is none. A NULL list tolerates nothing. */
const struct taint *taint_list_find_untolerated(const struct taint_list *taints,
                                                const struct toleration_list *tolerations);
/* True if both lists have equal tolerations in equal order. Absent and empty lists differ. */
bool toleration_list_equal(const struct toleration_list *a, const struct toleration_list *b);

/* Returns the first toleration that tolerates the taint; NULL if none does, or for a NULL list. */
const struct toleration *toleration_list_find(const struct toleration_list *tolerations,
                                              const struct taint *taint);

#define TIME_EARLIEST (INT64_MIN + 1)
/* Returns the NoExecute taint that drives away a workload with these tolerations, and sets
 * *ret_when; NULL if none ever does. As Karmada's taint manager (GetMatchingTolerations and
 * GetMinTolerationTimeWithCurrentTime of karmada pkg/util/helper/taint.go):
 * - The first taint that no toleration tolerates drives away at its timeAdded, or at TIME_EARLIEST
 *   without timeAdded.
 * - Else the first moment counts at which a toleration in use ends for a taint that it tolerates:
 *   tolerationSeconds after the taint's timeAdded, never without timeAdded. In use is the first
 *   toleration of each taint. */
const struct taint *taint_list_find_evicting(const struct taint_list *taints,
                                             const struct toleration_list *tolerations,
                                             int64_t *ret_when);
/* True if the list has a taint with effect NoExecute. */
bool taint_list_has_no_execute(const struct taint_list *taints);

#endif
