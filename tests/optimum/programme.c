/* SPDX-License-Identifier: Apache-2.0
 *
 * The most that a plan could have placed, as an integer programme.
 */
#include "programme.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ballast/capacity/ledger.h"
#include "ballast/model/fleet.h"
#include "ballast/schedule/schedule.h"

#define EXEC_FAILED 127
#define ROUNDING 1e-6

/* One variable: replicas of a binding that are given to a cluster. */
struct choice {
    uint32_t binding, cluster;
};

struct choices {
    struct choice *items;
    uint32_t count;
};

/* Where each may go: as the planner's own filters have it. */
static struct choices
list_choices(struct arena *arena, const struct planned *planned)
{
    const struct fleet *fleet = planned->fleet;
    struct scheduler *scheduler = scheduler_new(arena, fleet);
    size_t most = (size_t)fleet->n_bindings * fleet->n_clusters;
    struct choices ret = {.items = ARENA_ARRAY(arena, struct choice, most)};

    for (uint32_t b = 0; b < fleet->n_bindings; b++) {
        for (uint32_t c = 0; c < fleet->n_clusters; c++) {
            if (planned->lost[b] > 0 && cluster_may_receive(&planned->diagnosis->clusters[c]) &&
                scheduler_filter(scheduler, &fleet->bindings[b], "", c) == FILTER_PASSED) {
                ret.items[ret.count++] = (struct choice){b, c};
            }
        }
    }
    return ret;
}

static void
write_rooms(const struct planned *planned, const struct choices *choices, uint32_t cluster,
            struct buf *out)
{
    for (int i = 0; i < N_LEDGER_RESOURCES; i++) {
        enum ledger_resource resource = (enum ledger_resource)i;
        bool any = false;

        for (uint32_t n = 0; n < choices->count; n++) {
            const struct choice *choice = &choices->items[n];
            int64_t each = planned_request(&planned->fleet->bindings[choice->binding], resource);

            if (choice->cluster == cluster && each > 0) {
                buf_printf(out, " + %lld x%u_%u\n", (long long)each, choice->binding, cluster);
                any = true;
            }
        }
        if (any) {
            buf_printf(out, " <= %lld\n", (long long)planned_room(planned, cluster, resource));
        }
    }
}

/* `sign` is "<=" or ">=". */
static void
write_sum(const struct choices *choices, uint32_t binding, const char *sign, int64_t bound,
          struct buf *out)
{
    bool any = false;

    for (uint32_t n = 0; n < choices->count; n++) {
        if (choices->items[n].binding == binding) {
            buf_printf(out, " + x%u_%u\n", binding, choices->items[n].cluster);
            any = true;
        }
    }
    if (any) {
        buf_printf(out, " %s %lld\n", sign, (long long)bound);
    }
}

void
programme_write(struct arena *arena, const struct planned *planned, bool whole, struct buf *out,
                struct programme_counts *ret)
{
    const struct fleet *fleet = planned->fleet;
    struct choices choices = list_choices(arena, planned);

    *ret = (struct programme_counts){.moved = planned->moved};
    buf_append_str(out, "Maximize\n obj:\n");
    for (uint32_t n = 0; n < choices.count; n++) {
        buf_printf(out, " + x%u_%u\n", choices.items[n].binding, choices.items[n].cluster);
    }
    buf_append_str(out, "Subject To\n");
    for (uint32_t c = 0; c < fleet->n_clusters; c++) {
        write_rooms(planned, &choices, c, out);
    }
    for (uint32_t b = 0; b < fleet->n_bindings; b++) {
        int64_t lost = planned->lost[b], given = planned->given[b];

        write_sum(&choices, b, "<=", lost, out);
        write_sum(&choices, b, ">=", given, out);
        ret->lost += lost;
        ret->placed += given;
        ret->n_unplaced += given < lost ? 1 : 0;
    }
    buf_append_str(out, whole ? "General\n" : "");
    for (uint32_t n = 0; n < choices.count && whole; n++) {
        buf_printf(out, " x%u_%u\n", choices.items[n].binding, choices.items[n].cluster);
    }
    buf_append_str(out, "End\n");
}

/* Its own words are of no interest; what it found is in the file that it writes. */
static void
exec_solver(const char *file, int seconds, const char *answer)
{
    char limit[16];
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

    (void)snprintf(limit, sizeof(limit), "%d", seconds);
    dup2(nowhere, STDOUT_FILENO);
    execlp("cbc", "cbc", file, "-timeMode", "elapsed", "-sec", limit, "-solve", "-solu", answer,
           (char *)NULL);
    _exit(EXEC_FAILED);
}

/* "Optimal - objective value 640.00", or less than 0, as what is minimised. */
static enum solution_state
read_answer(const char *answer, int64_t *ret_most)
{
    FILE *file = fopen(answer, "re");
    enum solution_state state = NOT_SOLVED;
    static const char optimal[] = "Optimal - objective value ";
    char line[512];

    if (file == NULL) {
        return NOT_SOLVED;
    }
    if (fgets(line, sizeof(line), file) != NULL) {
        const char *number = line + strlen(optimal);
        char *end = line;

        if (strncmp(line, optimal, strlen(optimal)) == 0) {
            *ret_most = (int64_t)floor(fabs(strtod(number, &end)) + ROUNDING);
            state = end > number ? SOLVED : NOT_SOLVED;
        } else if (strstr(line, "nfeasible") != NULL) {
            state = INFEASIBLE;
        }
    }
    (void)fclose(file);
    return state;
}

enum solution_state
programme_solve(const char *directory, const char *file, int seconds, int64_t *ret_most)
{
    char answer[4096];
    int status = 0;

    (void)snprintf(answer, sizeof(answer), "%s/answer", directory);
    (void)unlink(answer);
    pid_t pid = fork();

    if (pid == 0) {
        exec_solver(file, seconds, answer);
    }
    if (pid < 0 || waitpid(pid, &status, 0) < 0 || !WIFEXITED(status) ||
        WEXITSTATUS(status) == EXEC_FAILED) {
        return NO_SOLVER;
    }
    enum solution_state state = read_answer(answer, ret_most);

    (void)unlink(answer);
    return state;
}
