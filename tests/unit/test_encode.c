/* SPDX-License-Identifier: Apache-2.0
 *
 * What is written to a binding.
 */
#include "ballast/kinds/encode.h"

#include "model_fixture.h"

#define BEFORE                                                                                     \
    "{'metadata':{'name':'x','resourceVersion':'17'},'spec':{'replicas':3,"                        \
    "'resource':{'apiVersion':'apps/v1','kind':'Deployment','name':'web'},"                        \
    "'clusters':[{'name':'m1','replicas':3,'components':[{'name':'c'}]},{'name':'m2'}],"           \
    "'gracefulEvictionTasks':[{'fromCluster':'m9','reason':'r','unknown':{'k':[1]}}]}}"

static void
check_patch(const char *before, const struct binding_change *change, const char *want)
{
    struct model_fixture f;
    struct buf out;

    model_begin(&f);
    buf_init(&out, 1 << 16);
    const struct binding *binding = decode_binding(f.builder, model_value(&f, before), &f.err);

    if (CHECK_MSG(binding != NULL, "%s", f.err.message)) {
        struct document *document;

        encode_binding_patch(binding, change, &out);
        CHECK_STR(buf_text(&out), want);
        document = document_parse_json(out.data, out.length, 1, &f.err);
        CHECK_MSG(document != NULL, "%s: %s", buf_text(&out), f.err.message);
        document_free(document);
    }
    buf_release(&out);
    model_end(&f);
}

static void
clusters(void)
{
    static const struct target targets[] = {
        {.name = "m1", .replicas = 1},
        {.name = "m3", .replicas = 2},
        {.name = "m4", .replicas = 0},
    };
    static const char *const extras[] = {NULL, NULL, "{\"a\":1,\"b\":{}}"};
    const struct binding_change change = {.clusters = targets, .n_clusters = 3, .extras = extras};

    check_patch(BEFORE, &change,
                "{\"metadata\":{\"resourceVersion\":\"17\"},\"spec\":{\"clusters\":["
                "{\"name\":\"m1\",\"replicas\":1,\"components\":[{\"name\":\"c\"}]},"
                "{\"name\":\"m3\",\"replicas\":2},{\"name\":\"m4\",\"replicas\":0,\"a\":1,"
                "\"b\":{}}]}}");
}

/* What a record kept of an entry: of a set its count, too, and that there was nothing. */
static void
recorded(void)
{
    static const struct target targets[] = {{.name = "m1", .replicas = 3},
                                            {.name = "m2", .replicas = 3},
                                            {.name = "m3", .replicas = 3}};
    static const char *const extras[] = {"{\"replicas\":4}", "{}",
                                         "{\"replicas\":4,\"components\":[]}"};
    const struct binding_change back = {.clusters = targets, .n_clusters = 3, .extras = extras};

    check_patch("{'metadata':{'name':'x'},'spec':{'resource':{'apiVersion':'a/v1','kind':'Ray',"
                "'name':'r'},'components':[{'name':'h','replicas':3}],"
                "'clusters':[{'name':'m4','replicas':7,'note':1}]}}",
                &back,
                "{\"metadata\":{},\"spec\":{\"clusters\":[{\"name\":\"m1\",\"replicas\":4},"
                "{\"name\":\"m2\"},{\"name\":\"m3\",\"replicas\":4,\"components\":[]}]}}");
    /* it has one template now */
    check_patch(BEFORE, &back,
                "{\"metadata\":{\"resourceVersion\":\"17\"},\"spec\":{\"clusters\":["
                "{\"name\":\"m1\",\"replicas\":3},{\"name\":\"m2\",\"replicas\":3},"
                "{\"name\":\"m3\",\"replicas\":3,\"components\":[]}]}}");
}

/* Of a set of components a new entry is as the others are, whatever is counted; but its components
 * are those of the spec. */
static void
sets(void)
{
    static const struct target targets[] = {{.name = "m1", .replicas = 3},
                                            {.name = "m2", .replicas = 3}};
    const struct binding_change both = {.clusters = targets, .n_clusters = 2};
    const struct binding_change moved = {.clusters = targets + 1, .n_clusters = 1};
    static const char spec[] = "{'metadata':{'name':'x'},'spec':{'resource':{'apiVersion':'a/v1',"
                               "'kind':'Ray','name':'r'},'components':[{'name':'h','replicas':1},"
                               "{'name':'w','replicas':2}],'clusters':[%s]}}";
    char before[512];

    snprintf(before, sizeof(before), spec,
             "{'name':'m1','components':[{'name':'h','replicas':1}]}");
    check_patch(before, &both,
                "{\"metadata\":{},\"spec\":{\"clusters\":["
                "{\"name\":\"m1\",\"components\":[{\"name\":\"h\",\"replicas\":1}]},"
                "{\"name\":\"m2\",\"components\":[{\"name\":\"h\",\"replicas\":1},{\"name\":\"w\","
                "\"replicas\":2}]}]}}"); /* as many as are wanted now */
    snprintf(before, sizeof(before), spec, "{'name':'m1','replicas':7}");
    check_patch(before, &moved,
                "{\"metadata\":{},\"spec\":{\"clusters\":[{\"name\":\"m2\",\"replicas\":7}]}}");
    snprintf(before, sizeof(before), spec, "");
    check_patch(before, &moved, "{\"metadata\":{},\"spec\":{\"clusters\":[{\"name\":\"m2\"}]}}");
}

