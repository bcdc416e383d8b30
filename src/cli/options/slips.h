/* SPDX-License-Identifier: Apache-2.0
 *
 * Flags that are typed out of habit, and what is meant by them here: what no
 * likeness of names leads to.
 */
#ifndef BALLAST_CLI_SLIPS_H
#define BALLAST_CLI_SLIPS_H

/* For a flag that there is not, its name without dashes: what to say behind it, NULL when nothing
 * is known of it. */
const char *slip_advice(const char *name);
/* The same for a flag that this command (its bit) does not take. */
const char *misplaced_advice(const char *option, unsigned command);

#endif
