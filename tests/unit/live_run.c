/* SPDX-License-Identifier: Apache-2.0
 *
 * A whole command line against a fake API server.
 */
#include "live_run.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/base/timestamp.h"
#include "temp_dir.h"

#define MAX_ARGUMENTS 16
#define LINE_MAX_LENGTH 1024

static const char *
no_environment(const char *name)
{
    (void)name;
    return NULL;
}

struct live_outcome
live_run(const struct fake_api *api, const char *format, ...)
{
    struct temp_dir dir = temp_dir_make();
    struct live_outcome got = {.status = STATUS_DONE};
    size_t out_size = 0, err_size = 0;
    atomic_bool stop = false;
    char *argv[MAX_ARGUMENTS] = {NULL}, words[LINE_MAX_LENGTH], kubeconfig[LINE_MAX_LENGTH];
    char *state = NULL;
    struct cli cli = {.stop = &stop,
                      .clock = fake_api_clock(),
                      .wall_clock = NANOS_PER_SECOND,
                      .getenv = no_environment};
    va_list args;
    int argc = 1;

    va_start(args, format);
    vsnprintf(words, sizeof(words), format, args);
    va_end(args);
    snprintf(kubeconfig, sizeof(kubeconfig),
             "apiVersion: v1\nkind: Config\ncurrent-context: c\n"
             "clusters: [{name: c, cluster: {server: \"%s\"}}]\n"
             "contexts: [{name: c, context: {cluster: c, user: u}}]\n"
             "users: [{name: u, user: {}}]\n",
             fake_api_url(api));
    if (strstr(words, "--fleet") == NULL) {
        snprintf(words + strlen(words), sizeof(words) - strlen(words), " --kubeconfig %s",
                 temp_write(&dir, "config", kubeconfig, 0600));
    }
    for (char *word = strtok_r(words, " ", &state); word != NULL && argc < MAX_ARGUMENTS;
         word = strtok_r(NULL, " ", &state)) {
        argv[argc++] = word;
    }
    cli.out = open_memstream(&got.out, &out_size);
    cli.err = open_memstream(&got.err, &err_size);
    got.status = cli_main(&cli, argc, argv);
    fclose(cli.out);
    fclose(cli.err);
    temp_dir_remove(&dir);
    return got;
}

void
live_release(struct live_outcome *got)
{
    free(got->out);
    free(got->err);
}
