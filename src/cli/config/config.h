/* SPDX-License-Identifier: Apache-2.0
 *
 * The configuration file: `apiVersion: ballast.io/v1beta1, kind:
 * BallastConfiguration`, or of an older apiVersion. One table of keys is what reading and the
 * reference (docs/configuration.md) follow. An unknown key or a bad value is an error with file,
 * line and column.
 */
#ifndef BALLAST_CLI_CONFIG_H
#define BALLAST_CLI_CONFIG_H

#include <stdio.h>

#include "ballast/base/arena.h"
#include "ballast/base/buf.h"
#include "ballast/base/error.h"
#include "ballast/base/str.h"
#include "ballast/model/policy.h"

#define CONFIG_API_VERSION "ballast.io/v1beta1"
#define CONFIG_OLDER_API_VERSION "ballast.io/v1alpha1" /* read until 2.0.0 */
/* With the file, twice. */
#define CONFIG_IS_OLDER                                                                            \
    "%s: " CONFIG_OLDER_API_VERSION                                                                \
    " is deprecated, and read until version 2.0.0; ballast config "                                \
    "convert %s prints it in " CONFIG_API_VERSION
#define CONFIG_KIND "BallastConfiguration"
#define CONFIG_FILE_MAX (4u << 20) /* bytes */

/* Reads a file ("-": standard input) over what `policy` holds. Errors: "FILE:LINE:COLUMN: path:
 * what is wrong". What the policy points to is in `arena`. On failure the policy may be half
 * changed. *ret_is_older: it is of the older apiVersion; NULL: nobody asks. */
bool config_load(const char *file, struct arena *arena, struct interner *strings,
                 struct policy *policy, bool *ret_is_older, struct error *err);

/* The same for a text in memory. */
struct config_text {
    const char *file; /* for messages */
    const char *text;
    size_t length;
};
bool config_parse(const struct config_text *text, struct arena *arena, struct interner *strings,
                  struct policy *policy, bool *ret_is_older, struct error *err);

/* Appends the same configuration in the newest apiVersion: every other byte stays as it is. */
bool config_to_newest(const struct config_text *text, struct arena *arena, struct interner *strings,
                      struct buf *out, struct error *err);
bool config_load_newest(const char *file, struct arena *arena, struct interner *strings,
                        struct buf *out, struct error *err);

/* Prints the JSON Schema that a configuration is to fit. What it cannot say stands in
 * docs/configuration.md. */
void config_schema(FILE *stream);

#endif
