/* SPDX-License-Identifier: Apache-2.0
 *
 * Gives each text a mark, and its new form once all texts are known. A part of a name becomes its
 * rank: a letter first, all ranks of one width. So new names compare as the old ones do, are valid
 * labels where those were, and are no numbers. A new name shows of the old one only where its parts
 * end, and a pod's ordinal.
 */
#include "redact.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "ballast/base/heap.h"
#include "ballast/base/map.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/vec.h"
#include "ballast/base/wide.h"
#include "ballast/format/value_text.h"
#include "ballast/model/volumes.h"
#include "kinds/builder/kind.h"

/* A mark is "\1" NUMBER "\2": JSON contains neither byte. */
#define MARK_BEGIN '\1'
#define MARK_END '\2'
#define KEY_BYTES_MAX (SIZE_MAX / 2)
#define FEDERATED "Federated"

/* In byte order, and without vowels: no rank is a word. */
static const char rank_digits[] = "0123456789bcdfghjklmnpqrstvwxz";
enum {
    RANK_BASE = sizeof(rank_digits) - 1,
    RANK_FIRST = 10, /* the first letter */
    RANK_MAX = 16,
};

struct redacted_text {
    enum text_class text_class;
    const char *label;
    const char *text;
    size_t length;
};

struct part {
    const char *text;
    size_t length;
};

struct redactor {
    struct arena *arena;
    struct map *by_text; /* class, label and text -> index of the entry, plus 1 */
    VEC_OF(struct redacted_text) entries;
    struct map *numeric; /* labels with numbers to keep */
    struct map *ranks;   /* part -> its rank, plus 1 */
    VEC_OF(struct part) parts;
    size_t width; /* of a rank, bytes */
    struct buf key;
};

struct redactor *
redactor_new(void)
{
    struct redactor *redactor = heap_new(1, sizeof(*redactor));

    redactor->arena = arena_new();
    redactor->by_text = map_new();
    redactor->numeric = map_new();
    redactor->ranks = map_new();
    buf_init(&redactor->key, KEY_BYTES_MAX);
    return redactor;
}

void
redactor_free(struct redactor *redactor)
{
    if (redactor == NULL) {
        return;
    }
    vec_free(&redactor->entries);
    vec_free(&redactor->parts);
    map_free(redactor->by_text);
    map_free(redactor->numeric);
    map_free(redactor->ranks);
    buf_release(&redactor->key);
    arena_free(redactor->arena);
    free(redactor);
}

static bool
is_one_of(const char *text, const char *const *words)
{
    while (*words != NULL && !str_eq(*words, text)) {
        words++;
    }
    return *words != NULL;
}

static bool
ends_with(const char *text, size_t length, const char *end)
{
    size_t wanted = strlen(end);

    return length >= wanted && memcmp(text + length - wanted, end, wanted) == 0;
}

/* True for example.com, and for names below it. */
static bool
is_in_domain(const char *text, size_t length, const char *const *domains)
{
    for (; *domains != NULL; domains++) {
        size_t under = strlen(*domains);

        if (ends_with(text, length, *domains) &&
            (length == under || text[length - under - 1] == '.')) {
            return true;
        }
    }
    return false;
}

static bool
is_known_label(const char *key)
{
    static const char *const keys[] = {POD_TEMPLATE_HASH_LABEL, POD_REVISION_LABEL,
                                       POD_ROLLOUT_HASH_LABEL, NULL};
    static const char *const domains[] = {"kubernetes.io", "k8s.io", "karmada.io", "ballast.io",
                                          NULL};
    const char *slash = strchr(key, '/');

    return slash == NULL ? is_one_of(key, keys) || replaced_plugin_by(key) != NULL
                         : is_in_domain(key, (size_t)(slash - key), domains);
}

/* v1, v2beta1 */
static bool
is_version(const char *text)
{
    size_t digits = text[0] == 'v' ? strspn(text + 1, "0123456789") : 0;
    const char *stage = text + 1 + digits;

    if (digits == 0 || *stage == '\0') {
        return digits > 0;
    }
    stage += strncmp(stage, "alpha", 5) == 0 ? 5 : strncmp(stage, "beta", 4) == 0 ? 4 : 0;
    digits = strspn(stage, "0123456789");
    return stage > text + 2 && digits > 0 && stage[digits] == '\0';
}

