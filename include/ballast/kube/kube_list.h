/* SPDX-License-Identifier: Apache-2.0
 *
 * Walks the pages of a list: all objects of a collection, of one state.
 *
 * The walker asks for the next page as soon as it has read a page's continue token, so the next
 * page comes during the decoding. All pages have the first page's resourceVersion. After a 410, or
 * a page of another resourceVersion, the list has to begin again.
 *
 * There are two ways to drive a walk:
 * - kube_list(), or kube_list_begin() and kube_list_finish(), wait for the pages and begin again.
 * - With options.answered the engine reports each response to the owner. The owner decides what a
 *   failure means and which lists begin again, and takes pages with kube_list_take().
 */
#ifndef BALLAST_KUBE_KUBE_LIST_H
#define BALLAST_KUBE_KUBE_LIST_H

#include "ballast/format/protobuf_envelope.h"
#include "ballast/format/stream.h"
#include "ballast/kube/kube_client.h"

/* How often a list may begin again. */
#define KUBE_LIST_RESTARTS_MAX 3

/* `accept` for a list of which only names, labels, annotations and owners are wanted. A server that
 * cannot send metadata alone sends whole objects. */
#define KUBE_METADATA_ALONE                                                                        \
    "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json"

/* Reads the objects of a page in protobuf, as protobuf_list_read() in kinds/ does. */
typedef bool kube_protobuf_reader(const char *bytes, size_t length, const struct stream_ops *ops,
                                  void *context, struct protobuf_list *ret, struct error *err);

/* The list to read, and the functions that take its objects. Texts and tables outlive the walk. */
struct kube_list_options {
    const char *path;
    const char *query;  /* selectors, escaped, each with & before it; NULL: none */
    const char *accept; /* media types; NULL: application/json */
    /* "PodList" and "v1": a list or an item of another kind or version fails the walk. NULL: lists
     * and items of any kind are fine. */
    const char *list_kind, *api_version;
    uint32_t page_limit; /* objects of a page; 0: 500 */
    /* The server answers from its watch cache (resourceVersion=0), which spares the server and etcd
     * most of the work. The state may be some moments old; a write with its resourceVersion detects
     * that. The server ignores the limit then and sends all objects at once, so the response is
     * decoded as it arrives and held nowhere. A response that breaks off begins again in pages,
     * once. */
    bool from_cache;
    const struct stream_ops *ops;
    size_t object_bytes, object_values; /* stream_bound() of an object; 0: no bound */
    wanted_chooser *wanted;             /* of the objects; NULL: all */
    void *wanted_context;
    kube_protobuf_reader *protobuf; /* NULL: pages are JSON */
    void *context;                  /* for `ops` and the functions below */
    /* Called by kube_list_finish() before a list begins again, so that the caller drops the objects
     * that it took; NULL: they may come twice. */
    void (*restart)(void *context, const struct error *why);
    /* Takes about how many objects there are in all, perhaps several times, if a JSON page holds
     * remainingItemCount. A last page that is not full counts as full. NULL: not wanted. */
    void (*size)(void *context, uint64_t total);
    /* Sets the time, the tries and the budget of a request before it is sent. False with err: the
     * page is not asked for, and the walk fails. NULL: the client's. Only with `answered`. */
    bool (*prepare)(void *context, struct kube_request *request, struct error *err);
    /* Takes note of a page or a failure. `answer` lives until kube_list_take() or
     * kube_list_abandon(), of which the owner has to call one, in this function or later. NULL:
     * kube_list_finish() waits. */
    void (*answered)(void *context, const struct kube_request *answer);
};

/* Reads a whole collection: kube_list_begin and kube_list_finish in one. False with err on failure,
 * with NOT_FOUND when the server does not know the resource. */
bool kube_list(struct kube_client *client, const struct kube_list_options *options,
               struct error *err);

/* A walk under way. */
struct kube_listing;

/* Queues the request for a list's first page and returns at once, so that the first pages of
 * several lists arrive together. Copies `options`. kube_list_finish or kube_list_abandon frees the
 * listing, before the client is freed. NULL: options.prepare returned false. */
struct kube_listing *kube_list_begin(struct kube_client *client,
                                     const struct kube_list_options *options);

/* Reads a list that was begun without options.answered, hands its objects to options->ops and frees
 * the listing. Asks again with fewer objects for a page that is too large to be held. Begins a list
 * again KUBE_LIST_RESTARTS_MAX times at most. False with err on failure, with NOT_FOUND when the
 * server does not know the resource. */
bool kube_list_finish(struct kube_listing *listing, struct error *err);

/* Frees a listing and forgets the page on its way. NULL is fine. May be called by options.answered,
 * but not while kube_list_take() runs. */
void kube_list_abandon(struct kube_listing *listing);

enum kube_listed {
    KUBE_LIST_MORE,  /* the next page is asked for */
    KUBE_LIST_DONE,  /* that was the last page */
    KUBE_LIST_AGAIN, /* the pages are not of one state: the list has to begin again */
    KUBE_LIST_FAILED,
};

/* Takes the response that options.answered reported: hands the page's objects to options->ops, and
 * asks for the next page meanwhile. Moves the engine's other requests forward without calling
 * `done`. AGAIN and FAILED with err. The owner abandons the walk unless it gets MORE. */
enum kube_listed kube_list_take(struct kube_listing *listing, struct error *err);

#endif
