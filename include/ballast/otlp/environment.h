/* SPDX-License-Identifier: Apache-2.0
 *
 * What the environment says of traces, by the variables of the OpenTelemetry
 * specification ("Environment Variable Specification", "OpenTelemetry Protocol
 * Exporter"), and of the trace that a run is a part of (W3C Trace Context, whose
 * header has TRACEPARENT for its name there). An empty variable counts as none.
 */
#ifndef BALLAST_OTLP_ENVIRONMENT_H
#define BALLAST_OTLP_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ballast/base/arena.h"
#include "ballast/otlp/spans.h"

#define OTLP_TIMEOUT INT64_C(2000000000)      /* nanoseconds, where nobody says */
#define OTLP_TIMEOUT_MAX INT64_C(10000000000) /* whatever anybody says */

#define OTLP_RESOURCE_MAX 64u /* attributes, service.name among them */

struct otlp_header {
    char *name, *value; /* the value may be a secret */
};

struct otlp_settings {
    const char *url; /* NULL: nothing is to be sent anywhere */
    struct otlp_header *headers;
    size_t n_headers;
    const char *ca_file, *certificate_file, *key_file; /* NULL: none */
    int64_t timeout;                                   /* nanoseconds, at most OTLP_TIMEOUT_MAX */
    struct otlp_attribute *resource;                   /* service.name is the first */
    size_t n_resource;
    char trace[OTLP_TRACE_ID_SIZE]; /* that the caller has begun; "": none */
    uint64_t parent;                /* the caller's span in it */
};

struct otlp_reader {
    struct arena *arena; /* of texts that are no secrets */
    const char *(*getenv)(const char *name);
    /* What is wrong with a variable: one sentence, without its value where that may be secret. */
    void (*warn)(void *context, const char *text);
    void *context;
};

/* Without an endpoint nothing else is looked at. To be released in any case. */
void otlp_settings_read(const struct otlp_reader *reader, struct otlp_settings *ret);
void otlp_settings_release(struct otlp_settings *settings); /* wipes the headers */

#endif
