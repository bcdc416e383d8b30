/* SPDX-License-Identifier: Apache-2.0
 *
 * Which pod templates come with a list of their namespace, and which one by one.
 */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "karmada/template_groups.h"

#define MOST 1200

/* A fleet of workloads, some of which are wanted. */
struct scene {
    struct arena *arena;
    struct binding bindings[MOST];
    struct fleet fleet;
    struct wanted_template wanted[MOST];
    uint32_t n_wanted;
};

static void
set_scene(struct scene *scene)
{
    memset(scene, 0, sizeof(*scene));
    scene->arena = arena_new();
    scene->fleet.bindings = scene->bindings;
}

/* `bound` of them are there, and the last of them are wanted. */
static void
add(struct scene *scene, const char *kind, const char *namespace_, uint32_t bound, uint32_t wanted)
{
    for (uint32_t i = 0; i < bound; i++) {
        struct binding *binding = &scene->bindings[scene->fleet.n_bindings++];

        binding->resource = (struct object_reference){
            .api_version = strcmp(kind, "CloneSet") == 0 ? "apps.kruise.io/v1alpha1" : "apps/v1",
            .kind = kind,
            .namespace_ = namespace_,
            .name = arena_printf(scene->arena, "w%u", bound - i),
        };
        if (i >= bound - wanted) {
            scene->wanted[scene->n_wanted++] = (struct wanted_template){&binding->resource, false};
        }
    }
}

static void
test_which(void)
{
    static const struct {
        struct {
            const char *kind, *namespace_;
            uint32_t bound, wanted;
        } of[3];
        const char *listed;
    } cases[] = {
        {{{"Deployment", "a", 4, 4}}, ""},
        {{{"Deployment", "a", 5, 5}}, "Deployment a 5"},
        {{{"Deployment", "a", 9, 5}}, "Deployment a 5"},
        /* of each kind and namespace for itself */
        {{{"Deployment", "a", 4, 4}, {"StatefulSet", "a", 4, 4}, {"Deployment", "b", 4, 4}}, ""},
        {{{"Deployment", "b", 6, 6}, {"StatefulSet", "a", 7, 7}, {"Deployment", "a", 3, 3}},
         "StatefulSet a 7, Deployment b 6"},
        {{{"CloneSet", "a", 5, 5}, {"Deployment", "a", 5, 5}}, "CloneSet a 5, Deployment a 5"},
        /* few of so many that the list costs more than they do */
        {{{"Deployment", "a", 599, 5}}, "Deployment a 5"},
        {{{"Deployment", "a", 600, 5}}, ""},
        {{{"Deployment", "a", 600, 5}, {"StatefulSet", "a", 5, 5}}, "StatefulSet a 5"},
        {{{"Deployment", "a", 1000, 9}}, ""},
        {{{"Deployment", "a", 1000, 10}}, "Deployment a 10"},
        /* a list would be of all namespaces */
        {{{"Deployment", "", 9, 9}}, ""},
        {{{"Deployment", "a", 9, 0}}, ""},
    };

    static struct scene scene;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct template_group *groups;
        char told[256] = "";
        size_t length = 0;

        set_scene(&scene);
        for (size_t j = 0; j < 3 && cases[i].of[j].kind != NULL; j++) {
            add(&scene, cases[i].of[j].kind, cases[i].of[j].namespace_, cases[i].of[j].bound,
                cases[i].of[j].wanted);
        }
        uint32_t count = template_groups_to_list(scene.arena, scene.wanted, scene.n_wanted,
                                                 &scene.fleet, &groups);

        for (uint32_t g = 0; g < count && length < sizeof(told); g++) {
            const struct object_reference *of = template_group_of(&groups[g]);

            length +=
                (size_t)snprintf(told + length, sizeof(told) - length, "%s%s %s %u",
                                 g > 0 ? ", " : "", of->kind, of->namespace_, groups[g].count);
        }
        CHECK_MSG(strcmp(told, cases[i].listed) == 0, "case %zu: %s", i, told);
        arena_free(scene.arena);
    }
}

static void
test_find(void)
{
    static struct scene scene;
    struct template_group *groups = NULL;

    set_scene(&scene);
    add(&scene, "Deployment", "a", 20, 12);
    add(&scene, "Deployment", "b", 4, 4);
    if (CHECK(template_groups_to_list(scene.arena, scene.wanted, scene.n_wanted, &scene.fleet,
                                      &groups) == 1)) {
        for (uint32_t i = 0; i < 12; i++) {
            CHECK(template_group_find(&groups[0], scene.wanted[i].workload->name) ==
                  &scene.wanted[i]);
        }
        CHECK(template_group_find(&groups[0], "w20") == NULL);
        CHECK(template_group_find(&groups[0], "") == NULL);
    }
    arena_free(scene.arena);
}

void suite_template_groups(void);

void
suite_template_groups(void)
{
    check_suite("template groups");
    check_test("which are listed", test_which);
    check_test("one of them", test_find);
}
