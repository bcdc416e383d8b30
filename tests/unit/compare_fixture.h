/* SPDX-License-Identifier: Apache-2.0
 *
 * Two small fleets as two looks at one, ten minutes apart.
 */
#ifndef BALLAST_COMPARE_FIXTURE_H
#define BALLAST_COMPARE_FIXTURE_H

#include "ballast/compare/compare.h"
#include "small_fleet.h"

#define EARLIER 10 /* minutes before now: the first look */

/* The first look, and the second one, minutes later. */
struct looks {
    struct small_fleet before, after;
    const struct record *records[4];
    uint32_t n_records;
    bool any_fleet;
    struct error err;
};

void looks_open(struct looks *looks);
void looks_close(struct looks *looks);
/* Of a fleet, which is finished by the first call, so many minutes ago. */
struct compared_look look_of(struct small_fleet *f, int age);
/* NULL with looks->err. */
const struct comparison *compare_looks(struct looks *looks);
/* What became of a cluster; a failed check, and one without a name, where it is as it was. */
const struct compared_cluster *cluster_of(const struct comparison *comparison, const char *name);

#endif
