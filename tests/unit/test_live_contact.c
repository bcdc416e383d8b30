/* SPDX-License-Identifier: Apache-2.0
 *
 * Who is by hand, which failed tries are told, and what whoever started a run
 * is told to do.
 */
#include <stdlib.h>

#include "ballast/base/timestamp.h"
#include "check.h"
#include "cli/live/live_contact.h"
#include "cli/run/progress_line.h"

#define CONTEXTS "dev, prod (current)"

static int64_t
told_time(void *context)
{
    return *(int64_t *)context;
}

static char *
unowned(const char *text)
{
    return (char *)(uintptr_t)text;
}

static struct kube_config
in_cluster(void)
{
    return (struct kube_config){.server = unowned("https://10.0.0.1:443"),
                                .context = unowned(""),
                                .origin = unowned("in-cluster")};
}

static struct kube_config
of_kubeconfig(const char *contexts)
{
    return (struct kube_config){.server = unowned("https://a:6443"),
                                .context = unowned("prod"),
                                .contexts = unowned(contexts),
                                .origin = unowned("context \"prod\" of f")};
}

/* A live_contact with what it needs around it. */
struct stage {
    int64_t now;
    struct cli cli;
    struct progress_line line;
    struct invocation invocation;
    struct kube_config config;
    struct live_contact contact;
    char *text;
    size_t size, seen;
};

static void
stage_open(struct stage *stage, struct kube_config config, bool has_terminal, int verbosity)
{
    *stage = (struct stage){.now = NANOS_PER_SECOND, .config = config};
    stage->cli = (struct cli){.err = open_memstream(&stage->text, &stage->size),
                              .clock = {.context = &stage->now, .monotonic = told_time},
                              .err_is_terminal = has_terminal};
    progress_line_init(&stage->line, NULL, &stage->cli.clock);
    stage->invocation = (struct invocation){
        .cli = &stage->cli,
        .logger = {.stream = stage->cli.err, .verbosity = verbosity},
        .progress = &stage->line,
    };
    live_contact_init(&stage->contact, &stage->invocation, &stage->config);
}

static void
stage_close(struct stage *stage)
{
    fclose(stage->cli.err);
    free(stage->text);
}

static const char *
stage_news(struct stage *stage)
{
    size_t seen = stage->seen;

    fflush(stage->cli.err);
    stage->seen = stage->size;
    return stage->text + seen;
}

static void
test_by_hand(void)
{
    static const struct {
        bool in, out, err, in_cluster, want;
    } cases[] = {
        {false, false, false, false, false}, {true, false, false, false, true},
        {false, false, true, false, true},   {false, true, false, false, false}, /* nobody reads */
        {true, true, true, true, false}, /* a pod with tty: true */
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct stage stage;

        stage_open(&stage, cases[i].in_cluster ? in_cluster() : of_kubeconfig(CONTEXTS), false, 0);
        stage.cli.in_is_terminal = cases[i].in;
        stage.cli.out_is_terminal = cases[i].out;
        stage.cli.err_is_terminal = cases[i].err;
        live_contact_init(&stage.contact, &stage.invocation, &stage.config);
        CHECK_MSG(stage.contact.is_by_hand == cases[i].want, "case %zu", i);
        CHECK_MSG((stage.contact.contact.patience > 0) == cases[i].want, "case %zu", i);
        CHECK(stage.contact.contact.patience < 5 * NANOS_PER_SECOND);
        stage_close(&stage);
    }
}

static void
fail_once(struct stage *stage, uint32_t tries)
{
    struct error why = ERROR_INIT;
    struct kube_retry retry = {"GET", "https://a:6443", "/x", tries, 1500000001, &why};

    error_set(&why, ERROR_UNAVAILABLE, "HTTP 503: unavailable");
    stage->contact.watch.retry(stage->contact.watch.context, &retry);
}

static void
test_retries(void)
{
    struct stage stage;

    stage_open(&stage, in_cluster(), false, 0);
    for (uint32_t i = 1; i <= 20; i++) {
        fail_once(&stage, i);
        const char *news = stage_news(&stage);

        CHECK(news[0] == 'W');
        CHECK_CONTAINS(news, "] GET https://a:6443/x: try ");
        CHECK_CONTAINS(news, " failed: HTTP 503: unavailable; the next one in 1.5s\n");
    }
    for (uint32_t i = 0; i < 1000; i++) { /* many requests at once, say */
        fail_once(&stage, 1);
    }
    CHECK_STR(stage_news(&stage), "");
    stage.now += 10 * NANOS_PER_SECOND;
    fail_once(&stage, 21);
    CHECK_CONTAINS(stage_news(&stage),
                   "try 21 failed: HTTP 503: unavailable; the next one in 1.5s (and 1000 more "
                   "since the last such line)\n");
    fail_once(&stage, 22);
    CHECK_STR(stage_news(&stage), "");
    stage_close(&stage);
}

