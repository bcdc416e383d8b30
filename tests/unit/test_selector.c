/* SPDX-License-Identifier: Apache-2.0
 *
 * Labels, label selectors and node selectors. The answers are those of
 * apimachinery's labels package and component-helpers' nodeaffinity.
 */
#include "ballast/model/member.h"

#include "check.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MANY 4

/* A list of up to MANY texts, ended by NULL; written where it is used. */
static struct str_list
texts(const char *const values[MANY + 1])
{
    struct str_list list = {.items = values, .present = true};

    while (values[list.count] != NULL) {
        list.count++;
    }
    return list;
}
#define TEXTS(...) texts((const char *const[MANY + 1]){__VA_ARGS__})
#define NO_TEXTS ((struct str_list){.present = true})

static struct selector_requirement
requirement(const char *key, const char *operator_text, struct str_list values)
{
    return (struct selector_requirement){
        .key = key,
        .operator_text = operator_text,
        .operator= selector_operator_parse(operator_text),
        .values = values,
    };
}

static bool
matches_node(const struct node_selector *selector, const char *name, const struct label_list *has)
{
    const struct node_kind kind = {.labels = *has};

    return node_selector_matches(selector, &(struct node){.name = name, .kind = &kind});
}

static struct requirement_list
one_requirement(const struct selector_requirement *item)
{
    return (struct requirement_list){.items = item, .count = 1, .present = true};
}

static const struct label node_labels[] = {
    {"empty", ""}, {"gpus", "8"}, {"low", "-3"}, {"word", "many"}, {"zone", "a"},
};
static const struct label_list labels = {
    .items = node_labels, .count = COUNT(node_labels), .present = true};

static void
test_labels_are_found_by_key(void)
{
    for (size_t i = 0; i < COUNT(node_labels); i++) {
        CHECK_STR(label_list_find(&labels, node_labels[i].key), node_labels[i].value);
    }
    CHECK(label_list_find(&labels, "gpu") == NULL);
    CHECK(label_list_find(&labels, "zones") == NULL);
    CHECK(label_list_find(&labels, "") == NULL);
    CHECK(label_list_find(&(struct label_list){0}, "zone") == NULL);
}

static void
check_name(bool (*is_valid)(const char *), const char *text, bool want)
{
    CHECK_MSG(is_valid(text) == want, "\"%.80s\": want %s", text, want ? "valid" : "invalid");
}

static void
test_label_keys(void)
{
    static const char *const good[] = {
        "a",    "A",       "1",   "simple",       "now-with-dashes",  "1-starts-digit",
        "1234", "a.b_c-d", "a/b", "1.2.3.4/5678", "example.com/Name", "a-b.c-d/Under_score",
    };
    static const char *const bad[] = {
        "",     "-a",   "a-",       "_a",   "a.",       "a b",  "a/",   "/a",     "a/b/c",
        "A/b",  "a_/b", "a..b/c",   ".a/b", "a./b",     "-a/b", "a-/b", "a.-b/c", "a-.b/c",
        "a/-b", "a/b-", "\xC3\xA4", "a\n",  "http://a", "a//b", "a@b",  "a/b c",
    };
    char long_name[400];

    for (size_t i = 0; i < COUNT(good); i++) {
        check_name(label_key_is_valid, good[i], true);
    }
    for (size_t i = 0; i < COUNT(bad); i++) {
        check_name(label_key_is_valid, bad[i], false);
    }
    memset(long_name, 'a', sizeof(long_name));
    long_name[63] = '\0';
    check_name(label_key_is_valid, long_name, true);
    memcpy(long_name + 63, "a", 2);
    check_name(label_key_is_valid, long_name, false);
    memset(long_name, 'a', sizeof(long_name));
    memcpy(long_name + 253, "/b", 3);
    check_name(label_key_is_valid, long_name, true);
    memset(long_name, 'a', sizeof(long_name));
    memcpy(long_name + 254, "/b", 3);
    check_name(label_key_is_valid, long_name, false);
}

static void
test_label_values(void)
{
    static const char *const good[] = {"", "a", "A.b-c_D", "1", "0-0"};
    static const char *const bad[] = {" ", "-", "a-", ".a", "a/b", "a b", "\xC3\xA4", "a\n"};
    char long_value[65];

    for (size_t i = 0; i < COUNT(good); i++) {
        check_name(label_value_is_valid, good[i], true);
    }
    for (size_t i = 0; i < COUNT(bad); i++) {
        check_name(label_value_is_valid, bad[i], false);
    }
    memset(long_value, 'v', sizeof(long_value));
    long_value[64] = '\0';
    check_name(label_value_is_valid, long_value, false);
    long_value[63] = '\0';
    check_name(label_value_is_valid, long_value, true);
}

