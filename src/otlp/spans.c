/* SPDX-License-Identifier: Apache-2.0
 *
 * Spans as text.
 */
#include "ballast/otlp/spans.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "ballast/base/heap.h"
#include "ballast/base/text.h"

#define FAILED_SHARE 8 /* one in so many is room for spans that failed alone */
/* What is kept free for those that always are, and for the source. */
#define FRAME_BYTES ((size_t)1 << 20)
#define BYTES_MAX (OTLP_REQUEST_MAX - 2 * FRAME_BYTES)
#define STATUS_CODE_ERROR 2 /* OTLP's */

struct otlp_spans {
    pthread_mutex_t mutex;
    char trace[OTLP_TRACE_ID_SIZE];
    uint64_t state;  /* of the ids */
    struct buf text; /* of the spans, with commas between them */
    uint32_t count;
    uint64_t dropped;
};

struct otlp_spans *
otlp_spans_new(const char *trace, uint64_t seed)
{
    struct otlp_spans *spans = heap_new(1, sizeof(*spans));

    pthread_mutex_init(&spans->mutex, NULL);
    snprintf(spans->trace, sizeof(spans->trace), "%s", trace);
    spans->state = seed;
    buf_init(&spans->text, OTLP_REQUEST_MAX - FRAME_BYTES);
    return spans;
}

void
otlp_spans_free(struct otlp_spans *spans)
{
    if (spans != NULL) {
        buf_release(&spans->text);
        pthread_mutex_destroy(&spans->mutex);
        free(spans);
    }
}

/* Vigna's SplitMix64: of one seed, it gives no number twice. */
static uint64_t
split_mix(uint64_t *state)
{
    uint64_t bits = (*state += UINT64_C(0x9e3779b97f4a7c15));

    bits = (bits ^ (bits >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    bits = (bits ^ (bits >> 27)) * UINT64_C(0x94d049bb133111eb);
    return bits ^ (bits >> 31);
}

uint64_t
otlp_spans_next_id(struct otlp_spans *spans)
{
    uint64_t id = 0;

    pthread_mutex_lock(&spans->mutex);
    while (id == 0) {
        id = split_mix(&spans->state);
    }
    pthread_mutex_unlock(&spans->mutex);
    return id;
}

static void
append_text(struct buf *out, const char *text)
{
    struct buf cut;

    buf_init(&cut, OTLP_TEXT_MAX);
    text_append_cut(&cut, text, OTLP_TEXT_MAX);
    text_append_quoted(out, buf_text(&cut));
    buf_release(&cut);
}

static void
append_attributes(struct buf *out, const struct otlp_attribute *attributes, size_t count)
{
    buf_append_str(out, "\"attributes\":[");
    for (size_t i = 0; i < count; i++) {
        const struct otlp_attribute *attribute = &attributes[i];

        buf_append_str(out, i > 0 ? ",{\"key\":" : "{\"key\":");
        append_text(out, attribute->key);
        if (attribute->text != NULL) {
            buf_append_str(out, ",\"value\":{\"stringValue\":");
            append_text(out, attribute->text);
        } else {
            buf_printf(out, ",\"value\":{\"intValue\":\"%" PRId64 "\"", attribute->number);
        }
        buf_append_str(out, "}}");
    }
    buf_append_char(out, ']');
}

static void
append_span(struct buf *out, const char *trace, const struct otlp_span *span)
{
    buf_printf(out, "{\"traceId\":\"%s\",\"spanId\":\"%016" PRIx64 "\"", trace, span->id);
    if (span->parent != 0) {
        buf_printf(out, ",\"parentSpanId\":\"%016" PRIx64 "\"", span->parent);
    }
    buf_append_str(out, ",\"name\":");
    append_text(out, span->name);
    buf_printf(out,
               ",\"kind\":%d,\"startTimeUnixNano\":\"%" PRId64 "\",\"endTimeUnixNano\":\"%" PRId64
               "\",",
               (int)span->kind, span->begun, span->ended);
    append_attributes(out, span->attributes, span->n_attributes);
    buf_append_str(out, ",\"status\":{");
    if (span->failure != NULL) {
        buf_printf(out, "\"code\":%d,\"message\":", STATUS_CODE_ERROR);
        append_text(out, span->failure);
    }
    buf_append_str(out, "}}");
}

/* The last of the room is for what says that something went wrong. */
static bool
has_room(const struct otlp_spans *spans, const struct otlp_span *span, size_t bytes)
{
    const uint32_t most =
        span->failure != NULL ? OTLP_SPANS_MAX : OTLP_SPANS_MAX - OTLP_SPANS_MAX / FAILED_SHARE;
    const size_t most_bytes =
        span->failure != NULL ? BYTES_MAX : BYTES_MAX - BYTES_MAX / FAILED_SHARE;
    const size_t length = spans->text.length + bytes + 1;

    return span->is_frame ? length <= spans->text.maximum
                          : spans->count < most && length <= most_bytes;
}

void
otlp_spans_add(struct otlp_spans *spans, const struct otlp_span *span)
{
    struct buf text;

    buf_init(&text, FRAME_BYTES);
    append_span(&text, spans->trace, span);
    pthread_mutex_lock(&spans->mutex);
    if (!text.overflowed && has_room(spans, span, text.length)) {
        if (spans->count > 0) {
            buf_append_char(&spans->text, ',');
        }
        buf_append(&spans->text, buf_text(&text), text.length);
        spans->count++;
    } else {
        spans->dropped++;
    }
    pthread_mutex_unlock(&spans->mutex);
    buf_release(&text);
}

uint64_t
otlp_spans_dropped(struct otlp_spans *spans)
{
    pthread_mutex_lock(&spans->mutex);
    uint64_t dropped = spans->dropped;

    pthread_mutex_unlock(&spans->mutex);
    return dropped;
}

void
otlp_spans_write(struct otlp_spans *spans, const struct otlp_source *source, struct buf *out)
{
    buf_append_str(out, "{\"resourceSpans\":[{\"resource\":{");
    append_attributes(out, source->resource, source->n_resource);
    buf_append_str(out, "},\"scopeSpans\":[{\"scope\":{\"name\":\"ballast\",\"version\":");
    append_text(out, source->version);
    buf_append_str(out, "},\"spans\":[");
    pthread_mutex_lock(&spans->mutex);
    buf_append(out, buf_text(&spans->text), spans->text.length);
    pthread_mutex_unlock(&spans->mutex);
    buf_append_str(out, "]}]}]}");
}
