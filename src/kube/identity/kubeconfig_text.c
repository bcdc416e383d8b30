/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes paths, queries and times in the form that an API server wants.
 */
#include "ballast/base/wide.h"
#include "ballast/kube/kube_text.h"

#include <stdio.h>
#include <string.h>

#include "ballast/http/http.h"

void
kube_append_segment(struct buf *path, const char *text)
{
    /* URL normalizers remove the segments "." and "..", even escaped */
    if (strspn(text, ".") < strlen(text)) {
        http_append_escaped(path, text);
        return;
    }
    for (const char *c = text; *c != '\0'; c++) {
        buf_append_str(path, "%2E");
    }
    buf_append_str(path, "%00"); /* names no object */
}

void
kube_append_path(struct buf *path, const struct kube_place *place)
{
    buf_append_str(path, place->api);
    if (place->namespace_ != NULL) {
        buf_append_str(path, "/namespaces/");
        kube_append_segment(path, place->namespace_);
    }
    buf_append_char(path, '/');
    kube_append_segment(path, place->plural);
    if (place->name != NULL) {
        buf_append_char(path, '/');
        kube_append_segment(path, place->name);
    }
}

static const char *
keep(struct arena *arena, struct buf *text)
{
    const char *kept = arena_strndup(arena, buf_text(text), text->length);

    buf_release(text);
    return kept;
}

const char *
kube_path(struct arena *arena, const struct kube_place *place)
{
    struct buf path;

    buf_init(&path, KUBE_PATH_MAX);
    kube_append_path(&path, place);
    return keep(arena, &path);
}

const char *
kube_label_query(struct arena *arena, const char *selector)
{
    struct buf query;

    buf_init(&query, KUBE_PATH_MAX);
    buf_append_str(&query, "&labelSelector=");
    kube_append_segment(&query, selector);
    return keep(arena, &query);
}

const char *
kube_micro_time(int64_t nanos, char buffer[TIMESTAMP_TEXT_MAX])
{
    int64_t fraction = nanos % NANOS_PER_SECOND;

    fraction += fraction < 0 ? NANOS_PER_SECOND : 0;
    timestamp_format(nanos - fraction, buffer);
    size_t length = strlen(buffer);

    if (length > 0 && buffer[length - 1] == 'Z') {
        snprintf(buffer + length - 1, TIMESTAMP_TEXT_MAX - length + 1, ".%06dZ",
                 pin_int32(fraction / 1000));
    }
    return buffer;
}