/* The first contact is soon over, and then said whole; what comes later may take its time. */
static void
test_retries_by_hand(void)
{
    struct stage stage;

    stage_open(&stage, of_kubeconfig(CONTEXTS), true, 0);
    fail_once(&stage, 1);
    CHECK_STR(stage_news(&stage), "");
    stage.contact.contact.is_made = true;
    fail_once(&stage, 2);
    CHECK_CONTAINS(stage_news(&stage), "try 2 failed: ");
    stage_close(&stage);

    stage_open(&stage, of_kubeconfig(CONTEXTS), true, 1);
    fail_once(&stage, 1);
    const char *news = stage_news(&stage);

    CHECK(news[0] == 'I');
    CHECK_CONTAINS(news, "try 1 failed: ");
    stage_close(&stage);
}

struct advice {
    enum error_code code;
    bool is_made;
    const char *contexts; /* NULL: in a pod */
    const char *want;     /* NULL: nothing is said */
};

static const struct advice advices[] = {
    {ERROR_NONE, false, CONTEXTS, NULL},
    {ERROR_STOPPED, false, CONTEXTS, NULL},
    {ERROR_UNAVAILABLE, true, CONTEXTS, NULL},
    {ERROR_FORBIDDEN, true, CONTEXTS, NULL},
    {ERROR_CONFIG, true, CONTEXTS, NULL},
    {ERROR_UNAVAILABLE, false, CONTEXTS,
     "ballast: nobody answers at https://a:6443, the server of context \"prod\" of f: see whether "
     "it "
     "runs, whether its address is right, and whether the network (or VPN) is up; or choose "
     "another context with --context: " CONTEXTS "\n"},
    {ERROR_DEADLINE, false, "prod (current)", "whether the network (or VPN) is up\n"},
    {ERROR_DEADLINE, false, NULL,
     "ballast: nobody answers at https://10.0.0.1:443, the API server of the cluster that this pod "
     "runs "
     "in: see whether it runs, whether its address is right, and whether the network (or VPN) is "
     "up; for another one, give --kubeconfig\n"},
    {ERROR_CONFIG, false, CONTEXTS,
     "ballast: nothing was sent to https://a:6443, the server of context \"prod\" of f: correct "
     "what the "
     "line before says; or choose another context with --context: " CONTEXTS "\n"},
    {ERROR_NOT_FOUND, true, CONTEXTS,
     "ballast: this run asked https://a:6443, the server of context \"prod\" of f: give Ballast "
     "the "
     "kubeconfig of Karmada's own API server; or choose another context with --context: " CONTEXTS
     "\n"},
    {ERROR_NOT_FOUND, true, NULL,
     "ballast: this run asked https://10.0.0.1:443, the API server of the cluster that this pod "
     "runs in: "
     "give Ballast the kubeconfig of Karmada's own API server; for another one, give "
     "--kubeconfig\n"},
};

static void
test_advice(void)
{
    for (size_t i = 0; i < sizeof(advices) / sizeof(advices[0]); i++) {
        const struct advice *a = &advices[i];
        struct stage stage;
        struct error err = {.code = a->code};

        stage_open(&stage, a->contexts != NULL ? of_kubeconfig(a->contexts) : in_cluster(), false,
                   0);
        stage.contact.contact.is_made = a->is_made;
        live_contact_advise(&stage.contact, &err);
        if (a->want == NULL) {
            CHECK_STR(stage_news(&stage), "");
        } else {
            CHECK_CONTAINS(stage_news(&stage), a->want);
        }
        stage_close(&stage);
    }
}

void suite_live_contact(void);

void
suite_live_contact(void)
{
    check_suite("live_contact");
    check_test("who is by hand", test_by_hand);
    check_test("failed tries are told, within bounds", test_retries);
    check_test("failed tries by hand", test_retries_by_hand);
    check_test("what to do", test_advice);
}
