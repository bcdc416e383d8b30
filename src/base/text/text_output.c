/* SPDX-License-Identifier: Apache-2.0
 *
 * Text into bytes of a file, in the form in which another one was stored.
 */
#include <stdlib.h>
#include <string.h>

#include "ballast/base/compress.h"
#include "ballast/base/heap.h"
#include "ballast/base/text.h"
#include "ballast/base/text_input.h"

#define PIECE_LENGTH ((size_t)64 << 10)
#define CHARACTER_BYTES 4 /* at most, in UTF-8 as in UTF-16 */
#define SECOND_PLANE 0x10000u

struct text_output {
    struct text_form form;
    text_sink *sink;
    void *context;
    struct gzip *gzip;
    char cut[CHARACTER_BYTES]; /* first bytes of a character that the next piece completes */
    size_t n_cut;
    char units[PIECE_LENGTH];
    char packed[PIECE_LENGTH];
};

struct text_output *
text_output_new(struct text_form form, text_sink *sink, void *context)
{
    struct text_output *output = heap_new(1, sizeof(*output));

    output->form = form;
    output->sink = sink;
    output->context = context;
    output->gzip = form.is_gzip ? gzip_new() : NULL;
    return output;
}

void
text_output_free(struct text_output *output)
{
    if (output != NULL) {
        gzip_free(output->gzip);
        free(output);
    }
}

static bool
pack(struct text_output *output, const char *bytes, size_t length, bool last, struct error *err)
{
    struct gzip_piece piece = {.in = bytes, .in_length = length};
    bool is_over = false;

    if (output->gzip == NULL) {
        return length == 0 || output->sink(output->context, bytes, length, err);
    }
    while (last ? !is_over : piece.in_length > 0) {
        piece.out = output->packed;
        piece.out_length = sizeof(output->packed);
        is_over = gzip_step(output->gzip, &piece, last);
        size_t packed = sizeof(output->packed) - piece.out_length;

        if (packed > 0 && !output->sink(output->context, output->packed, packed, err)) {
            return false;
        }
    }
    return true;
}

static size_t
put_unit(const struct text_output *output, char *ret, uint32_t unit)
{
    const size_t low = output->form.units == TEXT_UTF16_LE ? 0 : 1;

    ret[low] = (char)(unit & 0xFF);
    ret[1 - low] = (char)(unit >> 8);
    return 2;
}

static size_t
put_character(const struct text_output *output, char *ret, uint32_t character)
{
    if (character < SECOND_PLANE) {
        return put_unit(output, ret, character);
    }
    character -= SECOND_PLANE;
    return put_unit(output, ret, 0xD800u | character >> 10) +
           put_unit(output, ret + 2, 0xDC00u | (character & 0x3FF));
}

/* Converts characters; *ret_left: bytes of an incomplete last one. */
static bool
convert(struct text_output *output, const char *text, size_t length, size_t *ret_left,
        struct error *err)
{
    size_t at = 0, made = 0;

    while (at < length) {
        size_t size;
        uint32_t character = text_decode(text + at, length - at, &size);

        if (character == TEXT_REPLACEMENT && size == 1 && length - at < CHARACTER_BYTES) {
            break;
        }
        made += put_character(output, output->units + made, character);
        at += size;
        if (made + CHARACTER_BYTES > sizeof(output->units)) {
            if (!pack(output, output->units, made, false, err)) {
                return false;
            }
            made = 0;
        }
    }
    *ret_left = length - at;
    return pack(output, output->units, made, false, err);
}

bool
text_output_write(struct text_output *output, const char *text, size_t length, struct error *err)
{
    size_t left = 0;

    if (output->form.units == TEXT_UTF8) {
        return pack(output, text, length, false, err);
    }
    while (output->n_cut > 0 && length > 0) { /* byte by byte, until a character is complete */
        output->cut[output->n_cut++] = *text++;
        length--;
        if (!convert(output, output->cut, output->n_cut, &left, err)) {
            return false;
        }
        memmove(output->cut, output->cut + output->n_cut - left, left);
        output->n_cut = left;
    }
    if (length > 0) {
        if (!convert(output, text, length, &left, err)) {
            return false;
        }
        memcpy(output->cut, text + length - left, left);
        output->n_cut = left;
    }
    return true;
}

bool
text_output_end(struct text_output *output, struct error *err)
{
    return (output->n_cut == 0 || error_set(err, ERROR_PARSE, "a text that breaks off")) &&
           pack(output, "", 0, true, err);
}
