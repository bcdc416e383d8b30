/* SPDX-License-Identifier: Apache-2.0
 *
 * Webster's division against the replica-by-replica queue it stands for, its cost,
 * and the proportional divisions.
 */
#include "check.h"

#include <stdlib.h>

#include "ballast/schedule/divide.h"

#define PARTIES_MAX 40

/* A small generator of its own (xorshift64*), so that a failure can be repeated anywhere. */
struct dice {
    uint64_t state;
};

static uint64_t
dice_below(struct dice *dice, uint64_t bound)
{
    dice->state ^= dice->state >> 12;
    dice->state ^= dice->state << 25;
    dice->state ^= dice->state >> 27;
    return (dice->state * UINT64_C(0x2545F4914F6CDD1D) >> 16) % bound;
}

struct division {
    struct share shares[PARTIES_MAX];
    int32_t caps[PARTIES_MAX];
    char names[PARTIES_MAX][8];
    uint32_t count;
    int32_t replicas;
    bool capped;
    bool descend;
};

static double
priority_of(const struct share *share)
{
    return (double)share->weight / (double)(2 * (int64_t)share->replicas + 1);
}

static bool
goes_first(const struct share *a, const struct share *b, bool descend)
{
    double x = priority_of(a);
    double y = priority_of(b);

    if (x != y) {
        return x > y;
    }
    if (a->replicas != b->replicas) {
        return a->replicas < b->replicas;
    }
    return (strcmp(a->name, b->name) < 0) != descend;
}

/* What the method is defined by: one replica after the other to the first party. */
static int32_t
allocate_naively(struct division *d)
{
    for (int32_t left = d->replicas; left > 0; left--) {
        struct share *best = NULL;

        for (uint32_t i = 0; i < d->count; i++) {
            bool full = d->capped && d->shares[i].replicas >= d->caps[i];

            if (!full && (best == NULL || goes_first(&d->shares[i], best, d->descend))) {
                best = &d->shares[i];
            }
        }
        if (best == NULL) {
            return left;
        }
        best->replicas++;
    }
    return 0;
}

static int64_t
random_weight(struct dice *dice, unsigned kind)
{
    switch (kind) {
    case 0:
        return 0;
    case 1:
        return (int64_t)dice_below(dice, 4);
    case 2:
        return (int64_t)dice_below(dice, 100);
    case 3:
        return INT32_MAX - (int64_t)dice_below(dice, 3);
    case 4:
        return INT64_MAX - (int64_t)dice_below(dice, 5000);
    case 5:
        return (int64_t)1 << dice_below(dice, 63);
    case 6:
        return 6 * (1 + 2 * (int64_t)dice_below(dice, 8)); /* many ties at unequal replicas */
    default:
        return (int64_t)dice_below(dice, UINT64_C(1) << 40);
    }
}

static void
random_division(struct dice *dice, struct division *d)
{
    unsigned kind = (unsigned)dice_below(dice, 9);
    int32_t most = (int32_t)dice_below(dice, 2) == 0 ? 4 : 200;
    bool with_initial = dice_below(dice, 2) == 0;

    memset(d, 0, sizeof(*d));
    d->count = (uint32_t)dice_below(dice, dice_below(dice, 4) == 0 ? PARTIES_MAX + 1 : 6);
    d->replicas = (int32_t)dice_below(dice, dice_below(dice, 3) == 0 ? 3000 : 90);
    d->capped = dice_below(dice, 2) == 0;
    d->descend = dice_below(dice, 2) == 0;
    for (uint32_t i = 0; i < d->count; i++) {
        struct share *share = &d->shares[i];

        snprintf(d->names[i], sizeof(d->names[i]), "m%u", (i * 7 + 3) % 41);
        share->name = d->names[i];
        share->weight = random_weight(dice, kind == 8 ? (unsigned)dice_below(dice, 8) : kind);
        if (with_initial && dice_below(dice, 2) == 0) {
            share->replicas = (int32_t)dice_below(dice, (uint64_t)most);
        }
        d->caps[i] = share->replicas + (int32_t)dice_below(dice, (uint64_t)most);
    }
}

