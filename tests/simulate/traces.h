/* SPDX-License-Identifier: Apache-2.0
 *
 * Traces: a fleet and what happens to it, by name and seed.
 */
#ifndef BALLAST_SIMULATE_TRACES_H
#define BALLAST_SIMULATE_TRACES_H

#include "script.h"

struct trace {
    const char *name;
    const char *summary;
    void (*prepare)(struct sim *sim, struct script *script);
};

extern const struct trace traces[]; /* ends with a NULL name */

/* NULL when there is none of that name. */
const struct trace *trace_find(const char *name);

#endif
