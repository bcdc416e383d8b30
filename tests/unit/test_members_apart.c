/* SPDX-License-Identifier: Apache-2.0
 *
 * Members that are looked into for who only listens: few at a time, each to its
 * end, and then nothing of it is kept.
 */
#include "check.h"
#include "live_fleet.h"
#include "member_rig.h"

#define COUNT 12 /* more than have their turn at a time */
#define PODS 6
#define REASON 100000 /* bytes that each of them keeps */
#define MEMORY ((size_t)6 << 20)

static void
name_of(unsigned i, char ret[16])
{
    snprintf(ret, 16, "a%02u", i);
}

static void
put_pods(struct fake_api *api, const char *member)
{
    char collection[256], path[512], json[REASON + 1024];

    snprintf(collection, sizeof(collection), MEMBER("%s", "api/v1/pods"), member);
    for (unsigned i = 0; i < PODS; i++) {
        snprintf(path, sizeof(path), "%s/shop/p%u", collection, i);
        snprintf(
            json, sizeof(json),
            "{\"metadata\":{\"name\":\"p%u\",\"namespace\":\"shop\",\"ownerReferences\":[{"
            "\"apiVersion\":\"apps/v1\",\"kind\":\"ReplicaSet\",\"name\":\"web\",\"uid\":\"u\","
            "\"controller\":true}]},\"status\":{\"phase\":\"Pending\",\"reason\":\"%0*u\"}}",
            i, REASON, i);
        fake_api_put(api, collection, path, json);
    }
}

struct heard {
    unsigned pods;
};

static void
on_begin(void *context)
{
    *(struct heard *)context = (struct heard){.pods = 0};
}

static void
on_object(void *context, const struct fleet_object *object)
{
    struct heard *heard = context;

    heard->pods += strcmp(object->kind, "Pod") == 0 ? 1 : 0;
}

static void
on_part(void *context, const char *member, enum member_part part)
{
    (void)context, (void)member, (void)part;
}

/* Together they show more than there is memory for, each but a tenth of it. */
static void
test_one_after_the_other(void)
{
    static const struct member_choice all = {.has = NULL};
    struct heard heard = {.pods = 0};
    const struct fleet_tap tap = {.context = &heard,
                                  .begin = on_begin,
                                  .object = on_object,
                                  .saw = on_part,
                                  .forget = on_part,
                                  .is_alone = true};
    struct fake_api *api = live_fleet(1, 2);
    struct rig rig;
    char name[16];

    live_members(api);
    for (unsigned i = 0; i < COUNT; i++) {
        name_of(i, name);
        live_one_more_member(api, name);
        put_pods(api, name);
    }
    listen_with(&rig, api, &tap, &all, MEMORY);
    CHECK_INT(heard.pods, COUNT * PODS);
    CHECK_INT(rig.n_unseen, 0);
    for (uint32_t i = 0; rig.fleet != NULL && i < rig.fleet->n_clusters; i++) {
        const struct member *member = &rig.fleet->members[i];

        CHECK(member->has_pods && member->has_nodes && member->has_replica_sets);
        CHECK_INT(member->n_pods, 0);
    }
    for (unsigned i = 0; i < COUNT; i++) { /* what its pods lead to, and nothing else */
        char path[256];

        name_of(i, name);
        snprintf(path, sizeof(path), MEMBER("%s", "apis/apps/v1/replicasets"), name);
        CHECK(fake_api_count(api, "GET", path) > 0);
        snprintf(path, sizeof(path), MEMBER("%s", "apis/batch/v1/jobs"), name);
        CHECK_INT(fake_api_count(api, "GET", path), 0);
    }
    close_rig(&rig);
}

void suite_members_apart(void);

void
suite_members_apart(void)
{
    check_suite("members apart");
    check_test("one after the other", test_one_after_the_other);
}
