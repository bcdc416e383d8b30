/* SPDX-License-Identifier: Apache-2.0
 *
 * Escapes keys for names of HTTP headers.
 */
#ifndef BALLAST_KUBE_HEADER_H
#define BALLAST_KUBE_HEADER_H

#include "ballast/base/buf.h"

/* Appends `key` as part of a header's name: % and bytes that a name cannot hold become %XX.
 * client-go does this (transport/round_trippers.go, headerKeyEscape), and API servers undo it. */
void header_append_key(struct buf *out, const char *key);

#endif
