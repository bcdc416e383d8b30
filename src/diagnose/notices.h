/* SPDX-License-Identifier: Apache-2.0
 *
 * Notices under way, private to the files that find them.
 */
#ifndef BALLAST_DIAGNOSE_NOTICES_H
#define BALLAST_DIAGNOSE_NOTICES_H

#include "ballast/notice.h"
#include "parts.h"

struct notices {
    struct arena *arena;
    const struct fleet *fleet;
    const struct diagnosis *diagnosis;
    const struct policy *policy;
    const char *in_scope; /* "3 of 150 bindings in scope" */
    uint32_t n_in_scope;
    VEC_OF(struct notice) found;
};

void notice_add(struct notices *notices, const char *about, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* What of the scope matches nothing. */
void notice_scope(struct notices *notices);
/* The labels that its selector asks for. */
void notice_selector(struct notices *notices);
/* Which clusters are named that do not exist. */
void notice_clusters(struct notices *notices);

#endif
