/* SPDX-License-Identifier: Apache-2.0
 *
 * The spans of one trace, and the request that an OTLP/HTTP collector is sent
 * them in: opentelemetry-proto's ExportTraceServiceRequest in JSON as OTLP 1.x
 * spells it (ids in hex, 64-bit numbers as strings, names in camelCase, enums as
 * numbers).
 *
 * A span is added once it is over, and kept as its text: so many, and so many
 * bytes, and no more. Those over that are counted. Threads may share it.
 */
#ifndef BALLAST_OTLP_SPANS_H
#define BALLAST_OTLP_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ballast/base/buf.h"

#define OTLP_SPANS_MAX 4096u                    /* of them, the last eighth for those that failed */
#define OTLP_REQUEST_MAX ((size_t)8 << 20)      /* bytes of a request */
#define OTLP_TEXT_MAX ((size_t)1024)            /* bytes of one name, value or message: then cut */
#define OTLP_TRACE_ID_SIZE (2 * (size_t)16 + 1) /* in hex, with the NUL */

enum otlp_kind { OTLP_INTERNAL = 1, OTLP_CLIENT = 3 };

struct otlp_attribute {
    const char *key;
    const char *text; /* NULL: it is the number */
    int64_t number;
};

struct otlp_span {
    uint64_t id, parent; /* parent 0: it has none */
    const char *name;
    enum otlp_kind kind;
    int64_t begun, ended; /* nanoseconds since the epoch */
    const struct otlp_attribute *attributes;
    size_t n_attributes;
    const char *failure; /* what went wrong; NULL: nothing that is known of */
    bool is_frame;       /* others have it as their parent: kept, however many there are */
};

struct otlp_spans;

/* `trace` is its id in hex; `seed` is 64 random bits, which make the spans' ids. */
struct otlp_spans *otlp_spans_new(const char *trace, uint64_t seed);
void otlp_spans_free(struct otlp_spans *spans); /* NULL is fine */

uint64_t otlp_spans_next_id(struct otlp_spans *spans); /* never 0 */
void otlp_spans_add(struct otlp_spans *spans, const struct otlp_span *span);
uint64_t otlp_spans_dropped(struct otlp_spans *spans);

/* Who tells of them. */
struct otlp_source {
    const char *version;                   /* of Ballast */
    const struct otlp_attribute *resource; /* its attributes */
    size_t n_resource;
};
/* Appends the request; `out` has room for OTLP_REQUEST_MAX. */
void otlp_spans_write(struct otlp_spans *spans, const struct otlp_source *source, struct buf *out);

#endif