static bool
is_known_group(const char *text, size_t length)
{
    static const char *const groups[] = {"apps",   "batch",      "autoscaling",
                                         "policy", "extensions", NULL};
    static const char *const domains[] = {"k8s.io",  "kubernetes.io", "karmada.io", "kubefed.io",
                                          "keda.sh", "ballast.io",    "kruise.io",  NULL};
    char group[32] = "";

    snprintf(group, sizeof(group), "%.*s", pin_width(length), text);
    return is_one_of(group, groups) || is_in_domain(text, length, domains);
}

/* A group, a version or both: a FederatedTypeConfig has them separately. */
static bool
is_known_api(const char *api)
{
    const char *slash = strchr(api, '/');

    return slash == NULL ? is_version(api) || is_known_group(api, strlen(api))
                         : is_known_group(api, (size_t)(slash - api));
}

static bool
is_known_kind(const char *kind)
{
    static const char *const kinds[] = {"Deployment",
                                        "ReplicaSet",
                                        "StatefulSet",
                                        "DaemonSet",
                                        "Job",
                                        "CronJob",
                                        "Pod",
                                        "Node",
                                        "ReplicationController",
                                        "FederatedDeployment",
                                        "FederatedReplicaSet",
                                        "FederatedStatefulSet",
                                        "FederatedJob",
                                        "CloneSet",
                                        "Workflow",
                                        "FlinkDeployment",
                                        "SparkApplication",
                                        "RayJob",
                                        "PyTorchJob",
                                        "TFJob",
                                        "MPIJob",
                                        "PipelineRun",
                                        "TaskRun",
                                        NULL};

    return is_one_of(kind, kinds) || kind_find(kind) != NULL;
}

static bool
is_known_resource(const char *name)
{
    static const char *const domains[] = {"nvidia.com", "amd.com", "intel.com", NULL};
    const char *slash = strchr(name, '/');

    return slash == NULL || strstr(name, "kubernetes.io/") != NULL ||
           strncmp(name, "requests.", strlen("requests.")) == 0 ||
           is_in_domain(name, (size_t)(slash - name), domains);
}

static bool
is_number(const char *text)
{
    size_t digits = strspn(text + (text[0] == '-' || text[0] == '+'), "0123456789");

    return digits > 0 && text[digits + (text[0] == '-' || text[0] == '+')] == '\0';
}

static bool
is_known_value(const struct redactor *redactor, const struct redacted_text *entry)
{
    static const char *const words[] = {"true", "false", NULL};

    return is_one_of(entry->text, words) ||
           (is_number(entry->text) && map_get_str(redactor->numeric, entry->label) != NULL);
}

static bool
is_known(const struct redactor *redactor, const struct redacted_text *entry)
{
    switch (entry->text_class) {
    case TEXT_LABEL_KEY:
        return is_known_label(entry->text);
    case TEXT_LABEL_VALUE:
        return is_known_value(redactor, entry);
    case TEXT_API:
        return is_known_api(entry->text);
    case TEXT_KIND:
        return is_known_kind(entry->text);
    case TEXT_RESOURCE:
        return is_known_resource(entry->text);
    default:
        return false;
    }
}

/* Characters that sort before '0' separate parts. */
static size_t
part_length(const char *text, size_t length)
{
    size_t end = 0;

    while (end < length && (unsigned char)text[end] >= '0') {
        end++;
    }
    return end;
}

static int
part_cmp(const void *a, const void *b)
{
    const struct part *x = a, *y = b;
    int order = memcmp(x->text, y->text, x->length < y->length ? x->length : y->length);

    return order != 0 ? order : (x->length > y->length) - (x->length < y->length);
}

static bool
is_federated(const struct redacted_text *entry)
{
    return entry->text_class == TEXT_KIND &&
           strncmp(entry->text, FEDERATED, strlen(FEDERATED)) == 0;
}

static void
take_parts(struct redactor *redactor, const struct redacted_text *entry)
{
    for (size_t at = is_federated(entry) ? strlen(FEDERATED) : 0; at < entry->length;) {
        size_t length = part_length(entry->text + at, entry->length - at);
        bool added = false;

        if (length > 0) {
            map_put(redactor->ranks, entry->text + at, length, &added);
        }
        if (added) {
            vec_add(&redactor->parts, ((struct part){entry->text + at, length}));
        }
        at += length > 0 ? length : 1;
    }
}

