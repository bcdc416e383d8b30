/* SPDX-License-Identifier: Apache-2.0
 *
 * A dump of our memory would hold whatever tokens and keys were read.
 */
#ifndef BALLAST_BASE_CORE_DUMP_H
#define BALLAST_BASE_CORE_DUMP_H

/* From here on a crash leaves no core file behind and none is handed to a collector; programs that
 * are started inherit only the former. Nor may another process of the same user look into our
 * memory: builds for a debugger or a leak checker, which do, define BALLAST_TRACEABLE. */
void core_dump_forbid(void);

#endif
