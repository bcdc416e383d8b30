/* SPDX-License-Identifier: Apache-2.0
 *
 * A core dump of Ballast would hold the tokens and keys that it has read.
 */
#ifndef BALLAST_BASE_CORE_DUMP_H
#define BALLAST_BASE_CORE_DUMP_H

/* From now on, a crash writes no core file and passes none to a collector; started programs inherit
 * only the former. Other processes of the same user cannot read our memory either, unless the build
 * defines BALLAST_TRACEABLE for a debugger or a leak checker. */
void core_dump_forbid(void);

#endif
