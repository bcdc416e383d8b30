/* SPDX-License-Identifier: Apache-2.0
 *
 * What vector files hold of a member.
 */
#ifndef BALLAST_CONFORM_MEMBER_H
#define BALLAST_CONFORM_MEMBER_H

#include "ballast/kinds/decode.h"
#include "ballast/model/member.h"
#include "conform.h"

/* Sets the member's pods from a list (NULL: none), in the run's arena. */
bool conform_pods(struct conform *run, struct fleet_builder *builder, const struct value *list,
                  struct member *member, struct error *err);

#endif
