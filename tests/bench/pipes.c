/* SPDX-License-Identifier: Apache-2.0
 *
 * See pipes.h.
 */
#include "pipes.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure.h"

#define BUFFER ((size_t)1 << 20) /* bytes of a pipe, and of what is written at once */
#define PATH_SIZE 1024
#define NAME_SIZE 32

struct pipe_end {
    int fd;
    double *bytes;
};

static ssize_t
write_end(void *context, const char *bytes, size_t length)
{
    struct pipe_end *end = context;
    size_t done = 0;

    while (done < length) {
        ssize_t written = write(end->fd, bytes + done, length - done);

        if (written < 0) {
            return 0;
        }
        done += (size_t)written;
    }
    *end->bytes += (double)length;
    return (ssize_t)length;
}

/* Waits until somebody reads it. */
static FILE *
open_pipe(const char *path, char *buffer, struct pipe_end *end)
{
    end->fd = open(path, O_WRONLY | O_CLOEXEC);
    fcntl(end->fd, F_SETPIPE_SZ, (int)BUFFER);

    FILE *file =
        end->fd >= 0 ? fopencookie(end, "w", (cookie_io_functions_t){.write = write_end}) : NULL;

    if (file != NULL) {
        setvbuf(file, buffer, _IOFBF, BUFFER);
    }
    return file;
}

static bool
close_pipe(FILE *file, const struct pipe_end *end)
{
    bool fine = ferror(file) == 0;

    fine = fclose(file) == 0 && fine;
    return close(end->fd) == 0 && fine;
}

/* --- which pipes there are ----------------------------------------------------------------------
 */

static void
bindings_path(const struct pipes *pipes, char path[PATH_SIZE])
{
    snprintf(path, PATH_SIZE, "%s/control-plane/resourcebindings.json", pipes->directory);
}

/* false: the cluster is another shard's, or shows nothing. */
static bool
member_path(const struct pipes *pipes, uint32_t cluster, const char *file, char path[PATH_SIZE])
{
    char name[NAME_SIZE];

    snprintf(name, sizeof(name), "member-%04u", cluster);
    snprintf(path, PATH_SIZE, "%s/members/%s%s%s", pipes->directory, name, *file != '\0' ? "/" : "",
             file);
    return pipes->alone != NULL ? strcmp(name, pipes->alone) == 0
                                : shard_of(name, pipes->shard.count) == pipes->shard.index;
}

/* Does it for each pipe, in order; `cluster` is of no account for that of the bindings. */
static bool
each_pipe(const struct pipes *pipes,
          bool (*act)(void *context, const char *path, uint32_t cluster, enum synthetic_list list),
          void *context)
{
    char path[PATH_SIZE];
    bool fine = true;

    if (pipes->shard.index == 0) {
        bindings_path(pipes, path);
        return act(context, path, 0, N_SYNTHETIC_LISTS);
    }
    for (uint32_t i = 0; fine && i < pipes->fleet->clusters; i++) {
        for (enum synthetic_list list = 0; fine && list < N_SYNTHETIC_LISTS; list++) {
            if (member_path(pipes, i, synthetic_list_file(list), path) &&
                synthetic_has_list(pipes->fleet, list)) {
                fine = act(context, path, i, list);
            }
        }
    }
    return fine;
}

/* --- filling them -------------------------------------------------------------------------------
 */

struct filling {
    const struct pipes *pipes;
    char *buffer;
    double bytes;
};

static bool
fill(void *context, const char *path, uint32_t cluster, enum synthetic_list list)
{
    struct filling *filling = context;
    const struct pipes *pipes = filling->pipes;
    struct pipe_end end = {.bytes = &filling->bytes};
    FILE *file = open_pipe(path, filling->buffer, &end);

    if (file == NULL) {
        return false;
    }
    if (list == N_SYNTHETIC_LISTS) {
        synthetic_write_bindings(pipes->fleet, file);
    } else {
        synthetic_write_list(pipes->fleet, pipes->targets, cluster, list, file);
    }
    return close_pipe(file, &end);
}

static void
be_writer(const struct pipes *pipes, int tells)
{
    struct filling filling = {.pipes = pipes, .buffer = malloc(BUFFER)};
    bool fine = filling.buffer != NULL && each_pipe(pipes, fill, &filling);
    const struct pipes_read read = {.bytes = filling.bytes, .over_s = wall_seconds()};

    fine = fine && write(tells, &read, sizeof(read)) == (ssize_t)sizeof(read);
    _exit(fine ? 0 : 1);
}

static bool
make_pipe(void *context, const char *path, uint32_t cluster, enum synthetic_list list)
{
    char directory[PATH_SIZE];

    if (list != N_SYNTHETIC_LISTS) {
        member_path(context, cluster, "", directory);
        mkdir(directory, 0777);
    }
    return mkfifo(path, 0666) == 0;
}

static bool
remove_pipe(void *context, const char *path, uint32_t cluster, enum synthetic_list list)
{
    char directory[PATH_SIZE];

    unlink(path);
    if (list == N_SYNTHETIC_LISTS - 1) {
        member_path(context, cluster, "", directory);
        rmdir(directory);
    }
    return true;
}

bool
pipes_open(struct pipes *pipes)
{
    int ends[2];

    if (!each_pipe(pipes, make_pipe, pipes) || pipe2(ends, O_CLOEXEC) != 0) {
        return false;
    }
    pipes->writer = fork();
    if (pipes->writer == 0) {
        be_writer(pipes, ends[1]);
    }
    close(ends[1]);
    pipes->told = ends[0];
    return pipes->writer > 0;
}

struct pipes_read
pipes_close(struct pipes *pipes)
{
    struct pipes_read told = {.bytes = 0};
    int status;

    kill(pipes->writer, SIGTERM); /* of one that is done nothing comes of it */
    waitpid(pipes->writer, &status, 0);
    if (read(pipes->told, &told, sizeof(told)) != (ssize_t)sizeof(told)) {
        told = (struct pipes_read){.bytes = 0};
    }
    close(pipes->told);
    each_pipe(pipes, remove_pipe, pipes);
    return told;
}
