/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists in pages: complete, in order, of one state only, whatever happens
 * between the pages.
 */
#include "ballast/kube/kube_list.h"

#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "kube_test.h"

#define ITEMS 23
#define PAGE 5 /* so five pages */
#define PAD 2000
#define LARGE_PAD 9000 /* the list is decoded in several pieces */

/* A server with ITEMS objects; `version` is of the list that a first page begins. */
struct shelf {
    unsigned version;
    unsigned expire_at; /* the request that is told 410; 0: none */
    bool expires_always;
    unsigned break_at; /* the request that gets half a page */
    unsigned shift_at; /* the request from which pages are of another version */
    size_t room;       /* bytes for all answers on their way; 0: no bound */
    bool tail;         /* metadata comes behind the items */
    bool asks_cache;   /* whoever lists */
    bool is_cached;    /* asked for out of the cache, it gives all at once */
    bool is_cut;       /* ... but only the beginning, as if that were all */
    bool is_html;      /* likewise, something else */
    bool no_list;
    int pad;       /* bytes that an object has besides; 0: PAD */
    int token_pad; /* likewise, a continue token */
    char last_target[512];
};

static void
append_items(struct buf *out, const struct shelf *shelf, unsigned from, unsigned to)
{
    buf_append_str(out, "\"items\":[");
    for (unsigned i = from; i < to; i++) {
        buf_printf(out, "%s{\"n\":%u,\"v\":%u,\"pad\":\"%0*d\"}", i > from ? "," : "", i,
                   shelf->version, shelf->pad > 0 ? shelf->pad : PAD, 0);
    }
    buf_append_str(out, "]");
}

static void
append_page(struct buf *out, const struct shelf *shelf, unsigned from, unsigned shown_version)
{
    bool is_all = shelf->is_cached && strstr(shelf->last_target, "resourceVersion=0") != NULL;
    unsigned limit =
        is_all ? ITEMS : (unsigned)strtoul(strstr(shelf->last_target, "limit=") + 6, NULL, 10);
    unsigned to = from + limit < ITEMS ? from + limit : ITEMS;
    struct buf metadata;

    buf_init(&metadata, 1 << 20);
    buf_printf(&metadata, "\"metadata\":{\"resourceVersion\":\"%u\"", shown_version);
    if (to < ITEMS) {
        buf_printf(&metadata, ",\"continue\":\"%u/%u%*s\",\"remainingItemCount\":%u",
                   shelf->version, to, shelf->token_pad, "", ITEMS - to);
    }
    buf_append_str(out, "{\"kind\":\"ThingList\",\"apiVersion\":\"v1\",");
    if (shelf->tail) {
        append_items(out, shelf, from, to);
        buf_append_str(out, ",");
    }
    buf_append_str(out, buf_text(&metadata));
    buf_release(&metadata);
    buf_append_str(out, "}");
    if (!shelf->tail) {
        buf_append_str(out, ",");
        append_items(out, shelf, from, to);
    }
    buf_append_str(out, "}");
}

static bool
send_body(struct fault_connection *connection, const char *status, const char *type,
          const struct buf *body, size_t shown)
{
    char head[256];

    snprintf(head, sizeof(head), "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n\r\n",
             status, type, body->length);
    return fault_write(connection, head, strlen(head)) &&
           fault_write(connection, body->data, shown) && shown == body->length;
}

static bool
serve_page(void *context, struct fault_connection *connection, const struct fault_request *request)
{
    struct shelf *shelf = context;
    const char *token = strstr(request->target, "continue=");
    unsigned version = 0, from = 0;
    struct buf body;

    snprintf(shelf->last_target, sizeof(shelf->last_target), "%s", request->target);
    buf_init(&body, 2 << 20);
    if (token == NULL) {
        shelf->version++;
    } else {
        char *end;

        version = (unsigned)strtoul(token + strlen("continue="), &end, 10);
        from = (unsigned)strtoul(end + strlen("%2F"), NULL, 10);
    }
    bool is_gone = token != NULL && (request->number == shelf->expire_at || shelf->expires_always ||
                                     version != shelf->version);
    bool is_shifted = shelf->shift_at > 0 && request->number >= shelf->shift_at && token != NULL;

    if (is_gone) {
        buf_append_str(&body, "{\"kind\":\"Status\",\"message\":\"too old\","
                              "\"metadata\":{\"continue\":\"1/5\"}}");
    } else if (shelf->no_list) {
        buf_append_str(&body, "{\"kind\":\"Thing\"}");
    } else {
        append_page(&body, shelf, from, shelf->version + (is_shifted ? 100 : 0));
    }
    body.length /= shelf->is_cut && strstr(request->target, "resourceVersion=0") != NULL ? 2 : 1;
    const char *type = shelf->is_html ? "text/html" : "application/json";
    size_t shown = request->number == shelf->break_at ? body.length / 2 : body.length;
    bool goes_on = send_body(connection, is_gone ? "410 Gone" : "200 OK", type, &body, shown);

    buf_release(&body);
    return goes_on;
}

