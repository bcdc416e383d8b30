/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the configuration from its file.
 */
#include <unistd.h>

#include "ballast/base/secret.h"
#include "config.h"

static bool
read_text(const char *file, struct secret *text, struct config_text *ret, struct error *err)
{
    const bool is_input = str_eq(file, "-");
    const char *name = is_input ? "standard input" : file;

    if (is_input ? !secret_read_text(STDIN_FILENO, name, CONFIG_FILE_MAX, text, err)
                 : !secret_read_file(file, CONFIG_FILE_MAX, text, err)) {
        err->code = err->code == ERROR_LIMIT ? ERROR_CONFIG : err->code;
        return false;
    }
    *ret = (struct config_text){name, text->data, text->length};
    return true;
}

bool
config_load(const char *file, struct arena *arena, struct interner *strings, struct policy *policy,
            bool *ret_is_older, struct error *err)
{
    struct secret text = {0};
    struct config_text read;
    bool ok = read_text(file, &text, &read, err) &&
              config_parse(&read, arena, strings, policy, ret_is_older, err);

    secret_wipe(&text);
    return ok;
}

bool
config_load_newest(const char *file, struct arena *arena, struct interner *strings, struct buf *out,
                   struct error *err)
{
    struct secret text = {0};
    struct config_text read;
    bool ok =
        read_text(file, &text, &read, err) && config_to_newest(&read, arena, strings, out, err);

    secret_wipe(&text);
    return ok;
}
