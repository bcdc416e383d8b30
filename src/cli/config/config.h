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
/* A warning; its two conversions are both the name of the file. */
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

/* A configuration in memory. */
struct config_text {
    const char *file; /* for messages */
    const char *text;
    size_t length;
};
/* Reads a text over what `policy` holds. Errors, memory and *ret_is_older are those of config_load.
 */
bool config_parse(const struct config_text *text, struct arena *arena, struct interner *strings,
                  struct policy *policy, bool *ret_is_older, struct error *err);

/* Appends the configuration of a text in the newest apiVersion: every other byte stays as it is.
 * False with err: the text is no configuration, or cannot be converted; what was appended is void.
 */
bool config_to_newest(const struct config_text *text, struct arena *arena, struct interner *strings,
                      struct buf *out, struct error *err);
/* Appends the configuration in a file ("-": standard input), as config_to_newest does. */
bool config_load_newest(const char *file, struct arena *arena, struct interner *strings,
                        struct buf *out, struct error *err);

/* Prints the JSON Schema that a configuration has to fit. docs/configuration.md has what a schema
 * cannot say. */
void config_schema(FILE *stream);

#endif
