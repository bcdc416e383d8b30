/* SPDX-License-Identifier: Apache-2.0
 *
 * Whose a member is, which slice a namespace is in, whose a slice is, and how a
 * shard is told.
 */
#include "ballast/base/str.h"
#include "ballast/shards/slices.h"
#include "check.h"
#include "cli/options/settings.h"

#define N_MEMBERS 4000

/* --- who looks into which member --- */

static void
name_member(int i, char ret[32])
{
    snprintf(ret, 32, "member-%d", i);
}

/* For ever: shards of two versions that share the members out differently would both look into one,
 * and nobody into another. */
static void
test_members_pinned(void)
{
    static const struct {
        const char *member;
        uint32_t count, want;
    } cases[] = {
        {"m1", 1, 1},      {"m1", 2, 2},     {"m1", 16, 11}, {"member1", 7, 1},
        {"berlin", 16, 4}, {"berlin", 7, 4}, {"", 16, 10},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CHECK_INT(shard_of(cases[i].member, cases[i].count), cases[i].want);
    }
}

/* One shard more takes members from the others, and moves none between them. */
static void
test_one_more(void)
{
    char name[32];

    for (uint32_t count = 1; count < 20; count++) {
        int taken = 0;

        for (int i = 0; i < N_MEMBERS; i++) {
            name_member(i, name);
            uint32_t before = shard_of(name, count), after = shard_of(name, count + 1);

            CHECK_MSG(after == before || after == count + 1, "%s goes from %u to %u of %u", name,
                      before, after, count + 1);
            taken += after != before ? 1 : 0;
        }
        int fair = N_MEMBERS / (int)(count + 1);

        CHECK_MSG(taken > fair * 3 / 4 && taken < fair * 5 / 4, "shard %u gets %d, want about %d",
                  count + 1, taken, fair);
    }
}

/* --- slices --- */

/* Likewise: shards of two versions would both tell of one namespace, and nobody of another. */
static void
test_pinned(void)
{
    static const struct {
        const char *namespace_;
        uint32_t slices, want;
    } slices[] = {
        {"", 1, 1},    {"", 64, 1},           {"shop", 1, 1},          {"shop", 2, 2},
        {"ops", 2, 1}, {"kube-system", 5, 4}, {"kube-system", 64, 22}, {"shop", 64, 50},
    };
    static const struct {
        const char *member;
        uint32_t slice, slices, count, want;
    } owners[] = {
        {"m1", 1, 1, 16, 11}, {"m1", 1, 2, 16, 8},    {"m1", 2, 2, 16, 6},
        {"m1", 3, 4, 7, 3},   {"berlin", 1, 2, 2, 1}, {"berlin", 2, 2, 2, 2},
    };

    for (size_t i = 0; i < sizeof(slices) / sizeof(slices[0]); i++) {
        CHECK_INT(slice_of(slices[i].namespace_, slices[i].slices), slices[i].want);
    }
    for (size_t i = 0; i < sizeof(owners) / sizeof(owners[0]); i++) {
        CHECK_INT(
            shard_of_slice(owners[i].member, owners[i].slice, owners[i].slices, owners[i].count),
            owners[i].want);
    }
}

/* Each slice is one shard's, and of one that has two of a member every other one has one. */
static void
test_owners(void)
{
    static const uint32_t counts[] = {1, 2, 3, 7, 16, 100};

    for (size_t n = 0; n < sizeof(counts) / sizeof(counts[0]); n++) {
        for (uint32_t slices = 1; slices <= SLICES_MAX; slices++) {
            slice_set all = 0;
            uint32_t least = UINT32_MAX, most = 0;

            for (uint32_t i = 1; i <= counts[n]; i++) {
                slice_set ours = slices_of_shard("m1", slices, (struct shard){i, counts[n]});
                uint32_t has = 0;

                CHECK((all & ours) == 0);
                all |= ours;
                for (uint32_t slice = 1; slice <= SLICES_MAX; slice++) {
                    if ((ours >> (slice - 1) & 1) != 0) {
                        has++;
                        CHECK_INT(shard_of_slice("m1", slice, slices, counts[n]), i);
                    }
                }
                least = has < least ? has : least;
                most = has > most ? has : most;
            }
            CHECK(all == slice_set_all(slices));
            CHECK_MSG(most - least <= 1, "%u slices: of %u shards one has %u, and one %u", slices,
                      counts[n], most, least);
        }
    }
}

