/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared libraries that are loaded when they are first wanted: what does not want them is spared
 * the memory and the time that mapping and relocating them takes.
 */
#ifndef BALLAST_BASE_LIBRARY_H
#define BALLAST_BASE_LIBRARY_H

/* The library of that soname, for as long as the process lives. Where it is missing or broken: one
 * line on stderr, then status 127, as the dynamic linker ends who misses one from the start. */
void *library_open(const char *soname);
/* A function of it, or of a library that it needs; likewise. */
void *library_find(void *library, const char *function);
/* Gives back what of the program and its libraries is in memory only as it is in their files, where
 * the phase that wanted it is over: any of it that is wanted again comes back by itself. */
void library_rest(void);

#endif
