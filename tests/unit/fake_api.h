/* SPDX-License-Identifier: Apache-2.0
 *
 * A small API server on a loopback port: collections of objects, listed in
 * pages, created, deleted, replaced and patched under resourceVersions; and told
 * to fail in some places. A list with resourceVersion=0 comes without pages, as out of
 * a watch cache. Not safe to be called while requests are under way, but for
 * what says so.
 */
#ifndef BALLAST_FAKE_API_H
#define BALLAST_FAKE_API_H

#include <stdbool.h>
#include <stdint.h>

#include "ballast/kube/kube_client.h"

struct fake_api;

struct fake_api *fake_api_start(void);
void fake_api_stop(struct fake_api *api);
const char *fake_api_url(const struct fake_api *api);

/* A collection, at first empty; what is not served is 404. "Pod" gives a "PodList". */
void fake_api_serve(struct fake_api *api, const char *path, const char *api_version,
                    const char *kind);
/* An object, with a resourceVersion of its own. `path` is "COLLECTION/NAME" or that of its
 * namespace. */
void fake_api_put(struct fake_api *api, const char *collection, const char *path, const char *json);
void fake_api_delete(struct fake_api *api, const char *path);
/* Safe at any time. The object as JSON text with sorted keys, "" when there is none; valid until
 * the next call. */
const char *fake_api_get(struct fake_api *api, const char *path);

/* Answers the next `times` requests of a method to a path so; one with a query (and no more than
 * its beginning) is meant of just those. */
void fake_api_fail(struct fake_api *api, const char *method, const char *path, int status,
                   const char *message, unsigned times);
/* Of the next answer about a path only the first half comes. */
void fake_api_cut(struct fake_api *api, const char *path);
/* Merges a patch into an object as somebody else's write, just before the next request of a method
 * to a path is looked at; FAKE_API_WEBHOOK: after each write to the path, as mutating webhooks do.
 */
#define FAKE_API_WEBHOOK "webhook"
void fake_api_interfere(struct fake_api *api, const char *method, const char *path,
                        const char *object_path, const char *patch);

/* What is under a path tells its time so much ahead of ours; all else tells ours. */
void fake_api_clock_offset(struct fake_api *api, const char *prefix, int64_t offset);

/* How many requests of a method ("" for any) went to a path that begins so. */
unsigned fake_api_count(struct fake_api *api, const char *method, const char *prefix);
/* Of the n-th of them (from 0): path and query; its body. NULL when there is none. */
const char *fake_api_target(struct fake_api *api, const char *method, const char *prefix,
                            unsigned n);
const char *fake_api_body(struct fake_api *api, const char *method, const char *prefix, unsigned n);
/* Its request line and headers, likewise. */
const char *fake_api_head(struct fake_api *api, const char *method, const char *prefix, unsigned n);

/* Clocks and options that a client of it can be made with. */
struct clock fake_api_clock(void);
struct kube_client_options fake_api_client_options(void);

#endif
