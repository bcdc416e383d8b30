/* SPDX-License-Identifier: Apache-2.0
 *
 * Workloads that bindings name, by name.
 */
#include "diagnose/members/subject_table.h"

#include "check.h"

#define N_NAMES 3000

static struct object_reference
ref_of(const char *api_version, const char *kind, const char *namespace_, const char *name)
{
    return (struct object_reference){
        .api_version = api_version, .kind = kind, .namespace_ = namespace_, .name = name};
}

static uint32_t
find(struct subject_table *table, const char *api_version, const char *kind, const char *namespace_,
     const char *name)
{
    const struct subject_name wanted = {api_version, kind, namespace_, name, strlen(name)};

    return subject_table_find(table, &wanted);
}

static void
test_by_all_of_its_name(void)
{
    const struct binding bindings[] = {
        {.resource = ref_of("apps/v1", "Deployment", "shop", "web")},
        {.resource = ref_of("apps/v1", "StatefulSet", "shop", "web")},
        {.resource = ref_of("apps/v1beta1", "Deployment", "shop", "web")}, /* the first one's */
        {.resource = ref_of("apps.example.org/v1", "Deployment", "shop", "web")},
        {.resource = ref_of("v1", "Deployment", "shop", "web")},
        {.resource = ref_of("apps/v1", "Deployment", "shop", "web-2")},
        {.resource = ref_of("apps/v1", "Deployment", "sho", "web")},
    };
    static const uint32_t subjects[] = {0, 1, 0, 2, 3, 4, 5};
    const struct fleet fleet = {.bindings = bindings, .n_bindings = 7};
    struct arena *arena = arena_new();
    struct subject_table *table = subject_table_new(arena, &fleet);

    for (uint32_t i = 0; i < fleet.n_bindings; i++) {
        const struct object_reference *ref = &bindings[i].resource;

        CHECK_INT(subject_table_of_binding(table, i), subjects[i]);
        CHECK_INT(find(table, ref->api_version, ref->kind, ref->namespace_, ref->name),
                  subjects[i]);
    }
    const struct subject_name begins = {"apps/v1", "Deployment", "shop", "web-2-5d4f", 5};

    CHECK_INT(subject_table_find(table, &begins), 4);
    CHECK_INT(find(table, "apps/v1", "Deployment", "shop", "we"), SUBJECT_NONE);
    CHECK_INT(find(table, "apps/v1", "Deployment", "shop", "web-"), SUBJECT_NONE);
    CHECK_INT(find(table, "apps/v1", "Deployment", "", "shopweb"), SUBJECT_NONE);
    CHECK_INT(find(table, "batch/v1", "Deployment", "shop", "web"), SUBJECT_NONE);
    subject_table_free(table);
    arena_free(arena);
}

static void
test_many(void)
{
    struct arena *arena = arena_new();
    struct binding *bindings = ARENA_ARRAY(arena, struct binding, N_NAMES);
    const struct fleet fleet = {.bindings = bindings, .n_bindings = N_NAMES};

    for (int i = 0; i < N_NAMES; i++) {
        bindings[i].resource =
            ref_of("apps/v1", "Deployment", "shop", arena_printf(arena, "web-%d", i));
    }
    struct subject_table *table = subject_table_new(arena, &fleet);

    for (int i = 0; i < 2 * N_NAMES; i++) {
        CHECK_INT(find(table, "apps/v1", "Deployment", "shop", arena_printf(arena, "web-%d", i)),
                  i < N_NAMES ? (uint32_t)i : SUBJECT_NONE);
    }
    subject_table_free(table);
    arena_free(arena);
}

static void
test_none(void)
{
    const struct fleet fleet = {.n_bindings = 0};
    struct arena *arena = arena_new();
    struct subject_table *table = subject_table_new(arena, &fleet);

    CHECK_INT(find(table, "apps/v1", "Deployment", "shop", "web"), SUBJECT_NONE);
    subject_table_free(table);
    arena_free(arena);
}

void suite_subject_table(void);

void
suite_subject_table(void)
{
    check_suite("subject table");
    check_test("by all of its name", test_by_all_of_its_name);
    check_test("many", test_many);
    check_test("no bindings", test_none);
}
