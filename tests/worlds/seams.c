/* SPDX-License-Identifier: Apache-2.0
 *
 * The wrapped functions. Off, they cost a test of one flag.
 */
#include "seams.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/format/yaml.h"
#include "ballast/model/selector.h"
#include "format/json/project.h"

#define PATH_MAX_LENGTH 192
#define VALUES_MAX 65536 /* a power of two */
#define PATHS_MAX 4096   /* likewise */

const struct value *__real_document_root(const struct document *document);
bool __real_yaml_parse(const char *file, const char *text, size_t length,
                       struct yaml_documents *ret, struct error *err);
bool __real_projector_read(struct projector *projector, const char *bytes, size_t length,
                           const struct wanted_of *list, struct projected *ret);
const struct value *__real_value_get(const struct value *object, const char *key);
const struct value *__real_value_at(const struct value *list, size_t index);
bool __real_value_each(struct value_iterator *it);
const char *__real_label_list_find(const struct label_list *labels, const char *key);
const struct value *__wrap_document_root(const struct document *document);
bool __wrap_yaml_parse(const char *file, const char *text, size_t length,
                       struct yaml_documents *ret, struct error *err);
bool __wrap_projector_read(struct projector *projector, const char *bytes, size_t length,
                           const struct wanted_of *list, struct projected *ret);
const struct value *__wrap_value_get(const struct value *object, const char *key);
const struct value *__wrap_value_at(const struct value *list, size_t index);
bool __wrap_value_each(struct value_iterator *it);
const char *__wrap_label_list_find(const struct label_list *labels, const char *key);

/* The test program's own state: wrapped functions have no context to carry it. */
static struct {
    bool on;
    struct {
        const void *value;
        size_t path;
    } values[VALUES_MAX];
    struct asked *slots[PATHS_MAX];
    struct asked asked[PATHS_MAX];
    size_t n_asked;
    size_t last_member; /* path of what value_each gave last */
} seams;

/* Where a path ends so, what is there is of a type that has a name. */
static const struct {
    const char *end, *type;
} types[] = {
    {"FederatedObject.spec.placement", "FederatedPlacement"},
    {"FederatedNamespace.spec.placement", "FederatedPlacement"},
    {".podAffinity.requiredDuringSchedulingIgnoredDuringExecution", "PodAffinityTerms"},
    {".podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution", "PodAffinityTerms"},
    {"Workload.spec.template.spec", "PodSpec"},
    {"ReplicaSet.spec.template.spec", "PodSpec"},
    {"Job.spec.template.spec", "PodSpec"},
    {".nodeAffinity.required", "NodeSelector"},
    {".spec.volumes[]", "Volume"},
    {"PodSpec.volumes[]", "Volume"},
    {".clusterSelector", "LabelSelector"},
    {".requiredDuringSchedulingIgnoredDuringExecution", "NodeSelector"},
    {".hardNodeAffinity", "NodeSelector"},
    {".placement", "Placement"},
    {"policy.karmada.io/applied-placement{}", "Placement"},
    {"ballast.io/last-move{}", "LastMove"},
    {"ballast.io/placed-for{}", "PlacedFor"},
    {"ballast.io/reschedule-parts{}", "RescheduleParts"},
    {"LastMove.earlier[]", "LastMove"},
    {".clusterAffinity", "ClusterAffinity"},
    {".clusterAffinities[]", "ClusterAffinity"},
    {".overflowAffinities[]", "ClusterAffinity"},
    {".targetCluster", "ClusterAffinity"},
    {".labelSelector", "LabelSelector"},
    {".selector", "LabelSelector"},
    {".matchExpressions[]", "Requirement"},
    {".matchFields[]", "Requirement"},
    {".clusterTolerations[]", "Toleration"},
    {".tolerations[]", "Toleration"},
    {".taints[]", "Taint"},
    {".conditions[]", "Condition"},
    {".replicaRequirements", "ReplicaRequirements"},
    {".requirements", "ReplicaRequirements"},
    {".containerStatuses[]", "ContainerStatus"},
    {".initContainerStatuses[]", "ContainerStatus"},
    {"ContainerStatus.lastState", "ContainerState"},
    {"ContainerStatus.state", "ContainerState"},
    {".ownerReferences[]", "OwnerReference"},
    {".containers[]", "Container"},
    {".initContainers[]", "Container"},
    {".failover.application", "FailoverBehavior"},
    {".failover.cluster", "FailoverBehavior"},
    {"OverridePolicy.spec.overrideRules[]", "OverrideRule"},
    {"OverridePolicy.spec.overriders", "OverrideRule.overriders"},
};

