/* SPDX-License-Identifier: Apache-2.0
 *
 * A process that forbade it leaves no core when it crashes.
 */
#include "ballast/base/core_dump.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { FINE, NO_LIMIT, LIMIT_IS_NOT_NONE, IS_DUMPABLE };

/* In a child, since there is no way back. */
static int
forbid_and_look(void)
{
    struct rlimit limit;
    bool is_dumpable = prctl(PR_GET_DUMPABLE) != 0;

    core_dump_forbid();
    if (getrlimit(RLIMIT_CORE, &limit) != 0) {
        return NO_LIMIT;
    }
    if (limit.rlim_cur != 0 || limit.rlim_max != 0) {
        return LIMIT_IS_NOT_NONE;
    }
#ifdef BALLAST_TRACEABLE
    bool want = is_dumpable;
#else
    bool want = false;
    (void)is_dumpable;
#endif
    return (prctl(PR_GET_DUMPABLE) != 0) == want ? FINE : IS_DUMPABLE;
}

static void
test_limits(void)
{
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        _exit(forbid_and_look());
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK_INT(WEXITSTATUS(status), FINE);
}

static void
test_crash(void)
{
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        core_dump_forbid();
        signal(SIGABRT, SIG_DFL);
        raise(SIGABRT);
        _exit(0);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    CHECK(!WCOREDUMP(status));
}

void suite_core_dump(void);

void
suite_core_dump(void)
{
    check_suite("core dump");
    check_test("limit and flag", test_limits);
    check_test("a crash", test_crash);
}
