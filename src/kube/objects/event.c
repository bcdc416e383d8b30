/* SPDX-License-Identifier: Apache-2.0
 *
 * Sends Events while the caller drives the engine for other requests. Each Event gets few tries, as
 * the report is the reliable record.
 */
#include "ballast/kube/kube_event.h"

#include <stdlib.h>

#include "ballast/base/arena.h"
#include "ballast/base/heap.h"
#include "ballast/base/str.h"
#include "ballast/kube/kube_text.h"
#include "event_record.h"
#include "kube/request/client_state.h"

#define EVENT_TEXT_MAX ((size_t)64 << 10)
#define TRIES 3

static const char *
path_of(struct arena *arena, const struct kube_event *event, bool events_group)
{
    return kube_path(arena, &(struct kube_place){
                                .api = events_group ? "/apis/events.k8s.io/v1" : "/api/v1",
                                .namespace_ = event_namespace(event),
                                .plural = "events",
                            });
}

static struct kube_request
request_of(struct arena *arena, const struct kube_event *event,
           const struct kube_event_writer *writer, bool events_group, uint64_t serial)
{
    struct buf body;

    buf_init(&body, EVENT_TEXT_MAX);
    event_write(event, writer, events_group, writer->clock.wall(writer->clock.context), serial,
                &body);
    struct kube_request request = {
        .method = KUBE_POST,
        .path = path_of(arena, event, events_group),
        .query = "fieldManager=ballast",
        .body = arena_strndup(arena, buf_text(&body), body.length),
        .body_length = body.length,
        .repeatable = true, /* named, so a second one is a conflict */
        .max_tries = TRIES,
    };

    buf_release(&body);
    return request;
}

/* State of events.k8s.io/v1, known by the response to the first namespaced Event. */
enum group { GROUP_UNKNOWN, GROUP_ASKED, GROUP_SERVED, GROUP_ABSENT };

/* An Event under way, or waiting for the first Event's response. */
struct sent_event {
    struct kube_events *events;
    struct sent_event *next; /* next Event that waits */
    struct arena *arena;     /* owns the request's texts */
    struct kube_event event;
    struct kube_request request;
    uint64_t serial;
    bool is_first; /* its response decides the group of the others */
};

struct kube_events {
    struct kube_client *client;
    struct kube_event_writer writer;
    enum group group;
    struct sent_event *waiting, **last; /* oldest first */
    uint64_t serial;
    uint32_t n_sent, n_open, n_written;
    bool has_failed;
    struct error first_error;
};

static void on_answer(void *context, struct kube_request *request);

static void
start(struct sent_event *sent, bool events_group)
{
    const struct kube_events *events = sent->events;

    arena_reset(sent->arena);
    sent->request =
        request_of(sent->arena, &sent->event, &events->writer, events_group, sent->serial);
    kube_start(events->client, &sent->request, on_answer, sent);
}

static void
start_waiting(struct kube_events *events)
{
    struct sent_event *next;

    for (struct sent_event *sent = events->waiting; sent != NULL; sent = next) {
        next = sent->next;
        start(sent, events->group == GROUP_SERVED);
    }
    events->waiting = NULL;
    events->last = &events->waiting;
}

static void
free_sent(struct sent_event *sent)
{
    kube_request_release(&sent->request);
    arena_free(sent->arena);
    free(sent);
}

/* A conflict on a repetition means that the first try created the Event. */
static void
note_written(struct kube_events *events, const struct kube_request *request)
{
    bool done = request->error.code == ERROR_NONE ||
                (request->error.code == ERROR_CONFLICT && request->tries > 1);

    events->n_open--;
    events->n_written += done ? 1 : 0;
    if (!done && !events->has_failed) {
        events->first_error = request->error;
        events->has_failed = true;
    }
}

static void
on_answer(void *context, struct kube_request *request)
{
    struct sent_event *sent = context;
    struct kube_events *events = sent->events;

    if (sent->is_first) {
        bool is_absent = request->error.code == ERROR_NOT_FOUND;

        sent->is_first = false;
        events->group = is_absent ? GROUP_ABSENT : GROUP_SERVED;
        if (is_absent) {
            kube_request_release(request);
            start(sent, false);
        }
        start_waiting(events);
        if (is_absent) {
            return;
        }
    }
    note_written(events, request);
    free_sent(sent);
}

struct kube_events *
kube_events_open(struct kube_client *client, const struct kube_event_writer *writer)
{
    struct kube_events *events = heap_new(1, sizeof(*events));

    events->client = client;
    events->writer = *writer;
    events->last = &events->waiting;
    events->serial = (uint64_t)writer->clock.wall(writer->clock.context);
    return events;
}

/* True for cluster-wide objects. Kubernetes before 1.21 accepts their Events in events.k8s.io only
 * in the namespace kube-system, but in core/v1 where kubectl looks for them. */
static bool
goes_to_core(const struct kube_event *event)
{
    return str_is_empty(event->about.namespace_);
}

void
kube_events_send(struct kube_events *events, const struct kube_event *event)
{
    struct sent_event *sent = heap_new(1, sizeof(*sent));

    sent->events = events;
    sent->arena = arena_new();
    sent->event = *event;
    sent->serial = events->serial + events->n_sent++;
    events->n_open++;
    if (goes_to_core(event) || events->group == GROUP_ABSENT) {
        start(sent, false);
    } else if (events->group == GROUP_ASKED) {
        *events->last = sent;
        events->last = &sent->next;
    } else {
        sent->is_first = events->group == GROUP_UNKNOWN;
        events->group = sent->is_first ? GROUP_ASKED : events->group;
        start(sent, true);
    }
}

uint32_t
kube_events_close(struct kube_events *events, int64_t most, uint32_t *ret_sent, struct error *err)
{
    uint32_t written;

    if (most > 0) {
        client_set_deadline(events->client, most);
    }
    client_hurry(events->client);
    while (events->n_open > 0) {
        client_step(events->client, true);
    }
    if (events->has_failed) {
        *err = events->first_error;
    }
    *ret_sent = events->n_sent;
    written = events->n_written;
    free(events);
    return written;
}
