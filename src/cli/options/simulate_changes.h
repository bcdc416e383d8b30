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

/* Reads the changes that the flags ask for, into the invocation's memory. False with ERROR_USAGE
 * where a flag cannot be understood, or another error where a file of --add cannot be read. Release
 * *ret_added in either case, once the changes are not used any more. */
bool simulate_changes(const struct invocation *invocation, struct change_list *ret,
                      struct added_fleets *ret_added, struct error *err);
/* Frees the fleets that were read for --add; the changes must not be used any more. */
void added_fleets_release(struct added_fleets *added);

#endif
