/* SPDX-License-Identifier: Apache-2.0
 *
 * Everything that a fleet knows of its members, and the claims, as text: two
 * fleets with the same text are the same, field by field.
 */
#ifndef BALLAST_MEMBER_TEXT_H
#define BALLAST_MEMBER_TEXT_H

#include "ballast/base/buf.h"
#include "ballast/model/fleet.h"

void member_text(const struct fleet *fleet, struct buf *out);

#endif
