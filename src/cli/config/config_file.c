/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the configuration from its file.
 */
#include <unistd.h>

#include "ballast/base/secret.h"
#include "config.h"

bool
config_read(const char *file, struct arena *arena, struct config_text *ret, struct error *err)
{
    const bool is_input = str_eq(file, "-");
    const char *name = is_input ? "standard input" : file;
    struct secret text = {0};

    if (is_input ? !secret_read_text(STDIN_FILENO, name, CONFIG_FILE_MAX, &text, err)
                 : !secret_read_file(file, CONFIG_FILE_MAX, &text, err)) {
        err->code = err->code == ERROR_LIMIT ? ERROR_CONFIG : err->code;
        return false;
    }
    *ret = (struct config_text){name, arena_strndup(arena, text.data, text.length), text.length};
    secret_wipe(&text);
    return true;
}

bool
config_load(const char *file, struct arena *arena, struct interner *strings, struct policy *policy,
            bool *ret_is_older, struct error *err)
{
    struct config_text text;

    return config_read(file, arena, &text, err) &&
           config_parse(&text, arena, strings, policy, ret_is_older, err);
}

bool
config_load_newest(const char *file, struct arena *arena, struct interner *strings, struct buf *out,
                   struct error *err)
{
    struct config_text text;

    return config_read(file, arena, &text, err) &&
           config_to_newest(&text, arena, strings, out, err);
}
