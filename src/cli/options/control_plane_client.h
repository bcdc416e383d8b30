/* SPDX-License-Identifier: Apache-2.0
 *
 * How every command reaches the control plane's API server, by the flags.
 */
#ifndef BALLAST_CLI_CONTROL_PLANE_CLIENT_H
#define BALLAST_CLI_CONTROL_PLANE_CLIENT_H

#include "ballast/base/buf.h"
#include "ballast/cli/cli.h"
#include "ballast/kube/kube_client.h"
#include "settings.h"

/* Returns which kubeconfig and context to load. The settings must outlive it. */
struct kube_config_options control_plane_config(const struct cli *cli,
                                                const struct control_plane_settings *settings);
/* Returns the options of a client with the flags' rates and request timeout, which a signal stops.
 * It has no deadline, and max_response_bytes is 0: the caller sets it. */
struct kube_client_options control_plane_client(const struct cli *cli,
                                                const struct control_plane_settings *settings);

/* Returns the contexts of the kubeconfig as a list to choose from; "": there is no other one. */
const char *control_plane_others(const struct kube_config *config);
/* Appends which server it is: "https://x:6443, the server of context "prod" of FILE". */
void control_plane_append_name(const struct kube_config *config, struct buf *out);
/* Puts before the message of `err` which server nobody answered at, from which context, and which
 * other contexts there are. An error that is not of an unreachable server stays. Returns false. */
bool control_plane_wrap_error(const struct kube_config *config, struct error *err);

#endif
