/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes one Event as JSON for either API group, within an API server's length limits.
 */
#include "event_record.h"

#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/kube/kube_text.h"

#define COMPONENT "ballast"
#define MESSAGE_MAX 1024
#define INSTANCE_MAX 128
#define LINE_MAX_BYTES ((size_t)64 << 10)
#define NAME_MAX_BYTES 253
#define SERIAL_DIGITS 16

const char *
event_namespace(const struct kube_event *event)
{
    return str_is_empty(event->about.namespace_) ? "default" : event->about.namespace_;
}

/* Appends a JSON string of at most `most` bytes before escaping. One line without control
 * characters, as older versions of kubectl print it raw. */
static void
write_cut(struct buf *out, const char *text, size_t most)
{
    struct buf line, cut;

    buf_init(&line, LINE_MAX_BYTES);
    buf_init(&cut, most);
    text_append_line(&line, text);
    text_append_cut(&cut, buf_text(&line), most);
    text_append_quoted(out, buf_text(&cut));
    buf_release(&line);
    buf_release(&cut);
}

/* Appends NAME.SERIAL, a valid name even if NAME is cut. */
static void
write_name(const struct kube_event *event, uint64_t serial, struct buf *out)
{
    size_t most = NAME_MAX_BYTES - 1 - SERIAL_DIGITS;
    size_t length = strlen(event->about.name);
    struct buf name;

    length = length < most ? length : most;
    while (length > 0 && strchr(".-", event->about.name[length - 1]) != NULL) {
        length--;
    }
    buf_init(&name, NAME_MAX_BYTES + 1);
    buf_append(&name, event->about.name, length);
    buf_printf(&name, ".%016llx", (unsigned long long)serial);
    text_append_quoted(out, buf_text(&name));
    buf_release(&name);
}

static void
write_reference(const struct kube_event *event, struct buf *out)
{
    buf_append_str(out, "{\"apiVersion\":");
    text_append_quoted(out, event->about.api_version);
    buf_append_str(out, ",\"kind\":");
    text_append_quoted(out, event->about.kind);
    if (!str_is_empty(event->about.namespace_)) {
        buf_append_str(out, ",\"namespace\":");
        text_append_quoted(out, event->about.namespace_);
    }
    buf_append_str(out, ",\"name\":");
    text_append_quoted(out, event->about.name);
    if (!str_is_empty(event->about.uid)) {
        buf_append_str(out, ",\"uid\":");
        text_append_quoted(out, event->about.uid);
    }
    buf_append_char(out, '}');
}

/* A series has at least two Events. */
static void
write_times(const struct kube_event *event, bool events_group, int64_t wall, struct buf *out)
{
    char now[TIMESTAMP_TEXT_MAX];

    if (events_group) {
        kube_micro_time(wall, now);
        buf_printf(out, ",\"eventTime\":\"%s\"", now);
        if (event->count > 1) {
            buf_printf(out, ",\"series\":{\"count\":%u,\"lastObservedTime\":\"%s\"}",
                       (unsigned)event->count, now);
        }
    } else {
        timestamp_format(wall - wall % NANOS_PER_SECOND, now);
        buf_printf(out, ",\"firstTimestamp\":\"%s\",\"lastTimestamp\":\"%s\",\"count\":%u", now,
                   now, event->count > 1 ? (unsigned)event->count : 1U);
    }
}

void
event_write(const struct kube_event *event, const struct kube_event_writer *writer,
            bool events_group, int64_t wall, uint64_t serial, struct buf *out)
{
    buf_printf(out, "{\"apiVersion\":\"%s\",\"kind\":\"Event\",\"metadata\":{\"name\":",
               events_group ? "events.k8s.io/v1" : "v1");
    write_name(event, serial, out);
    buf_append_str(out, ",\"namespace\":");
    text_append_quoted(out, event_namespace(event));
    buf_printf(out, "},\"type\":\"%s\",\"reason\":", event->warning ? "Warning" : "Normal");
    text_append_quoted(out, event->reason);
    buf_append_str(out, events_group ? ",\"regarding\":" : ",\"involvedObject\":");
    write_reference(event, out);
    buf_append_str(out, events_group ? ",\"note\":" : ",\"message\":");
    write_cut(out, event->message, MESSAGE_MAX);
    write_times(event, events_group, wall, out);
    buf_printf(out, ",\"%s\":\"" COMPONENT "\",\"reportingInstance\":",
               events_group ? "reportingController" : "reportingComponent");
    write_cut(out, writer->instance, INSTANCE_MAX);
    if (events_group) {
        buf_append_str(out, ",\"action\":\"Descheduling\"}");
    } else {
        buf_append_str(out, ",\"source\":{\"component\":\"" COMPONENT "\"}}");
    }
}
