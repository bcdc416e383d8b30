/* SPDX-License-Identifier: Apache-2.0
 *
 * How many instructions this process has gone through, where the processor and the system tell:
 * they do not know of caches that miss, so that beside times they say what is an algorithm's.
 */
#ifndef BALLAST_BENCH_INSTRUCTIONS_H
#define BALLAST_BENCH_INSTRUCTIONS_H

/* Begins to count; a virtual machine often has no counter, and /proc/sys/kernel/perf_event_paranoid
 * may forbid it. */
void instructions_count(void);
/* So far, outside of the kernel; 0: they are not counted. */
double instructions(void);

#endif