static void
test_webster_is_the_queue(void)
{
    struct dice dice = {UINT64_C(88172645463325252)};
    unsigned wrong = 0;

    for (unsigned round = 0; round < 60000 && wrong < 3; round++) {
        struct division want;
        struct division got;
        int32_t left;
        int32_t want_left;

        random_division(&dice, &want);
        got = want;
        want_left = allocate_naively(&want);
        if (got.capped) {
            left =
                webster_allocate_capped(got.shares, got.caps, got.count, got.replicas, got.descend);
        } else {
            webster_allocate(got.shares, got.count, got.replicas, got.descend);
            left = got.count > 0 ? 0 : got.replicas;
        }
        bool same = left == want_left;

        for (uint32_t i = 0; i < got.count; i++) {
            same = same && got.shares[i].replicas == want.shares[i].replicas;
        }
        wrong += !CHECK_MSG(same, "round %u: %u parties, %d replicas, capped %d: not as the queue",
                            round, got.count, got.replicas, got.capped);
    }
}

/* Too many replicas for the naive way: the result is right iff no party would rather have had the
 * last replica of another one. */
static void
test_webster_of_many_seats(void)
{
    struct dice dice = {UINT64_C(4101842887655102017)};
    unsigned wrong = 0;

    for (unsigned round = 0; round < 3000 && wrong < 3; round++) {
        struct division d;
        struct share before[PARTIES_MAX];
        int64_t sum = 0;

        random_division(&dice, &d);
        d.replicas = (int32_t)dice_below(&dice, INT32_MAX / 2);
        if (d.count == 0) {
            continue;
        }
        memcpy(before, d.shares, sizeof(before));
        webster_allocate(d.shares, d.count, d.replicas, d.descend);
        for (uint32_t i = 0; i < d.count; i++) {
            sum += d.shares[i].replicas - before[i].replicas;
        }
        bool stable = sum == d.replicas;

        for (uint32_t i = 0; i < d.count; i++) {
            struct share last = d.shares[i];

            last.replicas--;
            for (uint32_t j = 0; j < d.count && last.replicas >= before[i].replicas; j++) {
                stable = stable && (i == j || goes_first(&last, &d.shares[j], d.descend));
            }
        }
        wrong += !CHECK_MSG(stable, "round %u: %u parties, %d replicas: an envious party", round,
                            d.count, d.replicas);
    }
}

/* Far more than could be handed out one by one. */
static void
test_webster_gives_out_any_number(void)
{
    static const int32_t replicas[] = {100, 1000, 10000, 1000000, 100000000, INT32_MAX};
    struct dice dice = {UINT64_C(362436069)};

    for (unsigned round = 0; round < 12000; round++) {
        int32_t wanted = replicas[round % (sizeof(replicas) / sizeof(replicas[0]))];
        int64_t before = 0, after = 0;
        struct division d;

        random_division(&dice, &d);
        for (uint32_t i = 0; i < d.count; i++) {
            before += d.shares[i].replicas > 0 ? d.shares[i].replicas : 0;
        }
        int32_t left =
            webster_allocate_capped(d.shares, d.capped ? d.caps : NULL, d.count, wanted, d.descend);

        for (uint32_t i = 0; i < d.count; i++) {
            after += d.shares[i].replicas;
        }
        CHECK_INT(after - before + left, wanted);
    }
}

static void
test_webster_ties(void)
{
    struct share ascending[] = {{"b", 1, 0}, {"a", 1, 0}, {"c", 1, 0}};
    struct share descending[] = {{"b", 1, 0}, {"a", 1, 0}, {"c", 1, 0}};
    struct share fewer[] = {{"a", 3, 1}, {"b", 1, 0}};

    webster_allocate(ascending, 3, 1, false);
    CHECK_INT(ascending[1].replicas, 1);
    webster_allocate(descending, 3, 1, true);
    CHECK_INT(descending[2].replicas, 1);
    webster_allocate(fewer, 2, 1, false);
    CHECK_INT(fewer[1].replicas, 1);
    static const struct {
        const char *uid;
        bool descend;
    } cases[] = {
        {"", false},
        {"a", false},                                    /* FNV-1a of it is 0xe40c292c */
        {"b", true},                                     /* 0xe70c2de5 */
        {"0e1c6a5e-6f0b-4c36-9c9b-5a6f7d3c2b10", false}, /* 0x058d4f3c: the text counts */
        {"0e1c6a5e-6f0b-4c36-9c9b-5a6f7d3c2b11", true},  /* 0x068d50cf */
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct uid uid = uid_of(cases[i].uid);

        CHECK_INT(webster_ties_descend(&uid), cases[i].descend);
    }
}

