/* SPDX-License-Identifier: Apache-2.0
 *
 * The configuration file: `apiVersion: ballast.io/v1alpha1, kind:
 * BallastConfiguration`. One table of keys is what reading and the reference
 * (docs/configuration.md) follow. An unknown key or a bad value is an error
 * with file, line and column.
 */
#ifndef BALLAST_CLI_CONFIG_H
#define BALLAST_CLI_CONFIG_H

#include <stdio.h>

#include "ballast/base/arena.h"
#include "ballast/base/error.h"
#include "ballast/base/str.h"
#include "ballast/model/policy.h"

#define CONFIG_API_VERSION "ballast.io/v1alpha1"
#define CONFIG_KIND "BallastConfiguration"
#define CONFIG_FILE_MAX (4u << 20) /* bytes */

/* Reads a file ("-": standard input) over what `policy` holds. Errors: "FILE:LINE:COLUMN: path:
 * what is wrong". What the policy points to is in `arena`. On failure the policy may be half
 * changed. */
bool config_load(const char *file, struct arena *arena, struct interner *strings,
                 struct policy *policy, struct error *err);

/* The same for a text in memory. */
struct config_text {
    const char *file; /* for messages */
    const char *text;
    size_t length;
};
bool config_parse(const struct config_text *text, struct arena *arena, struct interner *strings,
                  struct policy *policy, struct error *err);

/* Prints the JSON Schema that a configuration is to fit. What it cannot say stands in
 * docs/configuration.md. */
void config_schema(FILE *stream);

#endif