struct taker {
    struct kube_client *client;
    unsigned next;   /* the item that comes next */
    int64_t version; /* of all items */
    unsigned restarts;
    bool is_wrong;
    unsigned refuse_at;          /* an item that the taker does not take; 0: none */
    uint64_t requests_at_first;  /* sent when the first item came */
    unsigned sizes, wrong_sizes; /* how often it was told how many there are */
};

static bool
take(void *context, const struct stream_object *object, struct error *err)
{
    struct taker *taker = context;
    int64_t number = value_integer(value_get(object->root, "n"));
    int64_t version = value_integer(value_get(object->root, "v"));

    if (taker->refuse_at > 0 && number == taker->refuse_at) {
        return error_set(err, ERROR_INVALID, "not this one");
    }
    if (taker->next == 0) {
        taker->version = version;
    }
    if (taker->next == PAGE - 1) {
        taker->requests_at_first = kube_client_statistics(taker->client).requests;
    }
    taker->is_wrong = taker->is_wrong || number != taker->next || version != taker->version;
    taker->next++;
    return true;
}

static void
take_size(void *context, uint64_t total)
{
    struct taker *taker = context;

    taker->sizes++;
    taker->wrong_sizes += total != ITEMS;
}

static void
restart(void *context, const struct error *why)
{
    struct taker *taker = context;

    taker->next = 0;
    taker->restarts++;
    CHECK_MSG(strstr(why->message, "HTTP 410: ") != NULL ||
                  strstr(why->message, "different resourceVersions") != NULL ||
                  strstr(why->message, "the answer broke off: ") != NULL ||
                  strstr(why->message, "the text ends within the object") != NULL,
              "begun again because of %s", why->message);
}

static bool
list_all(struct shelf *shelf, struct taker *taker, unsigned *ret_requests, struct error *err)
{
    static const struct stream_ops ops = {.object = take};
    struct fault_options fault = {.is_clear = true, .handler = serve_page, .context = shelf};
    struct fault_server *server = fault_server_start(&fault);
    struct kube_config config = clear_config(server);
    struct kube_client_options options = fast_options();
    struct byte_budget budget = {.limit = shelf->room};

    options.request_timeout = 20 * NANOS_PER_SECOND; /* however busy the machine is */
    options.budget = shelf->room > 0 ? &budget : NULL;
    struct kube_client *client = kube_client_new(&config, &options, err);
    struct kube_list_options list = {.path = "/apis/things",
                                     .query = "&labelSelector=a%20in%20%28b%2C%20c%29"
                                              "&fieldSelector=status.phase%3DPending",
                                     .page_limit = PAGE,
                                     .from_cache = shelf->asks_cache,
                                     .ops = &ops,
                                     .restart = restart,
                                     .size = take_size,
                                     .context = taker};

    taker->client = client;
    bool is_fine = client != NULL && kube_list(client, &list, err);

    *ret_requests = fault_server_requests(server);
    CHECK_INT(budget.used, 0);
    kube_client_free(client);
    fault_server_stop(server);
    return is_fine;
}

static void
test_pages(void)
{
    static const struct {
        const char *name;
        struct shelf shelf;
        unsigned requests, restarts;
    } cases[] = {
        {"five pages", {.version = 0}, 5, 0},
        {"metadata behind the items", {.tail = true}, 5, 0},
        {"half a page", {.break_at = 3}, 6, 0},
        {"half of the first page", {.break_at = 1}, 6, 0},
        {"410 in the middle", {.expire_at = 4}, 9, 1},
        {"410 at the end", {.expire_at = 5}, 10, 1},
        /* five objects are ten thousand bytes: one at a time then, after the first answer */
        {"pages that are too large", {.room = 9000}, 24, 0},
        {"room for a page, and not for the next one beside it", {.room = 11000}, 0, 0},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct shelf shelf = cases[i].shelf;
        struct taker taker = {.next = 0};
        struct error err = ERROR_INIT;
        unsigned requests;

        CHECK_OK(list_all(&shelf, &taker, &requests, &err), err);
        CHECK_MSG(!taker.is_wrong && taker.next == ITEMS, "%s: wrong items, %u", cases[i].name,
                  taker.next);
        CHECK_MSG(requests == cases[i].requests || cases[i].requests == 0, "%s: %u requests",
                  cases[i].name, requests);
        CHECK_MSG(taker.sizes >= 4 && taker.wrong_sizes == 0, "%s: %u of %u sizes are wrong",
                  cases[i].name, taker.wrong_sizes, taker.sizes);
        CHECK_MSG(taker.restarts == cases[i].restarts, "%s: %u restarts", cases[i].name,
                  taker.restarts);
    }
}

