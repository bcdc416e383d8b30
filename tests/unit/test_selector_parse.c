/* SPDX-License-Identifier: Apache-2.0
 *
 * Label selectors as text: parsed forms, what they match, and what is said of
 * bad ones.
 */
#include "ballast/base/buf.h"
#include "cli/options/selector_text.h"

#include "check.h"

static const char *
show(struct arena *arena, const struct label_selector *selector)
{
    struct buf out;

    buf_init(&out, 4096);
    for (uint32_t i = 0; i < selector->match_expressions.count; i++) {
        const struct selector_requirement *r = &selector->match_expressions.items[i];

        buf_printf(&out, "%s%s %s", i > 0 ? "; " : "", r->key, r->operator_text);
        for (uint32_t v = 0; v < r->values.count; v++) {
            buf_printf(&out, " '%s'", r->values.items[v]);
        }
    }
    const char *text = arena_printf(arena, "%s", buf_text(&out));

    buf_release(&out);
    return text;
}

static void
test_parsed(void)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"", ""},
        {"a=b", "a In 'b'"},
        {"a==b", "a In 'b'"},
        {" a = b , c ", "a In 'b'; c Exists"},
        {"a!=b", "a NotIn 'b'"},
        {"a!=", "a NotIn ''"},
        {"a=,b", "a In ''; b Exists"},
        {"!a", "a DoesNotExist"},
        {"! a,b", "a DoesNotExist; b Exists"},
        {"a in (x,y)", "a In 'x' 'y'"},
        {"a in(x,x)", "a In 'x'"},
        {"a notin ( x , y )", "a NotIn 'x' 'y'"},
        {"a in (,x)", "a In '' 'x'"},
        {"a in (x,,y)", "a In 'x' '' 'y'"},
        {"a in ()", "a In ''"},
        {"in in (in),notin notin (notin)", "in In 'in'; notin NotIn 'notin'"},
        {"example.com/tier=web", "example.com/tier In 'web'"},
        {"a in (b),c=d,e,!f", "a In 'b'; c In 'd'; e Exists; f DoesNotExist"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct arena *arena = arena_new();
        struct error err = ERROR_INIT;
        const struct label_selector *selector = selector_parse(arena, cases[i].text, &err);

        if (CHECK_MSG(selector != NULL, "%s: %s", cases[i].text, err.message) && selector != NULL) {
            CHECK_STR(show(arena, selector), cases[i].want);
            CHECK(label_selector_is_valid(selector));
        }
        arena_free(arena);
    }
}

static void
test_refused(void)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"a=b,", "want a label key, got the end"},
        {",a", "want a label key, got \",\""},
        {"=a", "want a label key, got \"=\""},
        {"!", "want a label key, got the end"},
        {"!a=b", "want a comma or the end, got \"=\""},
        {"a b", "want =, ==, !=, in, notin or a comma, got \"b\""},
        {"a in x", "want (, got \"x\""},
        {"a in (x", "want , or ), got the end"},
        {"a in (x y)", "want , or ), got \"y\""},
        {"a=(b)", "want a value, got \"(\""},
        {"a=b c", "want a comma or the end, got \"c\""},
        {"a>1", "a label selector knows =, ==, !=, in and notin, but not \">\""},
        {"-a=b", "label key \"-a\": want letters, digits and inner '-', '_', '.'"},
        {"A.B/c=d", "label key \"A.B/c\": what is before the slash must be a DNS name"},
        {"/c=d", "label key \"/c\": what is before the slash must be a DNS name"},
        {"a..b/c=d", "label key \"a..b/c\": what is before the slash must be a DNS name"},
        {"a/b/c", "label key \"a/b/c\": want letters, digits and inner '-', '_', '.'"},
        {"a=b-", "label value \"b-\": want letters, digits and inner '-', '_', '.'"},
        {"a=\xC3\xA4", "label value \"\xC3\xA4\": want letters, digits and inner '-', '_', '.'"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct arena *arena = arena_new();
        struct error err = ERROR_INIT;

        CHECK_MSG(selector_parse(arena, cases[i].text, &err) == NULL, "%s was taken",
                  cases[i].text);
        CHECK_STR(err.message, cases[i].message);
        arena_free(arena);
    }
}

static void
test_lengths(void)
{
    static const struct {
        size_t prefix, name, value;
        bool taken;
    } cases[] = {
        {0, 63, 63, true}, {0, 64, 1, false},  {0, 1, 64, false},
        {253, 1, 1, true}, {254, 1, 1, false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct arena *arena = arena_new();
        struct error err = ERROR_INIT;
        char letters[256];

        memset(letters, 'x', sizeof(letters));
        const char *text = arena_printf(arena, "%.*s%s%.*s=%.*s", (int)cases[i].prefix, letters,
                                        cases[i].prefix > 0 ? "/" : "", (int)cases[i].name, letters,
                                        (int)cases[i].value, letters);

        CHECK_MSG((selector_parse(arena, text, &err) != NULL) == cases[i].taken,
                  "case %zu: want %s", i, cases[i].taken ? "taken" : "refused");
        arena_free(arena);
    }
}

static void
test_matches(void)
{
    static const struct label labels[] = {{"app", "web"}, {"tier", "front"}};
    static const struct label_list list = {labels, 2, true};
    static const struct {
        const char *text;
        bool matches;
    } cases[] = {
        {"", true},           {"app=web", true},         {"app=db", false},
        {"app!=db", true},    {"other!=x", true},        {"other=x", false},
        {"!other", true},     {"!app", false},           {"tier", true},
        {"app=web,!x", true}, {"app=web,tier=b", false}, {"tier in (front,back)", true},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct arena *arena = arena_new();
        struct error err = ERROR_INIT;
        const struct label_selector *selector = selector_parse(arena, cases[i].text, &err);

        CHECK_MSG(label_selector_matches(selector, &list) == cases[i].matches, "%s: want %d",
                  cases[i].text, cases[i].matches);
        arena_free(arena);
    }
}

void suite_selector_parse(void);
void
suite_selector_parse(void)
{
    check_suite("selector_parse");
    check_test("parsed", test_parsed);
    check_test("refused", test_refused);
    check_test("lengths", test_lengths);
    check_test("matches", test_matches);
}
