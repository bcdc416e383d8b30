/* SPDX-License-Identifier: Apache-2.0
 *
 * The nodes that resource models stand for: a copy and its original have nothing in common.
 */
#include <string.h>

#include "ballast/base/arena.h"
#include "ballast/model/quantity.h"
#include "capacity/nodes/virtual_nodes.h"
#include "check.h"

static struct quantity
cores(const char *text)
{
    struct quantity quantity;
    struct error err = ERROR_INIT;

    CHECK_OK(quantity_parse(text, strlen(text), &quantity, &err), err);
    return quantity;
}

/* Asking how often a set of components fits puts them on a copy. Whatever is put there, in
 * whichever order, the original keeps what it had, and the other way round. */
static void
test_copy(void)
{
    const struct model_range ranges[] = {{"cpu", cores("1"), cores("4")},
                                         {"cpu", cores("4"), cores("64")}};
    const struct resource_model models[] = {{0, &ranges[0], 1}, {1, &ranges[1], 1}};
    const struct model_count counts[] = {{0, 5}, {1, 2}};
    const struct cluster cluster = {.name = "paris",
                                    .models = models,
                                    .n_models = 2,
                                    .allocatable_modelings = counts,
                                    .n_allocatable_modelings = 2};
    struct resource_quantity request = {"cpu", cores("1")};
    const struct requirements one = {.request = {.items = &request, .count = 1}};

    for (int64_t first = 0; first <= 13; first++) {
        for (int64_t second = 0; second <= 13; second++) {
            struct arena *arena = arena_new();
            struct virtual_nodes *nodes = virtual_nodes_new(arena, &cluster);

            CHECK_INT(virtual_nodes_fit(nodes, &one), 13);
            virtual_nodes_take(nodes, &one, first);
            struct virtual_nodes *copy = virtual_nodes_copy(arena, nodes);

            virtual_nodes_take(copy, &one, second);
            CHECK_INT(virtual_nodes_fit(nodes, &one), 13 - first);
            virtual_nodes_take(nodes, &one, 1);
            CHECK_INT(virtual_nodes_fit(copy, &one),
                      13 - first - second < 0 ? 0 : 13 - first - second);
            arena_free(arena);
        }
    }
}

void suite_virtual_nodes(void);

void
suite_virtual_nodes(void)
{
    check_suite("virtual nodes");
    check_test("a copy and its original have nothing in common", test_copy);
}
