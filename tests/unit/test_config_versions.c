/* SPDX-License-Identifier: Apache-2.0
 *
 * The apiVersions of a configuration: what each of them takes, and how an older one
 * becomes the newest.
 */
#include <string.h>

#include "check.h"
#include "cli/config/config.h"

#define NEWEST "apiVersion: ballast.io/v1beta1\nkind: BallastConfiguration\n"
#define OLDER "apiVersion: ballast.io/v1alpha1\nkind: BallastConfiguration\n"

struct fixture {
    struct arena *arena;
    struct interner *strings;
    struct policy policy;
    struct error err;
    bool is_older;
};

static void
set_up(struct fixture *fixture)
{
    fixture->arena = arena_new();
    fixture->strings = interner_new();
    fixture->err = (struct error)ERROR_INIT;
    fixture->is_older = false;
    policy_init(&fixture->policy);
}

static void
tear_down(struct fixture *fixture)
{
    interner_free(fixture->strings);
    arena_free(fixture->arena);
}

static bool
parse(struct fixture *fixture, const char *text)
{
    return config_parse(&(struct config_text){"b.yaml", text, strlen(text)}, fixture->arena,
                        fixture->strings, &fixture->policy, &fixture->is_older, &fixture->err);
}

static void
test_versions(void)
{
    static const struct {
        const char *text, *refused; /* NULL: it is taken */
        bool is_older;
        int64_t moved;
    } cases[] = {
        {NEWEST "limits: {maxReplicasMoved: 7}\n", NULL, false, 7},
        {OLDER "limits: {maxReplicasMoved: 7}\n", NULL, true, 7},
        /* wherever it stands */
        {"limits: {maxReplicasMoved: 7}\nkind: BallastConfiguration\n"
         "apiVersion: ballast.io/v1alpha1\n",
         NULL, true, 7},
        {OLDER "limits: {maxReplicas: 7}\n",
         "b.yaml:3:10: unknown field limits.maxReplicas: did you mean maxReplicasMoved?", true, 0},
        {NEWEST "limits: {maxReplicas: 7}\n",
         "b.yaml:3:10: unknown field limits.maxReplicas: did you mean maxReplicasMoved?", false, 0},
        {"apiVersion: ballast.io/v1\nkind: BallastConfiguration\n",
         "b.yaml:1:13: apiVersion: want ballast.io/v1beta1, got \"ballast.io/v1\"", false, 0},
        {"apiVersion: [ballast.io/v1alpha1]\nkind: BallastConfiguration\n",
         "b.yaml:1:13: apiVersion: want ballast.io/v1beta1, got list", false, 0},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fixture fixture;

        set_up(&fixture);
        bool is_taken = parse(&fixture, cases[i].text);

        CHECK_MSG(is_taken == (cases[i].refused == NULL), "case %zu: %s", i, fixture.err.message);
        CHECK_INT(fixture.is_older, cases[i].is_older);
        if (is_taken) {
            CHECK_INT(fixture.policy.limits.of[LIMIT_RUN_REPLICAS].value, cases[i].moved);
        } else {
            CHECK_STR(fixture.err.message, cases[i].refused);
        }
        tear_down(&fixture);
    }
}

static void
test_convert(void)
{
    static const struct {
        const char *text;
        const char *want; /* NULL: it is refused */
    } cases[] = {
        {NEWEST "limits: {maxReplicasMoved: 7} # so much\n",
         NEWEST "limits: {maxReplicasMoved: 7} # so much\n"},
        {OLDER "# why\ntriggers: {Imbalance: true}\n",
         NEWEST "# why\ntriggers: {Imbalance: true}\n"},
        {"kind: 'BallastConfiguration'\napiVersion: 'ballast.io/v1alpha1'\n",
         "kind: 'BallastConfiguration'\napiVersion: 'ballast.io/v1beta1'\n"},
        {"{\"apiVersion\": \"ballast.io/v1alpha1\", \"kind\": \"BallastConfiguration\"}\n",
         "{\"apiVersion\": \"ballast.io/v1beta1\", \"kind\": \"BallastConfiguration\"}\n"},
        /* columns are characters */
        {"{\"limits\": {\"perNamespace\": null}, \"scope\": {\"namespaces\": [\"\u00e4\u00f6\"]}, "
         "\"apiVersion\": \"ballast.io/v1alpha1\", \"kind\": \"BallastConfiguration\"}",
         "{\"limits\": {\"perNamespace\": null}, \"scope\": {\"namespaces\": [\"\u00e4\u00f6\"]}, "
         "\"apiVersion\": \"ballast.io/v1beta1\", \"kind\": \"BallastConfiguration\"}"},
        {"apiVersion: \"ballast.io\\x2fv1alpha1\"\nkind: BallastConfiguration\n", NULL},
        {OLDER "limits: {maxReplicas: 5}\n", NULL},
        {OLDER "unknown: 1\n", NULL},
        {OLDER "---\n" OLDER, NULL},
        {"", NULL},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct config_text text = {"b.yaml", cases[i].text, strlen(cases[i].text)};
        struct fixture fixture;
        struct buf out;

        set_up(&fixture);
        buf_init(&out, 1 << 16);
        bool is_done = config_to_newest(&text, fixture.arena, fixture.strings, &out, &fixture.err);

        CHECK_MSG(is_done == (cases[i].want != NULL), "case %zu: %s", i, fixture.err.message);
        if (is_done && cases[i].want != NULL) {
            CHECK_STR(buf_text(&out), cases[i].want);
        }
        buf_release(&out);
        tear_down(&fixture);
    }
}

void suite_config_versions(void);

void
suite_config_versions(void)
{
    check_suite("config versions");
    check_test("what each takes", test_versions);
    check_test("converted", test_convert);
}
