/* SPDX-License-Identifier: Apache-2.0
 *
 * Taints and tolerations (corev1.Taint, corev1.Toleration), with the answers of
 * Toleration.ToleratesTaint. The operators Lt and Gt never match, as upstream
 * leaves them behind a feature gate that Karmada does not turn on.
 */
#ifndef BALLAST_MODEL_TAINT_H
#define BALLAST_MODEL_TAINT_H

#include <stdbool.h>
#include <stdint.h>

struct taint {
    const char *key;
    const char *value;
    const char *effect; /* NoSchedule, PreferNoSchedule, NoExecute */
    int64_t time_added; /* TIME_NONE when absent */
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

bool toleration_tolerates(const struct toleration *toleration, const struct taint *taint);
/* The first taint of effect NoSchedule or NoExecute that nothing tolerates, NULL when none. */
const struct taint *taint_list_find_untolerated(const struct taint_list *taints,
                                                const struct toleration_list *tolerations);
bool toleration_list_equal(const struct toleration_list *a, const struct toleration_list *b);

/* The first toleration that tolerates the taint, NULL when none. A list of NULL is empty. */
const struct toleration *toleration_list_find(const struct toleration_list *tolerations,
                                              const struct taint *taint);

/* The NoExecute taint that drives away what has these tolerations, NULL when none ever does; and
 * when, as Karmada's taint manager counts (GetMatchingTolerations and
 * GetMinTolerationTimeWithCurrentTime of karmada pkg/util/helper/taint.go): the first that nothing
 * tolerates, at its timeAdded (TIME_EARLIEST if that is absent); else the first moment at which the
 * tolerationSeconds of a toleration in use are over, for any taint it tolerates. A taint without
 * timeAdded is tolerated for ever by whatever tolerates it for a while, as there. */
#define TIME_EARLIEST (INT64_MIN + 1)
const struct taint *taint_list_find_evicting(const struct taint_list *taints,
                                             const struct toleration_list *tolerations,
                                             int64_t *ret_when);
bool taint_list_has_no_execute(const struct taint_list *taints);

#endif
