/* SPDX-License-Identifier: Apache-2.0
 *
 * Sends Events. An Event is worth a few tries and no more: whoever wants to
 * know for sure reads the report.
 */
#include "ballast/kube/kube_event.h"

#include "ballast/base/arena.h"
#include "ballast/base/str.h"
#include "ballast/kube/kube_text.h"
#include "event_record.h"

#define EVENT_TEXT_MAX ((size_t)64 << 10)
#define TRIES 3

static const char *
path_of(struct arena *arena, const struct kube_event *event, bool events_group)
{
    struct buf path;

    buf_init(&path, KUBE_PATH_MAX);
    buf_append_str(&path,
                   events_group ? "/apis/events.k8s.io/v1/namespaces/" : "/api/v1/namespaces/");
    kube_append_segment(&path, event_namespace(event));
    buf_append_str(&path, "/events");
    const char *text = arena_strndup(arena, buf_text(&path), path.length);

    buf_release(&path);
    return text;
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
        .repeatable = true, /* it has a name: a second one is a conflict */
        .max_tries = TRIES,
    };

    buf_release(&body);
    return request;
}

/* Where they are to be sent to is known by the first one's answer. */
struct sending {
    struct kube_client *client;
    const struct kube_event_writer *writer;
    const struct kube_event *events;
    struct kube_request *requests;
    struct arena *arena;
    uint64_t serial;
    bool has_group;
};

static void
prepare(struct sending *sending, uint32_t i)
{
    const struct kube_event *event = &sending->events[i];
    /* of a cluster-wide object: Kubernetes before v1.21 takes those of the group in the namespace
     * kube-system only, and those of core/v1 where kubectl looks for them */
    bool events_group = sending->has_group && !str_is_empty(event->about.namespace_);

    kube_request_release(&sending->requests[i]);
    sending->requests[i] =
        request_of(sending->arena, event, sending->writer, events_group, sending->serial + i);
}

/* The first one of a namespace, alone, as one of the group. Returns which; `count`: there is none.
 */
static uint32_t
try_group(struct sending *sending, uint32_t count)
{
    uint32_t i = 0;

    while (i < count && str_is_empty(sending->events[i].about.namespace_)) {
        i++;
    }
    if (i == count) {
        return count;
    }
    sending->has_group = true;
    prepare(sending, i);
    kube_perform(sending->client, &sending->requests[i], 1);
    if (sending->requests[i].error.code != ERROR_NOT_FOUND) {
        return i;
    }
    sending->has_group = false;
    prepare(sending, i);
    kube_perform(sending->client, &sending->requests[i], 1);
    return i;
}

static void
send_others(struct sending *sending, uint32_t count, uint32_t sent)
{
    for (uint32_t i = 0; i < count; i++) {
        if (i != sent) {
            prepare(sending, i);
        }
    }
    kube_perform(sending->client, sending->requests, sent);
    if (sent < count) {
        kube_perform(sending->client, sending->requests + sent + 1, count - sent - 1);
    }
}

uint32_t
kube_events_write(struct kube_client *client, const struct kube_event_writer *writer,
                  const struct kube_event *events, uint32_t count, struct error *err)
{
    struct arena *arena = arena_new();
    struct sending sending = {
        .client = client,
        .writer = writer,
        .events = events,
        .requests = ARENA_ARRAY(arena, struct kube_request, count),
        .arena = arena,
        .serial = (uint64_t)writer->clock.wall(writer->clock.context),
    };
    uint32_t written = 0;
    bool failed = false;

    send_others(&sending, count, try_group(&sending, count));
    for (uint32_t i = 0; i < count; i++) {
        struct kube_request *request = &sending.requests[i];
        /* a conflict is the answer to a repetition: the first one is there */
        bool done = request->error.code == ERROR_NONE ||
                    (request->error.code == ERROR_CONFLICT && request->tries > 1);

        written += done ? 1 : 0;
        if (!done && !failed) {
            *err = request->error;
            failed = true;
        }
        kube_request_release(request);
    }
    arena_free(arena);
    return written;
}
