/* SPDX-License-Identifier: Apache-2.0
 *
 * Notes facts about a host's objects before the fleet is built: the addresses of members, and the
 * federated kinds.
 */
#include "host_parts.h"

#include "ballast/base/wide.h"

const char *
host_keep(struct kubefed_host *host, const struct value *object, const char *key)
{
    const char *text = value_text(object, key);

    return arena_strndup(host->arena, text, strlen(text));
}

static bool
is_true(const struct value *conditions, const char *type)
{
    for (size_t i = 0; i < value_count(conditions); i++) {
        const struct value *condition = value_at(conditions, i);

        if (str_eq(value_text(condition, "type"), type)) {
            return str_eq(value_text(condition, "status"), "True");
        }
    }
    return false;
}

/* Keeps an entry that is no text as an unknown name, which is refused later. */
static struct str_list
keep_validations(struct kubefed_host *host, const struct value *spec)
{
    const struct value *all = value_get(spec, "disabledTLSValidations");
    bool is_list = all != NULL && value_type(all) == VALUE_LIST;
    size_t count = is_list ? value_count(all) : all != NULL && value_type(all) != VALUE_NULL;
    const char **items = ARENA_ARRAY(host->arena, const char *, count);

    for (size_t i = 0; i < count; i++) {
        const struct value *item = is_list ? value_at(all, i) : all;
        bool is_text = value_type(item) == VALUE_STRING;
        const char *text = is_text ? value_string(item) : value_type_name(value_type(item));

        items[i] = arena_printf(host->arena, is_text ? "%s" : "(%s)", text);
    }
    return (struct str_list){.items = items, .count = pin_uint32(count)};
}

void
host_note_member(struct kubefed_host *host, const struct value *cluster)
{
    const struct value *spec = value_get(cluster, "spec");
    const struct value *conditions = value_get(value_get(cluster, "status"), "conditions");
    const char *name = host_keep(host, value_get(cluster, "metadata"), "name");
    const struct member_address address = {
        .name = name,
        .is_ready = is_true(conditions, "Ready") && !is_true(conditions, "Offline"),
        .way =
            {
                .name = name,
                .kind = "KubeFedCluster",
                .api_endpoint = host_keep(host, spec, "apiEndpoint"),
                .secret_namespace = host->options.namespace_,
                .secret_name = host_keep(host, value_get(spec, "secretRef"), "name"),
                .proxy_url = host_keep(host, spec, "proxyURL"),
                .ca_bundle = host_keep(host, spec, "caBundle"),
                .disabled_validations = keep_validations(host, spec),
            },
    };

    if (host->options.observes == NULL || member_choice_has(host->options.observes, name)) {
        vec_add(&host->members, address);
    }
}

const struct host_type *
host_find_type(const struct kubefed_host *host, const char *kind)
{
    for (size_t i = 0; i < host->types.count; i++) {
        if (str_eq(host->types.items[i].kind, kind)) {
            return &host->types.items[i];
        }
    }
    return NULL;
}

/* Notes a disabled type, too: Ballast leaves its objects alone, and reports that. */
void
host_note_type(struct kubefed_host *host, const struct value *config)
{
    const struct value *type = value_get(value_get(config, "spec"), "federatedType");
    const char *group = value_text(type, "group"), *version = value_text(type, "version");
    const char *kind = value_text(type, "kind");
    enum binding_kind parsed;
    bool is_ours = str_eq(kind, "FederatedNamespace") ||
                   (binding_kind_parse(kind, &parsed) && binding_kind_is_federated(parsed));

    if (!is_ours || host_find_type(host, kind) != NULL) {
        return;
    }
    const struct host_type noted = {
        .kind = host_keep(host, type, "kind"),
        .api = str_is_empty(version) ? FEDERATED_API
                                     : arena_printf(host->arena, "%s/%s", group, version),
        .plural = federated_plural(host->arena, kind, value_text(type, "pluralName")),
        .config = str_eq(value_text(value_get(config, "spec"), "propagation"), "Enabled")
                      ? host_keep(host, value_get(config, "metadata"), "name")
                      : NULL,
    };

    vec_add(&host->types, noted);
}
