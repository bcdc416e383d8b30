/* SPDX-License-Identifier: Apache-2.0
 *
 * Two lists aligned: equal ends first, then the heaviest alignment of a window
 * of each, of which the first half is kept before the window moves on.
 */
#include "list_align.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/hash.h"
#include "ballast/base/heap.h"

enum { WINDOW = LIST_ALIGN_WINDOW, MARKS_MAX = 8 };

struct mark {
    uint64_t hash;
    unsigned weight;
};

struct item {
    uint64_t hash; /* equal for equal items; a collision costs only text */
    enum value_type type;
    struct mark marks[MARKS_MAX]; /* of the first members, sorted by hash */
    size_t n_marks;
};

struct window {
    struct item old[WINDOW], now[WINDOW];
    uint64_t best[WINDOW + 1][WINDOW + 1]; /* weight of all items from a pair of indices on */
    size_t n_old, n_now;
};

struct alignment {
    const struct value *old, *now;
    size_t old_end, now_end; /* all items from here on are paired */
    struct item_pair next;   /* all items before it are decided */
    struct hash_key key;
    struct buf text; /* scratch */
    struct list_alignment *ret;
};

static bool
is_equal(struct alignment *a, size_t old, size_t now)
{
    a->ret->compared++;
    return value_equal(value_at(a->old, old), value_at(a->now, now));
}

static void
add_pair(struct alignment *a, size_t old, size_t now)
{
    vec_add(&a->ret->pairs, ((struct item_pair){.old = old, .now = now}));
}

static void
add_mark(struct item *item, struct mark mark)
{
    size_t at = item->n_marks++;

    for (; at > 0 && item->marks[at - 1].hash > mark.hash; at--) {
        item->marks[at] = item->marks[at - 1];
    }
    item->marks[at] = mark;
}

static uint64_t
hash_value(struct alignment *a, const char *name, const struct value *value)
{
    buf_clear(&a->text);
    buf_append(&a->text, name, strlen(name) + 1);
    value_write_json(value, true, &a->text);
    return hash_bytes(&a->key, a->text.data, a->text.length);
}

/* A text identifies an item better than a number or a boolean does. */
static void
look_at(struct alignment *a, const struct value *value, struct item *ret)
{
    struct value_iterator it = VALUE_ITERATOR(value);

    *ret = (struct item){.hash = hash_value(a, "", value), .type = value_type(value)};
    while (ret->n_marks < MARKS_MAX && value_each(&it)) {
        enum value_type type = value_type(it.value);

        if (type != VALUE_LIST && type != VALUE_OBJECT && type != VALUE_NULL) {
            bool is_text = type == VALUE_STRING && value_string_length(it.value) > 0;

            add_mark(ret, (struct mark){hash_value(a, it.key, it.value), is_text ? 2 : 1});
        }
    }
}

/* One more unit of likeness multiplies the weight by eight, so that a few weak pairs do not
 * displace a strong one. The sum over a window fits. */
static uint64_t
pair_weight(const struct item *old, const struct item *now)
{
    bool is_nested = old->type == VALUE_OBJECT || old->type == VALUE_LIST;
    unsigned likeness = is_nested && old->type == now->type ? 1 : 0;

    if (old->hash == now->hash) {
        return (uint64_t)1 << 56;
    }
    for (size_t i = 0, j = 0; i < old->n_marks && j < now->n_marks;) {
        if (old->marks[i].hash == now->marks[j].hash) {
            likeness += old->marks[i].weight;
            i++;
            j++;
        } else if (old->marks[i].hash < now->marks[j].hash) {
            i++;
        } else {
            j++;
        }
    }
    return (uint64_t)1 << (3 * likeness);
}

static uint64_t
with_pair(const struct window *w, size_t i, size_t j)
{
    return pair_weight(&w->old[i], &w->now[j]) + w->best[i + 1][j + 1];
}

static uint64_t
without_pair(const struct window *w, size_t i, size_t j)
{
    return w->best[i + 1][j] > w->best[i][j + 1] ? w->best[i + 1][j] : w->best[i][j + 1];
}

static void
weigh(struct alignment *a, struct window *w)
{
    for (size_t i = 0; i <= w->n_old; i++) {
        w->best[i][w->n_now] = 0;
    }
    for (size_t j = 0; j <= w->n_now; j++) {
        w->best[w->n_old][j] = 0;
    }
    for (size_t i = w->n_old; i-- > 0;) {
        for (size_t j = w->n_now; j-- > 0;) {
            uint64_t with = with_pair(w, i, j), without = without_pair(w, i, j);

            w->best[i][j] = with > without ? with : without;
        }
    }
    a->ret->compared += w->n_old * w->n_now;
}

/* Returns how many items a window decides. Items near its end may match items behind it better. */
static size_t
middle(size_t count, size_t rest)
{
    return count < rest ? count / 2 : count;
}

static void
take_pairs(struct alignment *a, const struct window *w)
{
    const struct item_pair begin = a->next;
    const size_t old_end = middle(w->n_old, a->old_end - begin.old);
    const size_t now_end = middle(w->n_now, a->now_end - begin.now);
    size_t i = 0, j = 0;

    while (i < old_end && j < now_end) {
        if (with_pair(w, i, j) >= without_pair(w, i, j)) {
            add_pair(a, begin.old + i++, begin.now + j++);
        } else if (w->best[i + 1][j] >= w->best[i][j + 1]) {
            i++;
        } else {
            j++;
        }
    }
    a->next = (struct item_pair){begin.old + i, begin.now + j};
}

static size_t
at_most(size_t count, size_t maximum)
{
    return count < maximum ? count : maximum;
}

static void
align_window(struct alignment *a, struct window *w)
{
    w->n_old = at_most(a->old_end - a->next.old, WINDOW);
    w->n_now = at_most(a->now_end - a->next.now, WINDOW);
    for (size_t i = 0; i < w->n_old; i++) {
        look_at(a, value_at(a->old, a->next.old + i), &w->old[i]);
    }
    for (size_t j = 0; j < w->n_now; j++) {
        look_at(a, value_at(a->now, a->next.now + j), &w->now[j]);
    }
    weigh(a, w);
    take_pairs(a, w);
}

static bool
has_both(const struct alignment *a)
{
    return a->next.old < a->old_end && a->next.now < a->now_end;
}

static void
take_equal(struct alignment *a)
{
    while (has_both(a) && is_equal(a, a->next.old, a->next.now)) {
        add_pair(a, a->next.old++, a->next.now++);
    }
}

void
list_align(const struct value *old, const struct value *now, struct list_alignment *ret)
{
    struct alignment a = {.old = old,
                          .now = now,
                          .old_end = value_count(old),
                          .now_end = value_count(now),
                          .key = hash_key_of_process(),
                          .ret = ret};

    *ret = (struct list_alignment){.compared = 0};
    take_equal(&a);
    while (has_both(&a) && is_equal(&a, a.old_end - 1, a.now_end - 1)) {
        a.old_end--;
        a.now_end--;
    }
    if (has_both(&a)) {
        struct window *window = heap_new(1, sizeof(*window));

        buf_init(&a.text, SIZE_MAX);
        while (has_both(&a)) {
            align_window(&a, window);
            take_equal(&a);
        }
        buf_release(&a.text);
        free(window);
    }
    while (a.old_end < value_count(old)) {
        add_pair(&a, a.old_end++, a.now_end++);
    }
}