static void
no_workload(void)
{
    static const struct target targets[] = {{.name = "m1"}, {.name = "m2"}};
    const struct binding_change change = {.clusters = targets, .n_clusters = 2};

    check_patch("{'metadata':{'name':'x'},'spec':{'resource':{'apiVersion':'v1','kind':'ConfigMap',"
                "'name':'c'},'clusters':[{'name':'m1'}]}}",
                &change,
                "{\"metadata\":{},\"spec\":{\"clusters\":[{\"name\":\"m1\"},{\"name\":\"m2\"}]}}");
}

static void
none_left(void)
{
    const struct binding_change change = {.n_clusters = 0};

    check_patch(BEFORE, &change,
                "{\"metadata\":{\"resourceVersion\":\"17\"},\"spec\":{\"clusters\":[]}}");
}

static void
tasks(void)
{
    static const struct target targets[] = {{.name = "m2", .replicas = 3}};
    static const struct graceful_eviction_task added[] = {{.json = "{\"fromCluster\":\"m1\"}"},
                                                          {.json = "{\"fromCluster\":\"m3\"}"}};
    const struct binding_change change = {
        .clusters = targets, .n_clusters = 1, .new_tasks = added, .n_new_tasks = 2};

    check_patch(BEFORE, &change,
                "{\"metadata\":{\"resourceVersion\":\"17\"},\"spec\":{\"clusters\":["
                "{\"name\":\"m2\",\"replicas\":3}],\"gracefulEvictionTasks\":["
                "{\"fromCluster\":\"m9\",\"reason\":\"r\",\"unknown\":{\"k\":[1]}},"
                "{\"fromCluster\":\"m1\"},{\"fromCluster\":\"m3\"}]}}");
}

static void
annotations(void)
{
    static const struct label annotations_set[] = {{"ballast.io/a", "say \"hi\"\n"},
                                                   {"ballast.io/b", NULL}};
    static const struct target targets[] = {{.name = "m2", .replicas = 3}};
    const struct binding_change change = {
        .clusters = targets, .n_clusters = 1, .annotations = annotations_set, .n_annotations = 2};

    check_patch(BEFORE, &change,
                "{\"metadata\":{\"resourceVersion\":\"17\",\"annotations\":{\"ballast.io/a\":"
                "\"say \\\"hi\\\"\\n\",\"ballast.io/b\":null}},\"spec\":{\"clusters\":["
                "{\"name\":\"m2\",\"replicas\":3}]}}");
}

/* An object without a split gets none, and its generation stays. */
static void
only_annotations(void)
{
    static const struct label annotation = {"ballast.io/a", "b"};
    const struct binding_change change = {
        .annotations = &annotation, .n_annotations = 1, .only_annotates = true};

    check_patch(BEFORE, &change,
                "{\"metadata\":{\"resourceVersion\":\"17\",\"annotations\":{\"ballast.io/a\":"
                "\"b\"}}}");
}

/* A message is cut between characters, and nothing in it ends the text. */
static void
cut_message(void)
{
    static const struct binding before = {.resource_version = ""};
    char message[2 * EVICTION_MESSAGE_MAX];
    struct graceful_eviction_task task = {.from_cluster = "m\"1",
                                          .purge_mode = "Gracefully",
                                          .reason = "r",
                                          .producer = "p",
                                          .message = message};
    struct binding_change change = {.new_tasks = &task, .n_new_tasks = 1};
    struct error err = ERROR_INIT;
    struct buf out;

    for (size_t i = 0; i + 3 < sizeof(message); i += 3) {
        memcpy(&message[i], "\xe2\x82\xac", 4);
    }
    message[0] = message[1] = message[2] = '\\';
    buf_init(&out, 1 << 16);
    encode_binding_patch(&before, &change, &out);
    struct document *document = document_parse_json(out.data, out.length, 1, &err);

    if (CHECK_MSG(document != NULL, "%s", err.message)) {
        const struct value *tasks =
            value_get(value_get(document_root(document), "spec"), "gracefulEvictionTasks");
        const struct value *text = value_get(value_at(tasks, 0), "message");

        CHECK_STR(value_string(value_get(value_at(tasks, 0), "fromCluster")), "m\"1");
        CHECK_INT(value_string_length(text), EVICTION_MESSAGE_MAX - 1); /* 3 + 339 * 3 + 3 */
        CHECK_CONTAINS(value_string(text), "\xe2\x82\xac...");
    }
    document_free(document);
    buf_release(&out);
}

void suite_encode(void);

void
suite_encode(void)
{
    check_suite("encode");
    check_test("clusters keep what we do not know of them", clusters);
    check_test("entries of a set are alike", sets);
    check_test("entries of a record come back as they were", recorded);
    check_test("no replicas for what has none", no_workload);
    check_test("no clusters left", none_left);
    check_test("eviction tasks are appended", tasks);
    check_test("annotations are set and removed", annotations);
    check_test("a change that only annotates writes no spec", only_annotations);
    check_test("the message of a task is cut", cut_message);
}
