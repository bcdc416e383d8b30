/* SPDX-License-Identifier: Apache-2.0
 *
 * How every command reaches the control plane's API server, by the flags.
 */
#include "control_plane_client.h"

#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/wide.h"
#include "version.h"

static const char *
or_null(const char *text)
{
    return str_is_empty(text) ? NULL : text;
}

struct kube_config_options
control_plane_config(const struct cli *cli, const struct control_plane_settings *settings)
{
    return (struct kube_config_options){
        .kubeconfig = or_null(settings->kubeconfig),
        .context = or_null(settings->context),
        .getenv = cli->getenv,
    };
}

struct kube_client_options
control_plane_client(const struct cli *cli, const struct control_plane_settings *settings)
{
    return (struct kube_client_options){
        .qps = settings->qps,
        .burst = pin_int32(settings->burst),
        .request_timeout = settings->request_timeout,
        .concurrency = settings->concurrency,
        .user_agent = "ballast/" BALLAST_VERSION,
        .clock = cli->clock,
        .stop = cli->stop,
    };
}

bool
control_plane_explain(const struct kube_config *config, struct error *err)
{
    const bool is_in_cluster = str_is_empty(config->context);
    const bool has_others = !is_in_cluster && strchr(config->contexts, ',') != NULL;

    if (err->code != ERROR_UNAVAILABLE && err->code != ERROR_DEADLINE) {
        return false;
    }
    return error_wrap(
        err, "nobody answers at %s, %s%s%s%s%s", config->server,
        is_in_cluster ? "the API server of the cluster that this pod runs in" : "the server of ",
        is_in_cluster ? "" : config->origin, has_others ? " (contexts for --context: " : "",
        has_others ? config->contexts : "", has_others ? ")" : "");
}
