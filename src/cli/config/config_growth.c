/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads `growth` of a configuration: clusters to which an autoscaler adds nodes.
 */
#include <stddef.h>

#include "ballast/model/policy.h"
#include "config_key.h"

#define NODES_MAX 100000

const struct config_key config_growth_rule_keys[] = {
    {.name = "names",
     .type = &config_names,
     .offset = offsetof(struct growth_rule, names),
     .help = "The clusters' names; any if left out."},
    {.name = "labelSelector",
     .type = &config_selector,
     .offset = offsetof(struct growth_rule, labels),
     .table = config_selector_keys,
     .help = "The labels of the Cluster objects; any if left out."},
    {.name = "maxNodes",
     .type = &config_int,
     .offset = offsetof(struct growth_rule, max_nodes),
     .param = {.range = {1, NODES_MAX}},
     .required = true,
     .help = "How many nodes each of these clusters may have in the end. Ballast takes those that "
             "are missing to be like those that are there."},
    CONFIG_KEY_END,
};

static bool
read_rule(struct config_reader *reader, const struct config_place *place, void *item)
{
    struct growth_rule *ret = item;

    *ret = (struct growth_rule){.labels = NULL};
    return config_object(reader, config_growth_rule_keys, place, ret);
}

bool
config_growth_rules(struct config_reader *reader, const struct config_key *key,
                    const struct config_place *place, void *target)
{
    static const struct config_items rules = {VALUE_LIST, sizeof(struct growth_rule), read_rule};
    struct growth_rule_list *list = target;
    void *items = NULL;
    bool is_fine = config_each(reader, key, place, &rules, &items, &list->count);

    list->items = items;
    return is_fine;
}
