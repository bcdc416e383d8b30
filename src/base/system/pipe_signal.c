/* SPDX-License-Identifier: Apache-2.0
 *
 * SIGPIPE, held back in one thread.
 */
#include "ballast/base/pipe_signal.h"

#include <pthread.h>
#include <time.h>

void
pipe_signal_block(sigset_t *ret_before)
{
    sigset_t pipe_signal;

    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_signal, ret_before);
}

void
pipe_signal_restore(const sigset_t *before)
{
    static const struct timespec at_once = {.tv_sec = 0};
    sigset_t pipe_signal;

    if (sigismember(before, SIGPIPE) == 1) {
        return;
    }
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    while (sigtimedwait(&pipe_signal, NULL, &at_once) == SIGPIPE) {
    }
    pthread_sigmask(SIG_SETMASK, before, NULL);
}
