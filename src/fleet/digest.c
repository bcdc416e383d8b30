/* SPDX-License-Identifier: Apache-2.0
 *
 * SipHash-2-4-128 (Aumasson, Bernstein). A plain polynomial hash would not do:
 * what is hashed here is written by the tenants of a fleet, and two placements
 * that share a digest would share a decision.
 */
#include "digest.h"

#include <string.h>

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
sip_block(struct sip *s, uint64_t block)
{
    s->v3 ^= block;
    sip_rounds(s, 2);
    s->v0 ^= block;
}

static uint64_t
sip_fold(const struct sip *s)
{
    return s->v0 ^ s->v1 ^ s->v2 ^ s->v3;
}

struct digest
digest_bytes(uint64_t seed, const void *bytes, size_t length)
{
    const unsigned char *p = bytes;
    const uint64_t key0 = seed, key1 = UINT64_C(0x62616c6c61737421);
    struct sip s = {
        .v0 = key0 ^ UINT64_C(0x736f6d6570736575),
        .v1 = key1 ^ UINT64_C(0x646f72616e646f6d) ^ 0xee,
        .v2 = key0 ^ UINT64_C(0x6c7967656e657261),
        .v3 = key1 ^ UINT64_C(0x7465646279746573),
    };
    uint64_t last = (uint64_t)length << 56;
    size_t rest = length % 8;
    struct digest digest;

    for (size_t i = 0; i + 8 <= length; i += 8) {
        uint64_t block;

        memcpy(&block, p + i, sizeof(block));
        sip_block(&s, block);
    }
    for (size_t i = 0; i < rest; i++) {
        last |= (uint64_t)p[length - rest + i] << (8 * i);
    }
    sip_block(&s, last);
    s.v2 ^= 0xee;
    sip_rounds(&s, 4);
    digest.high = sip_fold(&s);
    s.v1 ^= 0xdd;
    sip_rounds(&s, 4);
    digest.low = sip_fold(&s);
    return digest;
}
