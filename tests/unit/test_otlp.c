/* SPDX-License-Identifier: Apache-2.0
 *
 * Spans as OTLP's JSON has them, their bounds, and what the environment says.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/otlp/environment.h"
#include "check.h"
#include "cli/run/request_path.h"

#define TRACE "0af7651916cd43dd8448eb211c80319c"
#define MS (NANOS_PER_SECOND / 1000)

/* ---- spans ---- */

static char *
text_of(struct otlp_spans *spans)
{
    static const struct otlp_attribute resource[] = {{.key = "service.name", .text = "ballast"}};
    const struct otlp_source source = {"1.2.3", resource, 1};
    struct buf text;

    buf_init(&text, OTLP_REQUEST_MAX);
    otlp_spans_write(spans, &source, &text);
    CHECK(!text.overflowed);
    return text.data;
}

static void
test_encoding(void)
{
    static const struct otlp_attribute attributes[] = {
        {.key = "url.path", .text = "/a\"b\n"}, {.key = "big", .number = INT64_MAX},
        {.key = "none", .number = 0},           {.key = "broken", .text = "x\xff\x1b"},
        {.key = "empty", .text = ""},
    };
    struct otlp_spans *spans = otlp_spans_new(TRACE, 1);

    otlp_spans_add(spans, &(struct otlp_span){.id = 0xb7ad6b7169203331,
                                              .parent = 1,
                                              .name = "GET /a",
                                              .kind = OTLP_CLIENT,
                                              .begun = 1772366400000000001,
                                              .ended = 1772366400000000002,
                                              .attributes = attributes,
                                              .n_attributes = 5,
                                              .failure = "HTTP 500"});
    otlp_spans_add(spans, &(struct otlp_span){.id = 1,
                                              .name = "ballast run",
                                              .kind = OTLP_INTERNAL,
                                              .begun = 0,
                                              .ended = 5,
                                              .is_frame = true});
    char *text = text_of(spans);

    CHECK_STR(
        text,
        "{\"resourceSpans\":[{\"resource\":{\"attributes\":[{\"key\":\"service.name\",\"value\":{"
        "\"stringValue\":\"ballast\"}}]},\"scopeSpans\":[{\"scope\":{\"name\":\"ballast\","
        "\"version\":\"1.2.3\"},\"spans\":["
        "{\"traceId\":\"" TRACE "\",\"spanId\":\"b7ad6b7169203331\",\"parentSpanId\":"
        "\"0000000000000001\",\"name\":\"GET /a\",\"kind\":3,"
        "\"startTimeUnixNano\":\"1772366400000000001\",\"endTimeUnixNano\":\"1772366400000000002\","
        "\"attributes\":[{\"key\":\"url.path\",\"value\":{\"stringValue\":\"/a\\\"b\\n\"}},"
        "{\"key\":\"big\",\"value\":{\"intValue\":\"9223372036854775807\"}},"
        "{\"key\":\"none\",\"value\":{\"intValue\":\"0\"}},"
        "{\"key\":\"broken\",\"value\":{\"stringValue\":\"x\xef\xbf\xbd\\u001B\"}},"
        "{\"key\":\"empty\",\"value\":{\"stringValue\":\"\"}}],"
        "\"status\":{\"code\":2,\"message\":\"HTTP 500\"}},"
        "{\"traceId\":\"" TRACE "\",\"spanId\":\"0000000000000001\",\"name\":\"ballast run\","
        "\"kind\":1,\"startTimeUnixNano\":\"0\",\"endTimeUnixNano\":\"5\",\"attributes\":[],"
        "\"status\":{}}]}]}]}");
    free(text);
    otlp_spans_free(spans);
}

static size_t
count_of(const char *text, const char *part)
{
    size_t count = 0;

    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
        count++;
    }
    return count;
}

static void
add_many(struct otlp_spans *spans, const char *name, size_t count, const char *failure)
{
    for (size_t i = 0; i < count; i++) {
        otlp_spans_add(spans, &(struct otlp_span){.id = otlp_spans_next_id(spans),
                                                  .name = name,
                                                  .kind = OTLP_CLIENT,
                                                  .failure = failure});
    }
}

