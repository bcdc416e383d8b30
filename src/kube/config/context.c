/* SPDX-License-Identifier: Apache-2.0
 *
 * Resolves a context of the merged kubeconfigs: reads its cluster and user by tables of known
 * fields.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/base/heap.h"
#include "ballast/base/secret.h"
#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/base/vec.h"
#include "kube/identity/exec.h"
#include "kube/identity/header.h"
#include "kube/identity/kubeconfig.h"

enum member_kind {
    MEMBER_TEXT,   /* char * */
    MEMBER_PATH,   /* char *, made relative to the kubeconfig */
    MEMBER_FLAG,   /* bool */
    MEMBER_SECRET, /* struct secret */
    MEMBER_BASE64, /* struct secret, decoded */
    MEMBER_LIST,   /* char **, as_groups */
    MEMBER_EXTRA,  /* header lines, from lists by key */
    MEMBER_REFUSED /* not supported */
};

struct kubeconfig_member {
    const char *name;
    enum member_kind kind;
    size_t offset;
    const char *why; /* for REFUSED */
};

#define EXTRA_MAX ((size_t)64 << 10)
#define KNOWN_MAX ((size_t)1 << 20)
#define KNOWN_SHOWN 20
#define AT(member) offsetof(struct kube_config, member)

static const struct kubeconfig_member cluster_members[] = {
    {"server", MEMBER_TEXT, AT(server), NULL},
    {"certificate-authority", MEMBER_PATH, AT(ca_file), NULL},
    {"certificate-authority-data", MEMBER_BASE64, AT(ca), NULL},
    {"insecure-skip-tls-verify", MEMBER_FLAG, AT(insecure_skip_tls_verify), NULL},
    {"tls-server-name", MEMBER_TEXT, AT(tls_server_name), NULL},
    {"proxy-url", MEMBER_TEXT, AT(proxy_url), NULL},
};

static const struct kubeconfig_member user_members[] = {
    {"token", MEMBER_SECRET, AT(token), NULL},
    {"tokenFile", MEMBER_PATH, AT(token_file), NULL},
    {"client-certificate", MEMBER_PATH, AT(client_certificate_file), NULL},
    {"client-certificate-data", MEMBER_BASE64, AT(client_certificate), NULL},
    {"client-key", MEMBER_PATH, AT(client_key_file), NULL},
    {"client-key-data", MEMBER_BASE64, AT(client_key), NULL},
    {"username", MEMBER_TEXT, AT(username), NULL},
    {"password", MEMBER_SECRET, AT(password), NULL},
    {"as", MEMBER_TEXT, AT(as), NULL},
    {"as-uid", MEMBER_TEXT, AT(as_uid), NULL},
    {"as-groups", MEMBER_LIST, AT(as_groups), NULL},
    {"as-user-extra", MEMBER_EXTRA, AT(as_extra), NULL},
    {"auth-provider", MEMBER_REFUSED, 0,
     "auth providers were removed from Kubernetes 1.26; use an exec plugin"},
};

struct field_names { /* as a VEC_OF */
    const char **items;
    size_t count, capacity;
};

struct kubeconfig_reader {
    const struct kubeconfig_file *file;
    struct kube_config *config;
    struct error *err;
};

static char *
resolve_path(const char *directory, const char *path)
{
    return path[0] == '/' || str_eq(directory, ".")
               ? heap_text(path)
               : str_print("%s/%s", str_eq(directory, "/") ? "" : directory, path);
}

static bool
fail_type(struct kubeconfig_reader *reader, const char *want, const struct value *got)
{
    return error_set(reader->err, ERROR_CONFIG, "want %s, got %s", want,
                     value_type_name(value_type(got)));
}

static bool
read_list(struct kubeconfig_reader *reader, const struct value *list)
{
    struct kube_config *config = reader->config;

    if (value_type(list) != VALUE_LIST) {
        return fail_type(reader, "list", list);
    }
    if (value_count(list) == 0) {
        return true;
    }
    config->as_groups = heap_new(value_count(list), sizeof(*config->as_groups));
    for (size_t i = 0; i < value_count(list); i++) {
        if (value_type(value_at(list, i)) != VALUE_STRING) {
            return fail_type(reader, "a list of strings", value_at(list, i));
        }
        config->as_groups[config->n_as_groups++] = heap_text(value_string(value_at(list, i)));
    }
    return true;
}

