/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds a configuration from a Cluster or KubeFedCluster and its Secret.
 */
#include "ballast/kube/kube_member.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/base/heap.h"
#include "ballast/base/secret.h"
#include "ballast/base/str.h"
#include "ballast/format/value.h"
#include "ballast/http/http.h"
#include "kube/identity/kubeconfig.h"

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
    struct error why = ERROR_INIT; /* not shown: may quote the Secret */
    struct document *document = document_parse_json(text, length, 1, &why);

    if (document == NULL) {
        return error_set(err, ERROR_PARSE, "this is no JSON");
    }
    const struct value *data = value_get(document_root(document), "data");
    bool has_no_ca = config->insecure_skip_tls_verify || member->ca_bundle != NULL;
    bool is_fine = take_datum(data, "token", &config->token, err) &&
                   (has_no_ca || take_datum(data, "caBundle", &config->ca, err));

    document_free_wiped(document);
    return is_fine;
}

/* A proxy reads several values joined with commas like several headers. */
static bool
take_proxy(const struct kube_member *member, struct kube_config *config, struct error *err)
{
    const struct label_list *headers = &member->proxy_header;

    if (str_is_empty(member->proxy_url)) {
        return true; /* headers are for the proxy only */
    }
    config->proxy_url = str_print("%s", member->proxy_url);
    if (headers->count > PROXY_HEADERS_MAX) {
        return error_set(err, ERROR_LIMIT, "spec.proxyHeader: more than %u", PROXY_HEADERS_MAX);
    }
    config->proxy_headers = heap_new(headers->count, sizeof(char *));
    for (uint32_t i = 0; i < headers->count; i++) {
        const char *value = headers->items[i].value;

        if (!http_header_is_name(headers->items[i].key) ||
            !secret_fits_header(value, strlen(value))) {
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

enum { VALIDATION_ALL, VALIDATION_NAME, VALIDATION_DATES, N_VALIDATIONS };

static const char *const validations[N_VALIDATIONS] = {
    [VALIDATION_ALL] = "*",
    [VALIDATION_NAME] = "SubjectName",
    [VALIDATION_DATES] = "ValidityPeriod",
};

static bool
is_disabled(const struct kube_member *member, int validation)
{
    return str_list_has(&member->disabled_validations, validations[validation]);
}

/* Refuses an unknown name: Ballast would verify more or less than the spec asks. */
static bool
take_validations(const struct kube_member *member, struct kube_config *config, struct error *err)
{
    for (uint32_t i = 0; i < member->disabled_validations.count; i++) {
        const char *name = member->disabled_validations.items[i];
        bool is_known = false;

        for (int known = 0; known < N_VALIDATIONS; known++) {
            is_known |= str_eq(name, validations[known]);
        }
        if (!is_known) {
            return error_set(err, ERROR_CONFIG,
                             "spec.disabledTLSValidations: want *, SubjectName or ValidityPeriod, "
                             "got \"%s\"",
                             name);
        }
    }
    config->insecure_skip_tls_verify |= is_disabled(member, VALIDATION_ALL);
    config->skip_subject_name = is_disabled(member, VALIDATION_NAME);
    config->skip_validity_period = is_disabled(member, VALIDATION_DATES);
    return true;
}

static bool
take_own_ca(const struct kube_member *member, struct kube_config *config, struct error *err)
{
    const char *ca = member->ca_bundle;

    if (config->insecure_skip_tls_verify || ca == NULL || str_is_empty(ca)) {
        return true;
    }
    return secret_from_base64(ca, strlen(ca), &config->ca) ||
           error_set(err, ERROR_CONFIG, "spec.caBundle: this is no base64");
}

/* Without SubjectName and a CA of its own, a member accepts any publicly trusted certificate. */
const char *
kube_member_weakness(const struct kube_member *member)
{
    if (member->insecure_skip_tls_verify) {
        return "insecureSkipTLSVerification";
    }
    if (is_disabled(member, VALIDATION_ALL)) {
        return "* in disabledTLSValidations";
    }
    if (is_disabled(member, VALIDATION_NAME) && member->ca_bundle != NULL &&
        str_is_empty(member->ca_bundle)) {
        return "SubjectName in disabledTLSValidations and no caBundle";
    }
    return NULL;
}

static bool
fill(const struct kube_member *member, const char *secret, size_t length,
     const struct kube_config *ours, struct kube_config *config, struct error *err)
{
    bool has_scheme = strstr(member->api_endpoint, "://") != NULL;

    config->server = str_print("%s%s", has_scheme ? "" : "https://", member->api_endpoint);
    config->origin = str_print("%s %s", member->kind, member->name);
    config->namespace_ = str_print("default");
    config->insecure_skip_tls_verify = member->insecure_skip_tls_verify;
    take_impersonation(ours, config);
    if (!take_validations(member, config, err) || !take_own_ca(member, config, err)) {
        return false;
    }
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
