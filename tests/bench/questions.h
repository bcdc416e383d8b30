/* SPDX-License-Identifier: Apache-2.0
 *
 * What it costs a live plan to ask whose pods may go onto which clusters' nodes.
 */
#ifndef BALLAST_BENCH_QUESTIONS_H
#define BALLAST_BENCH_QUESTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* MiB that answers on their way may take; 0: what they may by default. */
bool bench_questions(uint32_t mebibytes);

#endif
