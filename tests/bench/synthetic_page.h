/* SPDX-License-Identifier: Apache-2.0
 *
 * Pages of a cluster's lists, as API servers answer them.
 */
#ifndef BALLAST_BENCH_SYNTHETIC_PAGE_H
#define BALLAST_BENCH_SYNTHETIC_PAGE_H

#include "synthetic.h"

#define SYNTHETIC_NAMESPACES_ALL SYNTHETIC_NAMESPACES

struct synthetic_page {
    uint32_t cluster;
    enum synthetic_list list;
    uint32_t namespace_; /* its number, or all */
    uint32_t limit;      /* items of it at most */
    const char *token;   /* the one that the page before it gave; "": it is the first */
};

void synthetic_write_page(const struct synthetic *fleet, const struct synthetic_targets *targets,
                          const struct synthetic_page *page, FILE *file);

#endif
