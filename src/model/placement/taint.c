/* SPDX-License-Identifier: Apache-2.0
 *
 * Taints and tolerations: who tolerates what, and for how long.
 */
#include "ballast/model/taint.h"

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/model/selector.h"

bool
toleration_tolerates(const struct toleration *toleration, const struct taint *taint)
{
    if (!str_is_empty(toleration->effect) && !str_eq(toleration->effect, taint->effect)) {
        return false;
    }
    if (!str_is_empty(toleration->key) && !str_eq(toleration->key, taint->key)) {
        return false;
    }
    /* An empty key with Equal still compares values, as upstream does. */
    if (str_is_empty(toleration->operator) || str_eq(toleration->operator, "Equal")) {
        return str_eq(toleration->value, taint->value);
    }
    return str_eq(toleration->operator, "Exists");
}

const struct toleration *
toleration_list_find(const struct toleration_list *tolerations, const struct taint *taint)
{
    for (uint32_t i = 0; tolerations != NULL && i < tolerations->count; i++) {
        if (toleration_tolerates(&tolerations->items[i], taint)) {
            return &tolerations->items[i];
        }
    }
    return NULL;
}

const struct taint *
taint_list_find_untolerated(const struct taint_list *taints,
                            const struct toleration_list *tolerations)
{
    for (uint32_t i = 0; i < taints->count; i++) {
        const struct taint *taint = &taints->items[i];

        if ((str_eq(taint->effect, "NoSchedule") || str_eq(taint->effect, "NoExecute")) &&
            toleration_list_find(tolerations, taint) == NULL) {
            return taint;
        }
    }
    return NULL;
}

static bool
toleration_equal(const struct toleration *a, const struct toleration *b)
{
    return str_eq(a->key, b->key) && str_eq(a->operator, b->operator) &&
           str_eq(a->value, b->value) && str_eq(a->effect, b->effect) &&
           a->has_toleration_seconds == b->has_toleration_seconds &&
           (!a->has_toleration_seconds || a->toleration_seconds == b->toleration_seconds);
}

LIST_EQUAL(, toleration_list, toleration_equal)

static bool
is_no_execute(const struct taint *taint)
{
    return str_eq(taint->effect, "NoExecute");
}

bool
taint_list_has_no_execute(const struct taint_list *taints)
{
    for (uint32_t i = 0; i < taints->count; i++) {
        if (is_no_execute(&taints->items[i])) {
            return true;
        }
    }
    return false;
}

/* Notes when a used toleration ends, and by which taint. */
static void
note_end(const struct taint_list *taints, const struct toleration *toleration,
         const struct taint **earliest, int64_t *ret_when)
{
    int64_t seconds = toleration->toleration_seconds;
    int64_t span =
        span_of_seconds(seconds > 0 ? seconds : 0); /* zero and negative seconds end at once */

    for (uint32_t i = 0; i < taints->count; i++) {
        const struct taint *taint = &taints->items[i];

        if (!is_no_execute(taint) || taint->time_added == TIME_NONE ||
            !toleration_tolerates(toleration, taint)) {
            continue;
        }
        int64_t when = timestamp_add(taint->time_added, span);

        if (*earliest == NULL || when < *ret_when) {
            *earliest = taint;
            *ret_when = when;
        }
    }
}

const struct taint *
taint_list_find_evicting(const struct taint_list *taints, const struct toleration_list *tolerations,
                         int64_t *ret_when)
{
    const struct taint *earliest = NULL;

    for (uint32_t i = 0; i < taints->count; i++) {
        const struct taint *taint = &taints->items[i];

        if (is_no_execute(taint) && toleration_list_find(tolerations, taint) == NULL) {
            *ret_when = taint->time_added != TIME_NONE ? taint->time_added : TIME_EARLIEST;
            return taint;
        }
    }
    for (uint32_t i = 0; i < taints->count; i++) {
        if (!is_no_execute(&taints->items[i])) {
            continue;
        }
        const struct toleration *used = toleration_list_find(tolerations, &taints->items[i]);

        if (used->has_toleration_seconds) {
            note_end(taints, used, &earliest, ret_when);
        }
    }
    return earliest;
}
