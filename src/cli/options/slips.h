/* SPDX-License-Identifier: Apache-2.0
 *
 * Advice on flags that users type out of habit, and whose names are not alike.
 */
#ifndef BALLAST_CLI_SLIPS_H
#define BALLAST_CLI_SLIPS_H

/* Returns advice on a flag that does not exist (no dashes): a constant. NULL: none is known. */
const char *slip_advice(const char *name);
/* Returns advice on a flag that the command (its bit) does not take: a constant. NULL: none. */
const char *misplaced_advice(const char *option, unsigned command);

#endif
