/* SPDX-License-Identifier: Apache-2.0
 *
 * JSONPath templates: what one gives, and what is refused instead of guessed.
 */
#include "ballast/format/json_path.h"

#include "check.h"

static const char status_text[] =
    "{\"name\":\"ckpt-7\",\"n\":1234567,\"ok\":true,\"half\":0.5,\"nil\":null,\"o\":{},"
    "\"a\":{\"b\":[{\"c\":\"first\"},{\"c\":\"last\"}],\"d-e\":\"dash\",\"f.g\":\"dot\"}}";

static void
check_template(const char *template, const char *want, const char *problem)
{
    struct error err = ERROR_INIT;
    struct document *document = document_parse_json(status_text, sizeof(status_text) - 1, 1, &err);
    struct buf out;

    buf_init(&out, 4096);
    if (CHECK(document != NULL)) {
        bool done = json_path_print(template, document_root(document), &out, &err);

        if (want != NULL) {
            CHECK_MSG(done, "%s: %s", template, err.message);
            CHECK_STR(buf_text(&out), want);
        } else {
            CHECK_MSG(!done, "%s: gives \"%s\"", template, buf_text(&out));
            CHECK_CONTAINS(err.message, problem);
        }
    }
    buf_release(&out);
    document_free(document);
}

static void
test_given(void)
{
    check_template("{.name}", "ckpt-7", NULL);
    check_template("{$.name}", "ckpt-7", NULL);
    check_template("{@.name}", "ckpt-7", NULL);
    check_template("{.n}", "1234567", NULL); /* client-go's 1.234567e+06 is no label */
    check_template("{.ok}", "true", NULL);
    check_template("{.half}", "0.5", NULL);
    check_template("{.a.b[0].c}", "first", NULL);
    check_template("{.a.b[-1].c}", "last", NULL);
    check_template("{.a['d-e']}", "dash", NULL);
    check_template("{.a[\"f.g\"]}", "dot", NULL);
    check_template("job-{.name}.{.n}", "job-ckpt-7.1234567", NULL);
    check_template("", "", NULL);
    check_template("plain", "plain", NULL); /* as client-go: a template without a path is text */
}

static void
test_refused(void)
{
    char longer[JSON_PATH_MAX + 8];

    check_template("{.none}", NULL, "none is not found");
    check_template("{.name.x}", NULL, "x is not found");
    check_template("{.a.b[2].c}", NULL, "shorter");
    check_template("{.a.b[-3].c}", NULL, "shorter");
    check_template("{.a.b[-9223372036854775808].c}", NULL, "shorter");
    check_template("{.a[0]}", NULL, "no list");
    check_template("{.nil}", NULL, "no text but null");
    check_template("{.o}", NULL, "no text but object");
    check_template("{.a.b}", NULL, "no text but list");
    check_template("{.a.*}", NULL, "only members and indices");
    check_template("{..c}", NULL, "only members and indices");
    check_template("{.a.b[*].c}", NULL, "only members and indices");
    check_template("{.a.b[0:1].c}", NULL, "only members and indices");
    check_template("{.a.b[0,1].c}", NULL, "only members and indices");
    check_template("{.a.b[?(@.c==\"last\")].c}", NULL, "only members and indices");
    check_template("{range .a.b}{.c}{end}", NULL, "only members and indices");
    check_template("{name}", NULL, "only members and indices");
    check_template("{.name", NULL, "not closed");
    check_template("{.a['d-e'}", NULL, "brackets");
    check_template("{.a['']}", NULL, "brackets");
    check_template("{.a[99999999999999999999]}", NULL, "no list");
    check_template("{}", NULL, "without a path");
    check_template("{$}", NULL, "without a path");
    memset(longer, 'x', sizeof(longer));
    longer[sizeof(longer) - 1] = '\0';
    check_template(longer, NULL, "more than 1024 bytes");
}

/* A cluster that tells nothing of the workload. */
static void
test_of_nothing(void)
{
    static const char *const templates[] = {"{[0]}", "{.a}", "{['a']}", "{.a[0]}"};

    for (size_t i = 0; i < sizeof(templates) / sizeof(templates[0]); i++) {
        struct error err = ERROR_INIT;
        struct buf out;

        buf_init(&out, SIZE_MAX / 2);
        CHECK(!json_path_print(templates[i], NULL, &out, &err));
        CHECK_INT(err.code, ERROR_INVALID);
        buf_release(&out);
    }
}

void suite_json_path(void);

void
suite_json_path(void)
{
    check_suite("JSONPath");
    check_test("of nothing", test_of_nothing);
    check_test("what a template gives", test_given);
    check_test("what is refused", test_refused);
}
