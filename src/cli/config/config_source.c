/* SPDX-License-Identifier: Apache-2.0
 *
 * Obtains the text of a configuration.
 */
#include "config_source.h"

#include <string.h>

#include "ballast/base/timestamp.h"
#include "ballast/format/value.h"
#include "ballast/kube/kube_text.h"
#include "cli/options/control_plane_client.h"

#define REPLY_MAX ((size_t)8 << 20)
#define PATIENCE (20 * NANOS_PER_SECOND)

/* Returns the text of the key of the CronJob's file, or of the only key. NULL: neither is there. */
static const char *
text_in(const struct value *object)
{
    const struct value *data = value_find(object, "data", VALUE_OBJECT);
    const char *text = NULL;

    if (data == NULL) {
        return NULL;
    }
    if (value_find(data, CONFIG_KEY_IN_CONFIGMAP, VALUE_STRING) != NULL) {
        return value_text(data, CONFIG_KEY_IN_CONFIGMAP);
    }
    for (struct value_iterator it = VALUE_ITERATOR(data); value_each(&it);) {
        text = value_text(data, it.key);
    }
    return value_count(data) == 1 ? text : NULL;
}

/* Completes *ret, whose file is set. */
static bool
take_text(const struct kube_request *request, struct arena *arena, struct config_text *ret,
          struct error *err)
{
    struct document *document =
        document_parse_json(buf_text(&request->reply), request->reply.length, 1, err);

    if (document == NULL) {
        return false;
    }
    const char *text = text_in(document_root(document));

    if (text != NULL) {
        ret->length = strlen(text);
        ret->text = arena_strndup(arena, text, ret->length);
    }
    document_free(document);
    return text != NULL ||
           error_set(err, ERROR_CONFIG, "want data." CONFIG_KEY_IN_CONFIGMAP ", or one key");
}

static bool
fetch(const struct kube_client_options *how, const struct kube_config *config, const char *path,
      struct arena *arena, struct config_text *ret, struct error *err)
{
    struct kube_request request = {.method = KUBE_GET, .path = path, .patience = PATIENCE};
    struct kube_client *client = kube_client_new(config, how, err);
    bool done = false;

    if (client == NULL) {
        return false;
    }
    kube_perform(client, &request, 1);
    if (request.error.code == ERROR_NONE) {
        done = take_text(&request, arena, ret, err);
    } else {
        *err = request.error;
    }
    kube_request_release(&request);
    kube_client_free(client);
    return done;
}

static bool
read_configmap(const struct cli *cli, const struct settings *settings, const char *path,
               struct arena *arena, struct config_text *ret, struct error *err)
{
    struct kube_client_options how = control_plane_client(cli, &settings->control_plane);
    struct kube_config_options where = control_plane_config(cli, &settings->control_plane);

    how.max_response_bytes = REPLY_MAX;
    if (!str_is_empty(settings->config_context)) {
        where.context = settings->config_context;
    }
    struct kube_config *config = kube_config_load(&where, err);

    if (config == NULL) {
        return error_wrap(err, "--config %s", settings->config_file);
    }
    bool done = fetch(&how, config, path, arena, ret, err) ||
                control_plane_wrap_error(config, err) ||
                error_wrap(err, "--config %s", settings->config_file);

    kube_config_free(config);
    return done;
}

bool
config_obtain(const struct cli *cli, const struct settings *settings, struct arena *arena,
              struct config_text *ret, struct error *err)
{
    const char *namespace_ = "";
    const char *name = setting_configmap(arena, settings->config_file, &namespace_);
    const struct kube_place place = {
        .api = "/api/v1", .namespace_ = namespace_, .plural = "configmaps", .name = name};

    if (name == NULL) {
        return config_read(settings->config_file, arena, ret, err);
    }
    if (str_is_empty(namespace_) || str_is_empty(name)) {
        return error_set(err, ERROR_USAGE,
                         "--config: want a file, or " PLACE_CONFIGMAP "NAMESPACE/NAME, got %s",
                         settings->config_file);
    }
    *ret = (struct config_text){.file = settings->config_file};
    return read_configmap(cli, settings, kube_path(arena, &place), arena, ret, err);
}
