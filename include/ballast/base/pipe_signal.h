/* SPDX-License-Identifier: Apache-2.0
 *
 * TLS writes to a connection that the server has closed must not kill the
 * process; libcurl's own way would change the handler of all threads.
 */
#ifndef BALLAST_BASE_PIPE_SIGNAL_H
#define BALLAST_BASE_PIPE_SIGNAL_H

#include <signal.h>

/* Of the calling thread; in between SIGPIPE is not delivered, and what came is dropped. */
void pipe_signal_block(sigset_t *ret_before);
void pipe_signal_restore(const sigset_t *before);

#endif
