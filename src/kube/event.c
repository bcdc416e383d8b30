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

static bool
serves_events_group(struct kube_client *client)
{
    struct kube_request request = {
        .method = KUBE_GET, .path = "/apis/events.k8s.io/v1", .max_tries = TRIES};

    kube_perform(client, &request, 1);
    kube_request_release(&request);
    return request.error.code == ERROR_NONE;
}

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

uint32_t
kube_events_write(struct kube_client *client, const struct kube_event_writer *writer,
                  const struct kube_event *events, uint32_t count, struct error *err)
{
    struct arena *arena = arena_new();
    struct kube_request *requests = ARENA_ARRAY(arena, struct kube_request, count);
    uint64_t serial = (uint64_t)writer->clock.wall(writer->clock.context);
    bool serves_group = count > 0 && serves_events_group(client);
    uint32_t written = 0;
    bool failed = false;

    for (uint32_t i = 0; i < count; i++) {
        /* of a cluster-wide object: Kubernetes before v1.21 takes those of the group in the
         * namespace kube-system only, and those of core/v1 where kubectl looks for them */
        bool events_group = serves_group && !str_is_empty(events[i].about.namespace_);

        requests[i] = request_of(arena, &events[i], writer, events_group, serial + i);
    }
    kube_perform(client, requests, count);
    for (uint32_t i = 0; i < count; i++) {
        /* a conflict is the answer to a repetition: the first one is there */
        bool done = requests[i].error.code == ERROR_NONE ||
                    (requests[i].error.code == ERROR_CONFLICT && requests[i].tries > 1);

        written += done ? 1 : 0;
        if (!done && !failed) {
            *err = requests[i].error;
            failed = true;
        }
        kube_request_release(&requests[i]);
    }
    arena_free(arena);
    return written;
}
