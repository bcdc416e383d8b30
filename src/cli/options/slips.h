/* SPDX-License-Identifier: Apache-2.0
 *
 * Flags that are typed out of habit, and what is meant by them here: what no
 * likeness of names leads to.
 */
#ifndef BALLAST_CLI_SLIPS_H
#define BALLAST_CLI_SLIPS_H

/* Returns what to use instead of a flag that does not exist, named without dashes: a constant. NULL
 * when nothing is known of it. */
const char *slip_advice(const char *name);
/* Returns what to use instead of a flag that this command (its bit) does not take: a constant. NULL
 * when nothing is known of it. */
const char *misplaced_advice(const char *option, unsigned command);

#endif
