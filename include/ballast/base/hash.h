/* SPDX-License-Identifier: Apache-2.0
 *
 * The hash of every table, and digests: SipHash (Aumasson, Bernstein: "SipHash:
 * a fast short-input PRF"). What is hashed here is written by the tenants of a
 * fleet. With a hash that has no key, or one that is mixed in afterwards, they
 * can pick names that all fall into one slot; with a key that they do not know,
 * they cannot. A hash may decide how fast an answer is found, never which.
 */
#ifndef BALLAST_BASE_HASH_H
#define BALLAST_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

struct hash_key {
    uint64_t low, high;
};

/* 128 bits that are equal for equal bytes and practically never for different ones, even where
 * somebody picks them without knowing the key. */
struct digest {
    uint64_t high, low;
};

/* The key of this process: random bits that the kernel gives every program at its start. So there
 * is nothing to set up, to pass on or to go wrong. Never to be shown. */
struct hash_key hash_key_of_process(void);

/* SipHash-1-3, for tables. */
uint64_t hash_bytes(const struct hash_key *key, const void *bytes, size_t length);
/* The same of texts one after another; {"a", "bc"} and {"ab", "c"} are different. */
uint64_t hash_texts(const struct hash_key *key, const char *const *texts, size_t count);
/* SipHash-2-4 with its 128-bit output. */
struct digest digest_bytes(const struct hash_key *key, const void *bytes, size_t length);

#endif
