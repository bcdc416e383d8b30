/* SPDX-License-Identifier: Apache-2.0
 *
 * The changes that flags of simulate ask for.
 */
#ifndef BALLAST_CLI_SIMULATE_CHANGES_H
#define BALLAST_CLI_SIMULATE_CHANGES_H

#include "ballast/simulate/change.h"
#include "invocation.h"

/* Fleets that --add read. They must live as long as the changes. */
struct added_fleets {
    struct fleet **items;
    uint32_t count;
};

/* Reads the changes that the flags ask for, into the invocation's arena. False with ERROR_USAGE if
 * a flag is malformed, or another error if a file of --add is unreadable. Release *ret_added in
 * either case, after the last use of the changes. */
bool simulate_changes(const struct invocation *invocation, struct change_list *ret,
                      struct added_fleets *ret_added, struct error *err);
/* Frees the fleets that --add read. The changes must not be used any more. */
void added_fleets_release(struct added_fleets *added);

#endif