static void
test_operators_have_names(void)
{
    CHECK_INT(selector_operator_parse("In"), SELECTOR_IN);
    CHECK_INT(selector_operator_parse("NotIn"), SELECTOR_NOT_IN);
    CHECK_INT(selector_operator_parse("Exists"), SELECTOR_EXISTS);
    CHECK_INT(selector_operator_parse("DoesNotExist"), SELECTOR_DOES_NOT_EXIST);
    CHECK_INT(selector_operator_parse("Gt"), SELECTOR_GT);
    CHECK_INT(selector_operator_parse("Lt"), SELECTOR_LT);
    CHECK_INT(selector_operator_parse("in"), SELECTOR_INVALID);
    CHECK_INT(selector_operator_parse("="), SELECTOR_INVALID);
    CHECK_INT(selector_operator_parse(""), SELECTOR_INVALID);
}

/* One requirement in a label selector and in a node selector term, which also knows Gt and Lt. */
static void
check_requirement(const char *key, const char *operator_text, struct str_list values,
                  bool want_label, bool want_node)
{
    struct selector_requirement item = requirement(key, operator_text, values);
    struct label_selector selector = {.match_expressions = one_requirement(&item)};
    struct node_selector_term term = {.match_expressions = one_requirement(&item)};
    struct node_selector node_selector = {.terms = &term, .count = 1, .present = true};

    CHECK_MSG(label_selector_matches(&selector, &labels) == want_label,
              "label selector %s %s (%u values): want %d", key, operator_text, values.count,
              want_label);
    CHECK_MSG(matches_node(&node_selector, "n", &labels) == want_node,
              "node selector %s %s (%u values): want %d", key, operator_text, values.count,
              want_node);
}

static void
test_operators_match(void)
{
    check_requirement("zone", "In", TEXTS("b", "a"), true, true);
    check_requirement("zone", "In", TEXTS("b"), false, false);
    check_requirement("none", "In", TEXTS("a"), false, false);
    check_requirement("none", "In", TEXTS(""), false, false);
    check_requirement("empty", "In", TEXTS(""), true, true);
    check_requirement("zone", "NotIn", TEXTS("b", "c"), true, true);
    check_requirement("zone", "NotIn", TEXTS("b", "a"), false, false);
    check_requirement("none", "NotIn", TEXTS("a"), true, true);
    check_requirement("zone", "Exists", NO_TEXTS, true, true);
    check_requirement("empty", "Exists", NO_TEXTS, true, true);
    check_requirement("none", "Exists", NO_TEXTS, false, false);
    check_requirement("zone", "DoesNotExist", NO_TEXTS, false, false);
    check_requirement("none", "DoesNotExist", NO_TEXTS, true, true);
}

static void
test_ordering_is_for_nodes_only(void)
{
    check_requirement("gpus", "Gt", TEXTS("7"), false, true);
    check_requirement("gpus", "Gt", TEXTS("8"), false, false);
    check_requirement("gpus", "Gt", TEXTS("-9223372036854775808"), false, false); /* no value */
    check_requirement("gpus", "Lt", TEXTS("9"), false, true);
    check_requirement("gpus", "Lt", TEXTS("08"), false, false);
    check_requirement("gpus", "Lt", TEXTS("010"), false, true); /* decimal */
    check_requirement("low", "Lt", TEXTS("0"), false, true);
    check_requirement("word", "Gt", TEXTS("1"), false, false);
    check_requirement("empty", "Lt", TEXTS("1"), false, false);
    check_requirement("none", "Gt", TEXTS("1"), false, false);
    check_requirement("gpus", "Gt", TEXTS("9223372036854775807"), false, false);
    check_requirement("gpus", "Lt", TEXTS("9223372036854775807"), false, true);
    check_requirement("gpus", "Lt", TEXTS("9223372036854775808"), false, false); /* no int64 */
}

