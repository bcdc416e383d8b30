/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of upstream's FitError: how many clusters were refused for which
 * reason, the counted reasons sorted as plain strings.
 */
#include "filter.h"
#include "schedule/attempt/scheduler.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/buf.h"

#define TEXT_MAX ((size_t)1 << 20)
/* Every cluster may have its own taint, and every binding its own text. */
#define REASONS_MAX 64

struct fit_refusal {
    enum filter_verdict verdict;
    bool excluded;
    const char *text;          /* fixed part */
    const struct taint *taint; /* NULL: no taint */
    uint32_t cluster;          /* first one */
    uint32_t count;
};

static bool
taints_same(const struct taint *a, const struct taint *b)
{
    return a == b || (a != NULL && b != NULL && str_eq(a->key, b->key) &&
                      str_eq(a->value, b->value) && str_eq(a->effect, b->effect));
}

static struct fit_refusal
refusal_of(const struct attempt *attempt, uint32_t cluster)
{
    const struct scheduler *scheduler = attempt->scheduler;
    const struct cluster *subject = &scheduler->fleet->clusters[cluster];
    const bool *excluded = attempt->request->excluded;
    struct fit_refusal refusal = {.cluster = cluster, .count = 1};

    refusal.verdict =
        filter_view_verdict(attempt->view, cluster, scheduler->position[cluster] != POSITION_NONE);
    if (refusal.verdict == FILTER_PASSED) {
        refusal.verdict = filter_own_verdict(scheduler, attempt->request->binding,
                                             scheduler->evicting[cluster], cluster);
    }
    refusal.text =
        filter_text(attempt->request->binding, attempt->placement, refusal.verdict, subject);
    refusal.taint = filter_taint(attempt->placement, refusal.verdict, subject);
    if (excluded != NULL && excluded[cluster] && filter_is_counted(refusal.verdict)) {
        refusal.excluded = true;
        refusal.taint = NULL;
        refusal.text = "cluster(s) were excluded";
    }
    return refusal;
}

struct refusals {
    struct fit_refusal items[REASONS_MAX];
    uint32_t count;
    uint32_t more; /* clusters with other reasons */
};

static void
refusals_count(struct refusals *refusals, const struct fit_refusal *one)
{
    for (uint32_t i = 0; i < refusals->count; i++) {
        struct fit_refusal *known = &refusals->items[i];

        if (str_eq(known->text, one->text) && taints_same(known->taint, one->taint)) {
            known->count++;
            return;
        }
    }
    if (refusals->count < REASONS_MAX) {
        refusals->items[refusals->count++] = *one;
    } else {
        refusals->more++;
    }
}

static int
text_cmp(const void *a, const void *b)
{
    const char *const *x = a;
    const char *const *y = b;

    return strcmp(*x, *y);
}

static const char *
refusal_text(const struct attempt *attempt, const struct fit_refusal *refusal)
{
    const char *reason = refusal->text;

    if (refusal->taint != NULL) {
        reason = scheduler_filter_reason(attempt->scheduler, attempt->request->binding,
                                         refusal->verdict, refusal->cluster, attempt->arena);
    }
    return arena_printf(attempt->arena, "%u %s", refusal->count, reason);
}

static const char *
join(struct arena *arena, const char **texts, uint32_t count)
{
    struct buf joined;
    const char *text;

    buf_init(&joined, TEXT_MAX);
    for (uint32_t i = 0; i < count; i++) {
        buf_printf(&joined, "%s%s", i > 0 ? ", " : "", texts[i]);
    }
    text = arena_strndup(arena, buf_text(&joined), joined.length);
    buf_release(&joined);
    return text;
}

const char *
fit_error_text(const struct attempt *attempt)
{
    uint32_t n = attempt->scheduler->fleet->n_clusters;
    struct refusals refusals = {.count = 0};
    const char *texts[REASONS_MAX + 1];
    const char *all = "no cluster exists";

    for (uint32_t i = 0; i < n; i++) {
        struct fit_refusal one = refusal_of(attempt, i);

        if (one.excluded || filter_is_counted(one.verdict)) {
            refusals_count(&refusals, &one);
        }
    }
    for (uint32_t i = 0; i < refusals.count; i++) {
        texts[i] = refusal_text(attempt, &refusals.items[i]);
    }
    if (refusals.count > 0) {
        uint32_t count = refusals.count;

        qsort(texts, count, sizeof(*texts), text_cmp);
        if (refusals.more > 0) {
            texts[count++] = arena_printf(attempt->arena, "%u for other reasons", refusals.more);
        }
        all = join(attempt->arena, texts, count);
    }
    return arena_printf(attempt->arena, "0/%u clusters are available: %s.", n, all);
}
