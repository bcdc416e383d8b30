/* SPDX-License-Identifier: Apache-2.0
 *
 * Webster's method as Karmada computes it, without handing out replica by replica.
 *
 * Each party offers a sequence of replicas, of priority weight / (2 replicas + 1) in
 * float64, strictly falling for a weight above 0 (two neighbouring divisors
 * below 2^32 differ by far more than a double's precision). The replica-by-replica
 * queue takes the first N offers of all sequences merged, in the order
 * (priority, fewer replicas, name). So "all offers above a priority", where these
 * are N or less, are taken for sure: we jump there, and let a queue hand out
 * the rest.
 *
 * Where to jump to: with x = 1 / (2 priority), a party has about
 * clamp(weight x, its replicas, its cap) replicas, half a replica more or less. Solving
 * the sum of these for N - count / 2 thus leaves about `count` replicas to the
 * queue. What the solution says is then counted exactly, so rounding in it
 * costs time at worst, never the answer.
 */
#include "ballast/schedule/divide.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/vec.h"
#include "ballast/base/wide.h"

struct party {
    struct share *share;
    int64_t weight;
    int32_t cap;
    int32_t jump; /* replicas after the current jump */
};

/* An entry of the queue: the next replica of a party. */
struct next_replica {
    double priority;
    uint32_t party;
};

/* Point where a party's replicas begin or cease to grow with x. */
struct bend {
    double x;
    int64_t weight;
    int32_t replicas; /* of the party at x */
    bool ends;
};

struct webster {
    struct party *parties;
    uint32_t count;
    bool ties_descend;
    int64_t left; /* replicas to hand out */
};

static double
priority_at(const struct party *party, int64_t replicas)
{
    return (double)party->weight / (double)(2 * replicas + 1);
}

static bool
offer_before(struct webster *w, const struct next_replica *a, const struct next_replica *b)
{
    const struct share *x = w->parties[a->party].share;
    const struct share *y = w->parties[b->party].share;
    int order;

    if (a->priority != b->priority) {
        return a->priority > b->priority;
    }
    if (x->replicas != y->replicas) {
        return x->replicas < y->replicas;
    }
    order = strcmp(x->name, y->name);
    return w->ties_descend ? order > 0 : order < 0;
}

static void
queue_sink(struct webster *w, struct next_replica *queue, uint32_t count, uint32_t i)
{
    struct next_replica moved = queue[i];

    for (;;) {
        uint32_t child = 2 * i + 1;

        if (child >= count) {
            break;
        }
        if (child + 1 < count && offer_before(w, &queue[child + 1], &queue[child])) {
            child++;
        }
        if (!offer_before(w, &queue[child], &moved)) {
            break;
        }
        queue[i] = queue[child];
        i = child;
    }
    queue[i] = moved;
}

/* Fills the queue with the next replica of every party below its cap. Returns their number. */
static uint32_t
queue_fill(struct webster *w, struct next_replica *queue)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < w->count; i++) {
        const struct party *party = &w->parties[i];

        if (party->share->replicas < party->cap) {
            queue[count++] = (struct next_replica){priority_at(party, party->share->replicas), i};
        }
    }
    for (uint32_t i = count / 2; i-- > 0;) {
        queue_sink(w, queue, count, i);
    }
    return count;
}

static void
hand_out(struct webster *w)
{
    VEC_OF(struct next_replica) queue = VEC_INIT;
    uint32_t count;

    vec_reserve(&queue, w->count);
    count = queue_fill(w, queue.items);
    while (w->left > 0 && count > 0) {
        struct party *party = &w->parties[queue.items[0].party];

        w->left--;
        if (++party->share->replicas < party->cap) {
            queue.items[0].priority = priority_at(party, party->share->replicas);
        } else {
            queue.items[0] = queue.items[--count];
        }
        if (count > 0) {
            queue_sink(w, queue.items, count, 0);
        }
    }
    vec_free(&queue);
}

/* Returns the replicas of a party that gets every replica of a priority above `threshold` (> 0). */
static int32_t
replicas_above(const struct party *party, double threshold)
{
    double estimate = ((double)party->weight / threshold - 1) / 2;
    int64_t low = party->share->replicas;
    int64_t replicas = low;

    if (estimate >= (double)party->cap) {
        replicas = party->cap;
    } else if (estimate > (double)low) {
        replicas = pin_real(estimate);
    }
    /* Off by one or two at most: the estimate's error is far below a replica. */
    while (replicas < party->cap && priority_at(party, replicas) > threshold) {
        replicas++;
    }
    while (replicas > low && !(priority_at(party, replicas - 1) > threshold)) {
        replicas--;
    }
    return pin_int32(replicas);
}

static void
take_jumps(struct webster *w)
{
    for (uint32_t i = 0; i < w->count; i++) {
        struct party *party = &w->parties[i];

        w->left -= party->jump - party->share->replicas;
        party->share->replicas = party->jump;
    }
}

/* Gives every party its replicas above a priority. False, without giving any, if too many. */
static bool
jump_to(struct webster *w, double threshold)
{
    int64_t given = 0;

    for (uint32_t i = 0; i < w->count; i++) {
        struct party *party = &w->parties[i];

        party->jump = party->weight > 0 ? replicas_above(party, threshold) : party->share->replicas;
        given += party->jump - party->share->replicas;
    }
    if (given > w->left) {
        return false;
    }
    take_jumps(w);
    return true;
}

static int
bend_cmp(const void *a, const void *b)
{
    const struct bend *x = a;
    const struct bend *y = b;

    return (x->x > y->x) - (x->x < y->x);
}

