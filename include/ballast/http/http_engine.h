/* SPDX-License-Identifier: Apache-2.0
 *
 * The request engine: queues of jobs over one loop. A job is one request with all of its tries. The
 * engine starts jobs that are due, waits, and hands each try that has ended to the owner of the
 * queue. The owner's callbacks decide what a try sends, what its response means, and when the job
 * is over.
 *
 * The engine calls `ended` when it walks no queue, so that `ended` may add and end any job. One
 * thread drives an engine.
 */
#ifndef BALLAST_HTTP_HTTP_ENGINE_H
#define BALLAST_HTTP_HTTP_ENGINE_H

#include "ballast/base/clock.h"
#include "ballast/http/http.h"

struct http_queue;

/* The first member of an owner's own struct, zeroed by the owner. The owner writes `not_before`
 * and `ended`, and reads the other members. */
struct http_job {
    struct http_job *next,
        *previous; /* a ring through the queue's `jobs`, or the engine's `ended` */
    struct http_queue *queue;
    struct http_exchange *exchange; /* the present try; NULL: the job waits */
    int64_t begun;                  /* start of the present or last try, monotonic */
    int64_t not_before;             /* earliest start of the next try, monotonic */
    /* Called once after http_job_end. The job is the owner's again. NULL: the owner needs no call.
     */
    void (*ended)(struct http_job *job);
};

struct http_queue_ops {
    /* Called in each step before the engine starts jobs: ends jobs that are out of time. Returns
     * the nanoseconds that the engine may wait at most. */
    int64_t (*look)(struct http_queue *queue);
    /* Starts a try of a job that is due, with http_job_begin and http_loop_start, if the owner's
     * limits allow it. Returns 0 if the engine may go on with the next job, else the nanoseconds in
     * which the queue can start nothing. A callback that ends other jobs of the queue does not
     * return 0. */
    int64_t (*start)(struct http_job *job);
    /* Called when a try has ended. Calls http_job_end or http_job_again. */
    void (*judge)(struct http_job *job);
    /* Frees the members of a try other than its exchange, which is over. */
    void (*release)(struct http_job *job);
};

/* Jobs of one owner, for example all requests to one server. The first member of the owner's own
 * struct. The owner sets `ops` and `clock`, and reads the other members. */
struct http_queue {
    const struct http_queue_ops *ops;
    const struct clock *clock;
    struct http_engine *engine;
    struct http_queue *next; /* in the engine's list */
    struct http_job jobs;    /* head of the ring of jobs that are not over */
    uint32_t running;        /* jobs with a present try */
};

/* Callers only read the members. */
struct http_engine {
    struct http_loop *loop;
    struct http_queue *queues; /* the first one starts its jobs first */
    struct http_job ended;     /* head of the ring of jobs whose `ended` is not called yet */
    uint32_t concurrency;      /* most tries at a time, of all queues */
    uint32_t running;          /* jobs of all queues with a present try */
};

/* Makes an engine over a loop. The caller frees the loop, after the last try has ended. */
void http_engine_init(struct http_engine *engine, struct http_loop *loop, uint32_t concurrency);
/* Does one step: starts jobs that are due, judges tries that have ended, and calls `ended`. With
 * `may_wait` the step waits while there is nothing to do, for HTTP_POLL at most. False when there
 * was nothing left to do. */
bool http_engine_step(struct http_engine *engine, bool may_wait);
/* Does one step without the calls of `ended`, for a caller that is busy while responses come. False
 * when no job is left. */
bool http_engine_advance(struct http_engine *engine, bool may_wait);

/* Puts an empty queue into the engine's list of queues, at `link`. */
void http_queue_attach(struct http_queue *queue, struct http_engine *engine,
                       struct http_queue **link);
/* Takes a queue without jobs out of the engine's list. */
void http_queue_detach(struct http_queue *queue);

/* Puts a new job at the end of a queue. */
void http_job_add(struct http_job *job, struct http_queue *queue);
/* Begins a try. Returns `size` zeroed bytes with a struct http_exchange first. The engine frees
 * them when the try ends. */
void *http_job_begin(struct http_job *job, size_t size);
/* Ends the present try, if there is one. The job keeps its place in the queue and waits. */
void http_job_again(struct http_job *job);
/* Moves a job to the front of its queue. */
void http_job_put_first(struct http_job *job);
/* Moves a job to the end of its queue. */
void http_job_put_last(struct http_job *job);
/* Ends a job and its present try. A step calls `ended` afterwards. */
void http_job_end(struct http_job *job);
/* Takes a job and its present try out of the engine. No step calls `ended`. */
void http_job_drop(struct http_job *job);

/* True if a ring has no job but its head. */
static inline bool
http_jobs_are_none(const struct http_job *head)
{
    return head->next == head;
}

/* Returns the monotonic time by the queue's clock. */
static inline int64_t
http_now(const struct http_queue *queue)
{
    return queue->clock->monotonic(queue->clock->context);
}

/* Returns the nanoseconds until `end` (INT64_MAX: never), `most` at most. */
static inline int64_t
http_time_left(const struct http_queue *queue, int64_t end, int64_t most)
{
    int64_t left = end == INT64_MAX ? most : end - http_now(queue);

    return left < most ? left : most;
}

#endif
