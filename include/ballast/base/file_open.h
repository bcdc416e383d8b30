/* SPDX-License-Identifier: Apache-2.0
 *
 * Opening what is to be read, without waiting for ever: to open a FIFO waits for
 * its writer, and a device may never give anything.
 */
#ifndef BALLAST_BASE_FILE_OPEN_H
#define BALLAST_BASE_FILE_OPEN_H

#include "ballast/base/error.h"

/* What stands in a directory of ours, or is read again: a regular file. -1 with err, which begins
 * with `label`: NOT_FOUND, FORBIDDEN or IO. */
int file_open_regular(const char *path, const char *label, struct error *err);

/* What the command line or the environment names: a pipe, too (`<(kubectl get ...)`), if somebody
 * writes into it within seconds. */
int file_open_named(const char *path, const char *label, struct error *err);

#endif
