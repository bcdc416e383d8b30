/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON opens a container at once, YAML only with its first member: an empty one is written {} or
 * [].
 *
 * Only one thread writes to a stream, so the many short writes are unlocked.
 */
#include "ballast/report/emitter.h"

#include <string.h>

#include "ballast/base/buf.h"
#include "ballast/base/error.h"
#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/base/wide.h"

#define SCALAR_MAX (1u << 20) /* bytes of one written string */

void
emitter_begin(struct emitter *out, FILE *stream, enum emit_style style)
{
    memset(out, 0, sizeof(*out));
    out->stream = stream;
    out->style = style;
}

static void
write_indent(struct emitter *out, int indent)
{
    static const char spaces[] = "                                ";
    int most = pin_width(sizeof(spaces) - 1);

    for (; indent > 0; indent -= most) {
        fwrite_unlocked(spaces, 1, (size_t)(indent < most ? indent : most), out->stream);
    }
}

/* True if YAML 1.1 and 1.2 read the word as a string without quotes. */
static bool
is_plain_word(const char *text)
{
    static const char *const taken[] = {"null", "true", "false", "yes", "no",  "on",
                                        "off",  "y",    "n",     "nan", "inf", ""};
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./";
    bool has_letter = (text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z');

    for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++) {
        if (strcasecmp(text, taken[i]) == 0) {
            return false;
        }
    }
    return has_letter && text[strspn(text, letters)] == '\0';
}

static void
write_string(struct emitter *out, const char *text, bool plain_if_possible)
{
    struct buf quoted;

    if (plain_if_possible && is_plain_word(text)) {
        fputs_unlocked(text, out->stream);
        return;
    }
    size_t plain = text_plain_length(text);

    if (plain <= SCALAR_MAX - strlen("\"\"") && text[plain] == '\0') { /* the usual case */
        putc_unlocked('"', out->stream);
        fwrite_unlocked(text, 1, plain, out->stream);
        putc_unlocked('"', out->stream);
        return;
    }
    buf_init(&quoted, SCALAR_MAX);
    text_append_quoted(&quoted, text);
    if (quoted.overflowed) {
        /* a cut might tear an escape, so the text is dropped */
        buf_clear(&quoted);
        buf_append_str(&quoted, "\"...\"");
    }
    fwrite_unlocked(quoted.data, 1, quoted.length, out->stream);
    buf_release(&quoted);
}

static void
begin_json_member(struct emitter *out, const struct emit_frame *frame, const char *key)
{
    fputs_unlocked(frame->count > 1 ? ",\n" : "\n", out->stream);
    write_indent(out, frame->indent);
    if (key != NULL) {
        write_string(out, key, false);
        fputs_unlocked(": ", out->stream);
    }
}

static void
begin_yaml_member(struct emitter *out, struct emit_frame *frame, const char *key)
{
    if (frame->count == 1 && !frame->on_line) {
        putc_unlocked('\n', out->stream);
    }
    if (frame->count > 1 || !frame->on_line) {
        write_indent(out, frame->indent);
    }
    if (key != NULL) {
        write_string(out, key, true);
        putc_unlocked(':', out->stream);
    } else {
        fputs_unlocked("- ", out->stream);
    }
}

static void
begin_member(struct emitter *out, const char *key)
{
    if (out->depth == 0) {
        return;
    }
    struct emit_frame *frame = &out->frames[out->depth - 1];

    if (frame->is_list != (key == NULL)) {
        BUG("emitter: %s", key == NULL ? "a member without a key" : "a key in a list");
    }
    frame->count++;
    if (out->style == EMIT_JSON) {
        begin_json_member(out, frame, key);
    } else {
        begin_yaml_member(out, frame, key);
    }
}

static void
begin_scalar(struct emitter *out, const char *key)
{
    begin_member(out, key);
    if (out->style == EMIT_YAML && key != NULL) {
        putc_unlocked(' ', out->stream);
    }
}

static void
end_scalar(struct emitter *out)
{
    if (out->style == EMIT_YAML || out->depth == 0) {
        putc_unlocked('\n', out->stream);
    }
}

/* YAML lists are indented like their key, as kubectl writes them. */
static int
child_indent(const struct emitter *out, bool is_list, bool has_key)
{
    int indent = out->depth > 0 ? out->frames[out->depth - 1].indent : 0;

    if (out->style == EMIT_JSON) {
        return 2 * (out->depth + 1);
    }
    return out->depth == 0 || (is_list && has_key) ? indent : indent + 2;
}

static void
open_container(struct emitter *out, const char *key, bool is_list)
{
    if (out->depth == EMITTER_DEPTH_MAX) {
        BUG("emitter: deeper than %d", EMITTER_DEPTH_MAX);
    }
    begin_member(out, key);
    if (out->style == EMIT_JSON) {
        putc_unlocked(is_list ? '[' : '{', out->stream);
    }
    out->frames[out->depth] =
        (struct emit_frame){.is_list = is_list,
                            .on_line = key == NULL,
                            .indent = child_indent(out, is_list, key != NULL)};
    out->depth++;
}

void
emit_object(struct emitter *out, const char *key)
{
    open_container(out, key, false);
}

void
emit_list(struct emitter *out, const char *key)
{
    open_container(out, key, true);
}

void
emit_end(struct emitter *out)
{
    if (out->depth == 0) {
        BUG("emitter: an end too many");
    }
    const struct emit_frame *frame = &out->frames[--out->depth];
    bool empty = frame->count == 0;

    if (out->style == EMIT_JSON) {
        if (!empty) {
            putc_unlocked('\n', out->stream);
            write_indent(out, frame->indent - 2);
        }
        putc_unlocked(frame->is_list ? ']' : '}', out->stream);
        fputs_unlocked(out->depth == 0 ? "\n" : "", out->stream);
    } else if (empty) {
        fprintf(out->stream, "%s%s\n", frame->on_line ? "" : " ", frame->is_list ? "[]" : "{}");
    }
}

void
emit_string(struct emitter *out, const char *key, const char *text)
{
    begin_scalar(out, key);
    write_string(out, text, out->style == EMIT_YAML);
    end_scalar(out);
}

void
emit_integer(struct emitter *out, const char *key, int64_t value)
{
    char digits[INTEGER_TEXT_MAX];

    begin_scalar(out, key);
    fputs_unlocked(integer_format(value, digits), out->stream);
    end_scalar(out);
}

void
emit_bool(struct emitter *out, const char *key, bool value)
{
    begin_scalar(out, key);
    fputs_unlocked(value ? "true" : "false", out->stream);
    end_scalar(out);
}

void
emit_null(struct emitter *out, const char *key)
{
    begin_scalar(out, key);
    fputs_unlocked("null", out->stream);
    end_scalar(out);
}
