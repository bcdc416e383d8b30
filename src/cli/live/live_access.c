/* SPDX-License-Identifier: Apache-2.0
 *
 * Describes refusals, and the command that asks the server about them.
 */
#include "live_access.h"

#include <stdio.h>
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/base/wide.h"

bool
refused_access_read(const struct error *err, const char *server, struct refused_access *ret)
{
    const struct error_request *request = &err->request;
    size_t length = strlen(server);
    struct kube_access access;

    if ((request->status != 401 && request->status != 403) ||
        strncmp(request->url, server, length) != 0 || request->url[length] != '/' ||
        !kube_access_read(request->method, request->url + length, &access)) {
        return false;
    }
    ret->status = request->status;
    ret->verb = access.verb;
    snprintf(ret->resource, sizeof(ret->resource), "%s%s%s", access.resource,
             str_is_empty(access.name) ? "" : "/", access.name);
    snprintf(ret->namespace_, sizeof(ret->namespace_), "%s", access.namespace_);
    return true;
}

void
kubectl_command(const struct kube_config *config, const char *kubeconfig, struct buf *out)
{
    buf_append_str(out, "kubectl");
    text_append_flag(out, "--kubeconfig", kubeconfig);
    text_append_flag(out, "--context", config->context);
}

void
refused_access_command(const struct refused_access *access, const struct kube_config *config,
                       const char *kubeconfig, struct buf *out)
{
    kubectl_command(config, kubeconfig, out);
    buf_printf(out, " auth can-i %s ", access->verb);
    text_append_word(out, access->resource);
    text_append_flag(out, "-n", access->namespace_);
    const char *slash = config->user != NULL ? strchr(config->user, '/') : NULL;

    if (str_is_empty(config->context) && slash != NULL) { /* the user of kubectl is not the pod */
        buf_printf(out, " --as system:serviceaccount:%.*s:%s", pin_width(slash - config->user),
                   config->user, slash + 1);
    }
}

bool
refused_credential(const struct kube_config *config, struct buf *out)
{
    bool has_token = config->token.data != NULL || config->token_file != NULL;
    bool has_certificate =
        config->client_certificate.data != NULL || config->client_certificate_file != NULL;
    const char *what = config->exec != NULL       ? "what the exec plugin gave"
                       : has_token                ? "the token"
                       : has_certificate          ? "the client certificate"
                       : config->username != NULL ? "the password"
                                                  : NULL;

    buf_printf(out, "%s of user \"%s\"", what != NULL ? what : "a request without any credential",
               config->user != NULL ? config->user : "");
    return what != NULL;
}