/* Adds one header line per value, as client-go does. */
static bool
read_extra_of(struct kubeconfig_reader *reader, const char *key, const struct value *list)
{
    struct kube_config *config = reader->config;
    size_t count = config->n_as_extra + value_count(list);
    char **lines = realloc(config->as_extra, (count + 1) * sizeof(*lines));
    struct buf line;

    if (lines == NULL) {
        out_of_memory();
    }
    config->as_extra = lines;
    buf_init(&line, EXTRA_MAX);
    for (size_t i = 0; i < value_count(list); i++) {
        const struct value *value = value_at(list, i);

        if (value_type(value) != VALUE_STRING) {
            buf_release(&line);
            return fail_type(reader, "a list of strings", value);
        }
        buf_clear(&line);
        buf_append_str(&line, "Impersonate-Extra-");
        header_append_key(&line, key);
        /* libcurl's syntax for an empty value */
        buf_printf(&line, str_is_empty(value_string(value)) ? ";%s" : ": %s", value_string(value));
        if (line.overflowed) {
            buf_release(&line);
            return error_set(reader->err, ERROR_CONFIG, "more than %zu bytes", EXTRA_MAX);
        }
        lines[config->n_as_extra++] = heap_text(buf_text(&line));
    }
    buf_release(&line);
    return true;
}

static bool
read_extra(struct kubeconfig_reader *reader, const struct value *object)
{

    if (value_type(object) != VALUE_OBJECT) {
        return fail_type(reader, "object", object);
    }
    for (struct value_iterator it = VALUE_ITERATOR(object); value_each(&it);) {
        if (str_is_empty(it.key)) {
            return error_set(reader->err, ERROR_CONFIG, "a key is empty");
        }
        if (value_type(it.value) != VALUE_LIST && value_type(it.value) != VALUE_NULL) {
            return fail_type(reader, "a list of strings", it.value);
        }
        if (!read_extra_of(reader, it.key, it.value)) {
            return false;
        }
    }
    return true;
}

static bool
read_string(struct kubeconfig_reader *reader, const struct kubeconfig_member *member,
            const struct value *value)
{
    char *target = (char *)reader->config + member->offset;
    const char *text = value_string(value);

    if (str_is_empty(text)) {
        return true; /* equals absent */
    }
    if (member->kind == MEMBER_BASE64) {
        return secret_from_base64(text, value_string_length(value), (void *)target) ||
               error_set(reader->err, ERROR_CONFIG, "this is not base64");
    }
    if (member->kind == MEMBER_SECRET) {
        secret_set((void *)target, text, value_string_length(value));
    } else {
        char *copy = member->kind == MEMBER_PATH ? resolve_path(reader->file->directory, text)
                                                 : heap_text(text);

        memcpy(target, &copy, sizeof(copy));
    }
    return true;
}

static bool
read_member(struct kubeconfig_reader *reader, const struct kubeconfig_member *member,
            const struct value *value)
{
    switch (member->kind) {
    case MEMBER_REFUSED:
        return error_set(reader->err, ERROR_CONFIG, "%s", member->why);
    case MEMBER_LIST:
        return read_list(reader, value);
    case MEMBER_EXTRA:
        return read_extra(reader, value);
    case MEMBER_FLAG:
        if (value_type(value) != VALUE_BOOL) {
            return fail_type(reader, "boolean", value);
        }
        *(bool *)((char *)reader->config + member->offset) = value_bool(value);
        return true;
    default:
        if (value_type(value) != VALUE_STRING) {
            return fail_type(reader, "string", value);
        }
        return read_string(reader, member, value);
    }
}

static bool
read_members(struct kubeconfig_reader *reader, const struct kubeconfig_member *members,
             size_t count, const struct value *object)
{
    for (size_t i = 0; i < count; i++) {
        const struct value *value = value_get(object, members[i].name);

        if (value == NULL || value_type(value) == VALUE_NULL) {
            continue;
        }
        if (!read_member(reader, &members[i], value)) {
            return error_wrap(reader->err, "%s", members[i].name);
        }
    }
    return true;
}

