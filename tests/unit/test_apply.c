/* SPDX-License-Identifier: Apache-2.0
 *
 * apply(): what is written, in what order, and what becomes of conflicts.
 */
#include "ballast/apply/apply.h"

#include "check.h"

#define N_BINDINGS 3

/* A back end that answers as it is told and remembers what it was asked. */
struct fake {
    enum write_status answers[16]; /* of the writes in turn; beyond them DONE */
    uint32_t n_answers, n_writes;
    char log[512];
    bool gone;                        /* what read_again finds */
    struct binding fresh;             /* what it returns */
    const struct binding *other;      /* NULL, or what it returns instead of what was asked for */
    const struct decision *next;      /* what replanning gives */
    uint32_t n_replans, asked;        /* the last of them, by index */
    uint32_t n_reread, reread_before; /* the first replanning */
    bool echoes;                      /* read again, each binding is as it was */
    bool stop_after_first;
    bool tells;             /* of a write, as soon as it is settled */
    char told[64];          /* of which apply() told then: "c b" */
    bool in_doubt;          /* all that fails */
    bool is_written;        /* as it was planned, when it is read again */
    enum error_code unread; /* if it cannot be read again; NONE: it can */
    atomic_bool stop;
};

static void
fake_log(struct fake *fake, const char *binding, const struct binding_change *change)
{
    size_t at = strlen(fake->log);

    at += (size_t)snprintf(fake->log + at, sizeof(fake->log) - at, "%s:", binding);
    for (uint32_t i = 0; i < change->n_clusters; i++) {
        at += (size_t)snprintf(fake->log + at, sizeof(fake->log) - at, "%s%s=%d", i > 0 ? "," : "",
                               change->clusters[i].name, change->clusters[i].replicas);
    }
    snprintf(fake->log + at, sizeof(fake->log) - at, ";");
}

static void
fake_write(void *context, struct write_request *requests, uint32_t count, const atomic_bool *stop)
{
    struct fake *fake = context;

    for (uint32_t i = 0; i < count && !*stop; i++) {
        enum write_status answer =
            fake->n_writes < fake->n_answers ? fake->answers[fake->n_writes] : WRITE_DONE;

        fake->n_writes++;
        fake_log(fake, requests[i].binding->name, &requests[i].change);
        requests[i].status = answer;
        requests[i].in_doubt = fake->in_doubt && answer != WRITE_DONE;
        if (answer != WRITE_DONE) {
            error_set(&requests[i].error, ERROR_CONFLICT, "answer %u", fake->n_writes);
        }
        fake->stop = fake->stop_after_first;
        if (fake->tells) {
            write_request_done(&requests[i]);
        }
    }
}

static void
fake_written(void *context, const struct write_outcome *write)
{
    struct fake *fake = context;

    snprintf(fake->told + strlen(fake->told), sizeof(fake->told) - strlen(fake->told), "%u%s;",
             (unsigned)write->binding, write_status_name(write->status));
}

static const struct binding *
fake_read_again(void *context, struct fleet *fleet, const struct binding *binding,
                struct error *err)
{
    struct fake *fake = context;

    (void)fleet;
    if (fake->unread != ERROR_NONE) {
        error_set(err, fake->unread, "%s cannot be read", binding->name);
        return NULL;
    }
    if (fake->gone) {
        error_set(err, ERROR_NOT_FOUND, "%s is gone", binding->name);
        return NULL;
    }
    return fake->echoes ? binding : &fake->fresh;
}

static void
fake_reread(void *context, uint32_t index, const struct binding *fresh)
{
    struct fake *fake = context;

    (void)index;
    CHECK(fake->echoes || fresh == &fake->fresh);
    fake->n_reread++;
}

static const struct decision *
fake_replan(void *context, uint32_t index)
{
    struct fake *fake = context;

    fake->asked = index;
    fake->reread_before = fake->n_replans == 0 ? fake->n_reread : fake->reread_before;
    fake->n_replans++;
    return fake->next;
}

/* Three bindings "a", "b", "c" of m1 and m2; b and c change, c is the more urgent. */
static const struct target before[] = {{.name = "m2", .replicas = 4},
                                       {.name = "m1", .replicas = 2}};
