/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads that live as long as their work. Where the system gives no more of
 * them, the caller does the rest.
 */
#include "ballast/base/workers.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>

struct worker {
    void (*work)(void *job, uint32_t worker);
    void *job;
    uint32_t number;
    bool has_thread;
    pthread_t thread;
};

static void *
run_worker(void *context)
{
    const struct worker *worker = context;

    worker->work(worker->job, worker->number);
    return NULL;
}

static void
run_threads(uint32_t count, void (*work)(void *job, uint32_t worker), void *job)
{
    struct worker workers[WORKERS_MAX];

    for (uint32_t i = 1; i < count; i++) {
        workers[i] = (struct worker){.work = work, .job = job, .number = i};
        workers[i].has_thread =
            pthread_create(&workers[i].thread, NULL, run_worker, &workers[i]) == 0;
    }
    work(job, 0);
    for (uint32_t i = 1; i < count; i++) {
        if (workers[i].has_thread) {
            pthread_join(workers[i].thread, NULL);
        } else {
            work(job, i);
        }
    }
}

static uint32_t
count_processors(void)
{
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;

    return count > 0 ? (uint32_t)count : 1;
}

struct workers
workers_threads(uint32_t count)
{
    count = count > 0 ? count : count_processors();
    return (struct workers){.count = count < WORKERS_MAX ? count : WORKERS_MAX, .run = run_threads};
}
