/* SPDX-License-Identifier: Apache-2.0
 *
 * Taints and tolerations (corev1.Taint, corev1.Toleration), with the answers of
 * Toleration.ToleratesTaint. The operators Lt and Gt never match, as upstream
 * leaves them behind a feature gate that Karmada does not turn on.
 */
#ifndef BALLAST_TAINT_H
#define BALLAST_TAINT_H

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

/* When a NoExecute taint drives away what has these tolerations: TIME_NONE when never; time_added
 * when nothing tolerates it (TIME_EARLIEST if that is absent); else time_added plus the
 * tolerationSeconds of the first toleration that matches, as Karmada's taint manager counts. A
 * taint without time_added whose toleration ends some day never does, as there. */
#define TIME_EARLIEST (INT64_MIN + 1)
int64_t taint_eviction_time(const struct taint *taint, const struct toleration_list *tolerations);

#endif
