/* SPDX-License-Identifier: Apache-2.0
 *
 * Several clients (other servers, other identities) driven side by side: they
 * share one engine, and with it connections and a bound on what is in flight;
 * rate limit, deadline and identity stay each client's own. One thread drives.
 */
#ifndef BALLAST_KUBE_KUBE_ENGINE_H
#define BALLAST_KUBE_KUBE_ENGINE_H

#include "ballast/kube/kube_client.h"

/* At most so many requests of all its clients are in flight. A client is attached to it by its
 * options, and freed before it. */
struct kube_engine *kube_engine_new(uint32_t concurrency);
void kube_engine_free(struct kube_engine *engine); /* NULL is fine */

/* The request has its outcome; it is the caller's again. May start others, may not free a client.
 */
typedef void kube_done(void *context, struct kube_request *request);

/* Queues a request, which must live until `done` is called: once, out of whatever drives the engine
 * (kube_engine_run, kube_perform, kube_list) and never out of this call. Not called when the client
 * is freed before. */
void kube_start(struct kube_client *client, struct kube_request *request, kube_done *done,
                void *context);

/* Forgets a request that was started and has not been told of: nobody waits for its answer any
 * more, and `done` is not called. */
void kube_forget(struct kube_client *client, struct kube_request *request);

/* Drives all clients of the engine until no request is left, those included that are started
 * meanwhile. */
void kube_engine_run(struct kube_engine *engine);
/* Moves what is under way a bit forward, without waiting and without telling anyone: for who is
 * busy with an answer while the next ones come. */
void kube_engine_poll(struct kube_engine *engine);

#endif
