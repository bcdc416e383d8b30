/* SPDX-License-Identifier: Apache-2.0
 *
 * A core dump of Ballast would hold the tokens and keys that it has read.
 */
#ifndef BALLAST_BASE_CORE_DUMP_H
#define BALLAST_BASE_CORE_DUMP_H

/* Forbids core files of this process, and passing its core to a collector. Programs that it starts
 * inherit only the first ban. Also hides its memory from the user's other processes, unless the
 * build defines BALLAST_TRACEABLE for a debugger or a leak checker. */
void core_dump_forbid(void);

#endif