/* Namespaces are spread evenly, and slices over shards from member to member. */
static void
test_spread(void)
{
    uint32_t namespaces[5] = {0}, owners[16] = {0};

    for (int i = 0; i < 10000; i++) {
        char name[32];

        snprintf(name, sizeof(name), "tenant-%d", i);
        namespaces[slice_of(name, 5) - 1]++;
        owners[shard_of_slice(name, 1 + (uint32_t)i % 4, 4, 16) - 1]++;
    }
    for (int i = 0; i < 5; i++) {
        CHECK_MSG(namespaces[i] > 1800 && namespaces[i] < 2200, "slice %d has %u", i + 1,
                  namespaces[i]);
    }
    for (int i = 0; i < 16; i++) {
        CHECK_MSG(owners[i] > 500 && owners[i] < 750, "shard %d has %u", i + 1, owners[i]);
    }
}

/* What a shard says that it reads is what its slices are. */
static void
test_choice(void)
{
    static const struct sliced_member items[] = {{"m1", 3}, {"m2", 1}};
    static const char *const namespaces[] = {"", "shop", "ops", "lab", "kube-system"};
    struct arena *arena = arena_new();
    uint32_t n_read[2][5] = {{0}};

    for (uint32_t i = 1; i <= 2; i++) {
        const struct share share =
            share_of(arena, (struct shard){i, 2}, (struct slicing){items, 2});
        const struct member_choice choice = share_choice(&share);

        for (size_t m = 0; m < 2; m++) {
            uint32_t slices;
            slice_set ours = share_slices(&share, items[m].name, &slices);

            CHECK_INT(slices, items[m].slices);
            CHECK_INT(member_choice_has(&choice, items[m].name), ours != 0);
            for (size_t k = 0; k < 5 && ours != 0; k++) {
                n_read[m][k] +=
                    member_choice_has_namespace(&choice, items[m].name, namespaces[k]) ? 1 : 0;
            }
        }
        CHECK_INT(member_choice_has(&choice, "m3"), shard_of("m3", 2) == i);
        CHECK(member_choice_has_namespace(&choice, "m3", "shop"));
    }
    for (size_t k = 0; k < 5; k++) {
        CHECK_INT(n_read[0][k], 1);
        CHECK_INT(n_read[1][k], 1);
    }
    arena_free(arena);
}

/* --- how it is said --- */

static const struct {
    const char *first, *second; /* NULL: not given */
    const char *want;           /* "m1 3, m2 2", or why not */
    bool is_good;
} texts[] = {
    {"m1=3", NULL, "m1 3, ", true},
    {"m1=3,m2=2", NULL, "m1 3, m2 2, ", true},
    {" m1=3 , m2=64 ", NULL, "m1 3, m2 64, ", true},
    {"m1=3", "m2=1", "m1 3, m2 1, ", true},
    {"m1=0", NULL, "such as m1=4, from 1 to 64, got \"m1=0\"", false},
    {"m1=65", NULL, "from 1 to 64, got \"m1=65\"", false},
    {"m1=-1", NULL, "got \"m1=-1\"", false},
    {"m1=99999999999999999999", NULL, "got \"m1=99999999999999999999\"", false},
    {"m1=x", NULL, "got \"m1=x\"", false},
    {"m1=", NULL, "got \"m1=\"", false},
    {"m1", NULL, "got \"m1\"", false},
    {"=3", NULL, "got \"=3\"", false},
    {"", NULL, "got \"\"", false},
    {"m1=3,,m2=2", NULL, "got \"\"", false},
    {"m1=3,m1=3", NULL, "m1: given twice", false},
    {"m1=3", "m1=2", "m1: given twice", false},
};

static void
test_setting(void)
{
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct arena *arena = arena_new();
        struct slicing slicing = {.count = 0};
        struct error err = ERROR_INIT;
        const char *got = "";
        bool done = setting_slicing(arena, &(struct setting_param){.add = false}, texts[i].first,
                                    &slicing, &err);

        if (done && texts[i].second != NULL) {
            done = setting_slicing(arena, &(struct setting_param){.add = true}, texts[i].second,
                                   &slicing, &err);
        }
        CHECK_MSG(done == texts[i].is_good, "%s: %s", texts[i].first, err.message);
        for (uint32_t k = 0; done && k < slicing.count; k++) {
            got = arena_printf(arena, "%s%s %u, ", got, slicing.items[k].name,
                               (unsigned)slicing.items[k].slices);
        }
        CHECK_CONTAINS(done ? got : err.message, texts[i].want);
        arena_free(arena);
    }
}

void suite_slices(void);

void
suite_slices(void)
{
    check_suite("slices");
    check_test("members pinned", test_members_pinned);
    check_test("one more", test_one_more);
    check_test("pinned", test_pinned);
    check_test("owners", test_owners);
    check_test("spread", test_spread);
    check_test("choice", test_choice);
    check_test("setting", test_setting);
}
