/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs an exec credential plugin: without a shell, with empty stdin and bounded stdout, in a
 * process group that is killed on a timeout.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ballast/base/clock.h"
#include "ballast/base/heap.h"
#include "ballast/base/secret.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "exec.h"

#define OUTPUT_MAX ((size_t)1 << 20)
#define POLL_MS 50
#define INFO_NAME "KUBERNETES_EXEC_INFO"

struct plugin {
    const struct kube_exec *exec;
    pid_t pid;
    int output; /* its stdout, nonblocking */
    bool has_ended;
    int status; /* valid once has_ended; -1: unknown */
};

static bool
is_overridden(const struct kube_exec *exec, const char *entry)
{
    size_t length = strcspn(entry, "=");

    for (size_t i = 0; i < exec->n_env; i++) {
        if (strlen(exec->env[i].name) == length && strncmp(exec->env[i].name, entry, length) == 0) {
            return true;
        }
    }
    return length == strlen(INFO_NAME) && strncmp(entry, INFO_NAME, length) == 0;
}

/* Returns Ballast's variables, overridden by the kubeconfig's, plus KUBERNETES_EXEC_INFO. All
 * entries are copies. */
static char **
make_environment(const struct kube_config *config)
{
    const struct kube_exec *exec = config->exec;
    size_t count = 0, used = 0;
    struct buf info;

    while (environ[count] != NULL) {
        count++;
    }
    char **all = heap_new(count + exec->n_env + 2, sizeof(*all));

    for (size_t i = 0; i < count; i++) {
        if (!is_overridden(exec, environ[i])) {
            all[used++] = heap_text(environ[i]);
        }
    }
    for (size_t i = 0; i < exec->n_env; i++) {
        all[used++] = str_print("%s=%s", exec->env[i].name, exec->env[i].value);
    }
    buf_init(&info, 4 * OUTPUT_MAX);
    kube_exec_info(config, &info);
    all[used] = str_print("%s=%s", INFO_NAME, buf_text(&info));
    buf_release(&info);
    return all;
}

static void
free_environment(char **all)
{
    for (size_t i = 0; all[i] != NULL; i++) {
        secret_free_text(all[i]);
    }
    free(all);
}

static char **
make_arguments(const struct kube_exec *exec)
{
    char **argv = heap_new(exec->n_args + 2, sizeof(*argv));

    for (size_t i = 0; i < exec->n_args; i++) {
        argv[i + 1] = exec->args[i];
    }
    *argv = exec->command;
    return argv;
}

static void
set_attributes(posix_spawnattr_t *attributes)
{
    sigset_t none, defaults;

    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGXFSZ);
    sigaddset(&defaults, SIGINT);
    sigaddset(&defaults, SIGTERM);
    posix_spawnattr_init(attributes);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setsigdefault(attributes, &defaults);
    posix_spawnattr_setpgroup(attributes, 0);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                             POSIX_SPAWN_SETSIGDEF);
}

static int
spawn(const struct kube_config *config, int output, pid_t *ret_pid)
{
    const struct kube_exec *exec = config->exec;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    char **env = make_environment(config);
    char **argv = make_arguments(exec);

    set_attributes(&attributes);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    int why = posix_spawnp(ret_pid, exec->command, &actions, &attributes, argv, env);

    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    free(argv);
    free_environment(env);
    return why;
}

static bool
plugin_start(struct plugin *plugin, const struct kube_config *config, struct error *err)
{
    const char *hint = config->exec->install_hint;
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0) {
        return error_set_errno(err, errno, "pipe");
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    int why = spawn(config, ends[1], &plugin->pid);

    close(ends[1]);
    if (why != 0) {
        close(ends[0]);
        return error_set(err, ERROR_CONFIG, "it cannot be started: %s%s%s", strerror(why),
                         str_is_empty(hint) ? "" : ": ", hint);
    }
    plugin->output = ends[0];
    return true;
}

static void
plugin_reap(struct plugin *plugin, int flags)
{
    while (!plugin->has_ended) {
        pid_t got = waitpid(plugin->pid, &plugin->status, flags);

        if (got < 0 && errno == EINTR) {
            continue;
        }
        plugin->has_ended = got != 0;
        if (got < 0) {
            plugin->status = -1;
        }
        if (got == 0) {
            return;
        }
    }
}

/* Kills the plugin, and all that it runs, unless it has ended. */
static void
plugin_stop(struct plugin *plugin)
{
    if (!plugin->has_ended) {
        kill(-plugin->pid, SIGKILL);
    }
    plugin_reap(plugin, 0);
    close(plugin->output);
}

static bool
read_some(struct plugin *plugin, struct buf *out)
{
    char bytes[4096];
    ssize_t got;

    do {
        got = read(plugin->output, bytes, sizeof(bytes));
        if (got > 0) {
            buf_append(out, bytes, (size_t)got);
        }
    } while (got > 0 || (got < 0 && errno == EINTR));
    explicit_bzero(bytes, sizeof(bytes));
    return got < 0 && errno == EAGAIN;
}

static bool
wait_for_output(struct plugin *plugin, const struct kube_exec_limits *limits, struct buf *out,
                struct error *err)
{
    int64_t end = clock_monotonic() + limits->timeout;
    struct pollfd wanted = {.fd = plugin->output, .events = POLLIN};
    bool is_open = true;

    while (is_open || !plugin->has_ended) {
        if (limits->stop != NULL && *limits->stop) {
            return error_set(err, ERROR_STOPPED, "stopped by a signal while it ran");
        }
        if (clock_monotonic() >= end) {
            char text[DURATION_TEXT_MAX];

            return error_set(err, ERROR_DEADLINE, "no answer within %s",
                             duration_format(limits->timeout, text));
        }
        poll(is_open ? &wanted : NULL, is_open ? 1 : 0, is_open ? POLL_MS : 5);
        plugin_reap(plugin, WNOHANG); /* before reading: an ended plugin's output is complete */
        is_open = is_open && read_some(plugin, out) && !plugin->has_ended;
        if (out->overflowed) {
            return error_set(err, ERROR_LIMIT, "its output is larger than %zu bytes", OUTPUT_MAX);
        }
    }
    return true;
}

static bool
check_status(int status, struct error *err)
{
    if (status == 0) {
        return true;
    }
    if (status != -1 && WIFSIGNALED(status)) {
        return error_set(err, ERROR_CONFIG, "it was killed by signal %d", WTERMSIG(status));
    }
    return error_set(err, ERROR_CONFIG, "it failed with exit status %d",
                     status != -1 ? WEXITSTATUS(status) : status);
}

bool
kube_exec_run(const struct kube_config *config, const struct kube_exec_limits *limits,
              struct kube_credential *ret, struct error *err)
{
    struct plugin plugin = {.exec = config->exec};
    struct buf output;

    if (!plugin_start(&plugin, config, err)) {
        return error_wrap(err, "exec plugin %s", config->exec->command);
    }
    buf_init(&output, OUTPUT_MAX);
    bool is_fine = wait_for_output(&plugin, limits, &output, err);

    plugin_stop(&plugin);
    is_fine = is_fine && check_status(plugin.status, err) &&
              kube_credential_decode(config->exec->api_version, buf_text(&output), output.length,
                                     ret, err);
    if (output.data != NULL) {
        explicit_bzero(output.data, output.capacity);
    }
    buf_release(&output);
    return is_fine || error_wrap(err, "exec plugin %s", config->exec->command);
}