static void
test_invalid_requirements_match_nothing(void)
{
    check_requirement("zone", "In", NO_TEXTS, false, false);
    check_requirement("none", "NotIn", NO_TEXTS, false, false);
    check_requirement("zone", "Exists", TEXTS("a"), false, false);
    check_requirement("none", "DoesNotExist", TEXTS("a"), false, false);
    check_requirement("gpus", "Gt", NO_TEXTS, false, false);
    check_requirement("gpus", "Gt", TEXTS("1", "2"), false, false);
    check_requirement("gpus", "Gt", TEXTS("1.5"), false, false);
    check_requirement("gpus", "Gt", TEXTS(""), false, false);
    check_requirement("gpus", "Gt", TEXTS("+1"), false, false); /* no label value */
    check_requirement("zone", "Equals", TEXTS("a"), false, false);
    check_requirement("none", "", TEXTS("a"), false, false);
    check_requirement("none", "NotIn", TEXTS("a", "not valid"), false, false);
    check_requirement("zone", "In", TEXTS("a", "-"), false, false);
    check_requirement("-", "DoesNotExist", NO_TEXTS, false, false);
    check_requirement("", "DoesNotExist", NO_TEXTS, false, false);
}

static void
test_label_selector_ands_its_parts(void)
{
    static const struct label wanted[] = {{"gpus", "8"}, {"zone", "a"}};
    static const struct label other[] = {{"zone", "b"}};
    static const struct label invalid[] = {{"zone", "a"}, {"zz/", "a"}};
    struct selector_requirement items[] = {
        requirement("word", "Exists", NO_TEXTS),
        requirement("none", "DoesNotExist", NO_TEXTS),
        requirement("zone", "NotIn", TEXTS("a")),
    };
    struct label_selector selector = {
        .match_labels = {.items = wanted, .count = 2, .present = true},
        .match_expressions = {.items = items, .count = 2, .present = true},
    };

    CHECK(label_selector_matches(&selector, &labels));
    selector.match_expressions.count = 3;
    CHECK(!label_selector_matches(&selector, &labels));
    selector.match_expressions.count = 2;
    selector.match_labels.items = other;
    selector.match_labels.count = 1;
    CHECK(!label_selector_matches(&selector, &labels));
    CHECK(label_selector_is_valid(&selector));
    selector.match_labels.items = invalid;
    selector.match_labels.count = 2;
    CHECK(!label_selector_is_valid(&selector));
}

/* A bad expression spoils the whole selector even where the others decide. */
static void
test_invalid_part_spoils_the_selector(void)
{
    struct selector_requirement items[] = {
        requirement("zone", "In", TEXTS("a")),
        requirement("none", "NotIn", TEXTS("*")),
    };
    struct label_selector selector = {
        .match_expressions = {.items = items, .count = 2, .present = true}};

    CHECK(!label_selector_matches(&selector, &labels));
    CHECK(!label_selector_is_valid(&selector));
    selector.match_expressions.count = 1;
    CHECK(label_selector_matches(&selector, &labels));
}

static void
test_absent_selector_matches_nothing_empty_everything(void)
{
    struct label_selector empty = {.match_labels = {.present = true}};
    struct label_list none = {0};

    CHECK(!label_selector_matches(NULL, &labels));
    CHECK(label_selector_matches(&empty, &labels));
    CHECK(label_selector_matches(&empty, &none));
    CHECK(label_selector_is_valid(&empty));
}

static void
test_node_terms_are_ored(void)
{
    struct selector_requirement bad = requirement("zone", "In", NO_TEXTS);
    struct selector_requirement miss = requirement("zone", "In", TEXTS("b"));
    struct selector_requirement hit = requirement("zone", "In", TEXTS("a"));
    struct node_selector_term terms[] = {
        {.match_expressions = one_requirement(&bad)},
        {.match_expressions = {.present = true}},
        {.match_expressions = one_requirement(&miss)},
        {.match_expressions = one_requirement(&hit)},
    };
    struct node_selector selector = {.terms = terms, .count = 4, .present = true};

    CHECK(matches_node(&selector, "n", &labels));
    selector.count = 3;
    CHECK(!matches_node(&selector, "n", &labels));
    selector.terms = &terms[1];
    selector.count = 1;
    CHECK(!matches_node(&selector, "n", &labels));
}

static void
test_node_affinity_without_terms_matches_all(void)
{
    CHECK(matches_node(&(struct node_selector){0}, "n", &labels));
    CHECK(matches_node(&(struct node_selector){.present = true}, "n", &labels));
}

static bool
field_matches(const char *key, const char *operator_text, struct str_list values,
              const char *node_name)
{
    struct selector_requirement item = requirement(key, operator_text, values);
    struct node_selector_term term = {.match_fields = one_requirement(&item)};
    struct node_selector selector = {.terms = &term, .count = 1, .present = true};

    return matches_node(&selector, node_name, &labels);
}

