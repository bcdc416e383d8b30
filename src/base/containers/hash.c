/* SPDX-License-Identifier: Apache-2.0
 *
 * SipHash with one round a block and three at the end for tables, which Rust and
 * Python use for theirs, and with two and four for digests.
 */
#include "ballast/base/hash.h"

#include <string.h>
#include <sys/auxv.h>

#include "ballast/base/error.h"

struct sip {
    uint64_t v0, v1, v2, v3;
};

static uint64_t
rotate(uint64_t x, unsigned bits)
{
    return x << bits | x >> (64 - bits);
}

static void
sip_rounds(struct sip *s, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        s->v0 += s->v1;
        s->v1 = rotate(s->v1, 13) ^ s->v0;
        s->v0 = rotate(s->v0, 32);
        s->v2 += s->v3;
        s->v3 = rotate(s->v3, 16) ^ s->v2;
        s->v0 += s->v3;
        s->v3 = rotate(s->v3, 21) ^ s->v0;
        s->v2 += s->v1;
        s->v1 = rotate(s->v1, 17) ^ s->v2;
        s->v2 = rotate(s->v2, 32);
    }
}

static void
sip_block(struct sip *s, uint64_t block, unsigned rounds)
{
    s->v3 ^= block;
    sip_rounds(s, rounds);
    s->v0 ^= block;
}

static uint64_t
sip_fold(const struct sip *s)
{
    return s->v0 ^ s->v1 ^ s->v2 ^ s->v3;
}

static struct sip
sip_begin(const struct hash_key *key)
{
    return (struct sip){
        .v0 = key->low ^ UINT64_C(0x736f6d6570736575),
        .v1 = key->high ^ UINT64_C(0x646f72616e646f6d),
        .v2 = key->low ^ UINT64_C(0x6c7967656e657261),
        .v3 = key->high ^ UINT64_C(0x7465646279746573),
    };
}

static inline void
sip_all(struct sip *s, const void *bytes, size_t length, unsigned rounds)
{
    const unsigned char *p = bytes;
    uint64_t last = (uint64_t)length << 56;
    size_t rest = length % 8;

    for (size_t i = 0; i + 8 <= length; i += 8) {
        uint64_t block;

        memcpy(&block, p + i, sizeof(block));
        sip_block(s, block, rounds);
    }
    for (size_t i = 0; i < rest; i++) {
        last |= (uint64_t)p[length - rest + i] << (8 * i);
    }
    sip_block(s, last, rounds);
}

struct hash_key
hash_key_of_process(void)
{
    const void *random = (const void *)getauxval(AT_RANDOM); /* 16 bytes */
    struct hash_key key;

    if (random != NULL) {
        memcpy(&key, random, sizeof(key));
        return key;
    }
    BUG("the kernel gave this process no random bytes");
}

uint64_t
hash_bytes(const struct hash_key *key, const void *bytes, size_t length)
{
    struct sip s = sip_begin(key);

    sip_all(&s, bytes, length, 1);
    s.v2 ^= 0xff;
    sip_rounds(&s, 3);
    return sip_fold(&s);
}

uint64_t
hash_texts(const struct hash_key *key, const char *const *texts, size_t count)
{
    struct hash_key chained = *key;

    for (size_t i = 0; i < count; i++) {
        chained.low = key->low ^ hash_bytes(&chained, texts[i], strlen(texts[i]));
    }
    return key->low ^ chained.low;
}

struct digest
digest_bytes(const struct hash_key *key, const void *bytes, size_t length)
{
    struct sip s = sip_begin(key);
    struct digest digest;

    s.v1 ^= 0xee;
    sip_all(&s, bytes, length, 2);
    s.v2 ^= 0xee;
    sip_rounds(&s, 4);
    digest.high = sip_fold(&s);
    s.v1 ^= 0xdd;
    sip_rounds(&s, 4);
    digest.low = sip_fold(&s);
    return digest;
}
