/* SPDX-License-Identifier: Apache-2.0
 *
 * Digests of pod templates: equal if the templates are equal for equality.Semantic.DeepEqual.
 * Upstream compares Go structs, in which
 *
 *  - null equals absent;
 *  - an empty list or map equals an absent one;
 *  - an empty struct equals an absent one if held by value, but not if held by pointer;
 *  - the zero of a field equals an absent one if held by value, but not if held by pointer;
 *  - quantities are compared by amount.
 *
 * JSON does not show how Go holds a field: the tables below do, as of core/v1 in Kubernetes 1.36.
 * An unknown field is compared like a plain one (Go's decoder would drop it).
 */
#include "kinds/builder/builder.h"
#include "kinds/decode/decoders.h"
#include "member_decoders.h"

#include <stdio.h>
#include <stdlib.h>

#include <openssl/evp.h>

/* The path of members to a value, innermost first. */
struct place_in {
    const char *name;
    const struct place_in *outer; /* NULL: the template itself */
};

/* The tables hold ends of paths, since Go holds some names in different ways. */

static const char *const pointer_scalars[] = {
    "activeDeadlineSeconds",
    "allowPrivilegeEscalation",
    "apiGroup",
    "automountServiceAccountToken",
    "azureDisk.fsType",
    "azureDisk.kind",
    "azureDisk.readOnly",
    "blockOwnerDeletion",
    "cachingMode",
    "clusterTrustBundle.name",
    "clusterTrustBundle.signerName",
    "clusterTrustBundle.user",
    "containers.restartPolicy",
    "controller",
    "csi.fsType",
    "csi.readOnly",
    "dataSourceRef.namespace",
    "defaultMode",
    "defaultUser",
    "deletionGracePeriodSeconds",
    "enableServiceLinks",
    "ephemeralContainers.restartPolicy",
    "expirationSeconds",
    "fc.lun",
    "fsGroup",
    "fsGroupChangePolicy",
    "gmsaCredentialSpec",
    "gmsaCredentialSpecName",
    "hostPath.type",
    "hostProcess",
    "hostUsers",
    "hostnameOverride",
    "httpGet.protocol",
    "initContainers.restartPolicy",
    "initiatorName",
    "items.user",
    "localhostProfile",
    "maxExpirationSeconds",
    "minDomains",
    "mode",
    "mountPropagation",
    "nodeAffinityPolicy",
    "nodeTaintsPolicy",
    "optional",
    "options.value",
    "podCertificate.user",
    "podGroupName",
    "preemptionPolicy",
    "priority",
    "privileged",
    "procMount",
    "readOnlyRootFilesystem",
    "recursiveReadOnly",
    "resourceClaimName",
    "resourceClaimTemplateName",
    "runAsGroup",
    "runAsNonRoot",
    "runAsUser",
    "runAsUserName",
    "runtimeClassName",
    "seLinuxChangePolicy",
    "service",
    "serviceAccountToken.user",
    "setHostnameAsFQDN",
    "shareProcessNamespace",
    "sizeLimit",
    "stopSignal",
    "storageClassName",
    "supplementalGroupsPolicy",
    "terminationGracePeriodSeconds",
    "tolerationSeconds",
    "volumeAttributesClassName",
    "volumeMode",
    NULL,
};

static const char *const maps[] = {
    "annotations",     "flexVolume.options", "labels",   "limits",
    "matchLabels",     "nodeSelector",       "overhead", "requests",
    "userAnnotations", "volumeAttributes",   NULL,
};

static const char *const value_structs[] = {
    "containers.resources",
    "ephemeralContainers.resources",
    "initContainers.resources",
    "metadata",
    "podAffinityTerm",
    "preference",
    "spec",
    "volumeClaimTemplate.spec.resources",
    NULL,
};

static const char *const quantity_maps[] = {"limits", "overhead", "requests", NULL};
static const char *const quantities[] = {"divisor", "sizeLimit", NULL};

/* True if the place's path ends with `path`. */
static bool
ends_with(const struct place_in *place, const char *path)
{
    const char *end = path + strlen(path);

    for (;;) {
        size_t length = strlen(place->name);

        if (place->outer == NULL || (size_t)(end - path) < length ||
            strncmp(end - length, place->name, length) != 0) {
            return false;
        }
        end -= length;
        if (end == path) {
            return true;
        }
        if (*--end != '.') {
            return false;
        }
        place = place->outer;
    }
}

static bool
listed(const struct place_in *place, const char *const *paths)
{
    for (; *paths != NULL; paths++) {
        if (ends_with(place, *paths)) {
            return true;
        }
    }
    return false;
}

static bool
is_quantity(const struct place_in *place)
{
    return place->outer != NULL &&
           (listed(place, quantities) || listed(place->outer, quantity_maps));
}

static bool
is_hash_label(const struct place_in *labels, const char *key)
{
    return str_eq(key, "pod-template-hash") && labels->outer != NULL &&
           labels->outer->outer != NULL && labels->outer->outer->outer == NULL &&
           ends_with(labels, "metadata.labels");
}

static void
write_bytes(struct buf *out, char tag, const void *bytes, size_t length)
{
    buf_append_char(out, tag);
    buf_append(out, &length, sizeof(length));
    buf_append(out, bytes, length);
}

/* True if the amount is zero. */
static bool
write_quantity(struct buf *out, const struct value *value)
{
    struct error ignored = ERROR_INIT;
    struct decoder decoder = {.err = &ignored};
    struct quantity quantity;

    if (!decode_quantity(&decoder, value, &quantity)) {
        value_write_json(value, true, out);
        return false;
    }
    write_bytes(out, 'q', &quantity.nano, sizeof(quantity.nano));
    return quantity.nano == 0;
}