/* Fills in the bends of parties with weight, sorted; at most two each. A party that can take all
 * replicas left does not end before the solution. */
static uint32_t
collect_bends(const struct webster *w, struct bend *bends)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < w->count; i++) {
        const struct party *party = &w->parties[i];
        double weight = (double)party->weight;
        int32_t replicas = party->share->replicas;

        if (party->weight <= 0 || replicas >= party->cap) {
            continue;
        }
        if (replicas > 0) {
            bends[count++] =
                (struct bend){(double)replicas / weight, party->weight, replicas, false};
        }
        if (party->cap - replicas < w->left) {
            bends[count++] =
                (struct bend){(double)party->cap / weight, party->weight, party->cap, true};
        }
    }
    qsort(bends, count, sizeof(*bends), bend_cmp);
    return count;
}

/* Returns x where parties with weight get about `new_replicas`. Their caps allow more. */
static double
solve_x(const struct webster *w, const struct bend *bends, uint32_t n_bends, double new_replicas)
{
    wide_int slope = 0;
    int64_t fixed = 0; /* of parties that do not grow, above their beginning */
    double x = 0;

    for (uint32_t i = 0; i < w->count; i++) {
        const struct party *party = &w->parties[i];

        if (party->weight > 0 && party->share->replicas == 0 && party->cap > 0) {
            slope += party->weight;
        }
    }
    for (uint32_t i = 0; i <= n_bends; i++) {
        if (slope > 0) {
            x = (new_replicas - (double)fixed) / (double)slope;
        }
        if (i == n_bends || (slope > 0 && x <= bends[i].x)) {
            break;
        }
        slope += bends[i].ends ? -(wide_int)bends[i].weight : bends[i].weight;
        fixed += bends[i].ends ? bends[i].replicas : -(int64_t)bends[i].replicas;
    }
    return x;
}

/* Brings parties with weight near to the queue's result. */
static void
jump_by_weight(struct webster *w)
{
    VEC_OF(struct bend) bends = VEC_INIT;
    bool done = false;

    vec_reserve(&bends, 2 * (size_t)w->count);
    bends.count = collect_bends(w, bends.items);
    for (int64_t slack = (int64_t)w->count / 2 + 1; !done && slack < w->left; slack *= 2) {
        double x = solve_x(w, bends.items, pin_uint32(bends.count), (double)(w->left - slack));

        done = x > 0 && jump_to(w, 1 / (2 * x));
    }
    vec_free(&bends);
}

/* Returns how many replicas lift every party without weight to `level`. */
static int64_t
replicas_to_level(struct webster *w, int64_t level)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < w->count; i++) {
        struct party *party = &w->parties[i];
        int64_t replicas = level < party->cap ? level : party->cap;

        party->jump = party->share->replicas;
        if (party->weight == 0 && replicas > party->share->replicas) {
            party->jump = pin_int32(replicas);
            sum += replicas - party->share->replicas;
        }
    }
    return sum;
}

/* Without weights, fewer replicas come first: the lowest are lifted, as water fills a vessel. */
static void
jump_by_level(struct webster *w)
{
    int64_t low = 0; /* reachable */
    int64_t high = (int64_t)INT32_MAX + 1;

    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;

        if (replicas_to_level(w, middle) <= w->left) {
            low = middle;
        } else {
            high = middle;
        }
    }
    replicas_to_level(w, low);
    take_jumps(w);
}

/* Fills parties with weight to their caps. False, without giving any, if too few are left. */
static bool
fill_weighted(struct webster *w)
{
    int64_t room = 0;

    for (uint32_t i = 0; i < w->count; i++) {
        struct party *party = &w->parties[i];

        party->jump = party->weight > 0 ? party->cap : party->share->replicas;
        room += party->jump - party->share->replicas;
    }
    if (room > w->left) {
        return false;
    }
    take_jumps(w);
    return true;
}

int32_t
webster_allocate_capped(struct share *shares, const int32_t *caps, uint32_t count, int32_t replicas,
                        bool ties_descend)
{
    VEC_OF(struct party) parties = VEC_INIT;
    struct webster w = {
        .count = count, .ties_descend = ties_descend, .left = replicas > 0 ? replicas : 0};

    vec_reserve(&parties, count);
    for (uint32_t i = 0; i < count; i++) {
        struct share *share = &shares[i];
        int32_t cap = caps != NULL ? caps[i] : INT32_MAX;

        share->replicas = share->replicas > 0 ? share->replicas : 0;
        parties.items[i] = (struct party){
            .share = share,
            .weight = share->weight > 0 ? share->weight : 0,
            .cap = cap > share->replicas ? cap : share->replicas,
        };
    }
    w.parties = parties.items;
    /* Few replicas are handed out sooner than a jump is computed. */
    if (w.left > 2 * (int64_t)count) {
        if (fill_weighted(&w)) {
            jump_by_level(&w);
        } else {
            jump_by_weight(&w);
        }
    }
    if (w.left > 0) {
        hand_out(&w);
    }
    vec_free(&parties);
    return pin_int32(w.left);
}

void
webster_allocate(struct share *shares, uint32_t count, int32_t replicas, bool ties_descend)
{
    webster_allocate_capped(shares, NULL, count, replicas, ties_descend);
}

bool
webster_ties_descend(const struct uid *uid)
{
    char room[UID_TEXT_MAX];
    const char *text = uid_text(uid, room);
    uint32_t hash = UINT32_C(2166136261);

    for (const char *c = text; *c != '\0'; c++) {
        hash = (hash ^ (unsigned char)*c) * UINT32_C(16777619);
    }
    return text[0] != '\0' && (hash & 1) != 0;
}
