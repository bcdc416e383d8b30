/* SPDX-License-Identifier: Apache-2.0
 *
 * Sends Events, as kubectl describe shows them: to events.k8s.io/v1 where the server has it, else
 * to core/v1. Events about cluster-wide objects always go to core/v1.
 */
#ifndef BALLAST_KUBE_KUBE_EVENT_H
#define BALLAST_KUBE_KUBE_EVENT_H

#include "ballast/kube/kube_client.h"

/* The object that an Event is about. */
struct kube_event_subject {
    const char *api_version, *kind, *namespace_, *name, *uid; /* namespace_ "": cluster-wide */
};

struct kube_event {
    bool warning;
    const char *reason;
    const char *message; /* cut to the length of an Event */
    uint32_t count;      /* occurrences in a series; 0 or 1: a single Event */
    struct kube_event_subject about;
};

struct kube_event_writer {
    struct clock clock;
    const char *instance; /* the reporting run */
};

/* Events under way, which progress while the caller drives the client's engine for other requests.
 * The client's concurrency bounds them. */
struct kube_events;
/* Returns a sender of Events, to be freed with kube_events_close. The client and the texts of
 * `writer` outlive it. */
struct kube_events *kube_events_open(struct kube_client *client,
                                     const struct kube_event_writer *writer);
/* Queues an Event. The caller keeps its texts until kube_events_close. */
void kube_events_send(struct kube_events *events, const struct kube_event *event);
/* Waits for the Events under way, `most` nanoseconds at most (0: the client's deadline), and frees
 * the sender. Returns how many of *ret_sent Events the server took; if not all, err is the first
 * failure. */
uint32_t kube_events_close(struct kube_events *events, int64_t most, uint32_t *ret_sent,
                           struct error *err);

#endif
