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

const char *
control_plane_others(const struct kube_config *config)
{
    const bool has_others = !str_is_empty(config->context) && strchr(config->contexts, ',') != NULL;

    return has_others ? config->contexts : "";
}

void
control_plane_append_name(const struct kube_config *config, struct buf *out)
{
    const bool is_in_cluster = str_is_empty(config->context);

    buf_printf(out, "%s, %s%s", config->server,
               is_in_cluster ? "the API server of the cluster that this pod runs in"
                             : "the server of ",
               is_in_cluster ? "" : config->origin);
}

bool
control_plane_wrap_error(const struct kube_config *config, struct error *err)
{
    const char *others = control_plane_others(config);
    struct buf name;

    if (err->code != ERROR_UNAVAILABLE && err->code != ERROR_DEADLINE) {
        return false;
    }
    buf_init(&name, ERROR_MESSAGE_MAX);
    control_plane_append_name(config, &name);
    error_wrap(err, "nobody answers at %s%s%s%s", buf_text(&name),
               str_is_empty(others) ? "" : " (contexts for --context: ", others,
               str_is_empty(others) ? "" : ")");
    buf_release(&name);
    return false;
}
