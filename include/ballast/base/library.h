/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared libraries that are loaded when they are first wanted: what does not want them is spared
 * the memory and the time that mapping and relocating them takes.
 */
#ifndef BALLAST_BASE_LIBRARY_H
#define BALLAST_BASE_LIBRARY_H

#ifdef BALLAST_STATIC /* all of them are linked into the program */
#define library_open(soname) NULL
#define library_function(library, function) ((void)(library), &(function))
#else
/* The library of that soname, for as long as the process lives. Where it is missing or broken: one
 * line on stderr, then status 127, as the dynamic linker ends who misses one from the start. */
void *library_open(const char *soname);
void *library_find(void *library, const char *function);
/* A function of it, or of a library that it needs, as the header declares it; likewise. */
#define library_function(library, function)                                                        \
    ((__typeof__(&(function)))library_find(library, #function))
#endif
/* Gives back what of the program and its libraries is in memory only as it is in their files, where
 * the phase that wanted it is over: any of it that is wanted again comes back by itself. */
void library_rest(void);

#endif
