/* SPDX-License-Identifier: Apache-2.0
 *
 * Events, as kubectl describe shows them: events.k8s.io/v1 where it is served,
 * else core/v1; always so of cluster-wide objects.
 */
#ifndef BALLAST_KUBE_KUBE_EVENT_H
#define BALLAST_KUBE_KUBE_EVENT_H

#include "ballast/kube/kube_client.h"

/* What an Event is about. */
struct kube_event_subject {
    const char *api_version, *kind, *namespace_, *name, *uid; /* a namespace of "" is a cluster-wide
                                                                 object's */
};

struct kube_event {
    bool warning;
    const char *reason;
    const char *message; /* cut where it is longer than an Event may be */
    uint32_t count;      /* how many alike it stands for, a series; 0 and 1: itself */
    struct kube_event_subject about;
};

struct kube_event_writer {
    struct clock clock;
    const char *instance; /* who reports: the run */
};

/* Events on their way: they are sent while whoever uses the client's engine waits for something
 * else, as many at a time as the client allows. */
struct kube_events;
/* The client, and what `writer` points to, outlive it. */
struct kube_events *kube_events_open(struct kube_client *client,
                                     const struct kube_event_writer *writer);
/* Texts are the caller's, until the end. */
void kube_events_send(struct kube_events *events, const struct kube_event *event);
/* Waits for those under way, `most` nanoseconds at most (0: the client's deadline alone), and frees
 * it. Returns how many were written of *ret_sent; err is the first failure where that is not all.
 */
uint32_t kube_events_close(struct kube_events *events, int64_t most, uint32_t *ret_sent,
                           struct error *err);

#endif
