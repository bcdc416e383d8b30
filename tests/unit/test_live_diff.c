/* SPDX-License-Identifier: Apache-2.0
 *
 * A snapshot against the control plane as it is now.
 */
#include "check.h"
#include "live_fleet.h"
#include "live_run.h"
#include "temp_dir.h"

#define WEB(n) SHOP_BINDINGS_PATH "/web-" n

/* shop/web-0 and shop/web-1, and a snapshot of them. */
static struct fake_api *
taken_fleet(const struct temp_dir *dir)
{
    struct fake_api *api = unwell_fleet(2);
    struct live_outcome taken = live_run(api, "snapshot %s", temp_path(dir, "s"));

    CHECK_MSG(taken.status == STATUS_DONE, "status %d: %s", (int)taken.status, taken.err);
    live_release(&taken);
    return api;
}

static void
test_same(void)
{
    struct temp_dir dir = temp_dir_make();
    struct fake_api *api = taken_fleet(&dir);
    struct live_outcome got =
        live_run(api, "diff %s live --detailed-exitcode", temp_path(&dir, "s"));

    CHECK_MSG(got.status == STATUS_DONE, "status %d: %s", (int)got.status, got.err);
    CHECK_CONTAINS(got.out, "context c");
    CHECK_CONTAINS(got.out, "\nNothing changed\n");
    CHECK_STR(got.err, "");
    live_release(&got);
    fake_api_stop(api);
    temp_dir_remove(&dir);
}

/* What a run added is its doing by its record alone, and looking writes nothing. */
static void
test_run(void)
{
    struct temp_dir dir = temp_dir_make();
    struct fake_api *api = taken_fleet(&dir);
    struct live_outcome run = live_run(api, "run --records %s", temp_path(&dir, "r"));
    unsigned writes = fake_api_count(api, "PATCH", "/") + fake_api_count(api, "PUT", "/") +
                      fake_api_count(api, "POST", "/");
    struct live_outcome proven = live_run(api, "diff %s live --records %s --detailed-exitcode",
                                          temp_path(&dir, "s"), temp_path(&dir, "r"));
    struct live_outcome unproven = live_run(api, "diff %s live", temp_path(&dir, "s"));

    CHECK_MSG(run.status == STATUS_DONE, "status %d: %s", (int)run.status, run.err);
    CHECK_MSG(proven.status == STATUS_CHANGES, "status %d: %s", (int)proven.status, proven.err);
    CHECK_CONTAINS(proven.out, "~ Deployment shop/web-1: 3 wanted\n    ~ m1: 2 -> 3\n"
                               "    by Ballast (record ");
    CHECK_CONTAINS(proven.out, "2 changed: by Ballast 2\n");
    CHECK_INT(unproven.status, STATUS_DONE);
    CHECK_CONTAINS(unproven.out, "2 changed: by others 2\n");
    CHECK_INT(fake_api_count(api, "PATCH", "/") + fake_api_count(api, "PUT", "/") +
                  fake_api_count(api, "POST", "/"),
              writes);
    live_release(&run);
    live_release(&proven);
    live_release(&unproven);
    fake_api_stop(api);
    temp_dir_remove(&dir);
}

/* A member that is not seen any more is said to be so, and shows in the status. */
static void
test_unseen(void)
{
    struct temp_dir dir = temp_dir_make();
    struct fake_api *api = taken_fleet(&dir);

    fake_api_fail(api, "GET", MEMBER("m1", "api/v1/pods"), 403, "not for you", 100);
    struct live_outcome got = live_run(api, "diff %s live", temp_path(&dir, "s"));

    CHECK_MSG(got.status == STATUS_UNSEEN, "status %d: %s", (int)got.status, got.err);
    CHECK_CONTAINS(got.out, "~ m1\n    - its member is not seen any more\n");
    CHECK_CONTAINS(got.err, "member m1: not seen: pods");
    live_release(&got);
    fake_api_stop(api);
    temp_dir_remove(&dir);
}

/* The control plane cannot be read, or is another one. */
static void
test_errors(void)
{
    struct temp_dir dir = temp_dir_make();
    struct fake_api *api = taken_fleet(&dir);
    struct live_outcome got;

    fake_api_fail(api, "GET", CLUSTERS_PATH, 403, "not for you", 1);
    got = live_run(api, "diff %s live", temp_path(&dir, "s"));
    CHECK_INT(got.status, STATUS_ERROR);
    CHECK_CONTAINS(got.err, "not for you");
    CHECK_STR(got.out, "");
    live_release(&got);
    got = live_run(api, "diff examples/kubefed live");
    CHECK_INT(got.status, STATUS_ERROR);
    CHECK_CONTAINS(got.err, "the first is of KubeFed, the second of Karmada");
    live_release(&got);
    got = live_run(api, "diff examples/fleet live");
    CHECK_INT(got.status, STATUS_ERROR);
    CHECK_CONTAINS(got.err, "no cluster is in both");
    live_release(&got);
    fake_api_stop(api);
    temp_dir_remove(&dir);
}

void suite_live_diff(void);

void
suite_live_diff(void)
{
    check_suite("live diff");
    check_test("nothing changed", test_same);
    check_test("after a run", test_run);
    check_test("a member is not seen any more", test_unseen);
    check_test("what cannot be compared", test_errors);
}
