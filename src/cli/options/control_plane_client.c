/* SPDX-License-Identifier: Apache-2.0
 *
 * How every command reaches the control plane's API server, by the flags.
 */
#include "control_plane_client.h"

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