/* The second page is asked for before the first one is decoded to its end. */
static void
test_ahead(void)
{
    struct shelf shelf = {.version = 0};
    struct taker taker = {.next = 0};
    struct error err = ERROR_INIT;
    unsigned requests;

    CHECK_OK(list_all(&shelf, &taker, &requests, &err), err);
    CHECK_INT(taker.requests_at_first, 2);
    CHECK_CONTAINS(shelf.last_target, "/apis/things?limit=5&labelSelector=a%20in%20%28b%2C%20c%29&"
                                      "fieldSelector=status.phase%3DPending&continue=1%2F20");
}

/* All at once, held nowhere: there would be no room. What breaks off comes in pages then. */
static void
test_cache(void)
{
    static const struct {
        const char *name;
        struct shelf shelf;
        unsigned requests, restarts;
    } cases[] = {
        {"all at once", {.is_cached = true, .room = 11000}, 1, 0},
        {"metadata behind the items", {.is_cached = true, .tail = true}, 1, 0},
        {"a server that gives pages all the same", {.version = 0}, 5, 0},
        {"of these, 410 in the middle", {.expire_at = 4}, 9, 1},
        {"in several pieces", {.is_cached = true, .room = 11000, .pad = LARGE_PAD}, 1, 0},
        {"half of it", {.is_cached = true, .break_at = 1}, 6, 1},
        {"half of the pieces", {.is_cached = true, .break_at = 1, .pad = LARGE_PAD}, 6, 1},
        {"its beginning as if it were whole", {.is_cached = true, .is_cut = true}, 6, 1},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct shelf shelf = cases[i].shelf;
        struct taker taker = {.next = 0};
        struct error err = ERROR_INIT;
        unsigned requests;

        shelf.asks_cache = true;
        CHECK_OK(list_all(&shelf, &taker, &requests, &err), err);
        CHECK_MSG(!taker.is_wrong && taker.next == ITEMS, "%s: wrong items, %u", cases[i].name,
                  taker.next);
        CHECK_MSG(requests == cases[i].requests, "%s: %u requests", cases[i].name, requests);
        CHECK_MSG(taker.restarts == cases[i].restarts, "%s: %u restarts", cases[i].name,
                  taker.restarts);
        if (requests == 1) {
            CHECK_CONTAINS(shelf.last_target, "/apis/things?limit=5&resourceVersion=0&label");
        } else {
            CHECK(strstr(shelf.last_target, "resourceVersion") == NULL);
        }
    }
}

static const struct {
    const char *name;
    struct shelf shelf;
    unsigned refuse_at, restarts;
    const char *want;
    enum error_code code;
} failures[] = {
    {"410 for ever", {.expires_always = true}, 0, 3, "HTTP 410: too old", ERROR_IO},
    {"pages of two states",
     {.shift_at = 3},
     0,
     3,
     "the pages are of different resourceVersions",
     ERROR_CONFLICT},
    {"no list", {.no_list = true}, 0, 0, "page 1: this is not a list", ERROR_PARSE},
    {"a token that no URL holds",
     {.token_pad = 16 << 10},
     0,
     0,
     "page 1: its continue token or resourceVersion is too long to be one",
     ERROR_PARSE},
    {"refused", {.version = 0}, 7, 0, "page 2: not this one", ERROR_INVALID},
    {"objects that are too large",
     {.room = 1500},
     0,
     0,
     "the answer is larger than 1500 bytes",
     ERROR_LIMIT},
    {"refused at once",
     {.asks_cache = true, .is_cached = true},
     7,
     0,
     "not this one",
     ERROR_INVALID},
    {"refused in the middle of what comes",
     {.asks_cache = true, .is_cached = true, .pad = LARGE_PAD},
     7,
     0,
     "not this one",
     ERROR_INVALID},
    {"no list at all",
     {.asks_cache = true, .no_list = true},
     0,
     0,
     "this is not a list",
     ERROR_PARSE},
    {"no JSON",
     {.asks_cache = true, .is_cached = true, .is_html = true},
     0,
     0,
     "HTTP 200: this does not seem to be an API server: want application/json",
     ERROR_IO},
};

static void
test_failures(void)
{
    for (size_t i = 0; i < sizeof(failures) / sizeof(failures[0]); i++) {
        struct shelf shelf = failures[i].shelf;
        struct taker taker = {
            .refuse_at = failures[i].refuse_at,
        };
        struct error err = ERROR_INIT;
        unsigned requests;

        CHECK_MSG(!list_all(&shelf, &taker, &requests, &err), "%s succeeded", failures[i].name);
        CHECK_CONTAINS(err.message, failures[i].want);
        CHECK_CONTAINS(err.message, "/apis/things");
        CHECK_INT(err.code, failures[i].code);
        CHECK_MSG(taker.restarts == failures[i].restarts, "%s: %u restarts", failures[i].name,
                  taker.restarts);
    }
}

void suite_kube_list(void);

void
suite_kube_list(void)
{
    check_suite("kube_list");
    check_test("pages", test_pages);
    check_test("the next page is under way", test_ahead);
    check_test("out of the server's cache", test_cache);
    check_test("failures", test_failures);
}
