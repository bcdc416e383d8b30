/* SPDX-License-Identifier: Apache-2.0
 *
 * Label selectors (metav1.LabelSelector), Karmada's cluster field selectors and
 * node selectors (corev1.NodeSelector), with the answers of apimachinery's
 * labels package.
 */
#ifndef BALLAST_MODEL_SELECTOR_H
#define BALLAST_MODEL_SELECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str_list {
    const char *const *items;
    uint32_t count;
    bool present;            /* an explicit empty list differs from an absent one */
    const uint32_t *by_name; /* name_index.h; NULL: none */
};

/* True if the text is in the list. */
bool str_list_has(const struct str_list *list, const char *text);

struct label {
    const char *key;
    const char *value;
};

/* Sorted by key. */
struct label_list {
    const struct label *items;
    uint32_t count;
    bool present;
};

/* Sorts labels by key, bytewise: the order of a label_list. */
void labels_sort(struct label *labels, uint32_t count);
/* Returns the value of a key; NULL if the key is not in the list. */
const char *label_list_find(const struct label_list *labels, const char *key);
/* True if the list has every label of `wanted` with the same value. */
bool label_list_has_all(const struct label_list *labels, const struct label_list *wanted);

enum selector_operator {
    SELECTOR_INVALID, /* an unknown operator: the selector matches nothing */
    SELECTOR_IN,
    SELECTOR_NOT_IN,
    SELECTOR_EXISTS,
    SELECTOR_DOES_NOT_EXIST,
    SELECTOR_GT, /* node selectors only */
    SELECTOR_LT,
};

/* Validity of all values for labels, cached because every cluster and node needs it. */
enum validity { VALIDITY_UNKNOWN, VALIDITY_VALID, VALIDITY_INVALID };

struct selector_requirement {
    const char *key;
    const char *operator_text; /* as written, for equality and messages */
    enum selector_operator operator;
    struct str_list values;
    enum validity values_validity;
};

struct requirement_list {
    const struct selector_requirement *items;
    uint32_t count;
    bool present;
};

struct label_selector {
    struct label_list match_labels;
    struct requirement_list match_expressions;
};

/* True if the text is a valid key of a label: "name" or "example.com/name". */
bool label_key_is_valid(const char *key);
/* True if prefix[0..length) is valid before the slash of a key: a DNS name (RFC 1123). */
bool label_prefix_is_valid(const char *prefix, size_t length);
/* True if the text is a valid value of a label. "" is. */
bool label_value_is_valid(const char *value);
/* True if every text is a valid value of a label. */
bool label_values_are_valid(const struct str_list *values);

/* True if labels.NewRequirement would accept the requirement. `ordering`: Gt and Lt are allowed. */
bool selector_requirement_is_valid(const struct selector_requirement *requirement, bool ordering);
/* True if a valid requirement matches the labels, as Requirement.Matches. */
bool selector_requirement_matches(const struct selector_requirement *requirement,
                                  const struct label_list *labels);
/* True if a valid requirement matches a label with its key and that value; NULL: no label. */
bool selector_requirement_takes(const struct selector_requirement *requirement, const char *value);

/* True if the selector matches the labels. An empty selector matches everything; NULL and an
 * invalid selector match nothing. */
bool label_selector_matches(const struct label_selector *selector, const struct label_list *labels);
/* True if the keys, values and operators of the selector are valid. */
bool label_selector_is_valid(const struct label_selector *selector);

/* One term of a node selector; expressions and fields are ANDed. */
struct node_selector_term {
    struct requirement_list match_expressions;
    struct requirement_list match_fields;
};

/* Terms are ORed. `present` is false if there is no affinity at all. */
struct node_selector {
    const struct node_selector_term *terms;
    uint32_t count;
    bool present;
};

/* Returns the operator of a name: "NotIn"; SELECTOR_INVALID if unknown. */
enum selector_operator selector_operator_parse(const char *text);

/* Defines list##_equal(): true if both lists have equal items in equal order, by item_equal(). An
 * absent list does not equal an empty one, as for reflect.DeepEqual. */
#define LIST_EQUAL(linkage, list, item_equal)                                                      \
    linkage bool list##_equal(const struct list *a, const struct list *b)                          \
    {                                                                                              \
        bool equal = a->present == b->present && a->count == b->count;                             \
                                                                                                   \
        for (uint32_t i = 0; equal && i < a->count; i++) {                                         \
            equal = item_equal(&a->items[i], &b->items[i]);                                        \
        }                                                                                          \
        return equal;                                                                              \
    }

/* True if both lists have equal texts in equal order. Absent and empty lists differ. */
bool str_list_equal(const struct str_list *a, const struct str_list *b);
/* True if both lists have equal labels. Absent and empty lists differ. */
bool label_list_equal(const struct label_list *a, const struct label_list *b);
/* True if the requirements are equal as written, in equal order. Absent and empty lists differ. */
bool requirement_list_equal(const struct requirement_list *a, const struct requirement_list *b);
/* True if both selectors are equal, as written. NULL equals NULL only. */
bool label_selector_equal(const struct label_selector *a, const struct label_selector *b);

#endif
