/* SPDX-License-Identifier: Apache-2.0
 *
 * Why bindings are blocked, in one word each.
 */
#ifndef BALLAST_REPORT_BLOCKED_H
#define BALLAST_REPORT_BLOCKED_H

#include "view.h"

struct blocked_reason {
    const char *code;
    uint32_t count; /* bindings that have it first */
};

/* The reason that stands for all of a decision, apart from what changes: the first, and behind
 * NotEnoughCandidates the first that says what the candidates lack; "" where there is none. */
const char *telling_code(const struct decision *decision);
/* Of a decision that changes nothing, or not enough; "" where it does not say. */
const char *blocked_code(const struct decision *decision);
/* The most frequent first; in the view's memory. There are some dozens of codes. */
const struct blocked_reason *blocked_reasons(const struct report_view *view, uint32_t *ret_count);

#endif
