/* SPDX-License-Identifier: Apache-2.0
 *
 * Encodes a WorkloadRebalancer, which asks Karmada to divide workloads anew.
 */
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/format/value_text.h"
#include "ballast/kinds/encode.h"

static void
write_member(struct buf *out, const char *before, const char *name, const char *text)
{
    buf_printf(out, "%s\"%s\":", before, name);
    text_write_string(text, strlen(text), out);
}

void
rebalancer_encode(const struct rebalancer_request *request, struct buf *out)
{
    buf_append_str(out, "{\"apiVersion\":\"" REBALANCER_API_VERSION
                        "\",\"kind\":\"WorkloadRebalancer\",\"metadata\":{");
    if (!str_is_empty(request->name)) {
        write_member(out, "", "name", request->name);
    } else {
        write_member(out, "", "generateName", "ballast-");
    }
    buf_append_str(out, "},\"spec\":{\"workloads\":[");
    for (uint32_t i = 0; i < request->n_bindings; i++) {
        const struct object_reference *of = &request->bindings[i]->resource;

        write_member(out, i == 0 ? "{" : ",{", "apiVersion", of->api_version);
        write_member(out, ",", "kind", of->kind);
        if (!str_is_empty(of->namespace_)) {
            write_member(out, ",", "namespace", of->namespace_);
        }
        write_member(out, ",", "name", of->name);
        buf_append_char(out, '}');
    }
    buf_append_char(out, ']');
    if (request->ttl >= 0) {
        buf_printf(out, ",\"ttlSecondsAfterFinished\":%lld",
                   (long long)(request->ttl / NANOS_PER_SECOND));
    }
    buf_append_str(out, "}}");
}
