/* SPDX-License-Identifier: Apache-2.0
 *
 * Any JSON text as the objects of a KubeFed fleet: what is printed as YAML reads
 * back as the documents that were meant.
 */
#include <string.h>

#include "ballast/format/yaml.h"
#include "ballast/migrate/migrate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool
is_number(const struct value *value)
{
    return value_type(value) == VALUE_INTEGER || value_type(value) == VALUE_REAL;
}

static bool same(const struct value *a, const struct value *b);

static bool
same_members(const struct value *a, const struct value *b)
{

    for (struct value_iterator it = VALUE_ITERATOR(a); value_each(&it);) {
        const struct value *other = value_get(b, it.key);

        if (other == NULL || !same(it.value, other)) {
            return false;
        }
    }
    return true;
}

/* Equal, but that YAML takes 3.0 for 3, as kubectl does. */
static bool
same(const struct value *a, const struct value *b)
{
    if (value_type(a) != value_type(b)) {
        return is_number(a) && is_number(b) && !(value_real(a) < value_real(b)) &&
               !(value_real(a) > value_real(b));
    }
    if (value_count(a) != value_count(b)) {
        return false;
    }
    if (value_type(a) == VALUE_OBJECT) {
        return same_members(a, b);
    }
    for (size_t i = 0; value_type(a) == VALUE_LIST && i < value_count(a); i++) {
        if (!same(value_at(a, i), value_at(b, i))) {
            return false;
        }
    }
    return value_type(a) == VALUE_LIST || value_equal(a, b);
}

static void
check(const struct value *document)
{
    struct yaml_documents documents;
    struct error err = ERROR_INIT;
    struct buf text;

    buf_init(&text, SIZE_MAX);
    yaml_print(document, &text);
    if (!yaml_parse("x", buf_text(&text), text.length, &documents, &err) || documents.count != 1 ||
        !same(document, documents.items[0])) {
        __builtin_trap(); /* what we write is what we meant */
    }
    yaml_documents_free(&documents);
    buf_release(&text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error err = ERROR_INIT;
    struct document *document = document_parse_json((const char *)data, size, 1, &err);

    if (document == NULL) {
        return 0;
    }
    struct migration *migration = migration_new();
    const struct value *items = value_find(document_root(document), "items", VALUE_LIST);

    migration_add(migration, document_root(document), "types.kubefed.io/v1beta1",
                  "FederatedDeploymentList");
    for (size_t i = 0; items != NULL && i < value_count(items); i++) {
        migration_add(migration, value_at(items, i), "types.kubefed.io/v1beta1",
                      "FederatedDeploymentList");
    }
    document_free(document);
    const struct migration_result result = migration_finish(migration);

    for (size_t i = 0; i < result.n_documents; i++) {
        check(result.documents[i]);
    }
    migration_free(migration);
    return 0;
}
