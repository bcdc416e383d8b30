/* SPDX-License-Identifier: Apache-2.0
 *
 * The configuration's file.
 */
#include <unistd.h>

#include "ballast/base/secret.h"
#include "config.h"

bool
config_load(const char *file, struct arena *arena, struct interner *strings, struct policy *policy,
            struct error *err)
{
    struct secret text = {0};
    const bool is_input = str_eq(file, "-");
    const char *name = is_input ? "standard input" : file;

    if (is_input ? !secret_read_text(STDIN_FILENO, name, CONFIG_FILE_MAX, &text, err)
                 : !secret_read_file(file, CONFIG_FILE_MAX, &text, err)) {
        err->code = err->code == ERROR_LIMIT ? ERROR_CONFIG : err->code;
        return false;
    }
    bool ok = config_parse(&(struct config_text){name, text.data, text.length}, arena, strings,
                           policy, err);

    secret_wipe(&text);
    return ok;
}
