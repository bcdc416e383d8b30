/* SPDX-License-Identifier: Apache-2.0
 *
 * Protobuf answers written by hand: what is refused and how it is told, and how
 * fields merge.
 */
#include "ballast/kinds/protobuf.h"

#include <stdlib.h>

#include "check.h"
#include "protobuf_write.h"

/* --- reading --- */

/* What came, as JSON texts one a line. */
struct heard {
    struct buf json;
    struct buf bad;
    bool goes_on;
};

static bool
hear(void *context, const struct stream_object *object, struct error *err)
{
    struct heard *heard = context;

    (void)err;
    buf_printf(&heard->json, "%zu ", object->index);
    value_write_json(object->root, true, &heard->json);
    buf_append_char(&heard->json, '\n');
    return true;
}

static bool
hear_bad(void *context, const struct stream_object *where, struct error *err)
{
    struct heard *heard = context;

    CHECK(where->root == NULL && where->in_list);
    buf_printf(&heard->bad, "%zu %s\n", where->index, err->message);
    return heard->goes_on;
}

static const struct stream_ops ops = {hear, hear_bad};
static const struct stream_ops strict_ops = {hear, NULL};

static void
heard_begin(struct heard *heard)
{
    buf_init(&heard->json, TEXT_MAX);
    buf_init(&heard->bad, TEXT_MAX);
    heard->goes_on = true;
}

static void
heard_end(struct heard *heard)
{
    buf_release(&heard->json);
    buf_release(&heard->bad);
}

/* One Pod of these bytes in a list. */
static bool
read_pod(const char *hex, struct heard *heard, struct error *err)
{
    struct buf pod, list, answer;

    buf_init(&pod, TEXT_MAX);
    buf_init(&list, TEXT_MAX);
    buf_init(&answer, TEXT_MAX);
    put_hex(&pod, hex);
    put_buf(&list, 2, &pod);
    put_answer(&answer, "v1", "PodList", &list);
    bool done = protobuf_list_read(answer.data, answer.length, &strict_ops, heard, NULL, err);

    buf_release(&answer);
    buf_release(&list);
    buf_release(&pod);
    return done;
}