static bool
has_parts(const struct redactor *redactor, const struct redacted_text *entry)
{
    return entry->text_class != TEXT_UID && entry->text_class != TEXT_NESTED &&
           !is_known(redactor, entry);
}

void
redactor_finish(struct redactor *redactor)
{
    for (size_t i = 0; i < redactor->entries.count; i++) {
        if (has_parts(redactor, &redactor->entries.items[i])) {
            take_parts(redactor, &redactor->entries.items[i]);
        }
    }
    if (redactor->parts.count > 1) {
        qsort(redactor->parts.items, redactor->parts.count, sizeof(struct part), part_cmp);
    }
    for (size_t i = 0; i < redactor->parts.count; i++) {
        const struct part *part = &redactor->parts.items[i];

        *map_get(redactor->ranks, part->text, part->length) = (void *)(uintptr_t)(i + 1);
    }
    redactor->width = 2;
    for (size_t room = (size_t)(RANK_BASE - RANK_FIRST) * RANK_BASE; room < redactor->parts.count;
         room *= RANK_BASE) {
        redactor->width++;
    }
}

static void
write_rank(const struct redactor *redactor, const char *text, size_t length, struct buf *out)
{
    size_t rank = (size_t)(uintptr_t)*map_get(redactor->ranks, text, length) - 1;
    char digits[RANK_MAX];

    for (size_t i = redactor->width; i > 1; i--) {
        digits[i - 1] = rank_digits[rank % RANK_BASE];
        rank /= RANK_BASE;
    }
    digits[0] = rank_digits[RANK_FIRST + rank];
    buf_append(out, digits, redactor->width);
}

static void
write_parts(const struct redactor *redactor, const struct redacted_text *entry, struct buf *out)
{
    for (size_t at = is_federated(entry) ? strlen(FEDERATED) : 0; at < entry->length;) {
        size_t length = part_length(entry->text + at, entry->length - at);

        if (length > 0) {
            write_rank(redactor, entry->text + at, length, out);
            at += length;
        } else {
            buf_append_char(out, entry->text[at++]);
        }
    }
}

/* A label that became too long gets a short name of its own. An invalid label that became valid is
 * made invalid again. */
static void
write_label(const struct redactor *redactor, const struct redacted_text *entry, struct buf *out)
{
    bool (*is_valid)(const char *) =
        entry->text_class == TEXT_LABEL_KEY ? label_key_is_valid : label_value_is_valid;
    bool was_valid = is_valid(entry->text);

    write_parts(redactor, entry, out);
    if (was_valid && !is_valid(buf_text(out))) {
        buf_clear(out);
        buf_printf(out, "long%zu", (size_t)(entry - redactor->entries.items));
    } else if (!was_valid && is_valid(buf_text(out))) {
        buf_append_char(out, '-');
    }
}

/* Keeps the parity of the lowest bits of the uid's bytes: a hash with that parity decides ties
 * between clusters (webster_ties_descend). */
static void
write_uid(const struct redactor *redactor, const struct redacted_text *entry, struct buf *out)
{
    unsigned parity = 0;

    if (entry->length == 0) {
        return;
    }
    buf_printf(out, "uid-%zu-", (size_t)(entry - redactor->entries.items));
    for (size_t i = 0; i < entry->length; i++) {
        parity ^= (unsigned char)entry->text[i] & 1;
    }
    for (size_t i = 0; i < out->length; i++) {
        parity ^= (unsigned char)out->data[i] & 1;
    }
    buf_append_char(out, parity == 0 ? '0' : '1');
}

static void
write_api(const struct redactor *redactor, const struct redacted_text *entry, struct buf *out)
{
    const char *slash = strchr(entry->text, '/');
    struct redacted_text group = *entry;

    if (slash == NULL || !is_version(slash + 1)) {
        write_parts(redactor, entry, out);
        return;
    }
    group.length = (size_t)(slash - entry->text);
    write_parts(redactor, &group, out);
    buf_append_str(out, slash);
}

