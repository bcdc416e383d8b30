/* SPDX-License-Identifier: Apache-2.0
 *
 * Opening files to read, without waiting for ever: opening a FIFO waits for its
 * writer, and a device may never give a byte.
 */
#ifndef BALLAST_BASE_FILE_OPEN_H
#define BALLAST_BASE_FILE_OPEN_H

#include "ballast/base/error.h"

/* Opens a regular file for reading: one that Ballast wrote, or a setting. Returns the descriptor,
 * for close(); -1 with err NOT_FOUND, FORBIDDEN or IO, which begins with `label`. */
int file_open_regular(const char *path, const char *label, struct error *err);

/* Opens a user's data for reading: a regular file, a device, or a pipe (`<(kubectl get ...)`) that
 * has a writer within 3 seconds. Returns the descriptor, for close(); -1 with err NOT_FOUND,
 * FORBIDDEN or IO, which begins with `label`. */
int file_open_named(const char *path, const char *label, struct error *err);

#endif