static void
test_webster_edges(void)
{
    struct share one[] = {{"a", 5, 2}};
    struct share weightless[] = {{"a", 0, 5}, {"b", 0, 0}, {"c", 0, 1}};
    struct share full[] = {{"a", 9, 1}, {"b", 1, 0}, {"c", 0, 0}};
    static const int32_t caps[] = {3, 4, 1000000};
    struct share brim[] = {{"a", 1, INT32_MAX - 1}, {"b", 0, 0}};

    webster_allocate(NULL, 0, 5, false);
    webster_allocate(one, 1, 0, false);
    CHECK_INT(one[0].replicas, 2);
    webster_allocate(one, 1, -3, false);
    CHECK_INT(one[0].replicas, 2);
    webster_allocate(weightless, 3, 1000, false);
    CHECK_INT(weightless[0].replicas, 336);
    CHECK_INT(weightless[1].replicas, 335);
    CHECK_INT(weightless[2].replicas, 335);
    CHECK_INT(webster_allocate_capped(full, caps, 3, 500000, false), 0);
    CHECK_INT(full[0].replicas, 3);
    CHECK_INT(full[1].replicas, 4);
    CHECK_INT(full[2].replicas, 499994);
    CHECK_INT(webster_allocate_capped(full, caps, 2, 7, false), 7);
    webster_allocate(brim, 2, 100, false);
    CHECK_INT(brim[0].replicas, INT32_MAX);
    CHECK_INT(brim[1].replicas, 99);
}

static void
test_proportional(void)
{
    struct share rest[] = {{"c", 1, 0}, {"b", 2, 0}, {"a", 1, 0}, {"d", 0, 0}};
    struct share weightless[] = {{"b", 0, 0}, {"a", 0, 0}, {"c", 0, 0}};
    struct share held[] = {{"a", INT64_MAX, 10}, {"b", INT64_MAX, 0}};

    proportional_allocate(rest, 4, 10); /* 2.5, 5, 2.5: the heaviest takes the odd one */
    CHECK_INT(rest[0].replicas, 2);
    CHECK_INT(rest[1].replicas, 6);
    CHECK_INT(rest[2].replicas, 2);
    CHECK_INT(rest[3].replicas, 0);
    proportional_allocate(weightless, 3, 4);
    CHECK_INT(weightless[0].replicas, 1);
    CHECK_INT(weightless[1].replicas, 2);
    CHECK_INT(weightless[2].replicas, 1);
    proportional_allocate(held, 2, INT32_MAX - 10);
    CHECK_INT(held[0].replicas, 1073741819 + 10);
    CHECK_INT(held[1].replicas, 1073741818);
    proportional_allocate(NULL, 0, 3);
}

static void
test_aggregate(void)
{
    static const int32_t available[] = {5, 3, 9};
    static const int32_t large[] = {INT32_MAX, INT32_MAX};
    int32_t replicas[3] = {-1, -1, -1};

    CHECK(proportional_aggregate(available, 3, 7, replicas)); /* 4.375 and 2.625 of 8 */
    CHECK_INT(replicas[0], 5);
    CHECK_INT(replicas[1], 2);
    CHECK_INT(replicas[2], 0);
    CHECK(proportional_aggregate(available, 3, 17, replicas));
    CHECK_INT(replicas[2], 9);
    CHECK(!proportional_aggregate(available, 3, 18, replicas));
    CHECK(!proportional_aggregate(available, 0, 1, replicas));
    CHECK(proportional_aggregate(available, 3, 0, replicas));
    CHECK_INT(replicas[0] + replicas[1] + replicas[2], 0);
    CHECK(proportional_aggregate(large, 2, INT32_MAX, replicas));
    CHECK_INT(replicas[0], INT32_MAX);
}

void suite_divide(void);

void
suite_divide(void)
{
    check_suite("divide");
    check_test("webster is the replica-by-replica queue", test_webster_is_the_queue);
    check_test("webster of many replicas", test_webster_of_many_seats);
    check_test("webster costs the same for any replicas", test_webster_gives_out_any_number);
    check_test("webster: ties", test_webster_ties);
    check_test("webster: edges", test_webster_edges);
    check_test("proportional", test_proportional);
    check_test("proportional: aggregate", test_aggregate);
}
