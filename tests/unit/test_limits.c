/* SPDX-License-Identifier: Apache-2.0
 *
 * Limits as values, and the accounts of a run.
 */
#include "ballast/model/limits.h"

#include "ballast/plan/run_accounts.h"
#include "check.h"
#include "small_fleet.h"

static void
test_parse(void)
{
    static const struct {
        const char *text;
        bool ok;
        struct limit limit;
    } cases[] = {
        {"0", true, {LIMIT_UNIT_COUNT, 0}},
        {"12", true, {LIMIT_UNIT_COUNT, 12}},
        {"9223372036854775807", true, {LIMIT_UNIT_COUNT, INT64_MAX}},
        {"0%", true, {LIMIT_UNIT_PERCENT, 0}},
        {"100%", true, {LIMIT_UNIT_PERCENT, 100}},
        {"-1", true, {LIMIT_UNIT_NONE, 0}},
        {"101%", false, {0}},
        {"9223372036854775808", false, {0}},
        {"-2", false, {0}},
        {"+1", false, {0}},
        {" 1", false, {0}},
        {"1 ", false, {0}},
        {"1.5", false, {0}},
        {"5%%", false, {0}},
        {"%", false, {0}},
        {"", false, {0}},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct limit limit = {0};

        CHECK_MSG(limit_parse(cases[i].text, &limit) == cases[i].ok, "\"%s\"", cases[i].text);
        CHECK_MSG(limit.unit == cases[i].limit.unit && limit.value == cases[i].limit.value,
                  "\"%s\": got %d %lld", cases[i].text, (int)limit.unit, (long long)limit.value);
    }
}

static void
test_allows(void)
{
    static const struct {
        const char *text;
        int64_t whole, allowed;
    } cases[] = {
        {"-1", 7, LIMIT_OPEN}, {"12", 7, 12},
        {"0", 7, 0},           {"25%", 8, 2},
        {"25%", 11, 2}, /* 2.75, rounded down */
        {"25%", 3, 1},  /* 0.75, but one at least */
        {"25%", 0, 1},         {"0%", 8, 0},
        {"100%", 8, 8},        {"99%", INT64_MAX, 9131138316486228048},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct limit limit = {0};

        CHECK(limit_parse(cases[i].text, &limit));
        CHECK_MSG(limit_allows(&limit, cases[i].whole) == cases[i].allowed,
                  "%s of %lld: got %lld, want %lld", cases[i].text, (long long)cases[i].whole,
                  (long long)limit_allows(&limit, cases[i].whole), (long long)cases[i].allowed);
    }
}

static void
test_run_accounts(void)
{
    struct small_fleet f;

    small_fleet_open(&f);
    small_fleet_cluster(&f, "m1");
    small_fleet_cluster(&f, "m2");
    small_fleet_binding(&f, "api", 6, "{'name':'m1','replicas':6}", "");
    small_fleet_binding(&f, "web", 4, "{'name':'m1','replicas':2},{'name':'gone','replicas':2}",
                        "");
    for (int rule = 0; rule < N_LIMIT_RULES; rule++) {
        f.policy.limits.of[rule] = (struct limit){LIMIT_UNIT_PERCENT, 50};
    }
    f.policy.limits.of[LIMIT_RUN_BINDINGS].unit = LIMIT_UNIT_NONE;
    if (small_fleet_diagnose(&f)) {
        struct run_accounts *run_accounts =
            run_accounts_new(f.arena, f.fleet, f.diagnosis, &f.policy.limits);
        struct limit_account *run = run_account(run_accounts, LIMIT_RUN_REPLICAS, "", CLUSTER_NONE);
        struct limit_account *m1 = run_account(run_accounts, LIMIT_SOURCE_REPLICAS, "", 0);
        const struct charge charges[] = {{run, 5}, {m1, 3}};

        CHECK_INT(run->allowed, 5);
        CHECK_INT(m1->allowed, 4);
        CHECK_INT(run_account(run_accounts, LIMIT_DESTINATION_REPLICAS, "", 1)->allowed, 1);
        CHECK_INT(run_account(run_accounts, LIMIT_NAMESPACE_REPLICAS, "ns", CLUSTER_NONE)->whole,
                  10);
        CHECK_INT(run_account(run_accounts, LIMIT_NAMESPACE_BINDINGS, "ns", CLUSTER_NONE)->allowed,
                  1);
        CHECK(account_left(run_account(run_accounts, LIMIT_RUN_BINDINGS, "", CLUSTER_NONE)) ==
              LIMIT_OPEN);
        CHECK(run_account(run_accounts, LIMIT_SOURCE_REPLICAS, "", CLUSTER_NONE) == NULL);
        charges_spend(charges, 2);
        CHECK_INT(account_left(run), 0);
        CHECK_INT(account_left(m1), 1);
        charges_give_back(charges, 2);
        CHECK_INT(account_left(run), 5);
        CHECK_INT(account_left(m1), 4);
    }
    small_fleet_close(&f);
}

void suite_limits(void);

void
suite_limits(void)
{
    check_suite("limits");
    check_test("parse", test_parse);
    check_test("allows", test_allows);
    check_test("accounts of a run", test_run_accounts);
}
