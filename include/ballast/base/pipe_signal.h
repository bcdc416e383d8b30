/* SPDX-License-Identifier: Apache-2.0
 *
 * A TLS write to a connection that the server has closed must not kill the
 * process. libcurl's own way would change the handler of all threads.
 */
#ifndef BALLAST_BASE_PIPE_SIGNAL_H
#define BALLAST_BASE_PIPE_SIGNAL_H

#include <signal.h>

/* Blocks SIGPIPE in the calling thread. *ret_before gets the mask for pipe_signal_restore(). */
void pipe_signal_block(sigset_t *ret_before);
/* Drops pending SIGPIPEs and restores the mask. Does nothing if SIGPIPE was blocked before. */
void pipe_signal_restore(const sigset_t *before);

#endif