/* Returns the first current-context that is set; NULL: none. */
static const char *
current_context(const struct kubeconfig *kubeconfig)
{
    for (size_t i = 0; i < kubeconfig->n_files; i++) {
        const struct document *document = kubeconfig->files[i].document;
        const char *current =
            document != NULL ? value_text(document_root(document), "current-context") : "";

        if (!str_is_empty(current)) {
            return current;
        }
    }
    return NULL;
}

/* Adds the names of a list, each once, in the order of the files, which own the names. */
static void
collect_names(const struct kubeconfig *kubeconfig, const char *list_name, struct field_names *ret)
{
    for (size_t i = 0; i < kubeconfig->n_files; i++) {
        const struct document *document = kubeconfig->files[i].document;
        const struct value *list =
            document != NULL ? value_get(document_root(document), list_name) : NULL;

        for (size_t k = 0; list != NULL && k < value_count(list); k++) {
            const char *name = value_string(value_get(value_at(list, k), "name"));
            bool is_known = false;

            for (size_t n = 0; n < ret->count && !is_known; n++) {
                is_known = str_eq(ret->items[n], name);
            }
            if (!is_known) {
                vec_add(ret, name);
            }
        }
    }
}

/* Appends "dev, prod (current), test". */
static void
append_names(const struct field_names *names, const char *current, struct buf *out)
{
    for (size_t i = 0; i < names->count && i < KNOWN_SHOWN; i++) {
        buf_append_str(out, i > 0 ? ", " : "");
        text_append_line(out, names->items[i]);
        buf_append_str(out,
                       current != NULL && str_eq(names->items[i], current) ? " (current)" : "");
    }
    if (names->count > KNOWN_SHOWN) {
        buf_printf(out, " and %zu more", names->count - KNOWN_SHOWN);
    }
}

/* Appends "; known: a, b", after the name nearest to `wanted`. */
static void
append_known(const struct kubeconfig *kubeconfig, const char *list_name, const char *wanted,
             struct buf *out)
{
    struct field_names names = VEC_INIT;
    const char *current = str_eq(list_name, "contexts") ? current_context(kubeconfig) : NULL;

    collect_names(kubeconfig, list_name, &names);
    const char *near = wanted != NULL ? str_nearest(wanted, names.items, names.count) : NULL;

    if (near != NULL) {
        buf_printf(out, "; did you mean \"%s\"?", near);
    }
    buf_append_str(out, names.count > 0 ? "; known: " : "; there is none at all");
    append_names(&names, current, out);
    vec_free(&names);
}

static bool
fail_missing(const struct kubeconfig *kubeconfig, const char *what, const char *list_name,
             const char *name, struct error *err)
{
    struct buf text;

    buf_init(&text, KNOWN_MAX); /* error_set marks the cut */
    buf_printf(&text, "%s \"%s\" does not exist in ", what, name);
    for (size_t i = 0; i < kubeconfig->n_files; i++) {
        buf_printf(&text, "%s%s", i > 0 ? ", " : "", kubeconfig->files[i].path);
    }
    append_known(kubeconfig, list_name, name, &text);
    error_set(err, ERROR_CONFIG, "%s", buf_text(&text));
    buf_release(&text);
    return false;
}

/* Hands a cluster's extension for plugins on, as client-go does. */
static void
read_cluster_extension(const struct value *cluster, struct kube_exec *exec)
{
    const struct value *list = value_get(cluster, "extensions");
    struct buf text;

    for (size_t i = 0; exec != NULL && list != NULL && i < value_count(list); i++) {
        const struct value *extension = value_get(value_at(list, i), "extension");

        if (extension == NULL ||
            !str_eq(value_text(value_at(list, i), "name"), "client.authentication.k8s.io/exec")) {
            continue;
        }
        buf_init(&text, 1 << 20);
        value_write_json(extension, false, &text);
        if (exec->cluster_config == NULL && !text.overflowed) {
            exec->cluster_config = heap_text(buf_text(&text));
        }
        buf_release(&text);
    }
}

static bool
read_user(const struct kubeconfig *kubeconfig, const char *name, struct kube_config *config,
          struct error *err)
{
    struct kubeconfig_reader reader = {.config = config, .err = err};
    const struct value *user = kubeconfig_find(kubeconfig, KUBECONFIG_USER, name, &reader.file);