static void
fields(void)
{
    static const struct {
        const char *hex, *want;
    } cases[] = {
        {"", "{}"},
        /* the last text counts; messages are merged; lists and maps grow */
        {"1a 06 0a 01 41 0a 01 42", "{\"status\":{\"phase\":\"B\"}}"},
        {"1a 03 0a 01 41 1a 03 22 01 52", "{\"status\":{\"phase\":\"A\",\"reason\":\"R\"}}"},
        {"12 02 12 00 12 02 12 00", "{\"spec\":{\"containers\":[{},{}]}}"},
        {"0a 06 5a 04 0a 00 12 00 0a 06 5a 04 12 00 0a 00",
         "{\"metadata\":{\"labels\":{\"\":\"\"}}}"},
        {"0a 08 5a 06 0a 01 6b 12 01 76 0a 05 5a 03 0a 01 6b",
         "{\"metadata\":{\"labels\":{\"k\":\"\"}}}"},
        /* unknown fields of all types are passed over */
        {"a0 06 01 99 06 01 02 03 04 05 06 07 08 9a 06 02 78 79 9d 06 01 02 03 04", "{}"},
        /* numbers: not minimal, and the least and the largest ones */
        {"0a 03 38 81 00", "{\"metadata\":{\"generation\":1}}"},
        {"0a 0b 38 ff ff ff ff ff ff ff ff ff 01", "{\"metadata\":{\"generation\":-1}}"},
        {"1a 0d 42 0b 28 80 80 80 80 f8 ff ff ff ff 01",
         "{\"status\":{\"containerStatuses\":[{\"restartCount\":-2147483648}]}}"},
        {"1a 04 42 02 20 05", "{\"status\":{\"containerStatuses\":[{\"ready\":true}]}}"},
        /* times: of seconds only; the zero one is none, the epoch is one; far ones are pinned */
        {"0a 02 42 00", "{\"metadata\":{}}"},
        {"0a 06 42 02 08 01 42 00", "{\"metadata\":{}}"},
        {"0a 06 42 04 08 00 10 05",
         "{\"metadata\":{\"creationTimestamp\":\"1970-01-01T00:00:00Z\"}}"},
        {"0a 0c 42 0a 08 ff ff ff ff ff ff ff ff 7f",
         "{\"metadata\":{\"creationTimestamp\":\"2262-04-11T23:47:16.854775807Z\"}}"},
        /* quantities */
        {"12 0e 82 02 0b 0a 03 63 70 75 12 04 0a 02 31 6d",
         "{\"spec\":{\"overhead\":{\"cpu\":\"1m\"}}}"},
        {"12 08 82 02 05 0a 03 63 70 75", "{\"spec\":{\"overhead\":{\"cpu\":\"0\"}}}"},
        /* what is no UTF-8 is shown as such */
        {"1a 06 0a 04 61 ff c3 62", "{\"status\":{\"phase\":\"a\xef\xbf\xbd\xef\xbf\xbd"
                                    "b\"}}"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct error err = ERROR_INIT;
        struct heard heard;
        char want[256];

        heard_begin(&heard);
        snprintf(want, sizeof(want), "0 %s\n", cases[i].want);
        CHECK_MSG(read_pod(cases[i].hex, &heard, &err), "%s: %s", cases[i].hex, err.message);
        CHECK_STR(buf_text(&heard.json), want);
        heard_end(&heard);
    }
}

static void
bad_fields(void)
{
    static const struct {
        const char *hex, *want;
    } cases[] = {
        {"1a", "items[0]: the message ends within a number"},
        {"1a 02 0a", "items[0]: a length goes beyond the message"},
        {"1a 02 0a 05", "items[0].status: a length goes beyond the message"},
        {"1a ff ff ff ff ff ff ff ff ff 01", "items[0]: a length goes beyond the message"},
        {"0a 0c 38 80 80 80 80 80 80 80 80 80 80 00",
         "items[0].metadata: a number has more than 64 bits"},
        {"0a 0b 38 80 80 80 80 80 80 80 80 80 02",
         "items[0].metadata: a number has more than 64 bits"},
        {"0a 02 38 80", "items[0].metadata: the message ends within a number"},
        {"1a 06 42 04 0a 02 00 00",
         "items[0].status.containerStatuses[0].name: the text holds a NUL"},
        {"1a 0a 42 00 42 06 28 80 80 80 80 08",
         "items[0].status.containerStatuses[1].restartCount: the number has more than 32 bits"},
        /* groups, unknown wire types, no field */
        {"0b 0c", "items[0]: a field is of a group or of an unknown wire type"},
        {"a3 06 a4 06", "items[0]: a field is of a group or of an unknown wire type"},
        {"0f", "items[0]: a field is of a group or of an unknown wire type"},
        {"02 00", "items[0]: there is no field of such a number"},
        {"80 80 80 80 80 01 00", "items[0]: there is no field of such a number"},
        /* known fields of another wire type */
        {"08 01", "items[0].metadata: the field is of the wrong wire type"},
        {"0a 02 08 01", "items[0].metadata.name: the field is of the wrong wire type"},
        {"0a 02 3a 00", "items[0].metadata.generation: the field is of the wrong wire type"},
        {"0a 02 58 01", "items[0].metadata.labels: the field is of the wrong wire type"},
        {"0a 04 5a 02 08 01", "items[0].metadata.labels: a field is of the wrong wire type"},
        {"0a 07 5a 05 0a 01 6b 10 01",
         "items[0].metadata.labels: a field is of the wrong wire type"},
        {"0a 04 42 02 0a 00",
         "items[0].metadata.creationTimestamp: a field is of the wrong wire type"},
        {"0a 00 08 01", "items[0].metadata: the field is of the wrong wire type"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct error err = ERROR_INIT;
        struct heard heard;

        heard_begin(&heard);
        CHECK_MSG(!read_pod(cases[i].hex, &heard, &err), "%s was taken", cases[i].hex);
        CHECK_STR(err.message, cases[i].want);
        CHECK_STR(buf_text(&heard.json), "");
        heard_end(&heard);
    }
}

/* Every beginning of a list is refused, without a byte beyond it being looked at. */
static void
cut_off(void)
{
    struct buf pod, list, answer;
    struct heard heard;
    struct error err = ERROR_INIT;

    buf_init(&pod, TEXT_MAX);
    buf_init(&list, TEXT_MAX);
    buf_init(&answer, TEXT_MAX);
    heard_begin(&heard);
    put_hex(&pod, "1a 06 0a 01 41 0a 01 42");
    put_text(&list, 1, "");
    put_buf(&list, 2, &pod);
    put_answer(&answer, "v1", "PodList", &list);
    size_t envelope_end = answer.length - 4; /* behind it only two empty texts */

    for (size_t length = 0; length < envelope_end; length++) {
        char *exact = malloc(length + 1);

        if (CHECK(exact != NULL)) {
            memcpy(exact, answer.data, length);
            /* cut between the type and raw, it is a list of nothing */
            CHECK(!protobuf_list_read(exact, length, &strict_ops, &heard, NULL, &err) ||
                  heard.json.length == 0);
        }
        free(exact);
    }
    CHECK_STR(buf_text(&heard.json), "");
    CHECK_OK(protobuf_list_read(answer.data, answer.length, &strict_ops, &heard, NULL, &err), err);
    CHECK_STR(buf_text(&heard.json), "0 {\"status\":{\"phase\":\"B\"}}\n");
    heard_end(&heard);
    buf_release(&answer);
    buf_release(&list);
    buf_release(&pod);
}

static void
list_of_three(struct buf *answer)
{
    struct buf list;

    buf_init(&list, TEXT_MAX);
    put_hex(&list, "12 05 1a 03 0a 01 41"); /* items before metadata */
    put_hex(&list, "12 02 08 01");          /* bad */
    put_hex(&list, "12 05 1a 03 0a 01 43");
    put_hex(&list, "0a 09 12 02 31 37 1a 01 74 20 05");
    put_answer(answer, "v1", "PodList", &list);
    buf_release(&list);
}

static void
lists(void)
{
    struct protobuf_list list;
    struct heard heard;
    struct error err = ERROR_INIT;
    struct buf answer;

    buf_init(&answer, TEXT_MAX);
    heard_begin(&heard);
    list_of_three(&answer);
    CHECK_OK(protobuf_list_read(answer.data, answer.length, &ops, &heard, &list, &err), err);
    CHECK_STR(buf_text(&heard.json),
              "0 {\"status\":{\"phase\":\"A\"}}\n2 {\"status\":{\"phase\":\"C\"}}\n");
    CHECK_STR(buf_text(&heard.bad), "1 items[1].metadata: the field is of the wrong wire type\n");
    CHECK_STR(list.kind, "PodList");
    CHECK_STR(list.resource_version, "17");
    CHECK_STR(list.continue_token, "t");
    CHECK_INT(list.remaining_items, 5);
    protobuf_list_release(&list);

    heard.goes_on = false;
    buf_clear(&heard.json);
    CHECK(!protobuf_list_read(answer.data, answer.length, &ops, &heard, NULL, &err));
    CHECK_STR(err.message, "items[1].metadata: the field is of the wrong wire type");
    CHECK_STR(buf_text(&heard.json), "0 {\"status\":{\"phase\":\"A\"}}\n");
    heard_end(&heard);
    buf_release(&answer);
}

/* Also what the server that gave tests/unit/protobuf/ does not have yet. */
static void
single_objects(void)
{
    static const struct {
        const char *api_version, *kind, *hex, *want;
    } cases[] = {
        /* what a Volume has in a message of its own and JSON does not; one that comes twice */
        {"v1", "Pod",
         "12 29 0a 0c 0a 01 76 12 07 52 05 0a 01 63 10 01 0a 19 0a 01 77 12 07 22 05 0a 01 69 20 "
         "01 12 0b 5a 09 0a 01 6d 12 01 6a 22 01 70",
         "\"kind\":\"Pod\",\"spec\":{\"volumes\":[{\"persistentVolumeClaim\":{\"claimName\":\"c\"}}"
         ","
         "{\"awsElasticBlockStore\":{\"volumeID\":\"i\"},\"rbd\":{\"image\":\"j\",\"monitors\":["
         "\"m\"],"
         "\"pool\":\"p\"}}]}}"},
        {"v1", "Pod", "12 11 0a 0f 0a 01 76 12 0a ea 01 07 0a 05 12 03 2a 01 73",
         "\"kind\":\"Pod\",\"spec\":{\"volumes\":[{\"ephemeral\":{\"volumeClaimTemplate\":{"
         "\"spec\":{\"storageClassName\":\"s\"}}}}]}}"},
        /* cinder, azureDisk, portworxVolume */
        {"v1", "Pod",
         "12 26 0a 0a 0a 01 76 12 05 6a 03 0a 01 63 0a 0b 0a 01 77 12 06 b2 01 03 12 01 75 0a 0b "
         "0a 01 78 12 06 c2 01 03 0a 01 70",
         "\"kind\":\"Pod\",\"spec\":{\"volumes\":[{\"cinder\":{\"volumeID\":\"c\"}},{"
         "\"azureDisk\":{\"diskURI\":\"u\"}},{\"portworxVolume\":{\"volumeID\":\"p\"}}]}}"},
        {"batch/v1", "Job", "1a 02 48 03", "\"kind\":\"Job\",\"status\":{\"ready\":3}}"},
        {"autoscaling/v2", "HorizontalPodAutoscaler", "12 0b 0a 09 0a 01 4b 12 01 6e 1a 01 61",
         "\"kind\":\"HorizontalPodAutoscaler\",\"spec\":{\"scaleTargetRef\":"
         "{\"apiVersion\":\"a\",\"kind\":\"K\",\"name\":\"n\"}}}"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct error err = ERROR_INIT;
        struct protobuf_list list;
        struct heard heard;
        struct buf raw, answer;
        char want[256];

        buf_init(&raw, TEXT_MAX);
        buf_init(&answer, TEXT_MAX);
        heard_begin(&heard);
        put_hex(&raw, cases[i].hex);
        put_answer(&answer, cases[i].api_version, cases[i].kind, &raw);
        snprintf(want, sizeof(want), "0 {\"apiVersion\":\"%s\",%s\n", cases[i].api_version,
                 cases[i].want);
        CHECK_OK(protobuf_list_read(answer.data, answer.length, &strict_ops, &heard, &list, &err),
                 err);
        CHECK(!list.is_list);
        CHECK_STR(list.continue_token, "");
        CHECK_STR(buf_text(&heard.json), want);
        protobuf_list_release(&list);
        heard_end(&heard);
        buf_release(&answer);
        buf_release(&raw);
    }
}

/* Texts of a message that no table is needed for: an API server's error, a token of a list. */
static void
texts(void)
{
    static const struct {
        const char *hex, *want, *error;
    } cases[] = {
        {"12 01 46 1a 01 6d 22 01 72 30 94 03", "m", NULL}, /* a Status */
        {"1a 01 61 1a 01 62", "b", NULL},                   /* the last one counts */
        {"12 01 46", "", NULL},
        {"1a 02 c3 a9", "\xc3\xa9", NULL},
        {"1a 02 61 00", NULL, "message: the text is not UTF-8"},
        {"1a 02 61 c3", NULL, "message: the text is not UTF-8"},
        {"18 05", NULL, "message: the field is of the wrong wire type"},
        {"1a 05 61", NULL, "a length goes beyond the message"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct error err = ERROR_INIT;
        struct buf bytes;

        buf_init(&bytes, TEXT_MAX);
        put_hex(&bytes, cases[i].hex);
        char *text = protobuf_text(buf_text(&bytes), bytes.length, 3, "message", &err);

        CHECK((text == NULL) == (cases[i].want == NULL));
        CHECK_STR(text != NULL ? text : err.message, text != NULL ? cases[i].want : cases[i].error);
        free(text);
        buf_release(&bytes);
    }
}

static void
bad_envelopes(void)
{
    static const struct {
        const char *hex, *want;
    } cases[] = {
        {"", "this is not Kubernetes' protobuf encoding"},
        {"6b 38 73", "this is not Kubernetes' protobuf encoding"},
        {"7b 7d 20 20 20", "this is not Kubernetes' protobuf encoding"},
        {"6b 38 73 00", "the object does not say its kind"},
        {"6b 38 73 00 0a 01", "a length goes beyond the message"},
        {"6b 38 73 00 0a 09 0a 02 76 31 12 03 50 6f 64 1a 01 78",
         "an encoded object, which is not understood"},
        {"6b 38 73 00 0a 09 0a 02 76 31 12 03 50 6f 64 22 01 78",
         "the object is of another content type"},
        {"6b 38 73 00 0a 09 0a 02 76 32 12 03 50 6f 64", "v2 Pod is not known as protobuf"},
        {"6b 38 73 00 0a 0a 0a 02 76 31 12 04 4c 69 73 74", "v1 List is not known as protobuf"},
        {"6b 38 73 00 0a 0d 0a 02 76 31 12 07 50 6f 64 4c 69 73 74 12 02 10 01",
         "items: the field is of the wrong wire type"},
        {"6b 38 73 00 0a 0d 0a 02 76 31 12 07 50 6f 64 4c 69 73 74 12 02 08 01",
         "metadata: the field is of the wrong wire type"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct error err = ERROR_INIT;
        struct heard heard;
        struct buf answer;

        buf_init(&answer, TEXT_MAX);
        heard_begin(&heard);
        put_hex(&answer, cases[i].hex);
        CHECK(!protobuf_list_read(buf_text(&answer), answer.length, &ops, &heard, NULL, &err));
        CHECK_STR(err.message, cases[i].want);
        heard_end(&heard);
        buf_release(&answer);
    }
}

/* Two bytes an item are not let become millions of values. */
static void
too_many_values(void)
{
    struct buf spec, pod, list, answer;
    struct heard heard;
    struct error err = ERROR_INIT;

    buf_init(&spec, 8u << 20);
    buf_init(&pod, 8u << 20);
    buf_init(&list, 8u << 20);
    buf_init(&answer, 8u << 20);
    buf_init(&heard.json, 1);
    for (uint32_t i = 0; i < PROTOBUF_VALUES_MAX; i++) {
        buf_append(&spec, "\x12", 2); /* and its NUL: an empty container */
    }
    put_buf(&pod, 2, &spec);
    put_buf(&list, 2, &pod);
    put_answer(&answer, "v1", "PodList", &list);
    CHECK(!answer.overflowed);
    CHECK(!protobuf_list_read(answer.data, answer.length, &strict_ops, &heard, NULL, &err));
    CHECK_STR(err.message, "items[0].spec.containers[131071]: the object holds too many values");
    buf_release(&heard.json);
    buf_release(&answer);
    buf_release(&list);
    buf_release(&pod);
    buf_release(&spec);
}

void suite_protobuf(void);

void
suite_protobuf(void)
{
    check_suite("protobuf");
    check_test("fields", fields);
    check_test("bad fields", bad_fields);
    check_test("cut off", cut_off);
    check_test("lists", lists);
    check_test("single objects", single_objects);
    check_test("texts of a message", texts);
    check_test("bad envelopes", bad_envelopes);
    check_test("too many values", too_many_values);
}
