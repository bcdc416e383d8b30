/* SPDX-License-Identifier: Apache-2.0
 *
 * Taints and tolerations: who tolerates what, and for how long.
 */
#include "ballast/taint.h"

#include "ballast/str.h"
#include "ballast/timestamp.h"

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

static const struct toleration *
find_toleration(const struct toleration_list *tolerations, const struct taint *taint)
{
    for (uint32_t i = 0; i < tolerations->count; i++) {
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
            find_toleration(tolerations, taint) == NULL) {
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

bool
toleration_list_equal(const struct toleration_list *a, const struct toleration_list *b)
{
    if (a->present != b->present || a->count != b->count) {
        return false;
    }
    for (uint32_t i = 0; i < a->count; i++) {
        if (!toleration_equal(&a->items[i], &b->items[i])) {
            return false;
        }
    }
    return true;
}

/* Seconds as nanoseconds, pinned; what is negative is over at once. */
static int64_t
span_of_seconds(int64_t seconds)
{
    if (seconds <= 0) {
        return 0;
    }
    return seconds > INT64_MAX / NANOS_PER_SECOND ? INT64_MAX : seconds * NANOS_PER_SECOND;
}

int64_t
taint_eviction_time(const struct taint *taint, const struct toleration_list *tolerations)
{
    if (!str_eq(taint->effect, "NoExecute")) {
        return TIME_NONE;
    }
    const struct toleration *toleration = find_toleration(tolerations, taint);

    if (toleration == NULL) {
        return taint->time_added != TIME_NONE ? taint->time_added : TIME_EARLIEST;
    }
    if (!toleration->has_toleration_seconds) {
        return TIME_NONE;
    }
    return timestamp_add(taint->time_added, span_of_seconds(toleration->toleration_seconds));
}
