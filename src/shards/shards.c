/* SPDX-License-Identifier: Apache-2.0
 *
 * Rendezvous hashing of the members' names.
 */
#include "ballast/shards/shards.h"
#include "ballast/base/wide.h"

#include <string.h>

#include "ballast/base/hash.h"

/* Public. A tenant whose cluster names all go to one shard only makes that shard slow. */
static const struct hash_key key = {0x62616c6c617374ULL, 0x736861726473ULL};

uint32_t
shard_of(const char *member, uint32_t count)
{
    uint64_t highest = 0;
    uint32_t found = 1;

    for (uint32_t i = 1; i <= count; i++) {
        const struct hash_key of_shard = {key.low ^ i, key.high};
        uint64_t hash = hash_bytes(&of_shard, member, strlen(member));

        if (hash > highest) {
            highest = hash;
            found = i;
        }
    }
    return found;
}

static int
number_cmp(uint32_t a, uint32_t b)
{
    return a < b ? -1 : a > b ? 1 : 0;
}

int
shard_cmp(const struct shard *a, const struct shard *b)
{
    int order = number_cmp(a->count, b->count);

    return order != 0 ? order : number_cmp(a->index, b->index);
}

/* Parses a number from 1 to `max` without leading zeros, and moves *text behind it. */
static bool
scan_number(const char **text, uint32_t max, uint32_t *ret)
{
    uint64_t number = 0;
    size_t digits = strspn(*text, "0123456789");

    for (size_t i = 0; i < digits && number <= max; i++) {
        number = number * 10 + (uint64_t)((*text)[i] - '0');
    }
    *ret = pin_uint32(number);
    bool done = digits > 0 && **text != '0' && number <= max;

    *text += digits;
    return done;
}

const char *
shard_scan(const char *text, struct shard *ret)
{
    static const char of[] = "-of-";

    if (!scan_number(&text, SHARDS_MAX, &ret->index) || strncmp(text, of, strlen(of)) != 0) {
        return NULL;
    }
    text += strlen(of);
    return scan_number(&text, SHARDS_MAX, &ret->count) && ret->index <= ret->count ? text : NULL;
}
