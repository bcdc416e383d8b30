/* SPDX-License-Identifier: Apache-2.0
 *
 * What is compared: karmada-scheduler alone, with karmada-descheduler, and with
 * Ballast under several configurations.
 */
#ifndef BALLAST_SIMULATE_POLICIES_H
#define BALLAST_SIMULATE_POLICIES_H

#include "checks.h"

struct sim_policy {
    const char *name;
    const char *summary;
    bool deschedules;   /* karmada-descheduler */
    bool fails_over;    /* Karmada's taint manager */
    bool estimators;    /* members are seen through their estimators alone */
    const char *config; /* Ballast's; NULL: it is not there */
    struct allowance allowance;
};

extern const struct sim_policy policies[]; /* ends with a NULL name */

const struct sim_policy *policy_find(const char *name); /* NULL when there is none */

#endif
