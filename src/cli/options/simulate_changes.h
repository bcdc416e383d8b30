/* SPDX-License-Identifier: Apache-2.0
 *
 * The changes that flags of simulate ask for.
 */
#ifndef BALLAST_CLI_SIMULATE_CHANGES_H
#define BALLAST_CLI_SIMULATE_CHANGES_H

#include "ballast/simulate/change.h"
#include "invocation.h"

/* Fleets that were read for --add, which have to live as long as the changes. */
struct added_fleets {
    struct fleet **items;
    uint32_t count;
};

/* In the invocation's memory. false with ERROR_USAGE where a flag says nothing that can be made
 * out, or another error where a file of --add cannot be read; what was read is to be released all
 * the same. */
bool simulate_changes(const struct invocation *invocation, struct change_list *ret,
                      struct added_fleets *ret_added, struct error *err);
void added_fleets_release(struct added_fleets *added);

#endif
