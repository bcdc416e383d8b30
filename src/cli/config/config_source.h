/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a configuration comes from: a file, standard input, or a ConfigMap.
 */
#ifndef BALLAST_CLI_CONFIG_SOURCE_H
#define BALLAST_CLI_CONFIG_SOURCE_H

#include "ballast/cli/cli.h"
#include "cli/options/settings.h"
#include "config.h"

#define CONFIG_KEY_IN_CONFIGMAP "ballast.yaml" /* as in cronjob/base */

/* Reads the configuration that settings->config_file names into *ret, in `arena`. Reads a
 * ConfigMap, "configmap:NAMESPACE/NAME", from the API server of --config-context, else from that of
 * the control plane. False with err. */
bool config_obtain(const struct cli *cli, const struct settings *settings, struct arena *arena,
                   struct config_text *ret, struct error *err);

#endif
