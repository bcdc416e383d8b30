/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether Karmada fails clusters over by itself.
 */
#ifndef BALLAST_MODEL_KARMADA_FAILOVER_H
#define BALLAST_MODEL_KARMADA_FAILOVER_H

#include "ballast/model/fleet.h"

/* What shows it, in words; NULL when nothing does. The fleet is sorted. */
const char *karmada_failover_sign(struct fleet *fleet);

#endif