static const struct target after[] = {{.name = "m0", .replicas = 3}, {.name = "m2", .replicas = 3}};
static struct binding bindings[N_BINDINGS] = {
    {.name = "a", .namespace_ = "", .clusters = {.items = before, .count = 2}},
    {.name = "b", .namespace_ = "", .clusters = {.items = before, .count = 2}},
    {.name = "c", .namespace_ = "", .uid = {.low = 1}, .clusters = {.items = before, .count = 2}},
};
static const struct decision decisions[N_BINDINGS] = {
    {.binding = 0, .after = {.items = before, .count = 2}},
    {.binding = 1, .changes = true, .after = {.items = after, .count = 2}},
    {.binding = 2, .changes = true, .after = {.items = after, .count = 2}},
};
static const struct decision *const planned[N_BINDINGS] = {NULL, &decisions[1], &decisions[2]};
static const uint32_t order[N_BINDINGS] = {2, 0, 1};

static const struct outcome *
run(struct arena *arena, struct fake *fake)
{
    struct fleet fleet = {.bindings = bindings, .n_bindings = N_BINDINGS};
    struct plan plan = {
        .decisions = planned, .n_decisions = N_BINDINGS, .order = order, .totals = {.changed = 2}};
    struct backend backend = {.context = fake, .write = fake_write, .read_again = fake_read_again};
    struct replanner replanner = {
        .context = fake, .reread = fake_reread, .replan = fake_replan, .written = fake_written};

    fake->fresh = fake->other != NULL ? *fake->other : bindings[2];
    if (fake->is_written) {
        fake->fresh.clusters = decisions[2].after;
    }
    fake->next = fake->next != NULL ? fake->next : &decisions[0];
    return apply(arena, &fleet, &plan, &backend, &replanner, &fake->stop);
}

static void
test_writes_changes_in_order_of_urgency(void)
{
    struct arena *arena = arena_new();
    struct fake fake = {0};
    const struct outcome *outcome = run(arena, &fake);

    /* what stays keeps its place in the object, what is new comes behind */
    CHECK_STR(fake.log, "c:m2=3,m0=3;b:m2=3,m0=3;");
    CHECK_INT(outcome->n_writes, 2);
    CHECK_INT(outcome->n_done, 2);
    CHECK_INT(outcome->writes[0].binding, 2);
    arena_free(arena);
}

static void
test_conflict_is_planned_again(void)
{
    struct arena *arena = arena_new();
    struct fake fake = {.answers = {WRITE_CONFLICT, WRITE_DONE, WRITE_CONFLICT}, .n_answers = 3};

    fake.next = &decisions[2];
    const struct outcome *outcome = run(arena, &fake);

    CHECK_INT(outcome->n_done, 2);
    CHECK_INT(outcome->writes[0].tries, 3);
    CHECK_INT(fake.n_replans, 2);
    CHECK_INT(fake.asked, 2);
    arena_free(arena);
}

/* What others gave any of them is known before the first is planned again. */
static void
test_conflicts_are_read_before_they_are_planned(void)
{
    struct arena *arena = arena_new();
    struct fake fake = {
        .answers = {WRITE_CONFLICT, WRITE_CONFLICT}, .n_answers = 2, .echoes = true};

    fake.next = &decisions[2];
    const struct outcome *outcome = run(arena, &fake);

    CHECK_INT(outcome->n_done, 2);
    CHECK_INT(fake.n_replans, 2);
    CHECK_INT(fake.reread_before, 2);
    arena_free(arena);
}

/* It was taken, and something else stands there: it failed, and is not tried again. */
static void
test_overruled(void)
{
    struct arena *arena = arena_new();
    struct fake fake = {.answers = {WRITE_OVERRULED}, .n_answers = 1};
    const struct outcome *outcome = run(arena, &fake);

    CHECK_INT(outcome->n_failed, 1);
    CHECK_INT(outcome->n_done, 1);
    CHECK_INT(fake.n_replans, 0);
    CHECK_INT(fake.n_writes, 2);
    CHECK_CONTAINS(outcome->writes[0].message, "answer");
    arena_free(arena);
}

/* Of what the first try settles it is told at once, once; a conflict is planned again as ever. */
static void
test_told_when_settled(void)
{
    struct arena *arena = arena_new();
    struct fake fake = {.answers = {WRITE_CONFLICT, WRITE_REFUSED}, .n_answers = 2, .tells = true};

    fake.next = &decisions[2];
    const struct outcome *outcome = run(arena, &fake);

    CHECK_STR(fake.told, "1Refused;");
    CHECK_INT(outcome->n_done, 1);
    CHECK_INT(outcome->n_failed, 1);
    CHECK_INT(outcome->writes[0].tries, 2);
    CHECK_INT(outcome->writes[1].tries, 1);
    arena_free(arena);
}

/* Whatever is answered when a binding is read again: nothing is decided for it by another object.
 */
