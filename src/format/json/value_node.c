/* SPDX-License-Identifier: Apache-2.0
 *
 * Members of our own values. Objects of many members are jansson's, which
 * hashes them (see project.c): here they are looked for one by one.
 */
#include "value_node.h"

const struct value *
node_get(const struct node *object, const char *key)
{
    if (node_type(object) != VALUE_OBJECT) {
        return NULL;
    }
    for (uint32_t i = 0; i < object->count; i++) {
        const struct node_member *member = &object->as.members[i];

        if (member->name == key || (member->name[0] == key[0] && strcmp(member->name, key) == 0)) {
            return node_value(&member->value);
        }
    }
    return NULL;
}

bool
node_each(struct value_iterator *it, const char **ret_key, const struct value **ret_value)
{
    const struct node *object = as_node(it->object);
    const struct node_member *last = it->state;

    if (node_type(object) != VALUE_OBJECT) {
        return false;
    }
    size_t next = last == NULL ? 0 : (size_t)(last - object->as.members) + 1;

    if (next == object->count) {
        return false;
    }
    union {
        const struct node_member *in;
        void *out;
    } state = {.in = &object->as.members[next]};

    it->state = state.out;
    *ret_key = state.in->name;
    *ret_value = node_value(&state.in->value);
    return true;
}
