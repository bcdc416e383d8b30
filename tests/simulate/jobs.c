/* SPDX-License-Identifier: Apache-2.0
 *
 * Sharing out simulations.
 */
#include "jobs.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define TEXT_MAX ((size_t)1 << 24)
#define SHOWN_MAX 5 /* broken simulations that a process shows */
#define WORKERS_MAX 64

/* What a worker tells of a job: written at once, so that lines of several do not mix. */
struct message {
    size_t job;
    struct result result;
};

static void
run_job(struct job *job, unsigned *shown)
{
    const struct run *run = &job->run;
    struct buf complaints;

    buf_init(&complaints, TEXT_MAX);
    job->result = run_simulation(run, &complaints);
    if (job->result.failed && (*shown)++ < SHOWN_MAX) {
        printf("%sagain with --trace %s --policy %s --seed %llu --verbose\n", buf_text(&complaints),
               run->trace->name, run->policy->name, (unsigned long long)run->seed);
        fflush(stdout);
    }
    buf_release(&complaints);
}

/* Every `step`-th job from the first on. */
static void
work(struct job *jobs, size_t count, size_t first, size_t step, int out)
{
    unsigned shown = 0;

    for (size_t i = first; i < count; i += step) {
        run_job(&jobs[i], &shown);
        struct message message = {.job = i, .result = jobs[i].result};

        if (out >= 0 && write(out, &message, sizeof(message)) != (ssize_t)sizeof(message)) {
            _exit(1);
        }
    }
}

static bool
start(struct job *jobs, size_t count, long workers, int ends[2])
{
    fflush(stdout);
    for (long i = 0; i < workers; i++) {
        pid_t child = fork();

        if (child == 0) {
            close(ends[0]);
            work(jobs, count, (size_t)i, (size_t)workers, ends[1]);
            _exit(0);
        }
        if (child < 0) {
            return false;
        }
    }
    return true;
}

static bool
collect(struct job *jobs, size_t count, long workers, int in)
{
    struct message message;
    size_t told = 0;
    bool fine = true;

    while (read(in, &message, sizeof(message)) == (ssize_t)sizeof(message)) {
        jobs[message.job].result = message.result;
        told++;
    }
    for (long i = 0; i < workers; i++) {
        int status = 0;

        fine = wait(&status) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0 && fine;
    }
    return fine && told == count;
}

bool
jobs_run(struct job *jobs, size_t count)
{
    long workers = sysconf(_SC_NPROCESSORS_ONLN);
    int ends[2];

    workers = workers < WORKERS_MAX ? workers : WORKERS_MAX;
    if (count < 2 || workers < 2 || pipe(ends) != 0) {
        work(jobs, count, 0, 1, -1);
        return true;
    }
    bool started = start(jobs, count, workers, ends);

    close(ends[1]);
    return collect(jobs, count, workers, ends[0]) && started;
}
