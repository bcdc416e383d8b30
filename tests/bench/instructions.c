/* SPDX-License-Identifier: Apache-2.0
 *
 * See instructions.h.
 */
#include "instructions.h"

#include <linux/perf_event.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

static int counter = -1; /* of the process, which measures one thing */

void
instructions_count(void)
{
    struct perf_event_attr wanted = {.type = PERF_TYPE_HARDWARE,
                                     .size = sizeof(wanted),
                                     .config = PERF_COUNT_HW_INSTRUCTIONS,
                                     .exclude_kernel = 1,
                                     .exclude_hv = 1};

    counter = (int)syscall(SYS_perf_event_open, &wanted, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

double
instructions(void)
{
    uint64_t count;

    return counter >= 0 && read(counter, &count, sizeof(count)) == (ssize_t)sizeof(count)
               ? (double)count
               : 0;
}
