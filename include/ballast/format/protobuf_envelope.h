/* SPDX-License-Identifier: Apache-2.0
 *
 * The envelope of application/vnd.kubernetes.protobuf, and the head of a list in it:
 *
 *     "k8s\0"  Unknown{typeMeta = 1 {apiVersion = 1, kind = 2}, raw = 2,
 *                      contentEncoding = 3, contentType = 4}
 *     raw:     XxxList{metadata = 1 {resourceVersion = 2, continue = 3, remainingItemCount = 4},
 *                      items = 2} or an object
 *
 * (k8s.io/apimachinery pkg/runtime/generated.proto, pkg/apis/meta/v1/generated.proto). The bytes
 * are untrusted. Unknown fields are skipped; of a field given twice, the last one counts.
 */
#ifndef BALLAST_FORMAT_PROTOBUF_ENVELOPE_H
#define BALLAST_FORMAT_PROTOBUF_ENVELOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ballast/base/error.h"

#define PROTOBUF_CONTENT_TYPE "application/vnd.kubernetes.protobuf"

/* Head of a list, or type of a single object. protobuf_list_release() frees the texts. */
struct protobuf_list {
    char *api_version, *kind;
    char *continue_token, *resource_version; /* "": none */
    int64_t remaining_items;                 /* items on later pages; 0: unknown */
    bool is_list;                            /* the kind ends in "List" */
};

/* Frees the texts and zeroes the struct. An all-zero struct is fine. */
void protobuf_list_release(struct protobuf_list *list);

/* True if the bytes begin with the magic number of this encoding. */
bool protobuf_is(const char *bytes, size_t length);

/* Reads the head of a list, so that the caller can request the next page before it decodes this
 * one. *ret_raw, unless NULL, points to the enclosed message in `bytes`. False with err if
 * malformed. The caller releases `ret` in either case. */
bool protobuf_list_head(const char *bytes, size_t length, struct protobuf_list *ret,
                        const char **ret_raw, size_t *ret_raw_length, struct error *err);

/* Returns the text of field `number` of a message, "" without that field, for free(). NULL with
 * err, which calls the field `name`, if the message is malformed or the text not UTF-8 or with
 * NUL. */
char *protobuf_text(const char *bytes, size_t length, uint32_t number, const char *name,
                    struct error *err);

#endif
