/* SPDX-License-Identifier: Apache-2.0
 *
 * A child moves the files: whoever waits for them is measured in this process.
 */
#include "arrivals.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ballast/base/timestamp.h"
#include "measure.h"

#define PATH_SIZE 1024

static int
due_cmp(const void *a, const void *b)
{
    const struct arrival *x = a, *y = b;

    return x->due_s < y->due_s ? -1 : x->due_s > y->due_s ? 1 : 0;
}

/* Between the directory and the one beside it where files wait. */
static bool
move(const struct arrivals *arrivals, const struct arrival *arrival, bool there)
{
    char here[PATH_SIZE], later[PATH_SIZE];

    snprintf(here, sizeof(here), "%s/%s", arrivals->directory, arrival->name);
    snprintf(later, sizeof(later), "%s.later/%s", arrivals->directory, arrival->name);
    return rename(there ? here : later, there ? later : here) == 0;
}

static void
sleep_until(double when_s)
{
    double left_s = when_s - wall_seconds();
    const struct timespec pause = {
        .tv_sec = (time_t)left_s,
        .tv_nsec = (long)((left_s - (double)(time_t)left_s) * NANOS_PER_SECOND)};

    if (left_s > 0) {
        nanosleep(&pause, NULL);
    }
}

_Noreturn static void
bring(const struct arrivals *arrivals)
{
    double begin_s = wall_seconds();
    bool fine = true;

    for (uint32_t i = 0; fine && i < arrivals->count; i++) {
        sleep_until(begin_s + arrivals->items[i].due_s);
        fine = move(arrivals, &arrivals->items[i], false);
    }
    _exit(fine ? 0 : 1);
}

bool
arrivals_begin(struct arrivals *arrivals)
{
    char later[PATH_SIZE];

    snprintf(later, sizeof(later), "%s.later", arrivals->directory);
    bool fine = mkdir(later, 0700) == 0;

    qsort(arrivals->items, arrivals->count, sizeof(arrivals->items[0]), due_cmp);
    for (uint32_t i = 0; fine && i < arrivals->count; i++) {
        fine = move(arrivals, &arrivals->items[i], true);
    }
    fflush(NULL);
    arrivals->mover = fine ? fork() : -1;
    if (arrivals->mover == 0) {
        bring(arrivals);
    }
    return arrivals->mover > 0;
}

bool
arrivals_end(struct arrivals *arrivals)
{
    int status = -1;

    return waitpid(arrivals->mover, &status, 0) == arrivals->mover && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}
