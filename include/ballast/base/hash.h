/* SPDX-License-Identifier: Apache-2.0
 *
 * The hash of every table, and digests: SipHash (Aumasson, Bernstein: "SipHash:
 * a fast short-input PRF"). Tenants of the fleet choose the names that are hashed.
 * With a hash that has no key, or mixes it in at the end, they could pick names
 * that all fall into one slot; without knowing the key they cannot. A hash may
 * decide how fast an answer is found, never which answer.
 */
#ifndef BALLAST_BASE_HASH_H
#define BALLAST_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

struct hash_key {
    uint64_t low, high;
};

/* 128 bits: equal for equal bytes, and practically never equal for different bytes, even if an
 * attacker picks the bytes without the key. */
struct digest {
    uint64_t high, low;
};

/* Returns this process's key: random bits that the kernel gives every program. Never show it. */
struct hash_key hash_key_of_process(void);

/* Returns a hash of the bytes for tables: SipHash-1-3. */
uint64_t hash_bytes(const struct hash_key *key, const void *bytes, size_t length);
/* Returns a hash of a sequence of texts for tables. {"a", "bc"} and {"ab", "c"} differ. */
uint64_t hash_texts(const struct hash_key *key, const char *const *texts, size_t count);
/* Returns the digest of the bytes: SipHash-2-4 with 128 bits of output. */
struct digest digest_bytes(const struct hash_key *key, const void *bytes, size_t length);

#endif
