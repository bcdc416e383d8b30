/* SPDX-License-Identifier: Apache-2.0
 *
 * Log lines, and the escaping of what they may hold.
 */
#include "ballast/base/log.h"

#include <stdlib.h>

#include "ballast/base/text.h"
#include "check.h"

/* One line as it was logged; *ret is to be freed. */
static void
logged(enum log_format format, int verbosity, enum log_level level, int line_verbosity,
       const char *message, char **ret)
{
    size_t size = 0;
    FILE *stream = open_memstream(ret, &size);
    struct logger logger = {.stream = stream, .format = format, .verbosity = verbosity};

    log_line(&logger, level, line_verbosity, "%s", message);
    fclose(stream);
}

/* `text` begins as `shape`, where 0 stands for any digit. */
static bool
has_shape(const char *text, const char *shape)
{
    for (; *shape != '\0'; shape++, text++) {
        bool fits = *shape == '0' ? *text >= '0' && *text <= '9' : *text == *shape;

        if (!fits) {
            return false;
        }
    }
    return true;
}

static void
test_text(void)
{
    char *line = NULL;

    logged(LOG_TEXT, 0, LOG_ERROR, 0, "one\ntwo\x1b[31m \xFF", &line);
    char *end = strchr(line, ']');

    CHECK(has_shape(line, "E0000 00:00:00.000000 "));
    CHECK_CONTAINS(line, " test_log.c:");
    if (CHECK(end != NULL)) {
        CHECK_STR(end, "] one two\\u001B[31m \xEF\xBF\xBD\n");
    }
    free(line);
}

static void
test_json(void)
{
    char *line = NULL;

    logged(LOG_JSON, 3, LOG_INFO, 2, "a \"b\"\n\\", &line);

    CHECK_CONTAINS(line, "{\"ts\":");
    CHECK_CONTAINS(line, ",\"caller\":\"test_log.c:");
    CHECK_CONTAINS(line, ",\"level\":\"info\",\"v\":2,\"msg\":\"a \\\"b\\\"\\n\\\\\"}\n");
    free(line);
    logged(LOG_JSON, 0, LOG_WARNING, 0, "x", &line);
    CHECK_CONTAINS(line, "\"level\":\"warning\",\"msg\":\"x\"}\n");
    free(line);
}

static void
test_fields(void)
{
    static const struct log_field fields[] = {
        {.name = "command", .text = "a \"b\"\n"},
        {.name = "status", .number = -3},
        {.name = "seconds", .number = 1234567890, .is_span = true},
    };
    static const struct {
        enum log_format format;
        int verbosity;
        const char *want; /* the end of the line */
    } cases[] = {
        {LOG_TEXT, 1, "] \"run ended\" command=\"a \\\"b\\\"\\n\" status=-3 seconds=1.234\n"},
        {LOG_JSON, 1,
         ",\"v\":1,\"msg\":\"run ended\",\"command\":\"a \\\"b\\\"\\n\",\"status\":-3,"
         "\"seconds\":1.234}\n"},
        {LOG_JSON, 0, ""},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char *line = NULL;
        size_t size = 0;
        FILE *stream = open_memstream(&line, &size);
        const struct logger logger = {
            .stream = stream, .format = cases[i].format, .verbosity = cases[i].verbosity};

        log_fields(&logger, LOG_INFO, 1, "run ended", fields, 3);
        fclose(stream);
        CHECK_CONTAINS(line, cases[i].want);
        CHECK_MSG((strlen(line) == 0) == (strlen(cases[i].want) == 0), "case %zu", i);
        free(line);
    }
}

static void
test_verbosity(void)
{
    static const struct {
        int shown, of_line;
        enum log_level level;
        bool want;
    } cases[] = {
        {0, 0, LOG_INFO, true},  {0, 1, LOG_INFO, false},   {2, 2, LOG_INFO, true},
        {2, 3, LOG_INFO, false}, {0, 9, LOG_WARNING, true}, {0, 9, LOG_ERROR, true},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char *line = NULL;

        logged(LOG_TEXT, cases[i].shown, cases[i].level, cases[i].of_line, "x", &line);

        CHECK_MSG((strlen(line) > 0) == cases[i].want, "case %zu", i);
        free(line);
    }
}

static void
test_long(void)
{
    char message[2 * LOG_MESSAGE_MAX];

    memset(message, 'x', sizeof(message) - 1);
    message[sizeof(message) - 1] = '\0';
    char *line = NULL;

    logged(LOG_TEXT, 0, LOG_ERROR, 0, message, &line);

    CHECK(strlen(line) < LOG_MESSAGE_MAX + 100);
    CHECK_CONTAINS(line, "xxx...\n");
    free(line);
    for (size_t i = 1; i + 2 < sizeof(message); i += 2) {
        memcpy(message + i, "\xC3\xA4", 2);
    }
    logged(LOG_TEXT, 0, LOG_ERROR, 0, message, &line);
    CHECK_CONTAINS(line, "\xC3\xA4...\n");
    CHECK(strstr(line, "\xEF\xBF\xBD") == NULL);
    free(line);
}

static void
test_escapes(void)
{
    static const struct {
        const char *text, *line, *quoted;
    } cases[] = {
        {"", "", "\"\""},
        {"plain", "plain", "\"plain\""},
        {"\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x9A\xA2", "\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x9A\xA2",
         "\"\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x9A\xA2\""},
        {"a\tb\r\n", "a b  ", "\"a\\tb\\r\\n\""},
        {"\"\\", "\"\\", "\"\\\"\\\\\""},
        {"\x1b]0;x\x07", "\\u001B]0;x\\u0007", "\"\\u001B]0;x\\u0007\""},
        {"\xC2\x9B", "\\u009B", "\"\\u009B\""},              /* C1 */
        {"\xE2\x80\xAEtxt", "\\u202Etxt", "\"\\u202Etxt\""}, /* right-to-left override */
        {"\xC0\xAF", "\xEF\xBF\xBD\xEF\xBF\xBD", "\"\xEF\xBF\xBD\xEF\xBF\xBD\""}, /* overlong */
        {"\xE2\x82", "\xEF\xBF\xBD\xEF\xBF\xBD", "\"\xEF\xBF\xBD\xEF\xBF\xBD\""}, /* cut off */
        {"\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD",
         "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""}, /* surrogate */
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buf line, quoted;

        buf_init(&line, 4096);
        buf_init(&quoted, 4096);
        text_append_line(&line, cases[i].text);
        text_append_quoted(&quoted, cases[i].text);
        CHECK_STR(buf_text(&line), cases[i].line);
        CHECK_STR(buf_text(&quoted), cases[i].quoted);
        buf_release(&line);
        buf_release(&quoted);
    }
    CHECK_INT(text_columns("\xC3\xA4\t\x1b"), 8);
}

void suite_log(void);
void
suite_log(void)
{
    check_suite("log");
    check_test("text", test_text);
    check_test("json", test_json);
    check_test("fields", test_fields);
    check_test("verbosity", test_verbosity);
    check_test("long", test_long);
    check_test("escapes", test_escapes);
}