static void
test_node_fields(void)
{
    CHECK(field_matches("metadata.name", "In", TEXTS("n1"), "n1"));
    CHECK(!field_matches("metadata.name", "In", TEXTS("n2"), "n1"));
    CHECK(field_matches("metadata.name", "NotIn", TEXTS("n2"), "n1"));
    CHECK(!field_matches("metadata.name", "NotIn", TEXTS("n1"), "n1"));
    CHECK(!field_matches("metadata.name", "In", TEXTS("n1", "n2"), "n1"));
    CHECK(!field_matches("metadata.name", "NotIn", TEXTS("n2", "n3"), "n1"));
    CHECK(!field_matches("metadata.name", "In", NO_TEXTS, "n1"));
    CHECK(!field_matches("metadata.name", "Exists", NO_TEXTS, "n1"));
    CHECK(!field_matches("metadata.name", "Gt", TEXTS("1"), "2"));
    CHECK(!field_matches("metadata.uid", "In", TEXTS("n1"), "n1"));
    CHECK(field_matches("metadata.uid", "NotIn", TEXTS("n1"), "n1"));
    CHECK(field_matches("metadata.name", "In", TEXTS("not a label!"), "not a label!"));
}

static void
test_expressions_and_fields_are_anded(void)
{
    struct selector_requirement label = requirement("zone", "In", TEXTS("a"));
    struct selector_requirement field = requirement("metadata.name", "In", TEXTS("n1"));
    struct node_selector_term term = {.match_expressions = one_requirement(&label),
                                      .match_fields = one_requirement(&field)};
    struct node_selector selector = {.terms = &term, .count = 1, .present = true};
    struct label_list none = {0};

    CHECK(matches_node(&selector, "n1", &labels));
    CHECK(!matches_node(&selector, "n2", &labels));
    CHECK(!matches_node(&selector, "n1", &none));
}

static void
test_equality_tells_absent_from_empty(void)
{
    struct str_list absent = {0};
    struct str_list xy = TEXTS("x", "y"), same = TEXTS("x", "y"), yx = TEXTS("y", "x");
    struct selector_requirement a = requirement("k", "In", TEXTS("v"));
    struct selector_requirement b = requirement("k", "In", TEXTS("v", "w"));
    struct selector_requirement c = requirement("k", "in", TEXTS("v"));
    struct requirement_list list = one_requirement(&a);
    struct label_selector with = {.match_labels = labels, .match_expressions = list};
    struct label_selector without = {.match_expressions = list};

    CHECK(!str_list_equal(&absent, &(struct str_list){.present = true}));
    CHECK(str_list_equal(&absent, &absent));
    CHECK(str_list_equal(&xy, &same));
    CHECK(!str_list_equal(&xy, &yx));
    CHECK(requirement_list_equal(&list, &list));
    CHECK(!requirement_list_equal(&list, &(struct requirement_list){0}));
    CHECK(!requirement_list_equal(&list, &(struct requirement_list){&b, 1, true}));
    CHECK(!requirement_list_equal(&list, &(struct requirement_list){&c, 1, true}));
    CHECK(label_list_equal(&labels, &labels));
    CHECK(!label_list_equal(&labels, &(struct label_list){node_labels, 4, true}));
    CHECK(!label_list_equal(&(struct label_list){0}, &(struct label_list){.present = true}));
    CHECK(label_selector_equal(NULL, NULL));
    CHECK(!label_selector_equal(NULL, &without));
    CHECK(!label_selector_equal(&with, &without));
    CHECK(label_selector_equal(&with, &with));
}

void suite_selector(void);

void
suite_selector(void)
{
    check_suite("selector");
    check_test("labels are found by key", test_labels_are_found_by_key);
    check_test("label keys", test_label_keys);
    check_test("label values", test_label_values);
    check_test("operators have names", test_operators_have_names);
    check_test("operators match", test_operators_match);
    check_test("ordering is for nodes only", test_ordering_is_for_nodes_only);
    check_test("invalid requirements match nothing", test_invalid_requirements_match_nothing);
    check_test("label selector ands its parts", test_label_selector_ands_its_parts);
    check_test("invalid part spoils the selector", test_invalid_part_spoils_the_selector);
    check_test("absent selector", test_absent_selector_matches_nothing_empty_everything);
    check_test("node terms are ored", test_node_terms_are_ored);
    check_test("node affinity without terms", test_node_affinity_without_terms_matches_all);
    check_test("node fields", test_node_fields);
    check_test("expressions and fields are anded", test_expressions_and_fields_are_anded);
    check_test("equality tells absent from empty", test_equality_tells_absent_from_empty);
}
