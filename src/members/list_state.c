/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds, fails and forgets lists of a member.
 */
#include <string.h>

#include "probe.h"

void
member_list_fail(struct member_list *list, const char *message)
{
    list->state = LIST_FAILED;
    list->message = arena_strndup(list->member->looking->arena, message, strlen(message));
}

void
member_list_forget(struct member_list *list)
{
    kube_list_abandon(list->listing);
    list->listing = NULL;
}

void
member_add_list(struct member_probe *member, const struct member_resource *resource,
                const char *namespace_, const char *query)
{
    if (member->n_lists == MEMBER_LISTS_MAX) {
        BUG("more lists of a member than there is room for");
    }
    member->lists[member->n_lists++] = (struct member_list){
        .member = member, .resource = resource, .namespace_ = namespace_, .query = query};
}
