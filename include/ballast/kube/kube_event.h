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
    struct kube_event_subject about;
};

struct kube_event_writer {
    struct clock clock;
    const char *instance; /* who reports: the run */
};

/* Writes them, as many at a time as the client allows. Returns how many were written; err is the
 * first failure when that is not all. */
uint32_t kube_events_write(struct kube_client *client, const struct kube_event_writer *writer,
                           const struct kube_event *events, uint32_t count, struct error *err);

#endif
