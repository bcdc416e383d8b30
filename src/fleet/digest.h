/* SPDX-License-Identifier: Apache-2.0
 *
 * 128-bit digests of byte strings (SipHash-2-4 with its 128-bit output): equal
 * bytes give equal digests, different ones practically never do, even where
 * somebody picks them. Private to fleet/.
 */
#ifndef BALLAST_FLEET_DIGEST_H
#define BALLAST_FLEET_DIGEST_H

#include <stddef.h>

#include "ballast/member.h"

/* Two seeds give two unrelated digests. */
struct digest digest_bytes(uint64_t seed, const void *bytes, size_t length);

#endif
