/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads and merges kubeconfig files.
 */
#include "kubeconfig.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/heap.h"
#include "ballast/base/str.h"
#include "ballast/base/vec.h"
#include "ballast/base/wide.h"
#include "ballast/format/value_build.h"
#include "ballast/format/yaml.h"

static const struct {
    const char *list, *member;
} sections[] = {
    [KUBECONFIG_CONTEXT] = {"contexts", "context"},
    [KUBECONFIG_CLUSTER] = {"clusters", "cluster"},
    [KUBECONFIG_USER] = {"users", "user"},
};

static char *
directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    if (slash == NULL) {
        return heap_text(".");
    }
    return str_print("%.*s", slash > path ? pin_width(slash - path) : 1, path);
}

void
kubeconfig_release(struct kubeconfig *kubeconfig)
{
    for (size_t i = 0; i < kubeconfig->n_files; i++) {
        free(kubeconfig->files[i].path);
        free(kubeconfig->files[i].directory);
        document_free_wiped(kubeconfig->files[i].document);
    }
    free(kubeconfig->files);
    *kubeconfig = (struct kubeconfig){.files = NULL};
}

static const char *
name_of(const struct value *item)
{
    const struct value *name = value_find(item, "name", VALUE_STRING);

    return name != NULL ? value_string(name) : NULL;
}

static const struct value *
find_named(const struct value *list, const char *name, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (str_eq(name_of(value_at(list, i)), name)) {
            return value_at(list, i);
        }
    }
    return NULL;
}

/* Checks a list of {name, member}: every name occurs once. */
static bool
check_list(const struct value *root, enum kubeconfig_section section, struct error *err)
{
    const char *list_name = sections[section].list, *member = sections[section].member;
    const struct value *list;

    if (!kubeconfig_get(root, list_name, VALUE_LIST, &list, err)) {
        return false;
    }
    for (size_t i = 0; list != NULL && i < value_count(list); i++) {
        const char *name = name_of(value_at(list, i));
        const struct value *entry = value_get(value_at(list, i), member);

        if (name == NULL) {
            return error_set(err, ERROR_CONFIG, "%s[%zu].name: required", list_name, i);
        }
        if (find_named(list, name, i) != NULL) {
            return error_set(err, ERROR_CONFIG, "%s: there are two with the name \"%s\"", list_name,
                             name);
        }
        if (entry != NULL && value_type(entry) != VALUE_OBJECT && value_type(entry) != VALUE_NULL) {
            return error_set(err, ERROR_CONFIG, "%s[%zu].%s: want object, got %s", list_name, i,
                             member, value_type_name(value_type(entry)));
        }
    }
    return true;
}

static bool
check_document(const struct value *root, struct error *err)
{
    const char *kind = value_text(root, "kind"), *current;

    if (value_type(root) != VALUE_OBJECT) {
        return error_set(err, ERROR_CONFIG, "this is no kubeconfig: want object, got %s",
                         value_type_name(value_type(root)));
    }
    if (!str_is_empty(kind) && !str_eq(kind, "Config")) {
        return error_set(err, ERROR_CONFIG, "this is no kubeconfig, but a %s", kind);
    }
    return kubeconfig_text(root, "current-context", &current, err) &&
           check_list(root, KUBECONFIG_CONTEXT, err) && check_list(root, KUBECONFIG_CLUSTER, err) &&
           check_list(root, KUBECONFIG_USER, err);
}

/* Takes the only document; an empty file is a kubeconfig without entries. */
static bool
take_document(struct yaml_documents *documents, struct document **ret, struct error *err)
{
    bool is_fine = true;

    *ret = NULL;
    if (documents->count > 1) {
        is_fine = error_set(err, ERROR_CONFIG, "want one YAML document, got %zu", documents->count);
    } else if (documents->count == 1) {
        is_fine = check_document(documents->items[0], err);
    }
    if (is_fine && documents->count == 1) {
        *ret = document_new(documents->arena, documents->items[0]);
    } else {
        arena_free_wiped(documents->arena);
    }
    return is_fine;
}

bool
kubeconfig_add(struct kubeconfig *kubeconfig, const char *path, const char *text, size_t length,
               struct error *err)
{
    struct yaml_documents documents;
    struct document *document;

    if (!yaml_parse(path, text, length, &documents, err)) {
        err->code = ERROR_CONFIG;
        return false;
    }
    if (!take_document(&documents, &document, err)) {
        return error_wrap(err, "%s", path);
    }
    size_t capacity = kubeconfig->n_files;

    kubeconfig->files =
        vec_grow(kubeconfig->files, kubeconfig->n_files, &capacity, 1, sizeof(*kubeconfig->files));
    kubeconfig->files[kubeconfig->n_files++] = (struct kubeconfig_file){
        .path = heap_text(path), .directory = directory_of(path), .document = document};
    return true;
}

const struct value *
kubeconfig_find(const struct kubeconfig *kubeconfig, enum kubeconfig_section section,
                const char *name, const struct kubeconfig_file **ret_file)
{
    for (size_t i = 0; i < kubeconfig->n_files; i++) {
        const struct kubeconfig_file *file = &kubeconfig->files[i];
        const struct value *list = file->document != NULL ? value_get(document_root(file->document),
                                                                      sections[section].list)
                                                          : NULL;
        const struct value *item = list != NULL ? find_named(list, name, value_count(list)) : NULL;

        if (item != NULL) {
            *ret_file = file;
            return value_get(item, sections[section].member);
        }
    }
    *ret_file = NULL;
    return NULL;
}

bool
kubeconfig_get(const struct value *object, const char *name, enum value_type type,
               const struct value **ret, struct error *err)
{
    const struct value *value = value_get(object, name);

    *ret = value == NULL || value_type(value) == VALUE_NULL ? NULL : value;
    return *ret == NULL || value_type(value) == type ||
           error_set(err, ERROR_CONFIG, "%s: want %s, got %s", name, value_type_name(type),
                     value_type_name(value_type(value)));
}

bool
kubeconfig_text(const struct value *object, const char *name, const char **ret, struct error *err)
{
    const struct value *value;
    bool is_fine = kubeconfig_get(object, name, VALUE_STRING, &value, err);

    *ret = is_fine && value != NULL ? value_string(value) : "";
    return is_fine;
}
