/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs against a server that leave records in its ConfigMaps: what history,
 * explain and undo make of them, and what a run does that cannot leave one. The
 * configuration of a ConfigMap.
 */
#include <stdlib.h>
#include <string.h>

#include "ballast/base/str.h"
#include "check.h"
#include "live_fleet.h"
#include "live_run.h"

#define MAPS "/api/v1/namespaces/karmada-system/configmaps"
#define FIRST_MAP MAPS "/ballast-records-0"
#define RECORD " --records=configmap:ballast-records"
#define ID_LENGTH 33

static struct fake_api *
fleet_with_maps(unsigned n_bindings)
{
    struct fake_api *api = unwell_fleet(n_bindings);

    fake_api_serve(api, MAPS, "v1", "ConfigMap");
    return api;
}

static void
expect(struct live_outcome *got, enum exit_status status)
{
    CHECK_MSG(got->status == status, "status %d: %s%s", (int)got->status, got->out, got->err);
}

static void
run(struct fake_api *api, enum exit_status status, const char *arguments)
{
    struct live_outcome got = live_run(api, "%s", arguments);

    expect(&got, status);
    live_release(&got);
}

/* The id of the record in the n-th place of the first ConfigMap: ids sort by time. */
static void
id_of_latest(struct fake_api *api, char ret[ID_LENGTH + 1])
{
    const char *text = fake_api_get(api, FIRST_MAP), *done = text;

    memset(ret, 0, ID_LENGTH + 1);
    for (const char *next; (next = strstr(done, ".done.1-of-1")) != NULL; done = next + 1) {
        if (next - text >= ID_LENGTH) {
            memcpy(ret, next - ID_LENGTH, ID_LENGTH);
        }
    }
}

static void
test_history(void)
{
    struct fake_api *api = fleet_with_maps(2);
    char id[ID_LENGTH + 1], undo[ID_LENGTH + 1];

    run(api, STATUS_DONE, "run --yes" RECORD);
    id_of_latest(api, id);
    struct live_outcome got = live_run(api, "history --since 1h");

    expect(&got, STATUS_DONE);
    CHECK_CONTAINS(got.out, "1 run since ");
    CHECK_CONTAINS(got.out, "in ConfigMaps karmada-system/ballast-records-0 to 7");
    CHECK_CONTAINS(got.out, id);
    CHECK_CONTAINS(got.out, "shop/web-1 (Deployment): Place m1 2→3");
    CHECK_CONTAINS(got.out, "take back      ballast undo ");
    live_release(&got);

    got = live_run(api, "explain shop/web-1");
    expect(&got, STATUS_DONE);
    CHECK_CONTAINS(got.out, id);
    live_release(&got);

    got = live_run(api, "undo %s -n shop --workload web-1 --any-room --dry-run", id);
    CHECK_CONTAINS(got.out, id);
    live_release(&got);
    id_of_latest(api, undo);
    CHECK_STR(undo, id); /* a dry run leaves none */

    got = live_run(api, "history shop/web-1 -o json");
    expect(&got, STATUS_DONE);
    CHECK_CONTAINS(got.out, "\"kind\": \"History\"");
    CHECK_CONTAINS(got.out, "\"written\": 1,");
    live_release(&got);
    fake_api_stop(api);
}

/* Without a record nothing is written; nor is a plan kept from anything. */
static void
test_no_record(void)
{
    struct fake_api *api = fleet_with_maps(2);
    unsigned before = fake_api_count(api, "PATCH", BINDINGS_PATH);

    fake_api_fail(api, "GET", FIRST_MAP, 403, "no", 99);
    struct live_outcome got = live_run(api, "run --yes" RECORD);

    expect(&got, STATUS_ERROR);
    CHECK_CONTAINS(got.err, "nothing was written, since no record can be left (--records): "
                            "ConfigMap karmada-system/ballast-records-0: ");
    CHECK_INT(fake_api_count(api, "PATCH", "/apis/work.karmada.io"), before);
    live_release(&got);
    run(api, STATUS_DONE, "plan");
    fake_api_stop(api);
}

/* The writes are done, and the run says that their record is not complete. */
static void
test_record_not_completed(void)
{
    struct fake_api *api = fleet_with_maps(2);

    fake_api_fail(api, "PATCH", FIRST_MAP, 403, "no", 99);
    struct live_outcome got = live_run(api, "run --yes" RECORD);

    expect(&got, STATUS_ERROR);
    CHECK_CONTAINS(got.err, "the record does not say what became of the writes: ConfigMap ");
    CHECK_CONTAINS(fake_api_get(api, SHOP_BINDINGS_PATH "/web-1"), "\"replicas\":3}]");
    CHECK_CONTAINS(fake_api_get(api, FIRST_MAP), ".pending.1-of-1");
    live_release(&got);
    fake_api_stop(api);
}

static void
test_config(void)
{
    struct fake_api *api = fleet_with_maps(2);

    fake_api_put(api, MAPS, MAPS "/ballast",
                 "{\"metadata\":{\"name\":\"ballast\"},\"data\":{\"ballast.yaml\":\"apiVersion: "
                 "ballast.io/v1beta1\\nkind: BallastConfiguration\\nscope: {namespaces: "
                 "[elsewhere]}\\n\"}}");
    struct live_outcome got = live_run(api, "plan --config configmap:karmada-system/ballast");

    expect(&got, STATUS_DONE);
    CHECK_CONTAINS(got.out, "0 of 2 bindings in scope");
    live_release(&got);
    got = live_run(api, "config show --config configmap:karmada-system/ballast --mode Evict");
    expect(&got, STATUS_DONE);
    CHECK_CONTAINS(got.out, "[\"elsewhere\"]");
    CHECK_CONTAINS(got.out, "configmap:karmada-system/ballast:3");
    CHECK_CONTAINS(got.out, "--mode\n");
    live_release(&got);
    got = live_run(api, "plan --config configmap:karmada-system/none");
    CHECK_CONTAINS(got.err, "--config configmap:karmada-system/none: ");
    CHECK(got.status != STATUS_DONE);
    live_release(&got);
    got = live_run(api, "plan --config configmap:ballast");
    expect(&got, STATUS_USAGE);
    CHECK_CONTAINS(got.err, "configmap:NAMESPACE/NAME");
    live_release(&got);
    fake_api_stop(api);
}

void suite_live_records(void);

void
suite_live_records(void)
{
    check_suite("live_records");
    check_test("history", test_history);
    check_test("no record, no writes", test_no_record);
    check_test("a record that is not completed", test_record_not_completed);
    check_test("configuration of a ConfigMap", test_config);
}
