/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the address of a cluster's estimator (pkg/estimator/client/service.go and pkg/util/names of
 * Karmada). Only characters of host names pass, as the address becomes part of a URL.
 */
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/base/wide.h"
#include "ballast/estimator/estimator_client.h"

#define HOST_MAX 253
#define PORT_MAX 65535

const char *
estimator_service_name(struct arena *arena, const struct estimator_naming *naming,
                       const char *cluster)
{
    return arena_printf(arena, "%s-%s", naming->prefix, cluster);
}

/* True for the characters of a DNS name or an IP address. */
static bool
is_host(const char *host)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._:";
    size_t length = strlen(host);

    return length > 0 && length <= HOST_MAX && strspn(host, allowed) == length;
}

/* Quotes the unusable text, made safe to show. */
static bool
fail_with(struct error *err, const char *before, const char *shown, const char *after)
{
    struct buf text;

    buf_init(&text, (size_t)2 * ERROR_MESSAGE_MAX); /* error_set marks the cut */
    text_append_line(&text, shown);
    error_set(err, ERROR_INVALID, "%s\"%s\"%s", before, buf_text(&text), after);
    buf_release(&text);
    return false;
}

static bool
add_host(struct arena *arena, struct estimator_address *address, const char *host, int64_t port,
         struct error *err)
{
    bool is_ipv6 = strchr(host, ':') != NULL;

    if (!is_host(host)) {
        return fail_with(err, "", host, " is no host name");
    }
    if (port < 1 || port > PORT_MAX) {
        return error_set(err, ERROR_INVALID, "%lld is no port", (long long)port);
    }
    address->hosts[address->count++] = arena_printf(arena, "%s%s%s:%d", is_ipv6 ? "[" : "", host,
                                                    is_ipv6 ? "]" : "", pin_int32(port));
    return true;
}

/* Implements findServicePort: the first entry with this number. */
static const struct value *
find_port(const struct value *spec, int64_t port)
{
    const struct value *ports = value_find(spec, "ports", VALUE_LIST);

    for (size_t i = 0; i < value_count(ports); i++) {
        const struct value *number = value_find(value_at(ports, i), "port", VALUE_INTEGER);

        if (number != NULL && value_integer(number) == port) {
            return value_at(ports, i);
        }
    }
    return NULL;
}

static bool
add_external_name(struct arena *arena, const struct value *service, int32_t port,
                  struct estimator_address *ret, struct error *err)
{
    const struct value *spec = value_get(service, "spec");
    const char *type = value_text(spec, "type");

    if (!str_eq(type, "ExternalName")) {
        return fail_with(err, "want type ExternalName, got ",
                         str_is_empty(type) ? "ClusterIP" : type, "");
    }
    const struct value *entry = find_port(spec, port);

    if (entry == NULL) {
        return error_set(err, ERROR_INVALID, "it has no port %d", (int)port);
    }
    const struct value *target = value_get(entry, "targetPort");

    /* an API server fills targetPort in; a manifest may omit it */
    if (target != NULL && value_type(target) != VALUE_INTEGER) {
        return error_set(err, ERROR_INVALID, "targetPort of port %d has to be a number", (int)port);
    }
    return add_host(arena, ret, value_text(spec, "externalName"),
                    target != NULL ? value_integer(target) : port, err);
}

bool
estimator_resolve(struct arena *arena, const struct value *service,
                  const struct estimator_naming *naming, const char *cluster,
                  struct estimator_address *ret, struct error *err)
{
    const char *name = estimator_service_name(arena, naming, cluster);

    *ret = (struct estimator_address){.count = 0};
    if (service != NULL) {
        return add_external_name(arena, service, naming->port, ret, err) ||
               error_wrap(err, "estimator of %s: Service %s/%s", cluster, naming->namespace_, name);
    }
    const char *in_cluster = arena_printf(arena, "%s.%s.svc", name, naming->namespace_);
    const char *with_domain = arena_printf(arena, "%s.cluster.local", in_cluster);

    return (add_host(arena, ret, with_domain, naming->port, err) &&
            add_host(arena, ret, in_cluster, naming->port, err)) ||
           error_wrap(err, "estimator of %s", cluster);
}
