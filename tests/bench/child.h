/* SPDX-License-Identifier: Apache-2.0
 *
 * A measurement in a process of its own, and what it leaves behind.
 */
#ifndef BALLAST_BENCH_CHILD_H
#define BALLAST_BENCH_CHILD_H

#include "measure.h"

/* Runs `measure` in a child and takes over what it filled in. */
bool in_child(bool (*measure)(const char *, struct measurement *), const char *directory,
              struct measurement *measurement);

/* The directory, and all that is in it. */
void remove_directory(const char *path);

#endif
