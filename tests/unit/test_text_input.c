/* SPDX-License-Identifier: Apache-2.0
 *
 * How bytes of files become text, and text becomes bytes again.
 */
#include "ballast/base/text_input.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ballast/base/file_open.h"
#include "check.h"
#include "temp_dir.h"

/* Characters of one, two, three and four bytes. */
static const char text[] = "{\"name\": \"a\xc3\xb6\xe2\x82\xac\xf0\x9f\x9a\xa2\"}\r\n";

static bool
append(void *context, const char *bytes, size_t length, struct error *err)
{
    (void)err;
    buf_append(context, bytes, length);
    return true;
}

/* The bytes of a text in pieces of `step`; to be released. */
static struct buf
stored(struct text_form form, const char *of, size_t length, size_t step)
{
    struct error err = ERROR_INIT;
    struct buf ret;

    buf_init(&ret, SIZE_MAX);
    struct text_output *output = text_output_new(form, append, &ret);

    for (size_t at = 0; at < length; at += step) {
        size_t piece = length - at < step ? length - at : step;

        CHECK_OK(text_output_write(output, of + at, piece, &err), err);
    }
    CHECK_OK(text_output_end(output, &err), err);
    text_output_free(output);
    return ret;
}

/* A pipe gives what its writer wrote at once: so many bytes. */
struct pipe_writer {
    const struct buf *bytes;
    size_t step;
    int fd;
};

static void *
write_pipe(void *context)
{
    const struct pipe_writer *writer = context;
    sigset_t pipe_signal;

    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_signal, NULL); /* the reader may have had enough */
    for (size_t at = 0; at < writer->bytes->length; at += writer->step) {
        size_t left = writer->bytes->length - at;

        if (write(writer->fd, writer->bytes->data + at, left < writer->step ? left : writer->step) <
            0) {
            break;
        }
    }
    close(writer->fd);
    return NULL;
}

/* What is read of these bytes, with room for `room` at a time. */
static bool
read_stored(const struct buf *bytes, size_t step, size_t room, struct buf *ret,
            struct text_form *ret_form, struct error *err)
{
    char *piece = malloc(room);
    pthread_t thread;
    int ends[2];
    size_t length = 0;
    bool done = piece != NULL && pipe(ends) == 0;

    buf_init(ret, SIZE_MAX);
    if (!CHECK(done)) {
        free(piece);
        return false;
    }
    struct pipe_writer writer = {bytes, step, ends[1]};
    struct text_input *input = text_input_new(ends[0], "file", NULL);

    CHECK(pthread_create(&thread, NULL, write_pipe, &writer) == 0);
    do {
        done = text_input_read(input, piece, room, &length, err);
        buf_append(ret, piece, done ? length : 0);
    } while (done && length > 0);
    close(ends[0]);
    pthread_join(thread, NULL);
    *ret_form = text_input_form(input);
    text_input_free(input);
    free(piece);
    return done;
}

static void
check_way(struct text_form form, const char *of, size_t step)
{
    const size_t length = strlen(of);
    struct buf bytes = stored(form, of, length, step), back;
    struct error err = ERROR_INIT;
    struct text_form read_form;

    if (CHECK_OK(read_stored(&bytes, step, TEXT_PIECE_MIN + step, &back, &read_form, &err), err)) {
        CHECK_INT(back.length, length);
        CHECK_STR(buf_text(&back), of);
        CHECK_INT(read_form.units, form.units);
        CHECK(read_form.is_gzip == form.is_gzip);
        /* and what is stored of it is what was stored before */
        struct buf again = stored(read_form, buf_text(&back), back.length, length);

        if (!form.is_gzip) {
            CHECK(again.length == bytes.length &&
                  (bytes.length == 0 || memcmp(again.data, bytes.data, bytes.length) == 0));
        }
        buf_release(&again);
    }
    buf_release(&back);
    buf_release(&bytes);
}

static void
test_ways(void)
{
    char marked[sizeof(text) + 3];

    snprintf(marked, sizeof(marked), "\xef\xbb\xbf%s", text);
    for (int gzip = 0; gzip < 2; gzip++) {
        for (int units = TEXT_UTF8; units <= TEXT_UTF16_BE; units++) {
            const struct text_form form = {gzip == 1, (enum text_units)units};

            for (size_t step = 1; step < 8; step++) {
                check_way(form, marked, step);
                check_way(form, text, step);
            }
            check_way(form, marked, 4096);
        }
    }
    check_way((struct text_form){false, TEXT_UTF8}, "", 1);
    check_way((struct text_form){true, TEXT_UTF8}, "", 1);
    check_way((struct text_form){true, TEXT_UTF8}, "a", 1);
    check_way((struct text_form){false, TEXT_UTF16_LE}, "\xef\xbb\xbf", 1);
}

static void
check_refused(const char *bytes, size_t length, const char *want)
{
    struct error err = ERROR_INIT;
    struct text_form form;
    struct buf in, out;

    buf_init(&in, SIZE_MAX);
    buf_append(&in, bytes, length);
    CHECK(!read_stored(&in, 3, 64, &out, &form, &err));
    CHECK_CONTAINS(err.message, want);
    buf_release(&in);
    buf_release(&out);
}

#define REFUSED(bytes, want) check_refused(bytes, sizeof(bytes) - 1, want)

