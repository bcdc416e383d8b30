/* SPDX-License-Identifier: Apache-2.0
 *
 * Turns an API server's error responses into messages.
 */
#include "status.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/base/wide.h"
#include "ballast/format/protobuf_envelope.h"
#include "ballast/format/value.h"

#define SHOWN_MAX ((size_t)600)
#define BODY_MAX ((size_t)1 << 20)
#define NO_REASON "no reason given"

static const struct status_answer {
    int status;
    enum error_code code;
    const char *words; /* if the server gives none */
} answers[] = {
    {400, ERROR_INVALID, "bad request"},
    {401, ERROR_FORBIDDEN, "the server does not know who we are"},
    {403, ERROR_FORBIDDEN, "forbidden"},
    {404, ERROR_NOT_FOUND, "not found"},
    {409, ERROR_CONFLICT, "conflict"},
    {410, ERROR_IO, "the list is too old to be continued"},
    {412, ERROR_CONFLICT, NO_REASON},
    {413, ERROR_LIMIT, NO_REASON},
    {422, ERROR_INVALID, NO_REASON},
    {429, ERROR_UNAVAILABLE, "too many requests"},
    {500, ERROR_UNAVAILABLE, "internal error"},
    {503, ERROR_UNAVAILABLE, "unavailable"},
};

static struct status_answer
answer_of(int status)
{
    for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
        if (answers[i].status == status) {
            return answers[i];
        }
    }
    return (struct status_answer){status, status >= 500 ? ERROR_UNAVAILABLE : ERROR_IO, NO_REASON};
}

#define STATUS_MESSAGE 3 /* field number in a protobuf Status */

static void
append_protobuf_message(const char *body, size_t length, struct buf *out)
{
    struct error ignored = ERROR_INIT;
    struct protobuf_list head;
    const char *raw;
    size_t raw_length;
    char *message = NULL;

    if (protobuf_list_head(body, length, &head, &raw, &raw_length, &ignored) &&
        str_eq(head.api_version, "v1") && str_eq(head.kind, "Status")) {
        message = protobuf_text(raw, raw_length, STATUS_MESSAGE, "message", &ignored);
    }
    text_append_line(out, message != NULL ? message : "");
    free(message);
    protobuf_list_release(&head);
}

/* Appends the message of a Status, or the start of any other text but HTML. */
static void
append_message(const char *body, size_t length, struct buf *out)
{
    struct error ignored = ERROR_INIT;

    if (protobuf_is(body, length)) {
        append_protobuf_message(body, length, out);
        return;
    }
    struct document *document =
        length <= BODY_MAX ? document_parse_json(body, length, 1, &ignored) : NULL;

    if (document != NULL) {
        text_append_line(out, value_text(document_root(document), "message"));
    } else if (length > 0 && body[0] != '<') {
        char text[200];

        text_print(text, sizeof(text), "%.*s",
                   pin_width(length < sizeof(text) ? length : sizeof(text)), body);
        text_append_line(out, text);
    }
    document_free(document);
    while (out->length > 0 && out->data[out->length - 1] == ' ') {
        out->data[--out->length] = '\0';
    }
}

bool
status_explain(int status, const char *body, size_t length, struct error *err)
{
    const struct status_answer answer = answer_of(status);
    struct buf text, shown;

    buf_init(&text, 4 * BODY_MAX);
    append_message(body, length, &text);
    buf_init(&shown, SHOWN_MAX);
    text_append_cut(&shown, text.length > 0 ? buf_text(&text) : answer.words, SHOWN_MAX);
    error_set(err, answer.code, "HTTP %d: %s", status, buf_text(&shown));
    err->request.status = status;
    buf_release(&shown);
    buf_release(&text);
    return false;
}

static size_t
skip_string(const char *body, size_t length, size_t at)
{
    while (at < length && body[at] != '"') {
        at += body[at] == '\\' ? 2 : 1;
    }
    return at;
}

static bool
is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool
status_body_is_whole(const char *body, size_t length)
{
    size_t depth = 0;

    while (length > 0 && is_space(body[length - 1])) {
        length--;
    }
    for (size_t at = 0; at < length; at++) {
        char c = body[at];

        if (c == '"') {
            at = skip_string(body, length, at + 1);
        } else if (c == '{' || c == '[') {
            depth++;
        } else if (c == '}' || c == ']') {
            if (depth-- <= 1) {
                return at == length - 1 && depth == 0;
            }
        }
    }
    return false;
}
