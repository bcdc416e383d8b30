/* SPDX-License-Identifier: Apache-2.0
 *
 * What the program asks objects for, seen at the linker's seams: the functions
 * by which all of it reads a value are wrapped (see the Makefile). So a field
 * that somebody begins to decode is seen whatever table or code asks for it.
 */
#ifndef BALLAST_WORLDS_SEAMS_H
#define BALLAST_WORLDS_SEAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A path that was asked for, such as "Pod.status.phase". Types that occur in many places have a
 * name of their own: "Toleration.key". A label is "label:KEY". */
struct asked {
    const char *path;
    unsigned long times;
    unsigned values; /* different ones, 0 to 2 are counted; not being there is one */
    uint64_t first;  /* a digest of the first of them */
};

void seams_record(bool on);
/* Forgets which value is where: values die with their documents. */
void seams_forget_values(void);
const struct asked *seams_asked(size_t *ret_count);
void seams_release(void);

#endif
