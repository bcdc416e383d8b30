/* SPDX-License-Identifier: Apache-2.0
 *
 * Opening what is to be read, without waiting for ever: to open a FIFO waits for
 * its writer, and a device may never give anything.
 */
#ifndef BALLAST_BASE_FILE_OPEN_H
#define BALLAST_BASE_FILE_OPEN_H

#include "ballast/base/error.h"

/* Opens a file that Ballast itself wrote, or a setting: a regular file. -1 with err, which begins
 * with `label`: NOT_FOUND, FORBIDDEN or IO. */
int file_open_regular(const char *path, const char *label, struct error *err);

/* Opens data that a user provides: a regular file, a device, or a pipe (`<(kubectl get ...)`) that
 * gets a writer within 3 seconds. -1 with err, likewise. */
int file_open_named(const char *path, const char *label, struct error *err);

#endif
