/* SPDX-License-Identifier: Apache-2.0
 *
 * How much of a library is in memory as it is in its file.
 */
#ifndef BALLAST_LIBRARY_PAGES_H
#define BALLAST_LIBRARY_PAGES_H

#include <stddef.h>
#include <stdint.h>

/* One that is linked, and at work in none of the tests that ask. */
#define UNUSED_LIBRARY "libyaml"

/* Looks at every page of it that is not writable; a sum of the bytes. */
uint64_t library_pages_touch(const char *name);
/* KiB of these, but for mappings in which the linker has written. */
size_t library_pages_clean(const char *name);

#endif
