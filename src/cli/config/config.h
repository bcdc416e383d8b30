/* SPDX-License-Identifier: Apache-2.0
 *
 * The configuration file: `kind: BallastConfiguration`, `apiVersion: ballast.io/v1beta1` or an
 * older one. The reader and the reference (docs/configuration.md) follow one table of keys. An
 * unknown key or a bad value is an error with file, line and column.
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
#define CONFIG_OLDER_API_VERSION "ballast.io/v1alpha1" /* until 2.0.0 */
/* A warning. Both conversions take the file's name. */
#define CONFIG_IS_OLDER                                                                            \
    "%s: " CONFIG_OLDER_API_VERSION                                                                \
    " is deprecated, and read until version 2.0.0; ballast config "                                \
    "convert %s prints it in " CONFIG_API_VERSION
#define CONFIG_KIND "BallastConfiguration"
#define CONFIG_SHOW "show"         /* the verb of ballast config that takes the flags of a run */
#define CONFIG_FILE_MAX (4u << 20) /* bytes */

struct config_text {
    const char *file; /* for messages */
    const char *text;
    size_t length;
};
/* Reads a file ("-": standard input) into *ret, with its text in `arena`. False with err. */
bool config_read(const char *file, struct arena *arena, struct config_text *ret, struct error *err);
/* Reads a file ("-": standard input) over the values in `policy`, with texts in `arena`. False with
 * err "FILE:LINE:COLUMN: path: message"; the policy may be half changed then. *ret_is_older, unless
 * NULL: true for the older apiVersion. */
bool config_load(const char *file, struct arena *arena, struct interner *strings,
                 struct policy *policy, bool *ret_is_older, struct error *err);
/* Reads a text over the values in `policy`. Errors, memory and *ret_is_older: see config_load. */
bool config_parse(const struct config_text *text, struct arena *arena, struct interner *strings,
                  struct policy *policy, bool *ret_is_older, struct error *err);

/* Appends a configuration in the newest apiVersion; all other bytes stay. False with err: the text
 * is no configuration, or cannot be converted. The appended bytes are void then. */
bool config_to_newest(const struct config_text *text, struct arena *arena, struct interner *strings,
                      struct buf *out, struct error *err);
/* Appends the configuration in a file ("-": standard input), as config_to_newest does. */
bool config_load_newest(const char *file, struct arena *arena, struct interner *strings,
                        struct buf *out, struct error *err);

/* Prints a configuration's JSON Schema. docs/configuration.md has rules that it cannot express. */
void config_schema(FILE *stream);

#endif