/* A StatefulSet ends its pods by ordinal, so the ordinal stays. */
static void
write_pod(const struct redactor *redactor, const struct redacted_text *entry, struct buf *out)
{
    const char *dash = strrchr(entry->text, '-');
    struct redacted_text name = *entry;

    if (dash != NULL && is_number(dash + 1)) {
        name.length = (size_t)(dash + 1 - entry->text);
    }
    write_parts(redactor, &name, out);
    buf_append_str(out, entry->text + name.length);
}

/* KubeFed's kinds contain another kind's name. */
static void
write_kind(const struct redactor *redactor, const struct redacted_text *entry, struct buf *out)
{
    if (is_federated(entry)) {
        buf_append_str(out, FEDERATED);
    }
    write_parts(redactor, entry, out);
}

static void
write_new(const struct redactor *redactor, const struct redacted_text *entry, struct buf *out)
{
    if (is_known(redactor, entry)) {
        buf_append(out, entry->text, entry->length);
        return;
    }
    switch (entry->text_class) {
    case TEXT_LABEL_KEY:
    case TEXT_LABEL_VALUE:
        write_label(redactor, entry, out);
        break;
    case TEXT_POD:
        write_pod(redactor, entry, out);
        break;
    case TEXT_UID:
        write_uid(redactor, entry, out);
        break;
    case TEXT_API:
        write_api(redactor, entry, out);
        break;
    case TEXT_KIND:
        write_kind(redactor, entry, out);
        break;
    case TEXT_NESTED:
        redactor_reveal(redactor, entry->text, entry->length, out);
        break;
    default:
        write_parts(redactor, entry, out);
    }
}

static void
reveal_mark(const struct redactor *redactor, const char *number, size_t length, struct buf *out)
{
    size_t index = 0;
    struct buf text;

    for (size_t i = 0; i < length; i++) {
        index = index * 10 + (size_t)(number[i] - '0');
    }
    if (index >= redactor->entries.count) {
        BUG("no text has the mark %zu", index);
    }
    buf_init(&text, KEY_BYTES_MAX);
    write_new(redactor, &redactor->entries.items[index], &text);
    text_write_string(buf_text(&text), text.length, out);
    buf_release(&text);
}

void
redactor_reveal(const struct redactor *redactor, const char *text, size_t length, struct buf *out)
{
    const char *end = text + length;

    for (const char *mark; (mark = memchr(text, MARK_BEGIN, (size_t)(end - text))) != NULL;) {
        const char *mark_end = mark + 1;

        while (mark_end < end && *mark_end != MARK_END) {
            mark_end++;
        }
        buf_append(out, text, (size_t)(mark - text));
        reveal_mark(redactor, mark + 1, (size_t)(mark_end - mark - 1), out);
        text = mark_end + 1;
    }
    buf_append(out, text, (size_t)(end - text));
}

/* The label matters only for numbers: other equal texts share one entry. */
static struct redacted_text
entry_of(enum text_class text_class, const char *label, const char *text, size_t length)
{
    bool by_label = text_class == TEXT_LABEL_VALUE && is_number(text);

    return (struct redacted_text){
        .text_class = text_class, .label = by_label ? label : "", .text = text, .length = length};
}

void
redactor_mark(struct redactor *redactor, enum text_class text_class, const char *label,
              const char *text, size_t length, struct buf *out)
{
    struct redacted_text entry = entry_of(text_class, label, text, length);
    struct buf *key = &redactor->key;
    void **slot;

    buf_clear(key);
    buf_append_char(key, (char)('a' + (int)text_class));
    buf_append(key, entry.label, strlen(entry.label) + 1);
    buf_append(key, text, length);
    slot = map_get(redactor->by_text, key->data, key->length);
    if (slot == NULL) {
        const char *kept = arena_strndup(redactor->arena, key->data, key->length);

        entry.label = kept + 1;
        entry.text = kept + 1 + strlen(entry.label) + 1;
        vec_add(&redactor->entries, entry);
        slot = map_put(redactor->by_text, kept, key->length, NULL);
        *slot = (void *)(uintptr_t)redactor->entries.count;
    }
    buf_printf(out, "%c%zu%c", MARK_BEGIN, (size_t)(uintptr_t)*slot - 1, MARK_END);
}

void
redactor_keep_numbers(struct redactor *redactor, const char *label)
{
    if (map_get_str(redactor->numeric, label) == NULL) {
        map_put_str(redactor->numeric, arena_strndup(redactor->arena, label, strlen(label)), NULL);
    }
}
