/* SPDX-License-Identifier: Apache-2.0
 *
 * What a fleet's bindings show of how its scheduler tells its own; private to this room.
 */
#ifndef BALLAST_KINDS_OWNER_LABELS_H
#define BALLAST_KINDS_OWNER_LABELS_H

#include "ballast/model/fleet.h"

enum owner_labels find_owner_labels(const struct fleet *fleet);

#endif
