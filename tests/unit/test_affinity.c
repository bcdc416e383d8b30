/* SPDX-License-Identifier: Apache-2.0
 *
 * Which clusters a cluster affinity selects.
 */
#include "ballast/model/affinity.h"

#include "check.h"

#define MANY 3

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

static const char *const zones[] = {"eu-1a", "eu-1b"};
static const struct label labels[] = {{"env", "prod"}, {"tier", "1"}};

/* In Europe, at a provider, in two zones. */
static const struct cluster europe = {
    .name = "europe",
    .provider = "acme",
    .region = "eu-1",
    .zone = "eu-1c",
    .labels = {.items = labels, .count = 2, .present = true},
    .zones = {.items = zones, .count = 2, .present = true},
};
/* All that can be empty is. */
static const struct cluster nowhere = {
    .name = "nowhere", .provider = "", .region = "", .zone = "z"};

static void
test_empty_affinity_matches_all(void)
{
    struct cluster_affinity empty = {0};

    CHECK(cluster_affinity_matches(&empty, &europe));
    CHECK(cluster_affinity_matches(&empty, &nowhere));
}

static void
test_names_and_exclusion(void)
{
    struct cluster_affinity affinity = {.cluster_names = TEXTS("asia", "europe")};

    CHECK(cluster_affinity_matches(&affinity, &europe));
    CHECK(!cluster_affinity_matches(&affinity, &nowhere));
    affinity.exclude = TEXTS("europe");
    CHECK(!cluster_affinity_matches(&affinity, &europe));
    affinity.cluster_names = NO_TEXTS; /* an empty list is no restriction */
    CHECK(!cluster_affinity_matches(&affinity, &europe));
    CHECK(cluster_affinity_matches(&affinity, &nowhere));
}

static void
check_field(const char *key, const char *operator_text, struct str_list values, bool want_europe,
            bool want_nowhere)
{
    struct selector_requirement item = {.key = key,
                                        .operator_text = operator_text,
                                        .operator= selector_operator_parse(operator_text),
                                        .values = values};
    struct field_selector fields = {.match_expressions = {&item, 1, true}};
    struct cluster_affinity affinity = {.field_selector = &fields};

    CHECK_MSG(cluster_affinity_matches(&affinity, &europe) == want_europe,
              "%s %s (%u values) and europe: want %d", key, operator_text, values.count,
              want_europe);
    CHECK_MSG(cluster_affinity_matches(&affinity, &nowhere) == want_nowhere,
              "%s %s (%u values) and nowhere: want %d", key, operator_text, values.count,
              want_nowhere);
}

static void
test_provider_and_region_exist_when_not_empty(void)
{
    check_field("provider", "In", TEXTS("acme", "other"), true, false);
    check_field("provider", "In", TEXTS("other"), false, false);
    check_field("provider", "In", TEXTS(""), false, false);
    check_field("provider", "NotIn", TEXTS("acme"), false, true);
    check_field("provider", "Exists", NO_TEXTS, true, false);
    check_field("provider", "DoesNotExist", NO_TEXTS, false, true);
    check_field("region", "In", TEXTS("eu-1"), true, false);
    check_field("region", "NotIn", TEXTS("eu-2"), true, true);
    check_field("country", "Exists", NO_TEXTS, false, false);
    check_field("country", "DoesNotExist", NO_TEXTS, true, true);
    check_field("region", "Gt", TEXTS("1"), false, false);
}

static void
test_bad_provider_and_region_match_nothing(void)
{
    check_field("provider", "In", NO_TEXTS, false, false);
    check_field("provider", "NotIn", NO_TEXTS, false, false);
    check_field("provider", "NotIn", TEXTS("no label value"), false, false);
    check_field("region", "Exists", TEXTS("eu-1"), false, false);
    check_field("region", "Is", TEXTS("eu-1"), false, false);
    check_field("region/", "DoesNotExist", NO_TEXTS, false, false);
}

static void
test_zones_are_a_set(void)
{
    check_field("zone", "In", TEXTS("eu-1b", "eu-1z"), true, false);
    check_field("zone", "In", TEXTS("eu-1z"), false, false);
    check_field("zone", "In", TEXTS("eu-1c"), false, false); /* spec.zone is not looked at */
    check_field("zone", "NotIn", TEXTS("eu-1a"), false, true);
    check_field("zone", "NotIn", TEXTS("eu-1z"), true, true);
    check_field("zone", "Exists", NO_TEXTS, true, false);
    check_field("zone", "DoesNotExist", NO_TEXTS, false, true);
    check_field("zone", "Gt", TEXTS("1"), false, false);
    check_field("zone", "Any", NO_TEXTS, false, false);
}

/* Other than provider and region, zones have no invalid values. */
static void
test_zone_values_are_not_validated(void)
{
    check_field("zone", "In", NO_TEXTS, false, false);
    check_field("zone", "NotIn", NO_TEXTS, true, true);
    check_field("zone", "NotIn", TEXTS("no label value"), true, true);
    check_field("zone", "Exists", TEXTS("x"), true, false);
}

static void
test_all_parts_must_hold(void)
{
    struct label env[] = {{"env", "prod"}};
    struct label_selector selector = {.match_labels = {env, 1, true}};
    struct selector_requirement items[] = {
        {.key = "zone", .operator= SELECTOR_IN, .values = TEXTS("eu-1a")},
        {.key = "provider", .operator= SELECTOR_IN, .values = TEXTS("acme")},
    };
    struct field_selector fields = {.match_expressions = {items, 2, true}};
    struct cluster_affinity affinity = {
        .label_selector = &selector, .field_selector = &fields, .cluster_names = TEXTS("europe")};

    CHECK(cluster_affinity_matches(&affinity, &europe));
    env[0].value = "test";
    CHECK(!cluster_affinity_matches(&affinity, &europe));
    env[0].value = "prod";
    items[1].values = TEXTS("other");
    CHECK(!cluster_affinity_matches(&affinity, &europe));
    items[1].values = TEXTS("acme");
    affinity.cluster_names = TEXTS("asia");
    CHECK(!cluster_affinity_matches(&affinity, &europe));
}

static void
test_selectors_without_content(void)
{
    struct label_selector selector = {0};
    struct field_selector fields = {0};
    struct cluster_affinity affinity = {.label_selector = &selector, .field_selector = &fields};
    struct label bad[] = {{"env", "not valid"}};

    CHECK(cluster_affinity_matches(&affinity, &europe));
    CHECK(cluster_affinity_matches(&affinity, &nowhere));
    affinity.field_selector = NULL;
    CHECK(cluster_affinity_matches(&affinity, &nowhere));
    selector.match_labels = (struct label_list){bad, 1, true};
    CHECK(!cluster_affinity_matches(&affinity, &europe));
}

void suite_affinity(void);

void
suite_affinity(void)
{
    check_suite("affinity");
    check_test("empty affinity matches all", test_empty_affinity_matches_all);
    check_test("names and exclusion", test_names_and_exclusion);
    check_test("provider and region", test_provider_and_region_exist_when_not_empty);
    check_test("bad provider and region", test_bad_provider_and_region_match_nothing);
    check_test("zones are a set", test_zones_are_a_set);
    check_test("zone values are not validated", test_zone_values_are_not_validated);
    check_test("all parts must hold", test_all_parts_must_hold);
    check_test("selectors without content", test_selectors_without_content);
}
