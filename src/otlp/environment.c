/* SPDX-License-Identifier: Apache-2.0
 *
 * The variables, and what each of them means.
 */
#include "ballast/otlp/environment.h"
#include "ballast/base/wide.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "ballast/base/heap.h"
#include "ballast/base/secret.h"
#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/base/timestamp.h"
#include "pairs.h"

#define WARNING_MAX 512
#define MS (NANOS_PER_SECOND / 1000)
#define SERVICE "service.name"

static const char *
or_null(const char *value)
{
    return value == NULL || str_is_empty(value) ? NULL : value;
}

/* OTEL_EXPORTER_OTLP_TRACES_X goes before OTEL_EXPORTER_OTLP_X. */
static const char *
look_up(const struct otlp_reader *reader, const char *what, const char **ret_name)
{
    const char *own = arena_printf(reader->arena, "OTEL_EXPORTER_OTLP_TRACES_%s", what);
    const char *of_all = arena_printf(reader->arena, "OTEL_EXPORTER_OTLP_%s", what);
    const char *value = or_null(reader->getenv(own));

    *ret_name = value != NULL ? own : of_all;
    return value != NULL ? value : or_null(reader->getenv(of_all));
}

static void warn(const struct otlp_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void
warn(const struct otlp_reader *reader, const char *format, ...)
{
    char text[WARNING_MAX];
    va_list args;

    va_start(args, format);
    text_vprint(text, sizeof(text), format, args);
    va_end(args);
    reader->warn(reader->context, text);
}

/* ---- whether, and where to ---- */

static bool
is_off(const struct otlp_reader *reader)
{
    const char *disabled = or_null(reader->getenv("OTEL_SDK_DISABLED"));
    const char *exporter = or_null(reader->getenv("OTEL_TRACES_EXPORTER"));

    return (disabled != NULL && strcasecmp(disabled, "true") == 0) ||
           (exporter != NULL && str_eq(exporter, "none"));
}

static const char *
find_url(const struct otlp_reader *reader)
{
    const char *as_is = or_null(reader->getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"));
    const char *base = or_null(reader->getenv("OTEL_EXPORTER_OTLP_ENDPOINT"));

    if (as_is != NULL || base == NULL) {
        return as_is;
    }
    const size_t length = strlen(base);

    return arena_printf(reader->arena, "%s%sv1/traces", base, base[length - 1] == '/' ? "" : "/");
}

/* Whoever takes http/protobuf has to take JSON at the same place; whoever takes grpc has not. */
static bool
may_be_spoken(const struct otlp_reader *reader)
{
    const char *name;
    const char *protocol = look_up(reader, "PROTOCOL", &name);

    if (protocol == NULL || str_eq(protocol, "http/json")) {
        return true;
    }
    const bool is_http = str_eq(protocol, "http/protobuf");

    warn(reader, "%s is %s: only http/json is spoken%s", name, protocol,
         is_http ? ", and that is what is sent" : ", so no trace is sent");
    return is_http;
}

/* ---- how ---- */

static int64_t
read_timeout(const struct otlp_reader *reader)
{
    const char *name;
    const char *text = look_up(reader, "TIMEOUT", &name);
    char *end = NULL;

    if (text == NULL) {
        return OTLP_TIMEOUT;
    }
    errno = 0;
    const long long ms = strtoll(text, &end, 10);

    if (errno != 0 || *end != '\0' || ms <= 0) {
        warn(reader, "%s is \"%s\": want milliseconds, more than none; %d are taken", name, text,
             pin_int32(OTLP_TIMEOUT / MS));
        return OTLP_TIMEOUT;
    }
    return ms > OTLP_TIMEOUT_MAX / MS ? OTLP_TIMEOUT_MAX : ms * MS;
}

static void
read_headers(const struct otlp_reader *reader, struct otlp_settings *ret)
{
    const char *name;
    const char *text = look_up(reader, "HEADERS", &name);
    struct pairs pairs = {.text = text != NULL ? text : ""};
    struct pair pair;

    ret->headers = heap_new(pairs_most(&pairs), sizeof(*ret->headers));
    while (pairs_next(&pairs, &pair)) {
        if (pair.is_bad || !secret_fits_header(pair.value, strlen(pair.value))) {
            warn(reader, "%s: item %zu is no header: want NAME=VALUE, escaped as in a URL", name,
                 pair.number);
            pair_release(&pair);
        } else {
            ret->headers[ret->n_headers++] = (struct otlp_header){pair.key, pair.value};
        }
    }
}

/* ---- who ---- */

/* A later one of the same key goes before. */
static void
set_attribute(struct otlp_settings *ret, const char *key, const char *value)
{
    for (size_t i = 0; i < ret->n_resource; i++) {
        if (str_eq(ret->resource[i].key, key)) {
            ret->resource[i].text = value;
            return;
        }
    }
    ret->resource[ret->n_resource++] = (struct otlp_attribute){.key = key, .text = value};
}

/* As the specification wants it, all of them are dropped where one cannot be read. */
static void
read_attributes(const struct otlp_reader *reader, struct otlp_settings *ret)
{
    const char *text = or_null(reader->getenv("OTEL_RESOURCE_ATTRIBUTES"));
    const size_t before = ret->n_resource;
    struct pairs pairs = {.text = text != NULL ? text : ""};
    struct pair pair;
    size_t bad = 0;

    while (bad == 0 && pairs_next(&pairs, &pair)) {
        if (pair.is_bad || ret->n_resource == OTLP_RESOURCE_MAX) {
            bad = pair.number;
        } else {
            set_attribute(ret, arena_printf(reader->arena, "%s", pair.key),
                          arena_printf(reader->arena, "%s", pair.value));
        }
        pair_release(&pair);
    }
    if (bad > 0) {
        warn(reader,
             "OTEL_RESOURCE_ATTRIBUTES: item %zu is not KEY=VALUE, escaped as in a URL, or one too "
             "many: none of them is sent",
             bad);
        ret->n_resource = before;
        set_attribute(ret, SERVICE, "ballast");
    }
}

static void
read_resource(const struct otlp_reader *reader, struct otlp_settings *ret)
{
    const char *service = or_null(reader->getenv("OTEL_SERVICE_NAME"));

    ret->resource = ARENA_ARRAY(reader->arena, struct otlp_attribute, OTLP_RESOURCE_MAX);
    set_attribute(ret, SERVICE, "ballast");
    read_attributes(reader, ret);
    if (service != NULL) {
        set_attribute(ret, SERVICE, service);
    }
}

/* ---- the trace that this is a part of ---- */

enum { TRACE = 3, SPAN = 36, FLAGS = 53, LENGTH = 55 }; /* where they are in a traceparent */

static bool
has_shape(const char *text)
{
    static const char shape[] = "xx-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx-xxxxxxxxxxxxxxxx-xx";

    for (size_t i = 0; i < LENGTH; i++) {
        const char *may = shape[i] == 'x' ? "0123456789abcdef" : "-";

        if (text[i] == '\0' || strchr(may, text[i]) == NULL) {
            return false;
        }
    }
    return true;
}

static bool
is_zero(const char *text, size_t length)
{
    return strspn(text, "0") >= length;
}

/* "00-TRACE-SPAN-FLAGS"; of later versions, what follows is not known. */
static bool
is_parent(const char *text)
{
    const bool is_first = strncmp(text, "00", 2) == 0;

    return has_shape(text) && strncmp(text, "ff", 2) != 0 && !is_zero(text + TRACE, 32) &&
           !is_zero(text + SPAN, 16) &&
           (text[LENGTH] == '\0' || (text[LENGTH] == '-' && !is_first));
}

/* What is none is ignored. False: it is there, and whoever began it does not record it. */
static bool
read_parent(const struct otlp_reader *reader, struct otlp_settings *ret)
{
    const char *text = or_null(reader->getenv("TRACEPARENT"));

    if (text == NULL || !is_parent(text)) {
        return true;
    }
    memcpy(ret->trace, text + TRACE, 32);
    ret->trace[32] = '\0';
    ret->parent = strtoull(text + SPAN, NULL, 16);
    return (strtoul(text + FLAGS, NULL, 16) & 1) != 0;
}

void
otlp_settings_read(const struct otlp_reader *reader, struct otlp_settings *ret)
{
    const char *name, *url = find_url(reader);

    *ret = (struct otlp_settings){.url = NULL};
    if (url == NULL || is_off(reader) || !read_parent(reader, ret) || !may_be_spoken(reader)) {
        return;
    }
    ret->url = url;
    ret->timeout = read_timeout(reader);
    read_headers(reader, ret);
    ret->ca_file = look_up(reader, "CERTIFICATE", &name);
    ret->certificate_file = look_up(reader, "CLIENT_CERTIFICATE", &name);
    ret->key_file = look_up(reader, "CLIENT_KEY", &name);
    read_resource(reader, ret);
}

void
otlp_settings_release(struct otlp_settings *settings)
{
    for (size_t i = 0; i < settings->n_headers; i++) {
        free(settings->headers[i].name);
        secret_free_text(settings->headers[i].value);
    }
    free(settings->headers);
    settings->headers = NULL;
    settings->n_headers = 0;
}
