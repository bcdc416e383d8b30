/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums up the entries beyond --limit, so that "and more" hides nothing large.
 */
#include <stdlib.h>

#include "ballast/base/str.h"
#include "report/print/printer.h"
#include "report/view/view.h"
#include "text_reports.h"

#define REST_TEXT_MAX 256
#define FOLDED_SHOWN_MAX 10 /* folded entries, beside the limit */

/* Entries that are not listed. */
struct rest {
    uint32_t changed, blocked, deferred, others;
    int64_t replicas; /* moved or added */
};

/* Folded entries with most bindings are listed. */
struct fold_choice {
    uint32_t entry, count;
};

static int
choice_cmp(const void *a, const void *b)
{
    const struct fold_choice *x = a;
    const struct fold_choice *y = b;

    if (x->count != y->count) {
        return x->count > y->count ? -1 : 1;
    }
    return x->entry < y->entry ? -1 : 1;
}

/* Returns a flag for each entry. */
static bool *
choose_folded(const struct report_view *view, const struct entries *entries, uint32_t most)
{
    bool *chosen = ARENA_ARRAY(view->arena, bool, entries->count);
    struct fold_choice *choices = ARENA_ARRAY(view->arena, struct fold_choice, entries->count);
    uint32_t count = 0;

    for (uint32_t i = 0; i < entries->count; i++) {
        if (entries->items[i].text != NULL) {
            choices[count++] = (struct fold_choice){i, entries->items[i].count};
        }
    }
    if (count > most) {
        qsort(choices, count, sizeof(*choices), choice_cmp);
    }
    for (uint32_t i = 0; i < count && i < most; i++) {
        chosen[choices[i].entry] = true;
    }
    return chosen;
}

uint32_t
limit_entries(const struct report_view *view, struct entries *entries)
{
    uint32_t limit = view->options->limit;
    uint32_t most_folded = limit < FOLDED_SHOWN_MAX ? limit : FOLDED_SHOWN_MAX;
    uint32_t alone = 0, listed = 0, n_rest = 0;

    if (limit == 0 || entries->count == 0) {
        return entries->count;
    }
    struct fold_entry *rest = ARENA_ARRAY(view->arena, struct fold_entry, entries->count);
    const bool *folded = choose_folded(view, entries, most_folded);

    for (uint32_t i = 0; i < entries->count; i++) {
        struct fold_entry entry = entries->items[i];

        if (entry.text != NULL ? folded[i] : alone++ < limit) {
            entries->items[listed++] = entry;
        } else {
            rest[n_rest++] = entry;
        }
    }
    for (uint32_t i = 0; i < n_rest; i++) {
        entries->items[listed + i] = rest[i];
    }
    return listed;
}

static void
add_entry(const struct report_view *view, const struct fold_entry *entry, struct rest *rest)
{
    struct row row = view_row(view, entry->binding);

    if (row.decision->changes) {
        rest->changed += entry->count;
        for (uint32_t i = 0; i < entry->count; i++) {
            row = view_row(view, entry->bindings[i]);
            rest->replicas += row.decision->moved + row.decision->added;
        }
    } else if (row.decision->action == ACTION_BLOCKED) {
        rest->blocked += entry->count;
    } else if (row.decision->action == ACTION_DEFERRED) {
        rest->deferred += entry->count;
    } else {
        rest->others += entry->count;
    }
}

/* Appends ", 12 blocked"; nothing for 0. */
static void
append_count(struct arena *arena, struct buf *out, int64_t count, const char *what)
{

    if (count > 0) {
        buf_printf(out, "%s%s %s", out->length > 0 ? ", " : "", number_text(arena, count), what);
    }
}

const char *
limited_text(const struct report_view *view, const struct entries *entries, uint32_t listed)
{
    struct rest rest = {0};
    struct buf text;

    if (listed == entries->count) {
        return NULL;
    }
    for (uint32_t i = listed; i < entries->count && !view_is_stopped(view); i++) {
        add_entry(view, &entries->items[i], &rest);
    }
    buf_init(&text, REST_TEXT_MAX);
    append_count(view->arena, &text, rest.changed,
                 plural(rest.changed, "more binding that changes", "more bindings that change"));
    if (rest.changed > 0) {
        buf_printf(&text, " (%s)", counted(view->arena, rest.replicas, "replica", "replicas"));
    }
    append_count(view->arena, &text, rest.blocked, rest.changed > 0 ? "blocked" : "more blocked");
    append_count(view->arena, &text, rest.deferred, text.length > 0 ? "deferred" : "more deferred");
    append_count(view->arena, &text, rest.others,
                 text.length > 0 ? "left as they are" : "more left as they are");
    const char *ret =
        arena_printf(view->arena, "... and %s: use --limit 0 or -o json", buf_text(&text));

    buf_release(&text);
    return ret;
}

void
print_limited(const struct printer *printer, const struct report_view *view,
              const struct entries *entries, uint32_t listed)
{
    const char *text = limited_text(view, entries, listed);

    if (text != NULL) {
        print_line(printer, INK_DIM, "%s", text);
    }
}
