/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of HTTP headers that have a key in them.
 */
#ifndef BALLAST_KUBE_HEADER_H
#define BALLAST_KUBE_HEADER_H

#include "ballast/base/buf.h"

/* Appends `key` so that it can be part of a name: what cannot be in one, and %, as %XX. So
 * client-go does it (transport/round_trippers.go, headerKeyEscape) and API servers undo it. */
void header_append_key(struct buf *out, const char *key);

#endif