static uint64_t
digest(const char *text)
{
    uint64_t sum = 5381;

    for (; *text != '\0'; text++) {
        sum = sum * 33 + (unsigned char)*text;
    }
    return sum;
}

/* Kinds of one make are one. */
static const char *
kind_name(const char *kind)
{
    static const struct {
        const char *kind, *name;
    } same[] = {{"ClusterResourceBinding", "ResourceBinding"},
                {"ClusterOverridePolicy", "OverridePolicy"},
                {"HorizontalPodAutoscaler", "Autoscaler"},
                {"FederatedHPA", "Autoscaler"},
                {"CronFederatedHPA", "Autoscaler"},
                {"ScaledObject", "Autoscaler"},
                {"FederatedDeployment", "FederatedObject"},
                {"FederatedReplicaSet", "FederatedObject"},
                {"Deployment", "Workload"},
                {"StatefulSet", "Workload"},
                {"Foo", "Workload"}};

    for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
        if (strcmp(same[i].kind, kind) == 0) {
            return same[i].name;
        }
    }
    return kind;
}

static struct asked *
asked_of(const char *path)
{
    size_t slot = digest(path) % PATHS_MAX;

    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        size_t length = strlen(path), end = strlen(types[i].end);

        if (length >= end && strcmp(path + length - end, types[i].end) == 0 &&
            strncmp(path, "BallastConfiguration", 20) != 0) {
            path = types[i].type;
            slot = digest(path) % PATHS_MAX;
        }
    }
    while (seams.slots[slot] != NULL && strcmp(seams.slots[slot]->path, path) != 0) {
        slot = (slot + 1) % PATHS_MAX;
    }
    if (seams.slots[slot] == NULL) {
        if (seams.n_asked == PATHS_MAX - 1) {
            abort();
        }
        seams.slots[slot] = &seams.asked[seams.n_asked++];
        seams.slots[slot]->path = strdup(path);
    }
    return seams.slots[slot];
}

static void
note_value(struct asked *asked, const char *text)
{
    uint64_t value = digest(text);

    asked->times++;
    if (asked->values == 0) {
        asked->values = 1;
        asked->first = value;
    } else if (asked->values == 1 && asked->first != value) {
        asked->values = 2;
    }
}

static size_t
slot_of(const void *value)
{
    size_t slot = (size_t)((uintptr_t)value >> 4) * 2654435761U % VALUES_MAX;

    while (seams.values[slot].value != NULL && seams.values[slot].value != value) {
        slot = (slot + 1) % VALUES_MAX;
    }
    return slot;
}

/* NULL: nobody knows where it is. */
static const char *
path_of(const void *value)
{
    size_t slot = slot_of(value);

    return seams.values[slot].value == NULL ? NULL : seams.asked[seams.values[slot].path].path;
}

/* The value (NULL: not there) was asked for by a path. */
static void
note(const char *path, const struct value *value, bool is_field)
{
    struct asked *asked = asked_of(path);

    if (value != NULL) {
        size_t slot = slot_of(value);

        seams.values[slot].value = value;
        seams.values[slot].path = (size_t)(asked - seams.asked);
    }
    if (!is_field) {
        return;
    }
    if (asked->values < 2) {
        bool was_on = seams.on;
        struct buf text;

        buf_init(&text, SIZE_MAX / 2);
        seams.on = false; /* the writer is nobody who asks */
        if (value != NULL) {
            value_write_json(value, false, &text);
        }
        seams.on = was_on;
        note_value(asked, buf_text(&text));
        buf_release(&text);
    }
    asked->times++;
}

static void
note_root(const struct value *root)
{
    const struct value *kind = __real_value_get(root, "kind");
    char path[PATH_MAX_LENGTH];

    if (kind != NULL && value_type(kind) == VALUE_STRING) {
        snprintf(path, sizeof(path), "%s", kind_name(value_string(kind)));
    } else if (__real_value_get(root, "resourceRequest") != NULL) { /* made of a pod template */
        snprintf(path, sizeof(path), "ReplicaRequirements");
    } else {
        snprintf(path, sizeof(path), "%s{}", seams.asked[seams.last_member].path);
    }
    note(path, root, false);
}

