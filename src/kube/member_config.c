/* SPDX-License-Identifier: Apache-2.0
 *
 * A configuration out of a Cluster and its Secret.
 */
#include "ballast/kube/kube_member.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/base/heap.h"
#include "ballast/base/secret.h"
#include "ballast/base/str.h"
#include "ballast/format/value.h"
#include "header.h"
#include "kubeconfig.h"

#define PROXY_HEADERS_MAX 64u

static bool
take_datum(const struct value *data, const char *key, struct secret *ret, struct error *err)
{
    const struct value *datum = value_find(data, key, VALUE_STRING);

    if (datum == NULL || value_string_length(datum) == 0) {
        return error_set(err, ERROR_CONFIG, "data.%s: required", key);
    }
    return secret_from_base64(value_string(datum), value_string_length(datum), ret) ||
           error_set(err, ERROR_CONFIG, "data.%s: this is no base64", key);
}

static bool
take_secret(const struct kube_member *member, const char *text, size_t length,
            struct kube_config *config, struct error *err)
{
    struct error why = ERROR_INIT; /* may quote the text */
    struct document *document = document_parse_json(text, length, 1, &why);

    if (document == NULL) {
        return error_set(err, ERROR_PARSE, "this is no JSON");
    }
    const struct value *data = value_get(document_root(document), "data");
    bool is_fine =
        take_datum(data, "token", &config->token, err) &&
        (member->insecure_skip_tls_verify || take_datum(data, "caBundle", &config->ca, err));

    document_free_wiped(document);
    return is_fine;
}

/* "k: v1,v2" says to a proxy what two headers would. */
static bool
take_proxy(const struct kube_member *member, struct kube_config *config, struct error *err)
{
    const struct label_list *headers = &member->proxy_header;

    if (str_is_empty(member->proxy_url)) {
        return true; /* and nobody to send headers to */
    }
    config->proxy_url = str_print("%s", member->proxy_url);
    if (headers->count > PROXY_HEADERS_MAX) {
        return error_set(err, ERROR_LIMIT, "spec.proxyHeader: more than %u", PROXY_HEADERS_MAX);
    }
    config->proxy_headers = heap_new(headers->count, sizeof(char *));
    for (uint32_t i = 0; i < headers->count; i++) {
        const char *value = headers->items[i].value;

        if (!header_is_name(headers->items[i].key) || !secret_fits_header(value, strlen(value))) {
            return error_set(err, ERROR_CONFIG, "spec.proxyHeader: this cannot be a header");
        }
        config->proxy_headers[config->n_proxy_headers++] =
            str_print("%s: %s", headers->items[i].key, value);
    }
    return true;
}

static char *
copy_or_null(const char *text)
{
    return text != NULL ? str_print("%s", text) : NULL;
}

static void
take_impersonation(const struct kube_config *ours, struct kube_config *config)
{
    config->as = copy_or_null(ours->as);
    config->as_uid = copy_or_null(ours->as_uid);
    config->as_groups = heap_new(ours->n_as_groups, sizeof(char *));
    for (size_t i = 0; i < ours->n_as_groups; i++) {
        config->as_groups[config->n_as_groups++] = copy_or_null(ours->as_groups[i]);
    }
    config->as_extra = heap_new(ours->n_as_extra, sizeof(char *));
    for (size_t i = 0; i < ours->n_as_extra; i++) {
        config->as_extra[config->n_as_extra++] = copy_or_null(ours->as_extra[i]);
    }
}

static bool
fill(const struct kube_member *member, const char *secret, size_t length,
     const struct kube_config *ours, struct kube_config *config, struct error *err)
{
    bool has_scheme = strstr(member->api_endpoint, "://") != NULL;

    config->server = str_print("%s%s", has_scheme ? "" : "https://", member->api_endpoint);
    config->origin = str_print("Cluster %s", member->name);
    config->namespace_ = str_print("default");
    config->insecure_skip_tls_verify = member->insecure_skip_tls_verify;
    take_impersonation(ours, config);
    if (!take_secret(member, secret, length, config, err)) {
        return error_wrap(err, "Secret %s/%s", member->secret_namespace, member->secret_name);
    }
    return take_proxy(member, config, err) && kube_config_check(config, err);
}

struct kube_config *
kube_config_of_member(const struct kube_member *member, const char *secret, size_t length,
                      const struct kube_config *ours, struct error *err)
{
    struct kube_config *config = heap_new(1, sizeof(*config));

    if (!fill(member, secret, length, ours, config, err)) {
        kube_config_free(config);
        return NULL;
    }
    return config;
}
