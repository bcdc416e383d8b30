/* SPDX-License-Identifier: Apache-2.0
 *
 * Hashes and digests against values of independent implementations, and tables
 * under names that somebody picked.
 */
#include "ballast/base/hash.h"

#include <stdlib.h>

#include "ballast/base/map.h"
#include "check.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Without a key, as Python 3.11 hashes with PYTHONHASHSEED=0, which is SipHash-1-3. */
static void
known_hashes(void)
{
    static const struct {
        struct hash_key key;
        const char *text;
        uint64_t want;
    } cases[] = {
        {{0, 0}, "a", UINT64_C(0x407448d2b89b1813)},
        {{0, 0}, "1234567", UINT64_C(0xa33d651594fdae81)},
        {{0, 0}, "12345678", UINT64_C(0x3489982430560a87)},
        {{0, 0}, "123456789 123456789 123", UINT64_C(0xb2bf5ff3499d62ca)},
        {{UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908)},
         "",
         UINT64_C(0xabac0158050fc4dc)},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        uint64_t got = hash_bytes(&cases[i].key, cases[i].text, strlen(cases[i].text));

        CHECK_MSG(got == cases[i].want, "\"%s\": got %016" PRIx64, cases[i].text, got);
    }
}

/* Of SipHash-2-4-128 with the same keys, by an implementation that itself gives the vector that
 * SipHash's authors published. */
static void
known_digests(void)
{
    static const struct {
        uint64_t seed;
        const char *text;
        struct digest want;
    } cases[] = {
        {0, "", {UINT64_C(0x7f8278ffc044539e), UINT64_C(0x6210e58fd92b9ac1)}},
        {0, "a", {UINT64_C(0x02e5c49752af2fb5), UINT64_C(0xf0df26cc89887b5a)}},
        {116, "1234567", {UINT64_C(0xbc1671a38a5e7d56), UINT64_C(0x70533c2f53a972a0)}},
        {116, "12345678", {UINT64_C(0xe41b1765cc8cc164), UINT64_C(0x7d3b7d2b380c2ac7)}},
        {116,
         "123456789 123456789 123",
         {UINT64_C(0xe23105845a7bb3b3), UINT64_C(0x821abbed8c56d392)}},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct hash_key key = {cases[i].seed, UINT64_C(0x62616c6c61737421)};
        struct digest got = digest_bytes(&key, cases[i].text, strlen(cases[i].text));

        CHECK_MSG(got.high == cases[i].want.high && got.low == cases[i].want.low,
                  "\"%s\": got %016" PRIx64 " %016" PRIx64, cases[i].text, got.high, got.low);
    }
}

static void
texts_keep_their_bounds(void)
{
    static const char *const lists[][3] = {
        {"a", "bc", ""}, {"ab", "c", ""}, {"", "a", "bc"}, {"a", "", "bc"}, {"abc", "", ""}};
    const struct hash_key key = {1, 2}, other = {1, 3};

    for (size_t i = 0; i < COUNT(lists); i++) {
        for (size_t j = 0; j < i; j++) {
            CHECK(hash_texts(&key, lists[i], 3) != hash_texts(&key, lists[j], 3));
        }
        CHECK(hash_texts(&key, lists[i], 3) != hash_texts(&other, lists[i], 3));
    }
}

/* --- names that somebody picked --- */

#define BLOCKS 12
#define BLOCK_LENGTH 14
#define NAMES ((size_t)1 << BLOCKS)

struct name {
    char text[BLOCKS * BLOCK_LENGTH + 1];
};

/* All of one hash under FNV-1a, which has no key: each block has two forms that lead to the same
 * state, and so 12 of them make 4096 names. */
static struct name *
picked_names(void)
{
    static const char *const first[] = {"a0003hb0i43bba", "bo05o6w1ca4gyd"};
    static const char *const others[] = {"ba033hb0i43bba", "ej02o6w1ca4gyd"};
    struct name *names = calloc(NAMES, sizeof(*names));

    for (size_t i = 0; names != NULL && i < NAMES; i++) {
        for (size_t block = 0; block < BLOCKS; block++) {
            memcpy(names[i].text + block * BLOCK_LENGTH,
                   (block == 0 ? first : others)[i >> block & 1], BLOCK_LENGTH);
        }
    }
    return names;
}

static uint64_t
fnv_1a(const char *text)
{
    uint64_t hash = UINT64_C(14695981039346656037);

    for (; *text != '\0'; text++) {
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    }
    return hash;
}

/* Of NAMES names in twice as many slots, chance alone puts about 6 in one. */
static unsigned
most_in_a_slot(const struct name *names)
{
    static unsigned char slots[2 * NAMES];
    const struct hash_key key = hash_key_of_process();
    unsigned most = 0;

    memset(slots, 0, sizeof(slots));
    for (size_t i = 0; i < NAMES; i++) {
        const uint64_t hash = hash_bytes(&key, names[i].text, strlen(names[i].text));
        const unsigned count = ++slots[hash % (2 * NAMES)];

        most = count > most ? count : most;
    }
    return most;
}

static void
picked_names_are_spread(void)
{
    struct name *names = picked_names();
    size_t same = 0;

    if (!CHECK(names != NULL)) {
        return;
    }
    struct map *map = map_new();

    for (size_t i = 0; i < NAMES; i++) {
        same += fnv_1a(names[i].text) == fnv_1a(names[0].text) ? 1 : 0;
        *map_put_str(map, names[i].text, NULL) = &names[i];
    }
    CHECK_INT(same, NAMES);
    CHECK_INT(map_count(map), NAMES);
    CHECK_MSG(most_in_a_slot(names) < 16, "%u in a slot", most_in_a_slot(names));
    map_free(map);
    free(names);
}

static void
the_key_is_of_the_process(void)
{
    struct hash_key key = hash_key_of_process(), again = hash_key_of_process();

    CHECK(key.low == again.low && key.high == again.high);
    CHECK(key.low != 0 && key.high != 0);
}

void suite_hash(void);

void
suite_hash(void)
{
    check_suite("hash");
    check_test("known hashes", known_hashes);
    check_test("known digests", known_digests);
    check_test("texts keep their bounds", texts_keep_their_bounds);
    check_test("picked names are spread", picked_names_are_spread);
    check_test("the key is of the process", the_key_is_of_the_process);
}
