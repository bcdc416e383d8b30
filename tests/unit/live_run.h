/* SPDX-License-Identifier: Apache-2.0
 *
 * A whole command line against a fake API server.
 */
#ifndef BALLAST_LIVE_RUN_H
#define BALLAST_LIVE_RUN_H

#include "ballast/cli/cli.h"
#include "fake_api.h"

/* What one gave; to be released. */
struct live_outcome {
    enum exit_status status;
    char *out, *err;
};

/* The words of a line, with the kubeconfig of the server added where it names no files. */
struct live_outcome live_run(const struct fake_api *api, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void live_release(struct live_outcome *got);

#endif
