/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts blocked bindings by reason.
 */
#include <stdlib.h>
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/vec.h"
#include "ballast/base/wide.h"
#include "report/print/printer.h"
#include "view.h"

#define REASONS_SHOWN_MAX 4
#define BLOCKED_TEXT_MAX 512

typedef VEC_OF(struct blocked_reason) why_list;

static int
why_cmp(const void *a, const void *b)
{
    const struct blocked_reason *x = a;
    const struct blocked_reason *y = b;

    if (x->count != y->count) {
        return x->count > y->count ? -1 : 1;
    }
    return strcmp(x->code, y->code);
}

static bool
is_one_of(const char *code, const char *const *codes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (str_eq(code, codes[i])) {
            return true;
        }
    }
    return false;
}

#define IS_ONE_OF(code, codes) is_one_of(code, codes, sizeof(codes) / sizeof((codes)[0]))

const char *
telling_code(const struct decision *decision)
{
    /* about alternatives and effects */
    static const char *const apart[] = {"LowerPriority", "Taken", "Given", "EvictionTask"};
    /* about closed or left clusters: only if there is no other reason */
    static const char *const vague[] = {"ClusterFiltered", "ClusterNotReady", "StuckHere",
                                        "MoreClusters"};
    const char *first = "", *rest = "";

    for (uint32_t i = 0; i < decision->n_reasons; i++) {
        const char *code = decision->reasons[i].code;
        const bool is_behind = !str_is_empty(first);

        if (IS_ONE_OF(code, apart) || (is_behind && str_eq(code, "Duplicated"))) {
            continue;
        }
        if (IS_ONE_OF(code, vague)) {
            rest = str_is_empty(rest) ? code : rest;
        } else if (is_behind || !str_eq(code, "NotEnoughCandidates")) {
            return code;
        } else {
            first = code;
        }
    }
    return str_is_empty(first) ? rest : first;
}

/* Cooldown comes first: only this obstacle passes with time. */
const char *
blocked_code(const struct decision *decision)
{
    for (uint32_t i = 0; i < decision->n_reasons; i++) {
        if (str_eq(decision->reasons[i].code, COOLDOWN_CODE)) {
            return decision->reasons[i].code;
        }
    }
    return !str_is_empty(decision->error_type) ? decision->error_type : telling_code(decision);
}

static struct blocked_reason *
why_of(why_list *list, const char *code)
{
    for (size_t i = 0; i < list->count; i++) {
        if (str_eq(list->items[i].code, code)) {
            return &list->items[i];
        }
    }
    struct blocked_reason *why = vec_push(list);

    why->code = code;
    return why;
}

const struct blocked_reason *
blocked_reasons(const struct report_view *view, uint32_t *ret_count)
{
    const struct report *report = view->report;
    why_list list = VEC_INIT;

    for (uint32_t i = 0; i < report->plan->n_decisions; i++) {
        const struct decision *decision = report->plan->decisions[i];

        if (decision != NULL && decision->action == ACTION_BLOCKED) {
            why_of(&list, blocked_code(decision))->count++;
        }
    }
    if (list.count > 1) {
        qsort(list.items, list.count, sizeof(*list.items), why_cmp);
    }
    const struct blocked_reason *reasons = vec_to_arena(&list, view->arena);

    *ret_count = pin_uint32(list.count);
    vec_free(&list);
    return reasons;
}

void
print_blocked(const struct printer *printer, const struct report_view *view)
{
    uint32_t blocked = view->report->plan->totals.by_action[ACTION_BLOCKED];
    uint32_t count;
    struct buf text;

    if (blocked == 0) {
        return;
    }
    const struct blocked_reason *reasons = blocked_reasons(view, &count);

    buf_init(&text, BLOCKED_TEXT_MAX);
    for (uint32_t i = 0; i < count && i < REASONS_SHOWN_MAX; i++) {
        bool is_named = !str_is_empty(reasons[i].code);

        buf_printf(&text, "%s%s %s", i == 0 ? ": " : ", ", is_named ? reasons[i].code : "unsaid",
                   number_text(view->arena, reasons[i].count));
    }
    print_line(printer, INK_YELLOW, "  blocked      %s%s%s",
               counted(view->arena, blocked, "binding", "bindings"), buf_text(&text),
               count > REASONS_SHOWN_MAX ? ", ..." : "");
    buf_release(&text);
}
