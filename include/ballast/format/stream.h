/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects out of a stream of JSON, one at a time: a single object, a `kind: List`
 * (or XxxList), or a sequence of either. The text comes in pieces of any size;
 * the stream keeps the object under way only. Used for files and for pages of API
 * servers. An object with an array `items` is a list, as for kubectl. Errors
 * begin with the place in the stream: "12:5: ...".
 */
#ifndef BALLAST_FORMAT_STREAM_H
#define BALLAST_FORMAT_STREAM_H

#include <stddef.h>

#include "ballast/format/value.h"
#include "ballast/format/wanted.h"

#define STREAM_OBJECT_MAX (64u << 20) /* bytes of one object's text */

struct stream_object {
    const struct value *root;
    const char *list_api_version; /* of the enclosing list; "": none */
    const char *list_kind;        /* items from API servers lack their own */
    size_t index;                 /* in the list; 0: none */
    bool in_list;
    size_t line;           /* of the first byte, from 1 */
    size_t offset, length; /* of the text in the stream, in bytes */
    const char *text;      /* NULL: too long to be kept */
};

struct stream_ops {
    /* Takes one object, valid only during the call. False with err stops the stream. */
    bool (*object)(void *context, const struct stream_object *object, struct error *err);
    /* Takes an object with a clear end but a malformed text (bad UTF-8, nested too deep, too long,
     * ...). `err` has the reason and where->root is NULL. True goes on with the next object; false
     * stops the stream with `err`. NULL: every malformed object stops the stream. */
    bool (*bad_object)(void *context, const struct stream_object *where, struct error *err);
};

/* A bad_object that skips malformed objects. Always true. */
bool stream_pass_over(void *context, const struct stream_object *where, struct error *err);

/* Returns a stream for `ops`, which outlives it, with `context`. stream_free() frees it. */
struct stream *stream_new(const struct stream_ops *ops, void *context);
/* Limits the text of one object, and the text around a list's items, to `bytes` (default:
 * STREAM_OBJECT_MAX) and to `values`, keys included (0, the default: any). Call it before
 * stream_feed(). A value takes up to 300 bytes; an empty object in a list, three bytes of text. */
void stream_bound(struct stream *stream, size_t bytes, size_t values);
/* Makes the stream leave out members of items that `choose` does not want. The stream still checks
 * them as JSON. NULL: it leaves out none. Call it before stream_feed(). */
void stream_want(struct stream *stream, wanted_chooser *choose, void *context);
/* Makes the stream leave out the members behind `metadata` of items for which `passes` is true.
 * Call it after stream_want() and before stream_feed(); without stream_want() it does nothing. */
void stream_pass(struct stream *stream, wanted_passer *passes, void *context);
/* Called at the end of a list, which the functions below then describe. False with err stops. */
typedef bool stream_list_listener(void *context, const struct stream *stream, struct error *err);
/* Sets the function to call, with stream_new()'s context, at the end of each list; NULL: none. */
void stream_on_list(struct stream *stream, stream_list_listener *tell);
/* Takes the next piece of the text and passes on every object that ends in it. False with err if
 * the text is malformed or a function of `ops` stops the stream; later calls fail too. */
bool stream_feed(struct stream *stream, const char *bytes, size_t length, struct error *err);
/* Ends the text. False with err if an object is incomplete or the stream has failed. */
bool stream_finish(struct stream *stream, struct error *err);
/* Frees the stream. NULL is fine. */
void stream_free(struct stream *stream);
/* Returns the kind of the last list, also of an empty list; "" if not read (yet). Valid until the
 * next stream_feed(). */
const char *stream_list_kind(const struct stream *stream);
/* Returns the apiVersion of the last list, also of an empty list; "" if not read (yet). Valid until
 * the next stream_feed(). */
const char *stream_list_api_version(const struct stream *stream);
/* Returns metadata.continue of the last list, or "". Valid until the next stream_feed(). */
const char *stream_continue(const struct stream *stream);
/* Returns metadata.resourceVersion of the last list, or "". Valid until the next stream_feed(). */
const char *stream_resource_version(const struct stream *stream);
/* Returns metadata.remainingItemCount of the last list, the objects on later pages; 0 if absent. */
uint64_t stream_remaining(const struct stream *stream);

#endif