/* Seven eighths for all, the rest for those that failed; frames are always kept. */
static void
test_number(void)
{
    struct otlp_spans *spans = otlp_spans_new(TRACE, 1);

    add_many(spans, "fine", OTLP_SPANS_MAX, NULL);
    CHECK_INT(otlp_spans_dropped(spans), OTLP_SPANS_MAX / 8);
    add_many(spans, "bad", OTLP_SPANS_MAX / 8 + 3, "why");
    CHECK_INT(otlp_spans_dropped(spans), OTLP_SPANS_MAX / 8 + 3);
    otlp_spans_add(spans, &(struct otlp_span){.id = 1, .name = "frame", .is_frame = true});
    CHECK_INT(otlp_spans_dropped(spans), OTLP_SPANS_MAX / 8 + 3);
    char *text = text_of(spans);

    CHECK_INT(count_of(text, "\"fine\""), OTLP_SPANS_MAX / 8 * 7);
    CHECK_INT(count_of(text, "\"bad\""), OTLP_SPANS_MAX / 8);
    CHECK_INT(count_of(text, "\"frame\""), 1);
    free(text);
    otlp_spans_free(spans);
}

/* However long what servers say is. */
static void
test_bytes(void)
{
    struct otlp_spans *spans = otlp_spans_new(TRACE, 1);
    char *longest = malloc(OTLP_TEXT_MAX * 4 + 1);
    struct otlp_attribute attributes[12];

    memset(longest, 1, OTLP_TEXT_MAX * 4); /* each is six characters of JSON */
    longest[OTLP_TEXT_MAX * 4] = '\0';
    for (size_t i = 0; i < 12; i++) {
        attributes[i] = (struct otlp_attribute){.key = "key", .text = longest};
    }
    const struct otlp_span span = {.id = 1,
                                   .name = longest,
                                   .kind = OTLP_CLIENT,
                                   .attributes = attributes,
                                   .n_attributes = 12,
                                   .failure = longest};

    for (size_t i = 0; i < 500; i++) {
        otlp_spans_add(spans, &span);
    }
    CHECK(otlp_spans_dropped(spans) > 0);
    otlp_spans_add(spans, &(struct otlp_span){.id = 1, .name = "frame", .is_frame = true});
    char *text = text_of(spans);

    CHECK_INT(count_of(text, "\"frame\""), 1);
    CHECK_INT(count_of(text, "\"traceId\""), 501 - (intmax_t)otlp_spans_dropped(spans));
    CHECK(strlen(text) < OTLP_REQUEST_MAX);
    CHECK_STR(text + strlen(text) - 7, "}]}]}]}");
    free(text);
    free(longest);
    otlp_spans_free(spans);
}

static void *
add_in_thread(void *context)
{
    add_many(context, "thread", 300, NULL);
    return NULL;
}

