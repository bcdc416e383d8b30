/* SPDX-License-Identifier: Apache-2.0
 *
 * The configuration's file.
 */
#include "ballast/base/secret.h"
#include "config.h"

bool
config_load(const char *file, struct arena *arena, struct interner *strings, struct policy *policy,
            struct error *err)
{
    struct secret text = {0};
    const bool is_input = str_eq(file, "-");

    if (!secret_read_file(is_input ? "/dev/stdin" : file, CONFIG_FILE_MAX, &text, err)) {
        err->code = err->code == ERROR_LIMIT ? ERROR_CONFIG : err->code;
        return false;
    }
    const char *name = is_input ? "standard input" : file;
    bool ok = config_parse(&(struct config_text){name, text.data, text.length}, arena, strings,
                           policy, err);

    secret_wipe(&text);
    return ok;
}
