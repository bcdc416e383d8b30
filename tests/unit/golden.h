/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts that are compared with a file of the repository. With GOLDEN=update in
 * the environment the file is written instead, for review by `git diff`.
 */
#ifndef BALLAST_TEST_GOLDEN_H
#define BALLAST_TEST_GOLDEN_H

#include <stdbool.h>

/* `path` is relative to the top of the repository, from where tests run. */
bool check_golden(const char *path, const char *got);

#endif