static int
id_cmp(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void
test_threads(void)
{
    struct otlp_spans *spans = otlp_spans_new(TRACE, 42);
    pthread_t threads[3];
    const char *ids[900] = {NULL};
    size_t n_ids = 0, n_same = 0;

    for (size_t i = 0; i < 3; i++) {
        CHECK_INT(pthread_create(&threads[i], NULL, add_in_thread, spans), 0);
    }
    for (size_t i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    char *text = text_of(spans);

    CHECK_INT(count_of(text, "\"thread\""), 900);
    for (char *at = strstr(text, "spanId\":\""); at != NULL && n_ids < 900;
         at = strstr(at + 1, "spanId\":\"")) {
        ids[n_ids++] = at + strlen("spanId\":\"");
        at[strlen("spanId\":\"") + 16] = '\0';
        at += strlen("spanId\":\"") + 16;
    }
    qsort(ids, n_ids, sizeof(ids[0]), id_cmp);
    for (size_t i = 1; i < n_ids; i++) {
        n_same += str_eq(ids[i], ids[i - 1]) ? 1 : 0;
    }
    CHECK_INT(n_ids, 900);
    CHECK_INT(n_same, 0);
    free(text);
    otlp_spans_free(spans);
}

/* ---- the environment ---- */

#define VARIABLES_MAX 8

struct variable {
    const char *name, *value;
};

static const struct variable *variables; /* of the case under test; ends with a NULL name */

static const char *
look_up(const char *name)
{
    for (const struct variable *variable = variables; variable->name != NULL; variable++) {
        if (str_eq(variable->name, name)) {
            return variable->value;
        }
    }
    return NULL;
}

static void
take_warning(void *context, const char *text)
{
    buf_printf(context, "%s\n", text);
}

/* "url trace/parent timeout headers | resource", and what was warned of. */
static char *
summary_of(struct arena *arena, const struct variable *given, struct buf *warnings)
{
    struct otlp_settings settings;
    struct buf text;

    variables = given;
    buf_init(&text, 1 << 16);
    buf_init(warnings, 1 << 16);
    otlp_settings_read(&(struct otlp_reader){arena, look_up, take_warning, warnings}, &settings);
    if (settings.url != NULL) {
        buf_printf(&text, "%s %s %" PRId64, settings.url, settings.trace, settings.timeout / MS);
        for (size_t i = 0; i < settings.n_headers; i++) {
            buf_printf(&text, " %s: %s;", settings.headers[i].name, settings.headers[i].value);
        }
        for (size_t i = 0; i < settings.n_resource; i++) {
            buf_printf(&text, " %s=%s", settings.resource[i].key, settings.resource[i].text);
        }
    }
    otlp_settings_release(&settings);
    return text.data;
}

#define AT                                                                                         \
    {                                                                                              \
        "OTEL_EXPORTER_OTLP_ENDPOINT", "http://c:4318"                                             \
    }
#define RIGHT "http://c:4318/v1/traces  2000 service.name=ballast"

static const struct {
    struct variable variables[VARIABLES_MAX];
    const char *want, *warning;
} environments[] = {
    {{{NULL, NULL}}, NULL, ""},
    {{{"OTEL_SERVICE_NAME", "x"}, {"OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"}}, NULL, ""},
    {{AT}, RIGHT, ""},
    {{{"OTEL_EXPORTER_OTLP_ENDPOINT", ""}}, NULL, ""},
    {{{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://c:4318/"}}, RIGHT, ""},
    {{{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://c/a"}},
     "http://c/a/v1/traces  2000 service.name=ballast",
     ""},
    {{AT, {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "https://d/"}},
     "https://d/  2000 service.name=ballast",
     ""},
    /* off */
    {{AT, {"OTEL_SDK_DISABLED", "TRUE"}}, NULL, ""},
    {{AT, {"OTEL_SDK_DISABLED", "1"}}, RIGHT, ""},
    {{AT, {"OTEL_TRACES_EXPORTER", "none"}}, NULL, ""},
    {{AT, {"OTEL_TRACES_EXPORTER", "otlp"}}, RIGHT, ""},
    {{AT, {"OTEL_EXPORTER_OTLP_PROTOCOL", "http/json"}}, RIGHT, ""},
    {{AT, {"OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf"}},
     RIGHT,
     "OTEL_EXPORTER_OTLP_PROTOCOL is http/protobuf: only http/json is spoken, and that is what "
     "is sent\n"},
    {{AT,
      {"OTEL_EXPORTER_OTLP_PROTOCOL", "http/json"},
      {"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "grpc"}},
     NULL,
     "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL is grpc: only http/json is spoken, so no trace is "
     "sent\n"},
    /* time */
    {{AT, {"OTEL_EXPORTER_OTLP_TIMEOUT", "300"}},
     "http://c:4318/v1/traces  300 service.name=ballast",
     ""},
    {{AT, {"OTEL_EXPORTER_OTLP_TIMEOUT", "300"}, {"OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "20"}},
     "http://c:4318/v1/traces  20 service.name=ballast",
     ""},
    {{AT, {"OTEL_EXPORTER_OTLP_TIMEOUT", "60000"}},
     "http://c:4318/v1/traces  10000 service.name=ballast",
     ""},
    {{AT, {"OTEL_EXPORTER_OTLP_TIMEOUT", "9223372036854775807"}},
     "http://c:4318/v1/traces  10000 service.name=ballast",
     ""},
    {{AT, {"OTEL_EXPORTER_OTLP_TIMEOUT", "99999999999999999999"}},
     RIGHT,
     "OTEL_EXPORTER_OTLP_TIMEOUT is \"99999999999999999999\": want milliseconds, more than "
     "none; 2000 are taken\n"},
    {{AT, {"OTEL_EXPORTER_OTLP_TIMEOUT", "5s"}},
     RIGHT,
     "OTEL_EXPORTER_OTLP_TIMEOUT is \"5s\": want milliseconds, more than none; 2000 are "
     "taken\n"},
    {{AT, {"OTEL_EXPORTER_OTLP_TIMEOUT", "0"}},
     RIGHT,
     "OTEL_EXPORTER_OTLP_TIMEOUT is \"0\": want milliseconds, more than none; 2000 are "
     "taken\n"},
    /* headers: no warning has a value */
    {{AT, {"OTEL_EXPORTER_OTLP_HEADERS", "a=b"}},
     "http://c:4318/v1/traces  2000 a: b; service.name=ballast",
     ""},
    {{AT, {"OTEL_EXPORTER_OTLP_HEADERS", " a = b%20c ,,\tk%2d1=Basic eA==;x, e= "}},
     "http://c:4318/v1/traces  2000 a: b c; k-1: Basic eA==;x; e: ; service.name=ballast",
     ""},
    {{AT, {"OTEL_EXPORTER_OTLP_HEADERS", "a=b"}, {"OTEL_EXPORTER_OTLP_TRACES_HEADERS", "c=d"}},
     "http://c:4318/v1/traces  2000 c: d; service.name=ballast",
     ""},
    {{AT,
      {"OTEL_EXPORTER_OTLP_HEADERS", "secret,=secret,a=secret%,a=secret%2,a=secret%2g,"
                                     "a=secret%00,a=secret%0d%0a,a=b"}},
     "http://c:4318/v1/traces  2000 a: b; service.name=ballast",
     "OTEL_EXPORTER_OTLP_HEADERS: item 1 is no header: want NAME=VALUE, escaped as in a URL\n"
     "OTEL_EXPORTER_OTLP_HEADERS: item 2 is no header: want NAME=VALUE, escaped as in a URL\n"
     "OTEL_EXPORTER_OTLP_HEADERS: item 3 is no header: want NAME=VALUE, escaped as in a URL\n"
     "OTEL_EXPORTER_OTLP_HEADERS: item 4 is no header: want NAME=VALUE, escaped as in a URL\n"
     "OTEL_EXPORTER_OTLP_HEADERS: item 5 is no header: want NAME=VALUE, escaped as in a URL\n"
     "OTEL_EXPORTER_OTLP_HEADERS: item 6 is no header: want NAME=VALUE, escaped as in a URL\n"
     "OTEL_EXPORTER_OTLP_HEADERS: item 7 is no header: want NAME=VALUE, escaped as in a URL\n"},
    /* whose */
    {{AT, {"OTEL_SERVICE_NAME", "s"}}, "http://c:4318/v1/traces  2000 service.name=s", ""},
    {{AT, {"OTEL_RESOURCE_ATTRIBUTES", "service.name=r,a=1,a=2"}},
     "http://c:4318/v1/traces  2000 service.name=r a=2",
     ""},
    {{AT, {"OTEL_RESOURCE_ATTRIBUTES", "service.name=r"}, {"OTEL_SERVICE_NAME", "s"}},
     "http://c:4318/v1/traces  2000 service.name=s",
     ""},
    {{AT, {"OTEL_RESOURCE_ATTRIBUTES", "service.name=r,a=1,b,c=2"}},
     RIGHT,
     "OTEL_RESOURCE_ATTRIBUTES: item 3 is not KEY=VALUE, escaped as in a URL, or one too many: "
     "none of them is "
     "sent\n"},
    /* the caller's trace */
    {{AT, {"TRACEPARENT", "00-" TRACE "-00f067aa0ba902b7-01"}},
     "http://c:4318/v1/traces " TRACE " 2000 service.name=ballast",
     ""},
    {{AT, {"TRACEPARENT", "01-" TRACE "-00f067aa0ba902b7-03-more"}},
     "http://c:4318/v1/traces " TRACE " 2000 service.name=ballast",
     ""},
    {{AT, {"TRACEPARENT", "00-" TRACE "-00f067aa0ba902b7-00"}}, NULL, ""},
    {{AT, {"TRACEPARENT", "00-" TRACE "-00f067aa0ba902b7-01-more"}}, RIGHT, ""},
    {{AT, {"TRACEPARENT", "ff-" TRACE "-00f067aa0ba902b7-01"}}, RIGHT, ""},
    {{AT, {"TRACEPARENT", "00-" TRACE "-0000000000000000-01"}}, RIGHT, ""},
    {{AT, {"TRACEPARENT", "00-00000000000000000000000000000000-00f067aa0ba902b7-01"}}, RIGHT, ""},
    {{AT, {"TRACEPARENT", "00-0AF7651916CD43DD8448EB211C80319C-00f067aa0ba902b7-01"}}, RIGHT, ""},
    {{AT, {"TRACEPARENT", "00-" TRACE "-00f067aa0ba902b7"}}, RIGHT, ""},
    {{AT, {"TRACEPARENT", "00"}}, RIGHT, ""},
    {{AT, {"TRACEPARENT", "00-" TRACE "-00f067aa0ba902b7-0g"}}, RIGHT, ""},
};

static void
test_environment(void)
{
    for (size_t i = 0; i < sizeof(environments) / sizeof(environments[0]); i++) {
        struct arena *arena = arena_new();
        struct buf warnings;
        char *got = summary_of(arena, environments[i].variables, &warnings);
        const char *want = environments[i].want;

        CHECK_MSG((got == NULL) == (want == NULL) && (got == NULL || str_eq(got, want)),
                  "case %zu: got %s, want %s", i, got != NULL ? got : "none",
                  want != NULL ? want : "none");
        CHECK_MSG(str_eq(buf_text(&warnings), environments[i].warning), "case %zu: got %s, want %s",
                  i, buf_text(&warnings), environments[i].warning);
        buf_release(&warnings);
        free(got);
        arena_free(arena);
    }
}

/* So many and no more: what others set is bounded, too. */
static void
test_attributes(void)
{
    struct buf text, warnings;
    struct arena *arena = arena_new();

    buf_init(&text, 1 << 16);
    for (unsigned i = 0; i + 1 < OTLP_RESOURCE_MAX; i++) {
        buf_printf(&text, "k%u=%u,", i, i);
    }
    for (int more = 0; more < 2; more++) {
        const struct variable given[] = {
            AT, {"OTEL_RESOURCE_ATTRIBUTES", buf_text(&text)}, {NULL, NULL}};
        char *got = summary_of(arena, given, &warnings);

        CHECK_INT(strstr(got, " k62=62") != NULL, more == 0);
        CHECK_INT(warnings.length > 0, more == 1);
        buf_release(&warnings);
        free(got);
        buf_append_str(&text, "more=1");
    }
    buf_release(&text);
    arena_free(arena);
}

static void
test_parent(void)
{
    static const struct variable given[] = {
        AT, {"TRACEPARENT", "00-" TRACE "-00f067aa0ba902b7-01"}, {NULL, NULL}};
    struct arena *arena = arena_new();
    struct otlp_settings settings;

    variables = given;
    otlp_settings_read(&(struct otlp_reader){arena, look_up, take_warning, NULL}, &settings);
    CHECK_INT(settings.parent, 0x00f067aa0ba902b7);
    otlp_settings_release(&settings);
    arena_free(arena);
}

/* ---- paths ---- */

static void
test_paths(void)
{
    static const struct {
        const char *path, *want, *cluster;
    } cases[] = {
        {"/version", "/version", ""},
        {"/apis", "/apis", ""},
        {"/apis/apps", "/apis/apps", ""},
        {"/apis/apps/v1", "/apis/apps/v1", ""},
        {"/api/v1/nodes", "/api/v1/nodes", ""},
        {"/api/v1/nodes/n1", "/api/v1/nodes/{name}", ""},
        {"/api/v1/namespaces", "/api/v1/namespaces", ""},
        {"/api/v1/namespaces/shop", "/api/v1/namespaces/{namespace}", ""},
        {"/api/v1/namespaces/shop/pods", "/api/v1/namespaces/{namespace}/pods", ""},
        {"/apis/apps/v1/namespaces/a/deployments/b",
         "/apis/apps/v1/namespaces/{namespace}/deployments/{name}", ""},
        {"/api/v1/namespaces/a/pods/b/log", "/api/v1/namespaces/{namespace}/pods/{name}/log", ""},
        {"/api/v1/namespaces/a/services/b/proxy/api/v1/pods",
         "/api/v1/namespaces/{namespace}/services/{name}/proxy/api/v1/pods", ""},
        {"/apis/cluster.karmada.io/v1alpha1/clusters/m1",
         "/apis/cluster.karmada.io/v1alpha1/clusters/{name}", ""},
        {"/apis/cluster.karmada.io/v1alpha1/clusters/m1/proxy/api/v1/namespaces/a/pods",
         "/apis/cluster.karmada.io/v1alpha1/clusters/{name}/proxy/api/v1/namespaces/{namespace}/"
         "pods",
         "m1"},
        {"/apis/cluster.karmada.io/v1alpha1/clusters/m1/proxy",
         "/apis/cluster.karmada.io/v1alpha1/clusters/{name}/proxy", "m1"},
        {"", "", ""},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buf template_, cluster;

        buf_init(&template_, 4096);
        buf_init(&cluster, 256);
        request_path_template(cases[i].path, &template_, &cluster);
        CHECK_STR(buf_text(&template_), cases[i].want);
        CHECK_STR(buf_text(&cluster), cases[i].cluster);
        buf_release(&template_);
        buf_release(&cluster);
    }
}

void suite_otlp(void);
void
suite_otlp(void)
{
    check_suite("otlp");
    check_test("the encoding", test_encoding);
    check_test("how many", test_number);
    check_test("how much", test_bytes);
    check_test("threads", test_threads);
    check_test("the environment", test_environment);
    check_test("how many attributes", test_attributes);
    check_test("the caller's span", test_parent);
    check_test("paths", test_paths);
}
