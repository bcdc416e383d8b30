/* SPDX-License-Identifier: Apache-2.0
 *
 * See program.h.
 */
#include "program.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure.h"

#define NAME "ballast"
#define NOT_RUN 127

static void
find_path(char *path, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", path, size - sizeof(NAME));

    while (length > 0 && path[length - 1] != '/') {
        length--;
    }
    snprintf(path + (length > 0 ? length : 0), sizeof(NAME), NAME);
}

static void
become(const struct program_run *run)
{
    char path[4096], name[] = NAME;
    char *arguments[PROGRAM_ARGUMENTS_MAX + 2] = {name};
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

    for (size_t i = 0; i < PROGRAM_ARGUMENTS_MAX && run->arguments[i] != NULL; i++) {
        arguments[i + 1] = strdup(run->arguments[i]);
    }
    find_path(path, sizeof(path));
    dup2(nowhere, STDOUT_FILENO);
    if (!run->is_heard) {
        dup2(nowhere, STDERR_FILENO);
    }
    execv(path, arguments);
    _exit(NOT_RUN);
}

bool
program_run(struct program_run *run)
{
    int status = 0;

    run->begin_s = wall_seconds();
    pid_t child = fork();

    if (child == 0) {
        become(run);
    }
    bool fine = child > 0 && wait4(child, &status, 0, &run->used) == child;

    run->wall_s = wall_seconds() - run->begin_s;
    run->status = fine && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return fine && run->status != NOT_RUN;
}

static double
seconds_of(const struct timeval *time)
{
    return (double)time->tv_sec + (double)time->tv_usec / 1e6;
}

double
program_cpu_seconds(const struct program_run *run)
{
    return seconds_of(&run->used.ru_utime) + seconds_of(&run->used.ru_stime);
}

double
program_peak_mb(const struct program_run *run)
{
    return (double)run->used.ru_maxrss * 1024 / MEGABYTE;
}
