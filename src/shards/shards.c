/* SPDX-License-Identifier: Apache-2.0
 *
 * Rendezvous hashing of the members' names.
 */
#include "ballast/shards/shards.h"

#include <string.h>

#include "ballast/base/hash.h"

/* Known to everybody: a tenant who picks names of clusters so that one shard gets them all makes
 * that one slow, and nothing wrong. */
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
