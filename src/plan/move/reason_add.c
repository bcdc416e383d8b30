/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds reasons to a decision.
 */
#include <stdarg.h>

#include "ballast/base/text.h"
#include "move.h"

#define REASON_MAX 1024 /* bytes of a message */

/* Copies of a decision share their reasons, so no array changes once it is made. */
static void
push_reason(struct planner *planner, struct decision *decision, struct reason reason)
{
    const uint32_t count = decision->n_reasons;
    struct reason *reasons = ARENA_ARRAY(planner->scratch, struct reason, count + (size_t)1);

    for (uint32_t i = 0; i < count; i++) {
        reasons[i] = decision->reasons[i];
    }
    reasons[count] = reason;
    decision->reasons = reasons;
    decision->n_reasons = count + 1;
}

void
reason_add(struct planner *planner, struct decision *decision, const char *code,
           const char *cluster, const char *format, ...)
{
    char text[REASON_MAX];
    va_list args;

    va_start(args, format);
    text_vprint(text, sizeof(text), format, args);
    va_end(args);
    push_reason(planner, decision,
                (struct reason){
                    .code = code,
                    .cluster = cluster,
                    .message = recent_text(planner->said, text),
                });
}

void
reasons_begin_with(struct planner *planner, const struct decision *said, struct decision *decision)
{
    const struct decision own = *decision;

    if (said->n_reasons == 0) {
        return;
    }
    decision->reasons = said->reasons;
    decision->n_reasons = said->n_reasons;
    for (uint32_t i = 0; i < own.n_reasons; i++) {
        push_reason(planner, decision, own.reasons[i]);
    }
}
