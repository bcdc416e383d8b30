/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds this shard's namespaces in a member that shards share, and lists them one by one. If they
 * are many, or may not be listed, Ballast lists all namespaces and skips objects of other shards.
 */
#include <string.h>

#include "probe.h"

/* Each namespace takes a request per kind. Beyond this number, long lists cost a server less. */
#define NAMESPACES_MAX 128
#define NAME_LENGTH_MAX ((size_t)253)

static const struct member_resource resource = {"namespaces",    "/api/v1", NULL,
                                                "NamespaceList", -1,        true};

bool
member_list_is_of_namespaces(const struct member_list *list)
{
    return list->resource == &resource;
}

bool
member_take_namespace(struct member_probe *member, const struct value *object, struct error *err)
{
    struct member_namespaces *ours = &member->namespaces;
    const char *name = value_text(value_get(object, "metadata"), "name");
    size_t length = strlen(name);

    if (length == 0 || length > NAME_LENGTH_MAX) {
        return error_set(err, ERROR_PARSE, "a namespace has a name of %zu bytes", length);
    }
    if (!fleet_builder_takes(member->looking->builder, member->address->name, name)) {
        return true;
    }
    if (ours->count == NAMESPACES_MAX) {
        return error_set(err, ERROR_INVALID, "more than %d namespaces are ours", NAMESPACES_MAX);
    }
    ours->names[ours->count++] = arena_strndup(member->looking->arena, name, length);
    return true;
}

void
member_drop_namespaces(struct member_probe *member)
{
    member->namespaces.count = 0;
}

void
member_ask_namespaces(struct member_probe *member)
{
    member->namespaces = (struct member_namespaces){
        .names = ARENA_ARRAY(member->looking->arena, const char *, NAMESPACES_MAX),
    };
    member->awaits_namespaces = true;
    member_add_list(member, &resource, "", "");
}

void
member_add_list_of_ours(struct member_probe *member, const struct member_resource *wanted,
                        const char *query)
{
    member_add_list(member, wanted, "", query);
    member->lists[member->n_lists - 1].is_of_ours = member->namespaces.are_known;
}

void
member_choose_namespaces(struct member_probe *member)
{
    struct member_list *list = NULL;

    for (unsigned i = 0; i < member->n_lists; i++) {
        list = member_list_is_of_namespaces(&member->lists[i]) ? &member->lists[i] : list;
    }
    member->awaits_namespaces = false;
    member->namespaces.are_known = list != NULL && list->state == LIST_DONE;
    if (list != NULL && !member->is_lost) {
        list->state = LIST_DONE; /* whole lists replace it */
    }
}