static void
test_refused(void)
{
    REFUSED("\xff\xfe\x41", "file: malformed UTF-16");
    REFUSED("\xff\xfe\x00\xd8", "malformed UTF-16");         /* half of a pair */
    REFUSED("\xff\xfe\x00\xd8\x41\x00", "malformed UTF-16"); /* the other half is none */
    REFUSED("\xff\xfe\x00\xdc\x41\x00", "malformed UTF-16"); /* the second half first */
    REFUSED("\xfe\xff\xd8\x00\x00\x41", "malformed UTF-16");
    REFUSED("\xff\xfe\0\0{\0\0\0", "this is UTF-32");
    REFUSED("\0\0\xfe\xff\0\0\0{", "this is UTF-32");
    REFUSED("\x1f\x8bthis is none", "malformed gzip data");

    struct buf bytes = stored((struct text_form){true, TEXT_UTF8}, text, strlen(text), 100);

    for (size_t length = 2; length < bytes.length; length++) {
        check_refused(bytes.data, length, "gzip data that breaks off");
    }
    bytes.data[bytes.length - 5] ^= 1; /* of the checksum */
    check_refused(bytes.data, bytes.length, "malformed gzip data");
    buf_release(&bytes);
}

/* `cat a.gz b.gz`, and blocks of a tape that zeros fill; anything else behind it is an error. */
static void
test_members(void)
{
    struct buf bytes = stored((struct text_form){true, TEXT_UTF8}, "one ", 4, 4), out;
    struct buf second = stored((struct text_form){true, TEXT_UTF8}, "two", 3, 3);
    struct error err = ERROR_INIT;
    struct text_form form;

    buf_append(&bytes, second.data, second.length);
    buf_append(&bytes, "\0\0\0\0\0\0\0", 7);
    if (CHECK_OK(read_stored(&bytes, 5, 64, &out, &form, &err), err)) {
        CHECK_STR(buf_text(&out), "one two");
    }
    buf_append_str(&bytes, "behind");
    check_refused(bytes.data, bytes.length, "malformed gzip data");
    buf_release(&second);
    buf_release(&bytes);
    buf_release(&out);
}

/* What unpacks to more than anybody wants ends before it is there. */
static void
test_bomb(void)
{
    enum { LENGTH = 1 << 20 };
    const struct text_form form = {true, TEXT_UTF8};
    struct error err = ERROR_INIT;
    struct text_form told;
    struct buf one, all, out;
    char *blanks = malloc(LENGTH);

    if (!CHECK(blanks != NULL)) {
        free(blanks);
        return;
    }
    memset(blanks, ' ', LENGTH);
    one = stored(form, blanks, LENGTH, LENGTH);
    buf_init(&all, SIZE_MAX);
    for (uint64_t i = 0; i <= TEXT_UNPACKED_MAX / LENGTH; i++) {
        buf_append(&all, one.data, one.length);
    }
    struct temp_dir dir = temp_dir_make();
    int fd = open(temp_path(&dir, "bomb"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);

    CHECK(write(fd, all.data, all.length) == (ssize_t)all.length);
    CHECK(lseek(fd, 0, SEEK_SET) == 0);
    buf_init(&out, 1000);
    CHECK(!text_input_all(fd, "bomb", &out, &err)); /* who asks for less is told at once */
    CHECK_STR(err.message, "bomb: larger than 1000 bytes");
    CHECK(lseek(fd, 0, SEEK_SET) == 0);
    struct text_input *input = text_input_new(fd, "bomb", NULL);
    size_t length = 1;

    while (text_input_read(input, blanks, LENGTH, &length, &err) && length > 0) {
    }
    CHECK_CONTAINS(err.message, "bomb: gzip of more than 1073741824 bytes: unpack it (gunzip)");
    told = text_input_form(input);
    CHECK(told.is_gzip);
    text_input_free(input);
    close(fd);
    temp_dir_remove(&dir);
    buf_release(&out);
    buf_release(&all);
    buf_release(&one);
    free(blanks);
}

static void
check_open(int (*open_file)(const char *path, const char *label, struct error *err),
           const char *path, const char *want)
{
    struct error err = ERROR_INIT;
    int fd = open_file(path, "label", &err);

    CHECK_MSG((fd >= 0) == (want == NULL), "%s: %s", path, err.message);
    if (want != NULL) {
        CHECK_CONTAINS(err.message, want);
    }
    if (fd >= 0) {
        close(fd);
    }
}

/* Nothing that is opened makes us wait for ever. */
static void
test_open(void)
{
    struct temp_dir dir = temp_dir_make();
    const char *fifo = temp_path(&dir, "fifo");
    const char *file = temp_write(&dir, "file", "x", 0600);
    struct error err = ERROR_INIT;

    CHECK(mkfifo(fifo, 0600) == 0);
    check_open(file_open_regular, file, NULL);
    check_open(file_open_regular, fifo, "label: this is no regular file");
    check_open(file_open_regular, "/dev/zero", "label: this is no regular file");
    check_open(file_open_regular, dir.path, "label: Is a directory");
    check_open(file_open_regular, temp_path(&dir, "none"), "label: No such file or directory");
    check_open(file_open_named, file, NULL);
    check_open(file_open_named, "/dev/null", NULL);
    check_open(file_open_named, fifo, "label: this is a pipe into which nobody writes");

    int writer = open(fifo, O_RDWR | O_CLOEXEC); /* one that has written nothing yet */

    check_open(file_open_named, fifo, NULL);
    CHECK(write(writer, "y", 1) == 1);
    int fd = file_open_named(fifo, "label", &err);
    char byte = 0;

    CHECK(fd >= 0 && (fcntl(fd, F_GETFL) & O_NONBLOCK) == 0);
    CHECK(read(fd, &byte, 1) == 1 && byte == 'y'); /* nothing was taken of it */
    close(fd);
    close(writer);
    temp_dir_remove(&dir);
}

void suite_text_input(void);
void
suite_text_input(void)
{
    check_suite("text_input");
    check_test("every form, there and back", test_ways);
    check_test("what is broken is refused", test_refused);
    check_test("gzip of several members", test_members);
    check_test("a bomb ends early", test_bomb);
    check_test("no wait for a FIFO", test_open);
}
