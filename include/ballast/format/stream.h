/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects out of a byte stream, one at a time: a single object, a `kind: List`
 * (or XxxList) or a sequence of either, as JSON. The text comes in pieces of
 * any size; of it only the object under way is kept. Used for files and for
 * API server pages alike. What has an array `items` is a list, as for kubectl.
 * Errors begin with the place in the stream: "12:5: ...".
 */
#ifndef BALLAST_FORMAT_STREAM_H
#define BALLAST_FORMAT_STREAM_H

#include <stddef.h>

#include "ballast/format/value.h"
#include "ballast/format/wanted.h"

#define STREAM_OBJECT_MAX (64u << 20) /* bytes of one object's text */

struct stream_object {
    const struct value *root;
    const char *list_api_version; /* of the enclosing list, "" when none: API server lists leave */
    const char *list_kind;        /* apiVersion and kind out of the items */
    size_t index;                 /* in the list, 0 when none */
    bool in_list;
    size_t line;           /* where its text begins, from 1 */
    size_t offset, length; /* of its text in the stream, in bytes */
    const char *text;      /* that text; NULL when it is too long to be kept */
};

/* Takes one object; false (with err) stops the stream. The object lives only during the call. */
struct stream_ops {
    bool (*object)(void *context, const struct stream_object *object, struct error *err);
    /* An object whose text is well delimited but malformed inside (bad UTF-8, nested too deep, too
     * long, ...): `err` says why and where->root is NULL. Return true to go on with the next one.
     * NULL: every such object stops the stream. */
    bool (*bad_object)(void *context, const struct stream_object *where, struct error *err);
};

/* A bad_object where such objects do not matter. */
bool stream_pass_over(void *context, const struct stream_object *where, struct error *err);

struct stream *stream_new(const struct stream_ops *ops, void *context);
/* Before anything is fed: of one object, or what stands around a list's items, no more than so many
 * bytes (STREAM_OBJECT_MAX otherwise) and values, keys among them (0: any number). A value takes up
 * to some 300 bytes once it is decoded, an empty object in a list three in the text. */
void stream_bound(struct stream *stream, size_t bytes, size_t values);
/* Likewise: of items only what `choose` says; what else is in them is checked, and is not there.
 * NULL: all of it. */
void stream_want(struct stream *stream, wanted_chooser *choose, void *context);
/* Behind that: items of which `passes` says so have nothing that stands behind their metadata. */
void stream_pass(struct stream *stream, wanted_passer *passes, void *context);
/* Likewise: who is told of the end of each list, when what the functions below say is of it; false
 * (with err) stops the stream. */
typedef bool stream_list_teller(void *context, const struct stream *stream, struct error *err);
void stream_on_list(struct stream *stream, stream_list_teller *tell);
bool stream_feed(struct stream *stream, const char *bytes, size_t length, struct error *err);
/* The end of input: an object under way is an error. */
bool stream_finish(struct stream *stream, struct error *err);
void stream_free(struct stream *stream);
/* Of the last list, also of one without items: its kind and apiVersion, "" when it did not say (or
 * not yet). */
const char *stream_list_kind(const struct stream *stream);
const char *stream_list_api_version(const struct stream *stream);
/* metadata.continue and metadata.resourceVersion of the last list, "" when none. */
const char *stream_continue(const struct stream *stream);
const char *stream_resource_version(const struct stream *stream);
/* metadata.remainingItemCount: how many objects come behind it; 0 where it does not say. */
uint64_t stream_remaining(const struct stream *stream);

#endif
