/* SPDX-License-Identifier: Apache-2.0
 *
 * Ends a command with a message and a status.
 */
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ballast/base/buf.h"
#include "ballast/base/text.h"
#include "invocation.h"

#define ENDING_MAX LOG_MESSAGE_MAX

static void
print_ending(const struct cli *cli, const char *message)
{
    struct buf line;

    buf_init(&line, ENDING_MAX * strlen("\\u0000"));
    text_append_line(&line, message);
    fprintf(cli->err, "ballast: %s\n", buf_text(&line));
    fflush(cli->err);
    buf_release(&line);
}

enum exit_status
cli_refuse(const struct cli *cli, const char *format, ...)
{
    char message[ENDING_MAX];
    va_list args;

    va_start(args, format);
    text_vprint(message, sizeof(message), format, args);
    va_end(args);
    print_ending(cli, message);
    return STATUS_USAGE;
}

void
cli_end(const struct invocation *invocation, const char *format, ...)
{
    char message[ENDING_MAX];
    va_list args;

    va_start(args, format);
    text_vprint(message, sizeof(message), format, args);
    va_end(args);
    if (invocation->logger.format == LOG_JSON) {
        log_line(&invocation->logger, LOG_ERROR, 0, "%s", message);
        return;
    }
    log_make_way(&invocation->logger);
    print_ending(invocation->cli, message);
}

static enum exit_status
status_of_error(const struct error *err)
{
    switch (err->code) {
    case ERROR_USAGE:
    case ERROR_CONFIG:
        return STATUS_USAGE;
    case ERROR_STOPPED:
        return STATUS_STOPPED;
    default:
        return STATUS_ERROR;
    }
}

enum exit_status
cli_fail(const struct invocation *invocation, const struct error *err)
{
    cli_end(invocation, "%s", err->message);
    return status_of_error(err);
}

bool
invocation_colours(const struct invocation *invocation, bool is_terminal)
{
    const struct cli *cli = invocation->cli;
    const enum colour_when when = invocation->settings->colour;

    return when == COLOUR_ALWAYS ||
           (when == COLOUR_AUTO && is_terminal && !cli->no_color && !cli->is_dumb_terminal);
}

bool
cli_reader_is_gone(const struct cli *cli)
{
    struct pollfd out = {.fd = fileno(cli->out), .events = POLLOUT};

    return out.fd >= 0 && poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}
