/* SPDX-License-Identifier: Apache-2.0
 *
 * Selectors: the input is cut at control characters into texts of which labels
 * and requirements are made. Checked is what must hold between operators and
 * their opposites, and between what is valid and what matches.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/base/error.h"
#include "ballast/model/member.h"

#define TEXTS_MAX 32

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct texts {
    const char *items[TEXTS_MAX];
    uint32_t count;
};

static void
require(bool condition, const char *what)
{
    if (!condition) {
        BUG("%s", what);
    }
}

/* Cuts in place; `bytes` ends in NUL. */
static struct texts
cut(char *bytes, size_t size)
{
    struct texts texts = {.count = 0};
    char *start = bytes;

    for (size_t i = 0; i <= size && texts.count < TEXTS_MAX; i++) {
        if ((unsigned char)bytes[i] < ' ') {
            bytes[i] = '\0';
            texts.items[texts.count++] = start;
            start = bytes + i + 1;
        }
    }
    return texts;
}

/* Labels of the later texts, two by two, one for each key. */
static uint32_t
make_labels(const struct texts *texts, struct label labels[TEXTS_MAX])
{
    uint32_t count = 0;
    uint32_t kept = 0;

    for (uint32_t i = 3; i + 1 < texts->count; i += 2) {
        labels[count++] = (struct label){texts->items[i], texts->items[i + 1]};
    }
    labels_sort(labels, count);
    for (uint32_t i = 0; i < count; i++) {
        if (kept == 0 || strcmp(labels[kept - 1].key, labels[i].key) != 0) {
            labels[kept++] = labels[i];
        }
    }
    return kept;
}

static bool
matches(const char *key, enum selector_operator operator, struct str_list values,
        const struct label_list *labels)
{
    struct selector_requirement item = {
        .key = key, .operator_text = "", .operator= operator, .values = values };
    struct label_selector selector = {.match_expressions = {&item, 1, true}};
    struct node_selector_term term = {.match_expressions = {&item, 1, true}};
    struct node_selector node_selector = {.terms = &term, .count = 1, .present = true};
    bool by_label = label_selector_matches(&selector, labels);
    const struct node_kind kind = {.labels = *labels};
    const struct node node = {.name = "n", .kind = &kind};
    bool by_node = node_selector_matches(&node_selector, &node);

    require(!by_label || label_selector_is_valid(&selector), "an invalid selector matches");
    require(!by_node || selector_requirement_is_valid(&item, true), "an invalid term matches");
    require(by_label == by_node || operator== SELECTOR_GT || operator== SELECTOR_LT,
            "labels and nodes disagree");
    return by_node;
}

static void
check_opposites(const char *key, struct str_list values, const struct label_list *labels)
{
    struct str_list none = {.present = true};
    struct selector_requirement in = {
        .key = key, .operator_text = "In", .operator= SELECTOR_IN, .values = values};
    bool has = label_list_find(labels, key) != NULL;

    if (selector_requirement_is_valid(&in, false)) {
        require(matches(key, SELECTOR_IN, values, labels) !=
                    matches(key, SELECTOR_NOT_IN, values, labels),
                "In and NotIn agree");
        require(has || !matches(key, SELECTOR_IN, values, labels), "In matches what is not there");
    }
    if (label_key_is_valid(key)) {
        require(matches(key, SELECTOR_EXISTS, none, labels) == has, "Exists");
        require(matches(key, SELECTOR_DOES_NOT_EXIST, none, labels) == !has, "DoesNotExist");
    }
    require(
        !(matches(key, SELECTOR_GT, values, labels) && matches(key, SELECTOR_LT, values, labels)),
        "above and below at once");
    require(!matches(key, SELECTOR_INVALID, values, labels), "an unknown operator matches");
}

static void
check_texts(const struct texts *texts)
{
    struct label storage[TEXTS_MAX];
    struct label_list labels = {.items = storage, .present = true};
    struct str_list values = {.items = &texts->items[1], .count = 2, .present = true};

    labels.count = make_labels(texts, storage);
    for (uint32_t i = 0; i < labels.count; i++) {
        require(label_list_find(&labels, storage[i].key) == storage[i].value, "a label is lost");
        check_opposites(storage[i].key, values, &labels);
    }
    check_opposites(texts->items[0], values, &labels);
    values.count = 1;
    check_opposites(texts->items[0], values, &labels);
    selector_operator_parse(texts->items[0]);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *bytes = malloc(size + 1);

    if (bytes == NULL) {
        return 0;
    }
    if (size > 0) {
        memcpy(bytes, data, size);
    }
    bytes[size] = '\0';
    struct texts texts = cut(bytes, size);

    if (texts.count >= 3) {
        check_texts(&texts);
    }
    free(bytes);
    return 0;
}
