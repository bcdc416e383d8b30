/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements the request engine.
 */
#include "ballast/http/http_engine.h"

#include <stdlib.h>

#include "ballast/base/heap.h"

static void
make_ring(struct http_job *head)
{
    head->next = head->previous = head;
}

static void
put_behind(struct http_job *job, struct http_job *place)
{
    job->previous = place;
    job->next = place->next;
    job->next->previous = place->next = job;
}

static void
take_out(struct http_job *job)
{
    job->previous->next = job->next;
    job->next->previous = job->previous;
}

void
http_job_add(struct http_job *job, struct http_queue *queue)
{
    job->queue = queue;
    put_behind(job, queue->jobs.previous);
}

void
http_job_put_first(struct http_job *job)
{
    take_out(job);
    put_behind(job, &job->queue->jobs);
}

void
http_job_put_last(struct http_job *job)
{
    take_out(job);
    put_behind(job, job->queue->jobs.previous);
}

void *
http_job_begin(struct http_job *job, size_t size)
{
    job->exchange = heap_new(1, size);
    job->exchange->job = job;
    job->begun = http_now(job->queue);
    job->queue->running++;
    job->queue->engine->running++;
    return job->exchange;
}

void
http_job_again(struct http_job *job)
{
    struct http_queue *queue = job->queue;

    if (job->exchange != NULL) {
        http_loop_end(queue->engine->loop, job->exchange);
        queue->ops->release(job);
        queue->running--;
        queue->engine->running--;
        free(job->exchange);
        job->exchange = NULL;
    }
}

void
http_job_drop(struct http_job *job)
{
    http_job_again(job);
    take_out(job);
}

void
http_job_end(struct http_job *job)
{
    http_job_drop(job);
    if (job->ended != NULL) {
        put_behind(job, job->queue->engine->ended.previous);
    }
}

void
http_queue_attach(struct http_queue *queue, struct http_engine *engine, struct http_queue **link)
{
    make_ring(&queue->jobs);
    queue->engine = engine;
    queue->next = *link;
    *link = queue;
}

void
http_queue_detach(struct http_queue *queue)
{
    struct http_queue **link = &queue->engine->queues;

    while (*link != queue) {
        link = &(*link)->next;
    }
    *link = queue->next;
}

static int64_t
least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Ends and starts jobs of a queue. Returns the nanoseconds that the engine may wait. */
static int64_t
move_queue(struct http_queue *queue)
{
    const struct http_engine *engine = queue->engine;
    int64_t wait = queue->ops->look(queue);
    struct http_job *next;

    for (struct http_job *job = queue->jobs.next; job != &queue->jobs; job = next) {
        next = job->next;
        if (job->exchange != NULL) {
            continue;
        }
        int64_t until_due = job->not_before - http_now(queue);

        if (until_due > 0) {
            wait = least(wait, until_due);
            continue;
        }
        if (engine->running >= engine->concurrency) {
            break;
        }
        int64_t until_more = queue->ops->start(job);

        if (until_more > 0) {
            return least(wait, until_more);
        }
    }
    return wait;
}

bool
http_engine_advance(struct http_engine *engine, bool may_wait)
{
    struct http_exchange *exchange;
    int64_t wait = HTTP_POLL;
    bool has_jobs = false;

    for (struct http_queue *queue = engine->queues; queue != NULL; queue = queue->next) {
        if (!http_jobs_are_none(&queue->jobs)) {
            wait = least(wait, move_queue(queue));
            has_jobs |= !http_jobs_are_none(&queue->jobs);
        }
    }
    if (has_jobs) {
        http_loop_wait(engine->loop, may_wait && http_jobs_are_none(&engine->ended) ? wait : 0);
        while ((exchange = http_loop_take(engine->loop)) != NULL) {
            exchange->job->queue->ops->judge(exchange->job);
        }
    }
    return has_jobs;
}

bool
http_engine_step(struct http_engine *engine, bool may_wait)
{
    bool has_work = http_engine_advance(engine, may_wait) || !http_jobs_are_none(&engine->ended);

    /* a job leaves the ring before its call, which may run another step */
    while (!http_jobs_are_none(&engine->ended)) {
        struct http_job *job = engine->ended.next;

        take_out(job);
        job->ended(job);
    }
    return has_work;
}

void
http_engine_init(struct http_engine *engine, struct http_loop *loop, uint32_t concurrency)
{
    *engine = (struct http_engine){.loop = loop, .concurrency = concurrency};
    make_ring(&engine->ended);
}