    if (reader.file == NULL) {
        return fail_missing(kubeconfig, "user", "users", name, err);
    }
    const struct value *exec = value_get(user, "exec");
    bool is_fine =
        read_members(&reader, user_members, sizeof(user_members) / sizeof(user_members[0]), user);

    if (is_fine && exec != NULL && value_type(exec) != VALUE_NULL) {
        config->exec = kube_exec_from(exec, reader.file->directory, err);
        is_fine = config->exec != NULL || error_wrap(err, "exec");
    }
    return is_fine || error_wrap(err, "%s: user \"%s\"", reader.file->path, name);
}

static bool
read_cluster(const struct kubeconfig *kubeconfig, const char *name, struct kube_config *config,
             struct error *err)
{
    struct kubeconfig_reader reader = {.config = config, .err = err};
    const struct value *cluster =
        kubeconfig_find(kubeconfig, KUBECONFIG_CLUSTER, name, &reader.file);

    if (reader.file == NULL) {
        return fail_missing(kubeconfig, "cluster", "clusters", name, err);
    }
    if (!read_members(&reader, cluster_members,
                      sizeof(cluster_members) / sizeof(cluster_members[0]), cluster)) {
        return error_wrap(err, "%s: cluster \"%s\"", reader.file->path, name);
    }
    if (config->server == NULL) {
        return error_set(err, ERROR_CONFIG, "%s: cluster \"%s\": server: required",
                         reader.file->path, name);
    }
    read_cluster_extension(cluster, config->exec);
    return true;
}

static bool
read_context(const struct kubeconfig *kubeconfig, const char *name, struct kube_config *config,
             struct error *err)
{
    const struct kubeconfig_file *file;
    const struct value *context = kubeconfig_find(kubeconfig, KUBECONFIG_CONTEXT, name, &file);
    const char *cluster, *user, *namespace;

    if (file == NULL) {
        return fail_missing(kubeconfig, "context", "contexts", name, err);
    }
    if (!kubeconfig_text(context, "cluster", &cluster, err) ||
        !kubeconfig_text(context, "user", &user, err) ||
        !kubeconfig_text(context, "namespace", &namespace, err) ||
        (str_is_empty(cluster) && !error_set(err, ERROR_CONFIG, "cluster: required"))) {
        return error_wrap(err, "%s: context \"%s\"", file->path, name);
    }
    config->origin = str_print("context \"%s\" of %s", name, file->path);
    config->context = heap_text(name);
    config->user = heap_text(user);
    config->namespace_ = heap_text(str_is_empty(namespace) ? "default" : namespace);
    return (str_is_empty(user) || read_user(kubeconfig, user, config, err)) &&
           read_cluster(kubeconfig, cluster, config, err);
}

static char *
contexts_of(const struct kubeconfig *kubeconfig)
{
    struct field_names names = VEC_INIT;
    struct buf text;

    buf_init(&text, KNOWN_MAX);
    collect_names(kubeconfig, "contexts", &names);
    append_names(&names, current_context(kubeconfig), &text);
    vec_free(&names);
    char *copy = heap_text(buf_text(&text));

    buf_release(&text);
    return copy;
}

bool
kubeconfig_resolve(const struct kubeconfig *kubeconfig, const char *context,
                   struct kube_config *config, struct error *err)
{
    const char *name = context != NULL ? context : current_context(kubeconfig);
    struct buf text;

    if (name != NULL) {
        config->contexts = contexts_of(kubeconfig);
        return read_context(kubeconfig, name, config, err);
    }
    buf_init(&text, KNOWN_MAX); /* error_set marks the cut */
    append_known(kubeconfig, "contexts", NULL, &text);
    error_set(err, ERROR_CONFIG, "%s: no current-context is set: choose one with --context%s",
              kubeconfig->n_files > 0 ? kubeconfig->files[0].path : "kubeconfig", buf_text(&text));
    buf_release(&text);
    return false;
}

void
kubeconfig_each_context(const struct kubeconfig *kubeconfig,
                        void (*found)(void *context, const char *name), void *context)
{
    struct field_names names = VEC_INIT;

    collect_names(kubeconfig, "contexts", &names);
    for (size_t i = 0; i < names.count; i++) {
        found(context, names.items[i]);
    }
    vec_free(&names);
}
