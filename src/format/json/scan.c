/* SPDX-License-Identifier: Apache-2.0
 *
 * The scanner. Its two inner loops pass every byte that is read, so they do
 * nothing but look the byte up.
 */
#include "scan.h"

#include "ballast/format/value.h"

enum { CLASS_OUTSIDE = 1, CLASS_IN_STRING = 2, CLASS_SPACE = 4 };

/* Bytes to stop at outside of strings and inside, and white space. */
static const unsigned char classes[256] = {
    ['"'] = CLASS_OUTSIDE | CLASS_IN_STRING,
    ['\n'] = CLASS_OUTSIDE | CLASS_IN_STRING | CLASS_SPACE,
    ['\\'] = CLASS_IN_STRING,
    ['{'] = CLASS_OUTSIDE,
    ['}'] = CLASS_OUTSIDE,
    ['['] = CLASS_OUTSIDE,
    [']'] = CLASS_OUTSIDE,
    [' '] = CLASS_SPACE,
    ['\t'] = CLASS_SPACE,
    ['\r'] = CLASS_SPACE,
};

void
scan_init(struct scan *scan, struct text_position begin)
{
    *scan = (struct scan){.offset = begin.offset,
                          .line = begin.line,
                          .line_start = begin.offset - (begin.column - 1)};
}

void
scan_restart(struct scan *scan)
{
    scan->depth = 0;
    scan->in_string = scan->escaped = scan->is_too_deep = false;
}

bool
scan_is_space(char c)
{
    return (classes[(unsigned char)c] & CLASS_SPACE) != 0;
}

struct text_position
scan_place(const struct scan *scan)
{
    return (struct text_position){
        .offset = scan->offset, .line = scan->line, .column = scan->offset - scan->line_start + 1};
}

static void
next_line(struct scan *scan, size_t at)
{
    scan->line++;
    scan->line_start = scan->offset + at + 1;
}

static size_t
pass_string(struct scan *scan, const char *bytes, size_t length, size_t i)
{
    while (i < length) {
        if (scan->escaped) {
            scan->escaped = false;
            i += bytes[i] != '\n' ? 1 : 0; /* no JSON, but still a line */
        }
        while (i < length && (classes[(unsigned char)bytes[i]] & CLASS_IN_STRING) == 0) {
            i++;
        }
        if (i == length) {
            break;
        }
        if (bytes[i] == '"') {
            scan->in_string = false;
            return i + 1;
        }
        if (bytes[i] == '\n') {
            next_line(scan, i);
        } else {
            scan->escaped = true;
        }
        i++;
    }
    return length;
}

static enum scan_stop
pass_open(struct scan *scan, char bracket, size_t at)
{
    if (++scan->depth > VALUE_DEPTH_MAX && !scan->is_too_deep) {
        scan->is_too_deep = true;
        scan->too_deep = scan_place(scan);
        scan->too_deep.offset += at;
        scan->too_deep.column += at;
    }
    return bracket == '[' && scan->depth == 2 ? SCAN_LIST : SCAN_MORE;
}

static enum scan_stop
pass_close(struct scan *scan)
{
    scan->depth -= scan->depth > 0 ? 1 : 0;
    return scan->depth == 0 ? SCAN_CLOSE : SCAN_MORE;
}

static enum scan_stop
pass_structure(struct scan *scan, char c, size_t at)
{
    switch (c) {
    case '\n':
        next_line(scan, at);
        return SCAN_MORE;
    case '"':
        scan->in_string = true;
        return SCAN_MORE;
    case '{':
    case '[':
        return pass_open(scan, c, at);
    default:
        return pass_close(scan);
    }
}

size_t
scan_text(struct scan *scan, const char *bytes, size_t length, enum scan_stop *ret_stop)
{
    size_t i = 0;

    *ret_stop = SCAN_MORE;
    while (i < length && *ret_stop == SCAN_MORE) {
        if (scan->in_string) {
            i = pass_string(scan, bytes, length, i);
        }
        while (i < length && (classes[(unsigned char)bytes[i]] & CLASS_OUTSIDE) == 0) {
            i++;
        }
        if (i < length) {
            *ret_stop = pass_structure(scan, bytes[i], i);
            i++;
        }
    }
    scan->offset += i;
    return i;
}

size_t
scan_space(struct scan *scan, const char *bytes, size_t length)
{
    size_t i = 0;

    while (i < length && (classes[(unsigned char)bytes[i]] & CLASS_SPACE) != 0) {
        if (bytes[i] == '\n') {
            next_line(scan, i);
        }
        i++;
    }
    scan->offset += i;
    return i;
}
