/* SPDX-License-Identifier: Apache-2.0
 *
 * Drives several clients (other servers, other identities) in one thread. They share connections
 * and a bound on requests in flight. Each keeps its own rate limit, deadline and identity.
 */
#ifndef BALLAST_KUBE_KUBE_ENGINE_H
#define BALLAST_KUBE_KUBE_ENGINE_H

#include "ballast/kube/kube_client.h"

/* Returns an engine that keeps at most `concurrency` requests of all its clients in flight, to be
 * freed with kube_engine_free. kube_client_options.engine attaches a client; free the clients
 * first. */
struct kube_engine *kube_engine_new(uint32_t concurrency);
void kube_engine_free(struct kube_engine *engine); /* NULL is fine */

/* Takes the outcome of a request, which is the caller's again. May start other requests; may not
 * free a client. */
typedef void kube_done(void *context, struct kube_request *request);

/* Queues a request, which must live until `done` is called. The engine calls `done` once while it
 * is driven (kube_engine_run, kube_perform, kube_list), never inside this call. kube_client_free
 * drops the call. */
void kube_start(struct kube_client *client, struct kube_request *request, kube_done *done,
                void *context);

/* Drops a started request without calling its `done`. NULL: all requests of the client. */
void kube_forget(struct kube_client *client, struct kube_request *request);

/* Drives all clients of the engine until no request is left, including requests that start
 * meanwhile. */
void kube_engine_run(struct kube_engine *engine);
/* Moves requests forward without waiting and without calling `done`, for a caller that is busy with
 * one response while others arrive. */
void kube_engine_poll(struct kube_engine *engine);

#endif
