/* SPDX-License-Identifier: Apache-2.0
 *
 * The envelope of application/vnd.kubernetes.protobuf, and what a list in it says of itself:
 *
 *     "k8s\0"  Unknown{typeMeta = 1 {apiVersion = 1, kind = 2}, raw = 2,
 *                      contentEncoding = 3, contentType = 4}
 *     raw:     XxxList{metadata = 1 {resourceVersion = 2, continue = 3, remainingItemCount = 4},
 *                      items = 2} or an object
 *
 * (k8s.io/apimachinery pkg/runtime/generated.proto, pkg/apis/meta/v1/generated.proto). The bytes
 * are untrusted. Unknown fields are passed over; of a field given twice the last one counts.
 */
#ifndef BALLAST_FORMAT_PROTOBUF_ENVELOPE_H
#define BALLAST_FORMAT_PROTOBUF_ENVELOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ballast/base/error.h"

#define PROTOBUF_CONTENT_TYPE "application/vnd.kubernetes.protobuf"

/* What a list says of itself, or a single object of its type; the texts are the owner's. */
struct protobuf_list {
    char *api_version, *kind;
    char *continue_token, *resource_version; /* "" when none */
    int64_t remaining_items;                 /* not in this page; 0 when not told */
    bool is_list;                            /* by its kind: "PodList" */
};

/* Frees the texts. Fine on a list that is all zero. */
void protobuf_list_release(struct protobuf_list *list);

/* Returns whether the bytes begin as this encoding does. */
bool protobuf_is(const char *bytes, size_t length);

/* Reads only what the list says of itself: for asking for the next page before this one is decoded.
 * `ret_raw` (NULL: not asked) becomes the message in the envelope, which lies in `bytes`. Returns
 * false with an error where the envelope or that is malformed; `ret` is to be released then, too.
 */
bool protobuf_list_head(const char *bytes, size_t length, struct protobuf_list *ret,
                        const char **ret_raw, size_t *ret_raw_length, struct error *err);

/* Reads one text of a message: "" where it has none of that number. `name` is what an error calls
 * it. Returns NULL with an error where the message is malformed or the text is no UTF-8 without
 * NUL; else the caller frees it. */
char *protobuf_text(const char *bytes, size_t length, uint32_t number, const char *name,
                    struct error *err);

#endif
