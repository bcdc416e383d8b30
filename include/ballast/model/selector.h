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

/* By key, bytewise: the order that a label_list wants. */
void labels_sort(struct label *labels, uint32_t count);
/* NULL when the key is not there. */
const char *label_list_find(const struct label_list *labels, const char *key);
/* Every one of `wanted` is there, with that value. */
bool label_list_has_all(const struct label_list *labels, const struct label_list *wanted);

enum selector_operator {
    SELECTOR_INVALID, /* an operator we do not know: the selector matches nothing */
    SELECTOR_IN,
    SELECTOR_NOT_IN,
    SELECTOR_EXISTS,
    SELECTOR_DOES_NOT_EXIST,
    SELECTOR_GT, /* node selectors only */
    SELECTOR_LT,
};

/* Whether all values may be a label's: asked for each cluster and node, so kept once it is known.
 */
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

/* Whether a text may be a label's key ("example.com/name", a qualified name) or value. */
bool label_key_is_valid(const char *key);
/* What stands before the slash of a key: a DNS name (RFC 1123). */
bool label_prefix_is_valid(const char *prefix, size_t length);
bool label_value_is_valid(const char *value);
bool label_values_are_valid(const struct str_list *values);

/* labels.NewRequirement would take it; with `ordering` Gt and Lt as well. */
bool selector_requirement_is_valid(const struct selector_requirement *requirement, bool ordering);
/* Requirement.Matches of a valid requirement. */
bool selector_requirement_matches(const struct selector_requirement *requirement,
                                  const struct label_list *labels);
/* The same of the value of its key; NULL: the label is not there. */
bool selector_requirement_takes(const struct selector_requirement *requirement, const char *value);

/* NULL selector: matches nothing; an empty one: everything; an invalid one: nothing. */
bool label_selector_matches(const struct label_selector *selector, const struct label_list *labels);
bool label_selector_is_valid(const struct label_selector *selector);

/* One term of a node selector; expressions and fields are ANDed. */
struct node_selector_term {
    struct requirement_list match_expressions;
    struct requirement_list match_fields;
};

/* Terms are ORed. `present` is false where there is no affinity at all. */
struct node_selector {
    const struct node_selector_term *terms;
    uint32_t count;
    bool present;
};

/* The operator of a name such as "NotIn"; SELECTOR_INVALID when unknown. */
enum selector_operator selector_operator_parse(const char *text);

/* Defines `list##_equal`, by what tells of two items whether they are: an absent list is no empty
 * one, as reflect.DeepEqual has it. */
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

bool str_list_equal(const struct str_list *a, const struct str_list *b);
bool label_list_equal(const struct label_list *a, const struct label_list *b);
bool requirement_list_equal(const struct requirement_list *a, const struct requirement_list *b);
bool label_selector_equal(const struct label_selector *a,
                          const struct label_selector *b); /* NULL ok */

#endif
