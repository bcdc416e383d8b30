/* SPDX-License-Identifier: Apache-2.0
 *
 * The values of a configuration that are in force, and where each comes from.
 */
#ifndef BALLAST_CLI_CONFIG_VALUES_H
#define BALLAST_CLI_CONFIG_VALUES_H

#include "cli/options/options.h"
#include "config.h"

struct config_value {
    const char *path; /* "thresholds.failed" */
    const char *text; /* as it was given, or the default; "": not set */
    const char *from; /* "--mode", "ballast.yaml:7", "default" */
};

/* Lists all keys in the order of the reference, in `arena`: by the flags of a command line (they
 * win), a valid configuration (NULL: none) and the defaults. */
const struct config_value *config_values(struct arena *arena, const struct command_line *line,
                                         const struct config_text *text, uint32_t *ret_count);

#endif
