/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts lie in some buffers in turn. To wake a thread takes as long as to unpack
 * a piece, about: so who fills them sleeps until half of them are free.
 */
#include "unpacking.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "ballast/base/compress.h"
#include "ballast/base/heap.h"

#define BUFFERS 8u

struct unpacking {
    const struct summary_section *section;
    char *texts[BUFFERS];
    uint32_t n_asked; /* pieces asked for */
    bool has_thread;
    pthread_t thread;
    pthread_mutex_t mutex; /* of the members below */
    pthread_cond_t changed;
    uint32_t n_unpacked;
    uint32_t n_read; /* pieces whose texts are unused */
    bool is_bad;     /* the next piece is malformed */
    bool is_over;
};

static bool
unpack(struct unpacking *unpacking, uint32_t index)
{
    const struct summary_piece *piece = &unpacking->section->pieces[index];

    return decompress_into(unpacking->texts[index % BUFFERS], piece->bytes, piece->length,
                           piece->original);
}

static uint32_t
count_filled(const struct unpacking *unpacking)
{
    return unpacking->n_unpacked - unpacking->n_read;
}

/* Waits for a free buffer. False if the reader has ended. */
static bool
wait_for_room(struct unpacking *unpacking)
{
    pthread_mutex_lock(&unpacking->mutex);
    bool is_full = count_filled(unpacking) == BUFFERS;

    while (is_full && !unpacking->is_over) {
        pthread_cond_wait(&unpacking->changed, &unpacking->mutex);
        is_full = count_filled(unpacking) > BUFFERS / 2;
    }
    bool is_over = unpacking->is_over;

    pthread_mutex_unlock(&unpacking->mutex);
    return !is_over;
}

static void
tell(struct unpacking *unpacking, bool is_fine)
{
    pthread_mutex_lock(&unpacking->mutex);
    bool is_waited_for = count_filled(unpacking) == 0;

    unpacking->n_unpacked += is_fine ? 1 : 0;
    unpacking->is_bad = !is_fine;
    if (is_waited_for) {
        pthread_cond_signal(&unpacking->changed);
    }
    pthread_mutex_unlock(&unpacking->mutex);
}

static void *
unpack_all(void *context)
{
    struct unpacking *unpacking = context;
    bool is_fine = true;

    for (uint32_t i = 0; is_fine && i < unpacking->section->n_pieces; i++) {
        if (!wait_for_room(unpacking)) {
            return NULL;
        }
        is_fine = unpack(unpacking, i);
        tell(unpacking, is_fine);
    }
    return NULL;
}

/* Blocks all signals in the thread. */
static bool
begin_thread(struct unpacking *unpacking)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool done = pthread_create(&unpacking->thread, NULL, unpack_all, unpacking) == 0;

    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return done;
}

struct unpacking *
unpacking_begin(const struct summary_section *section)
{
    struct unpacking *unpacking = heap_new(1, sizeof(*unpacking));
    size_t most = 0;

    *unpacking = (struct unpacking){.section = section};
    for (uint32_t i = 0; i < section->n_pieces; i++) {
        most = section->pieces[i].original > most ? section->pieces[i].original : most;
    }
    for (uint32_t i = 0; i < BUFFERS && i < section->n_pieces; i++) {
        unpacking->texts[i] = heap_new(1, most + 1);
    }
    pthread_mutex_init(&unpacking->mutex, NULL);
    pthread_cond_init(&unpacking->changed, NULL);
    unpacking->has_thread = section->n_pieces > 1 && begin_thread(unpacking);
    return unpacking;
}

/* Waits for a piece. The earlier pieces are read. */
static bool
wait_for(struct unpacking *unpacking, uint32_t index)
{
    pthread_mutex_lock(&unpacking->mutex);
    unpacking->n_read = index;
    if (count_filled(unpacking) == BUFFERS / 2) {
        pthread_cond_signal(&unpacking->changed);
    }
    while (unpacking->n_unpacked == index && !unpacking->is_bad) {
        pthread_cond_wait(&unpacking->changed, &unpacking->mutex);
    }
    bool is_there = unpacking->n_unpacked > index;

    pthread_mutex_unlock(&unpacking->mutex);
    return is_there;
}

const char *
unpacking_next(struct unpacking *unpacking)
{
    uint32_t index = unpacking->n_asked++;
    bool is_fine = unpacking->has_thread ? wait_for(unpacking, index) : unpack(unpacking, index);

    return is_fine ? unpacking->texts[index % BUFFERS] : NULL;
}

void
unpacking_end(struct unpacking *unpacking)
{
    if (unpacking->has_thread) {
        pthread_mutex_lock(&unpacking->mutex);
        unpacking->is_over = true;
        pthread_cond_signal(&unpacking->changed);
        pthread_mutex_unlock(&unpacking->mutex);
        pthread_join(unpacking->thread, NULL);
    }
    pthread_cond_destroy(&unpacking->changed);
    pthread_mutex_destroy(&unpacking->mutex);
    for (uint32_t i = 0; i < BUFFERS; i++) {
        free(unpacking->texts[i]);
    }
    free(unpacking);
}