static void
test_conflict_and_another_object(void)
{
    static const struct {
        struct binding other;
        enum write_status status;
        const char *message;
    } cases[] = {
        {{.name = "b", .namespace_ = "", .uid = {.low = 1}},
         WRITE_FAILED,
         "another object: b; before"},
        {{.name = "c", .namespace_ = "x", .uid = {.low = 1}},
         WRITE_FAILED,
         "another object: x/c; before"},
        {{.name = "c", .namespace_ = "", .uid = {.low = 1}, .kind = BINDING_CLUSTER_RESOURCE},
         WRITE_FAILED,
         "another object: c; before"},
        {{.name = "c", .namespace_ = "", .uid = {.low = 2}},
         WRITE_GONE,
         "deleted and created anew"},
        {{.name = "c", .namespace_ = ""}, WRITE_GONE, "deleted and created anew"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct arena *arena = arena_new();
        struct fake fake = {.answers = {WRITE_CONFLICT}, .n_answers = 1, .other = &cases[i].other};
        const struct outcome *outcome = run(arena, &fake);

        CHECK_INT(fake.n_replans, 0);
        CHECK_INT(outcome->n_failed, 1);
        CHECK_INT(outcome->n_done, 1);
        CHECK_INT(outcome->writes[0].status, cases[i].status);
        CHECK_CONTAINS(outcome->writes[0].message, cases[i].message);
        arena_free(arena);
    }
}

static void
test_conflicts_end(void)
{
    struct arena *arena = arena_new();
    struct fake fake = {.n_answers = 16};

    for (uint32_t i = 0; i < 16; i++) {
        fake.answers[i] = WRITE_CONFLICT;
    }
    fake.next = &decisions[2];
    const struct outcome *outcome = run(arena, &fake);

    CHECK_INT(outcome->n_failed, 2);
    CHECK_INT(outcome->writes[0].status, WRITE_CONFLICT);
    CHECK_INT(outcome->writes[0].tries, APPLY_MAX_TRIES);
    CHECK_CONTAINS(outcome->writes[0].message, "answer");
    arena_free(arena);
}

static void
test_conflict_whose_reason_is_gone(void)
{
    struct arena *arena = arena_new();
    struct fake fake = {.answers = {WRITE_CONFLICT}, .n_answers = 1};
    const struct outcome *outcome = run(arena, &fake);

    CHECK_INT(outcome->n_done, 1);
    CHECK_INT(outcome->n_needless, 1);
    CHECK_INT(outcome->n_failed, 0);
    CHECK_INT(outcome->writes[0].status, WRITE_NEEDLESS);
    CHECK(outcome->writes[0].decision == &decisions[0]);
    CHECK_CONTAINS(outcome->writes[0].message, "nothing left to do");
    CHECK_INT(fake.n_writes, 2);
    arena_free(arena);
}

/* What is decided then may be to do nothing, and why is told. */
static void
test_conflict_and_not_to_be_written(void)
{
    static const struct reason reason = {"Suspended", "", "scheduling is suspended"};
    static const struct {
        struct decision next;
        enum write_status status;
        const char *message;
        uint32_t blocked, deferred;
    } cases[] = {
        {{.action = ACTION_BLOCKED, .reasons = &reason, .n_reasons = 1, .error_type = ""},
         WRITE_BLOCKED,
         "Suspended: scheduling is suspended",
         1,
         0},
        {{.action = ACTION_BLOCKED, .error_type = "FitError", .error_message = "0/2 fit"},
         WRITE_BLOCKED,
         "FitError: 0/2 fit",
         1,
         0},
        {{.action = ACTION_DEFERRED, .reasons = &reason, .n_reasons = 1, .error_type = ""},
         WRITE_DEFERRED,
         "Suspended: scheduling is suspended",
         0,
         1},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct arena *arena = arena_new();
        struct fake fake = {.answers = {WRITE_CONFLICT}, .n_answers = 1, .next = &cases[i].next};
        const struct outcome *outcome = run(arena, &fake);

        CHECK_INT(outcome->writes[0].status, cases[i].status);
        CHECK_STR(outcome->writes[0].message, cases[i].message);
        CHECK(outcome->writes[0].decision == &cases[i].next);
        CHECK_INT(outcome->n_done, 1);
        CHECK_INT(outcome->n_failed, 0);
        CHECK_INT(outcome->n_blocked, cases[i].blocked);
        CHECK_INT(outcome->n_deferred, cases[i].deferred);
        CHECK_INT(fake.n_writes, 2);
        arena_free(arena);
    }
}

/* The answer to our own write was lost, and trying it again met a conflict with it. */
static void
test_conflict_with_ourselves(void)
{
    struct arena *arena = arena_new();
    struct fake fake = {
        .answers = {WRITE_CONFLICT}, .n_answers = 1, .in_doubt = true, .is_written = true};
    const struct outcome *outcome = run(arena, &fake);

    CHECK_INT(outcome->writes[0].status, WRITE_DONE);
    CHECK(outcome->writes[0].decision == &decisions[2]); /* which is what was done */
    CHECK_STR(outcome->writes[0].message, "");
    CHECK_INT(fake.n_replans, 0);
    CHECK_INT(fake.n_writes, 2);
    CHECK_INT(outcome->n_done, 2);
    arena_free(arena);
}

/* The same state, but by somebody else's hand. */
static void
test_conflict_with_the_same_by_others(void)
{
    struct arena *arena = arena_new();
    struct fake fake = {.answers = {WRITE_CONFLICT}, .n_answers = 1, .is_written = true};
    const struct outcome *outcome = run(arena, &fake);

    CHECK_INT(outcome->writes[0].status, WRITE_NEEDLESS);
    CHECK_INT(fake.n_replans, 1);
    arena_free(arena);
}

/* In doubt, and nothing to find out from. */
static void
test_conflict_that_cannot_be_looked_at(void)
{
    struct arena *arena = arena_new();
    struct fake fake = {
        .answers = {WRITE_CONFLICT}, .n_answers = 1, .in_doubt = true, .unread = ERROR_UNAVAILABLE};
    const struct outcome *outcome = run(arena, &fake);

    CHECK_INT(outcome->writes[0].status, WRITE_FAILED);
    CHECK_STR(outcome->writes[0].message, "c cannot be read; before that: answer 1");
    arena_free(arena);
}

static void
test_conflict_with_a_deleted_binding(void)
{
    struct arena *arena = arena_new();
    struct fake fake = {.answers = {WRITE_CONFLICT}, .n_answers = 1, .gone = true};
    const struct outcome *outcome = run(arena, &fake);

    CHECK_INT(outcome->writes[0].status, WRITE_GONE);
    CHECK_STR(outcome->writes[0].message, "c is gone; before that: answer 1");
    CHECK_INT(outcome->n_done, 1);
    CHECK_INT(outcome->n_failed, 1);
    arena_free(arena);
}

static void
test_refused_write_does_not_stop_the_others(void)
{
    struct arena *arena = arena_new();
    struct fake fake = {.answers = {WRITE_REFUSED}, .n_answers = 1};
    const struct outcome *outcome = run(arena, &fake);

    CHECK_INT(outcome->writes[0].status, WRITE_REFUSED);
    CHECK_INT(outcome->writes[1].status, WRITE_DONE);
    CHECK_INT(fake.n_replans, 0);
    arena_free(arena);
}

static void
test_stop_leaves_the_rest_pending(void)
{
    struct arena *arena = arena_new();
    struct fake fake = {.stop_after_first = true};
    const struct outcome *outcome = run(arena, &fake);

    CHECK_INT(outcome->n_done, 1);
    CHECK_INT(outcome->n_pending, 1);
    CHECK_INT(outcome->writes[1].status, WRITE_PENDING);
    CHECK_INT(outcome->writes[1].tries, 0);
    arena_free(arena);
}

void suite_apply(void);

void
suite_apply(void)
{
    check_suite("apply");
    check_test("changes are written in order of urgency", test_writes_changes_in_order_of_urgency);
    check_test("a conflict is planned again", test_conflict_is_planned_again);
    check_test("conflicts are all read before one is planned again",
               test_conflicts_are_read_before_they_are_planned);
    check_test("what the server put another split in place of", test_overruled);
    check_test("what is settled is told at once", test_told_when_settled);
    check_test("a conflict, and another object is read", test_conflict_and_another_object);
    check_test("conflicts end", test_conflicts_end);
    check_test("a conflict whose reason is gone", test_conflict_whose_reason_is_gone);
    check_test("a conflict, and then not to be written", test_conflict_and_not_to_be_written);
    check_test("a conflict with a deleted binding", test_conflict_with_a_deleted_binding);
    check_test("a conflict with ourselves", test_conflict_with_ourselves);
    check_test("the same by others", test_conflict_with_the_same_by_others);
    check_test("a conflict that cannot be looked at", test_conflict_that_cannot_be_looked_at);
    check_test("a refused write does not stop the others",
               test_refused_write_does_not_stop_the_others);
    check_test("a stop leaves the rest pending", test_stop_leaves_the_rest_pending);
}
