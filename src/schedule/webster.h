/* SPDX-License-Identifier: Apache-2.0
 *
 * The inside of Webster's division, for its tests: webster_allocate_capped that
 * says what it cost.
 */
#ifndef BALLAST_SCHEDULE_WEBSTER_H
#define BALLAST_SCHEDULE_WEBSTER_H

#include "ballast/schedule/divide.h"

/* `caps` NULL: none. *ret_steps is the number of priorities computed and compared: it depends on
 * `count`, not on `seats`. */
int32_t webster_allocate_counted(struct share *shares, const int32_t *caps, uint32_t count,
                                 int32_t seats, bool ties_descend, uint64_t *ret_steps);

#endif