/* True if the value is the zero of its type. */
static bool
write_scalar(struct buf *out, const struct value *value)
{
    switch (value_type(value)) {
    case VALUE_BOOL:
        buf_append_char(out, value_bool(value) ? 't' : 'f');
        return !value_bool(value);
    case VALUE_STRING:
        write_bytes(out, 's', value_string(value), value_string_length(value));
        return value_string_length(value) == 0;
    default:
        value_write_json(value, true, out);
        return value_type(value) == VALUE_NULL ||
               (value_type(value) == VALUE_INTEGER && value_integer(value) == 0);
    }
}

/* A member of an object, or an item of a list (key NULL). */
struct template_entry {
    const char *key;
    const struct value *value;
};

static int
entry_cmp(const void *a, const void *b)
{
    return strcmp(((const struct template_entry *)a)->key, ((const struct template_entry *)b)->key);
}

/* Returns the items of a list, or the members of an object sorted by key. */
static const struct template_entry *
entries_of(struct arena *scratch, const struct value *value, size_t *ret_count)
{
    size_t count = value_count(value), i = 0;
    struct template_entry *entries = ARENA_ARRAY(scratch, struct template_entry, count);

    *ret_count = count;
    if (value_type(value) == VALUE_LIST) {
        for (; i < count; i++) {
            entries[i].value = value_at(value, i);
        }
        return entries;
    }
    for (struct value_iterator it = VALUE_ITERATOR(value); value_each(&it); i++) {
        entries[i] = (struct template_entry){it.key, it.value};
    }
    qsort(entries, count, sizeof(*entries), entry_cmp);
    return entries;
}

static bool
is_absent(const struct place_in *place, const struct template_entry *entry)
{
    return entry->key != NULL &&
           (value_type(entry->value) == VALUE_NULL || is_hash_label(place, entry->key));
}

static bool write_value(struct fleet_builder *builder, const struct place_in *place,
                        const struct value *value);

/* Appends an entry. False: it adds nothing, since a default member counts as absent. Items of a
 * list always stay; they share the list's place. */
static bool
write_entry(struct fleet_builder *builder, const struct place_in *place,
            const struct template_entry *entry)
{
    struct place_in inner = {.name = entry->key, .outer = place};
    struct buf *out = &builder->text;
    size_t before = out->length;

    if (is_absent(place, entry)) {
        return false;
    }
    if (entry->key == NULL) {
        write_value(builder, place, entry->value);
        return true;
    }
    write_bytes(out, 'k', inner.name, strlen(inner.name));
    if (write_value(builder, &inner, entry->value) && !listed(place, maps)) {
        out->length = before;
        return false;
    }
    return true;
}

/* Appends the canonical text of a value. True if the value counts as absent. */
static bool
write_value(struct fleet_builder *builder, const struct place_in *place, const struct value *value)
{
    struct buf *out = &builder->text;
    bool is_list = value_type(value) == VALUE_LIST, empty = true;
    size_t count = 0;

    if (!is_list && value_type(value) != VALUE_OBJECT) {
        bool zero = is_quantity(place) ? write_quantity(out, value) : write_scalar(out, value);

        return zero && !listed(place, pointer_scalars);
    }
    const struct template_entry *entries = entries_of(builder->scratch, value, &count);

    buf_append_char(out, is_list ? '[' : '{');
    for (size_t i = 0; i < count; i++) {
        empty = !write_entry(builder, place, &entries[i]) && empty;
    }
    buf_append_char(out, is_list ? ']' : '}');
    return empty && (is_list || listed(place, maps) || listed(place, value_structs));
}

#define LIKE_NONE "{}"

static void
write_canonical(struct fleet_builder *builder, const struct value *pod_template)
{
    const struct place_in root = {.name = "", .outer = NULL};

    buf_clear(&builder->text);
    if (pod_template == NULL) {
        buf_append_str(&builder->text, LIKE_NONE);
    } else {
        write_value(builder, &root, pod_template);
    }
}

struct digest
pod_template_digest(struct fleet_builder *builder, const struct value *pod_template)
{
    write_canonical(builder, pod_template);
    return digest_bytes(&builder->hash_key, buf_text(&builder->text), builder->text.length);
}

struct digest
pod_template_digest_of_name(struct fleet_builder *builder, const char *name, size_t length)
{
    static const char *const path[] = {"metadata", "annotations", "ballast.io/template"};
    struct buf *out = &builder->text;

    buf_clear(out);
    for (size_t i = 0; i < sizeof(path) / sizeof(path[0]); i++) {
        buf_append_char(out, '{');
        write_bytes(out, 'k', path[i], strlen(path[i]));
    }
    write_bytes(out, 's', name, length);
    buf_append_str(out, "}}}");
    return digest_bytes(&builder->hash_key, buf_text(out), out->length);
}

bool
pod_template_sum(const struct buf *canonical, char ret[POD_TEMPLATE_NAME_MAX])
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned size = 0;

    if (EVP_Digest(canonical->data, canonical->length, digest, &size, EVP_sha256(), NULL) != 1) {
        return false;
    }
    for (unsigned i = 0; i < size; i++) {
        snprintf(ret + 2 * (size_t)i, 3, "%02x", digest[i]);
    }
    return true;
}

bool
pod_template_name(struct fleet_builder *builder, const struct value *pod_template,
                  char ret[POD_TEMPLATE_NAME_MAX])
{
    write_canonical(builder, pod_template);
    if (str_eq(buf_text(&builder->text), LIKE_NONE)) {
        return false;
    }
    if (!pod_template_sum(&builder->text, ret)) {
        BUG("a pod template has no sum");
    }
    return true;
}
