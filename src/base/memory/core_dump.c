/* SPDX-License-Identifier: Apache-2.0
 *
 * No core of our own making.
 */
#include "ballast/base/core_dump.h"

#include <sys/prctl.h>
#include <sys/resource.h>

void
core_dump_forbid(void)
{
    const struct rlimit none = {.rlim_cur = 0, .rlim_max = 0};

    setrlimit(RLIMIT_CORE, &none);
#ifndef BALLAST_TRACEABLE
    /* RLIMIT_CORE does not stop a core_pattern that pipes to a program */
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}