const struct value *
__wrap_document_root(const struct document *document)
{
    const struct value *root = __real_document_root(document);

    if (seams.on) {
        note_root(root);
    }
    return root;
}

/* A configuration. */
bool
__wrap_yaml_parse(const char *file, const char *text, size_t length, struct yaml_documents *ret,
                  struct error *err)
{
    bool done = __real_yaml_parse(file, text, length, ret, err);

    for (size_t i = 0; seams.on && done && i < ret->count; i++) {
        note_root(ret->items[i]);
    }
    return done;
}

/* The items of lists, which are no documents. */
bool
__wrap_projector_read(struct projector *projector, const char *bytes, size_t length,
                      const struct wanted_of *list, struct projected *ret)
{
    bool done = __real_projector_read(projector, bytes, length, list, ret);

    if (seams.on && done) {
        note_root(ret->root);
    }
    return done;
}

const struct value *
__wrap_value_get(const struct value *object, const char *key)
{
    const struct value *found = __real_value_get(object, key);
    const char *outer = seams.on && object != NULL ? path_of(object) : NULL;
    char path[PATH_MAX_LENGTH];

    if (outer != NULL) {
        snprintf(path, sizeof(path), "%s.%s", outer, key);
        note(path, found, true);
    }
    return found;
}

const struct value *
__wrap_value_at(const struct value *list, size_t index)
{
    const struct value *found = __real_value_at(list, index);
    const char *outer = seams.on && list != NULL ? path_of(list) : NULL;
    char path[PATH_MAX_LENGTH];

    if (outer != NULL) {
        snprintf(path, sizeof(path), "%s[]", outer);
        note(path, found, false);
    }
    return found;
}

/* Whoever goes through anything else looks for what it does not know, or compares all of it. */
static bool
is_map_name(const char *end)
{
    static const char *const maps[] = {
        ".labels",   ".matchLabels", ".nodeSelector",    ".requests", ".allocatable", ".allocated",
        ".overhead", ".allocating",  ".resourceRequest", ".hard",     ".used",        ".overall",
        ".value",    ".overallUsed", ".clusters",        ".capacity"};

    for (size_t i = 0; end != NULL && i < sizeof(maps) / sizeof(maps[0]); i++) {
        if (strcmp(end, maps[i]) == 0) {
            return true;
        }
    }
    return false;
}

bool
__wrap_value_each(struct value_iterator *it)
{
    bool found = __real_value_each(it);
    const char *outer = seams.on && found ? path_of(it->object) : NULL;
    char path[PATH_MAX_LENGTH];

    if (outer != NULL) {
        const char *end = strrchr(outer, '.');
        bool by_key = end != NULL && strcmp(end, ".annotations") == 0;
        bool is_map = is_map_name(end) || (end != NULL && end - outer > 10 &&
                                           strcmp(end - 10, ".resources.limits") == 0);

        snprintf(path, sizeof(path), "%s.%s", outer, is_map ? "*" : it->key);
        note(path, it->value, is_map || by_key);
        seams.last_member = (size_t)(asked_of(path) - seams.asked);
    }
    return found;
}

const char *
__wrap_label_list_find(const struct label_list *labels, const char *key)
{
    const char *found = __real_label_list_find(labels, key);
    char path[PATH_MAX_LENGTH];

    if (seams.on) {
        snprintf(path, sizeof(path), "label:%s", key);
        note_value(asked_of(path), found != NULL ? found : "");
        if (found != NULL && *found == '{') { /* an object, which may be read next */
            seams.last_member = (size_t)(asked_of(path) - seams.asked);
        }
    }
    return found;
}

void
seams_record(bool on)
{
    seams.on = on;
}

void
seams_forget_values(void)
{
    memset(seams.values, 0, sizeof(seams.values));
}

const struct asked *
seams_asked(size_t *ret_count)
{
    *ret_count = seams.n_asked;
    return seams.asked;
}

void
seams_release(void)
{
    for (size_t i = 0; i < seams.n_asked; i++) {
        free((char *)(uintptr_t)seams.asked[i].path);
    }
    memset(&seams, 0, sizeof(seams));
}
