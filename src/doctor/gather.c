/* SPDX-License-Identifier: Apache-2.0
 *
 * Asks the control plane for facts and stores nothing there. The server answers reviews and
 * forgets them (kubernetes pkg/registry/authorization, pkg/registry/authentication).
 */
#include <string.h>

#include "ballast/base/text.h"
#include "ballast/base/wide.h"
#include "ballast/format/value.h"
#include "ballast/kube/kube_text.h"
#include "doctor_internal.h"

#define ANSWER_TIME (10 * NANOS_PER_SECOND)
#define REVIEW_TEXT_MAX ((size_t)16 << 10)
#define CLUSTER_API "cluster.karmada.io/v1alpha1"
#define WORK_API "work.karmada.io/v1alpha2"
#define KUBEFED_API "core.kubefed.io/v1beta1"
#define PATH_SELF "/apis/authentication.k8s.io/v1/selfsubjectreviews"
#define PATH_ACCESS "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
#define KARMADA_HOME "/namespaces/karmada-system/"
#define BALLAST_LABEL "labelSelector=app.kubernetes.io%2Fname%3Dballast&limit=20"

/* Requests besides rights, sent all at once. */
enum question {
    ASK_SELF,
    ASK_CLUSTERS,
    ASK_BINDINGS,
    ASK_KUBEFED,
    ASK_HOST,
    ASK_MEMBER,
    ASK_IMAGE,
    ASK_LEASE,
    ASK_LEASE_NAMESPACE,
    ASK_CRON_JOBS,
    N_QUESTIONS
};

struct gathering {
    struct kube_client *client;
    const struct doctor_needs *needs;
    struct arena *arena;
    struct doctor_facts *facts;
};

static struct kube_request
question(const char *path, const char *query)
{
    return (struct kube_request){
        .method = KUBE_GET, .path = path, .query = query, .max_tries = 2, .timeout = ANSWER_TIME};
}

static struct kube_request
review(const char *path, const char *body)
{
    return (struct kube_request){.method = KUBE_POST,
                                 .path = path,
                                 .body = body,
                                 .body_length = strlen(body),
                                 .repeatable = true,
                                 .max_tries = 2,
                                 .timeout = ANSWER_TIME};
}

static struct doctor_reply
reply_of(const struct kube_request *request)
{
    return (struct doctor_reply){request->status, request->error};
}

/* Returns the response's JSON. NULL: the request failed, or the JSON is malformed. */
static struct document *
document_of(const struct kube_request *request)
{
    struct error ignored = ERROR_INIT;

    return request->error.code == ERROR_NONE
               ? document_parse_json(buf_text(&request->reply), request->reply.length, 1, &ignored)
               : NULL;
}

static const char *
keep(const struct gathering *at, const struct value *object, const char *key)
{
    const char *text = value_text(object, key);

    return arena_strndup(at->arena, text, strlen(text));
}

static int64_t
time_of(const struct value *object, const char *key)
{
    int64_t at;

    return timestamp_parse(value_text(object, key), &at) ? at : TIME_NONE;
}

static bool
ask_server(struct gathering *at)
{
    const struct clock *clock = &kube_client_settings(at->client)->clock;
    struct kube_request request = question("/version", NULL);
    struct doctor_facts *facts = at->facts;
    int64_t begun = clock->monotonic(clock->context);

    kube_perform(at->client, &request, 1);
    struct document *document = document_of(&request);

    facts->took = clock->monotonic(clock->context) - begun;
    facts->server = reply_of(&request);
    facts->ours = clock->wall(clock->context);
    facts->theirs = request.date;
    if (document != NULL) {
        facts->kubernetes = keep(at, document_root(document), "gitVersion");
    }
    document_free(document);
    kube_request_release(&request);
    return facts->server.status != 0 && facts->server.status != 401;
}

/* Before Kubernetes 1.28, only a refusal names the user: `User "x" cannot get ...`. */
static void
take_user_of_refusal(struct gathering *at, const struct kube_request *request)
{
    static const char before[] = "User \"";
    const char *from = request->status == 403 ? strstr(request->error.message, before) : NULL;
    const char *to = from != NULL ? strstr(from, "\" cannot ") : NULL;

    if (to != NULL && str_is_empty(at->facts->user)) {
        from += strlen(before);
        at->facts->user = arena_strndup(at->arena, from, (size_t)(to - from));
    }
}

static void
take_lease(struct gathering *at, const struct value *root)
{
    struct doctor_lease *lease = &at->facts->lease;
    const struct value *spec = value_get(root, "spec");
    const struct value *seconds = value_find(spec, "leaseDurationSeconds", VALUE_INTEGER);

    lease->holder = keep(at, spec, "holderIdentity");
    lease->renewed = time_of(spec, "renewTime");
    lease->duration = seconds != NULL ? span_of_seconds(value_integer(seconds)) : 0;
}

static void
take_cron_jobs(struct gathering *at, const struct value *root)
{
    const struct value *items = value_find(root, "items", VALUE_LIST);
    struct doctor_cron_job *jobs =
        ARENA_ARRAY(at->arena, struct doctor_cron_job, value_count(items));

    for (size_t i = 0; i < value_count(items); i++) {
        const struct value *meta = value_get(value_at(items, i), "metadata");
        const struct value *spec = value_get(value_at(items, i), "spec");
        const struct value *status = value_get(value_at(items, i), "status");
        const struct value *suspended = value_find(spec, "suspend", VALUE_BOOL);

        jobs[i] = (struct doctor_cron_job){
            .name = keep(at, meta, "name"),
            .schedule = keep(at, spec, "schedule"),
            .is_suspended = suspended != NULL && value_bool(suspended),
            .created = time_of(meta, "creationTimestamp"),
            .scheduled = time_of(status, "lastScheduleTime"),
            .succeeded = time_of(status, "lastSuccessfulTime"),
        };
    }
    at->facts->cron_jobs = jobs;
    at->facts->n_cron_jobs = pin_uint32(value_count(items));
}

static const char *
image_of(struct gathering *at, const struct value *root)
{
    const struct value *template = value_get(value_get(root, "spec"), "template");
    const struct value *containers =
        value_find(value_get(template, "spec"), "containers", VALUE_LIST);

    return value_count(containers) > 0 ? keep(at, value_at(containers, 0), "image") : "";
}

static const char *
object_path(struct gathering *at, const char *api, const char *namespace_, const char *plural,
            const char *name)
{
    const struct kube_place place = {api, namespace_, plural, name};

    return kube_path(at->arena, &place);
}

static void
ask(struct gathering *at, struct kube_request requests[N_QUESTIONS])
{
    const struct doctor_needs *needs = at->needs;
    const char *home = needs->lease_namespace;

    requests[ASK_SELF] = review(PATH_SELF, "{\"apiVersion\":\"authentication.k8s.io/v1\","
                                           "\"kind\":\"SelfSubjectReview\"}");
    requests[ASK_CLUSTERS] = question("/apis/" CLUSTER_API "/clusters", "limit=1");
    requests[ASK_BINDINGS] = question("/apis/" WORK_API "/resourcebindings", "limit=1");
    requests[ASK_KUBEFED] =
        question(object_path(at, "/apis/" KUBEFED_API, doctor_kubefed_namespace(needs),
                             "kubefedclusters", NULL),
                 "limit=1");
    requests[ASK_HOST] = question("/api/v1" KARMADA_HOME "services/karmada-apiserver", NULL);
    requests[ASK_MEMBER] = question("/api/v1/namespaces/karmada-cluster", NULL);
    requests[ASK_IMAGE] =
        question("/apis/apps/v1" KARMADA_HOME "deployments/karmada-controller-manager", NULL);
    requests[ASK_LEASE] = question(
        object_path(at, "/apis/coordination.k8s.io/v1", home, "leases", needs->lease_name), NULL);
    requests[ASK_LEASE_NAMESPACE] =
        question(object_path(at, "/api/v1", NULL, "namespaces", home), NULL);
    requests[ASK_CRON_JOBS] =
        question(object_path(at, "/apis/batch/v1", home, "cronjobs", NULL), BALLAST_LABEL);
    kube_perform(at->client, requests, N_QUESTIONS);
}

static void
ask_all(struct gathering *at)
{
    struct kube_request requests[N_QUESTIONS];
    struct document *documents[N_QUESTIONS];
    const struct value *roots[N_QUESTIONS];
    struct doctor_facts *facts = at->facts;

    ask(at, requests);
    for (size_t i = 0; i < N_QUESTIONS; i++) {
        documents[i] = document_of(&requests[i]);
        roots[i] = documents[i] != NULL ? document_root(documents[i]) : NULL;
    }
    facts->user = keep(at, value_get(value_get(roots[ASK_SELF], "status"), "userInfo"), "username");
    facts->image = image_of(at, roots[ASK_IMAGE]);
    take_lease(at, roots[ASK_LEASE]);
    take_cron_jobs(at, roots[ASK_CRON_JOBS]);
    facts->self = reply_of(&requests[ASK_SELF]);
    facts->clusters = reply_of(&requests[ASK_CLUSTERS]);
    facts->bindings = reply_of(&requests[ASK_BINDINGS]);
    facts->kubefed = reply_of(&requests[ASK_KUBEFED]);
    facts->host = reply_of(&requests[ASK_HOST]);
    facts->member = reply_of(&requests[ASK_MEMBER]);
    facts->lease.reply = reply_of(&requests[ASK_LEASE]);
    facts->lease_namespace = reply_of(&requests[ASK_LEASE_NAMESPACE]);
    facts->cron = reply_of(&requests[ASK_CRON_JOBS]);
    for (size_t i = 0; i < N_QUESTIONS; i++) {
        take_user_of_refusal(at, &requests[i]);
        document_free(documents[i]);
        kube_request_release(&requests[i]);
    }
}

/* RBAC also refuses unknown kinds. Discovery, which every user may read, distinguishes them. */
static void
set_served(struct kube_apis *apis, const char *api, const char *plural, struct doctor_reply *reply)
{
    if (reply->status == 403 && kube_apis_find(apis, api, plural) == KUBE_NOT_SERVED) {
        reply->status = 404;
    }
}

/* Chooses the platform as a run does. A 403 is a weaker sign than a 200. */
static enum platform
platform_of(const struct doctor_needs *needs, const struct doctor_facts *facts)
{
    if (needs->platform != PLATFORM_AUTO) {
        return needs->platform;
    }
    const bool is_karmada = facts->clusters.status != 404 && facts->clusters.status != 403;

    if (!is_karmada && facts->kubefed.status == 200) {
        return PLATFORM_KUBEFED;
    }
    return facts->clusters.status != 404  ? PLATFORM_KARMADA
           : facts->kubefed.status != 404 ? PLATFORM_KUBEFED
                                          : PLATFORM_AUTO;
}

static const char *
access_review(struct gathering *at, const struct doctor_right *right, const char *namespace_)
{
    const struct {
        const char *key, *text;
    } members[] = {
        {"verb", right->verb},         {"group", right_group(at->arena, right)},
        {"resource", right->resource}, {"subresource", right->subresource},
        {"namespace", namespace_},     {"name", right_name(right, at->needs)},
    };
    bool is_first = true;
    struct buf out;

    buf_init(&out, REVIEW_TEXT_MAX);
    buf_append_str(&out, "{\"apiVersion\":\"authorization.k8s.io/v1\","
                         "\"kind\":\"SelfSubjectAccessReview\","
                         "\"spec\":{\"resourceAttributes\":{");
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
        if (members[i].text != NULL && !str_is_empty(members[i].text)) {
            buf_printf(&out, "%s\"%s\":", is_first ? "" : ",", members[i].key);
            text_append_quoted(&out, members[i].text);
            is_first = false;
        }
    }
    buf_append_str(&out, "}}}");
    const char *text = arena_strndup(at->arena, buf_text(&out), out.length);

    buf_release(&out);
    return text;
}

static enum doctor_verdict
verdict_of(const struct kube_request *request)
{
    struct document *document = document_of(request);
    const struct value *status =
        document != NULL ? value_get(document_root(document), "status") : NULL;
    const struct value *allowed = value_find(status, "allowed", VALUE_BOOL);
    const enum doctor_verdict verdict = allowed == NULL       ? DOCTOR_UNTOLD
                                        : value_bool(allowed) ? DOCTOR_ALLOWED
                                                              : DOCTOR_DENIED;

    document_free(document);
    return verdict;
}

struct asked_right {
    uint32_t index; /* into doctor_rights */
    const char *namespace_;
};

/* Of a right that is needed in several namespaces, the worst verdict counts. */
static void
note_verdict(struct gathering *at, const struct asked_right *asked, enum doctor_verdict verdict)
{
    enum doctor_verdict *ret = &at->facts->rights[asked->index];
    const char **denied_in = &at->facts->denied_in[asked->index];

    *ret = verdict > *ret ? verdict : *ret;
    if (verdict == DOCTOR_DENIED) {
        *denied_in = *denied_in == NULL
                         ? asked->namespace_
                         : arena_printf(at->arena, "%s, %s", *denied_in, asked->namespace_);
    }
}

static void
ask_rights(struct gathering *at, struct kube_apis *apis)
{
    const uint32_t most = n_doctor_rights + at->needs->policy->trust.secret_namespaces.count;
    struct kube_request *requests = ARENA_ARRAY(at->arena, struct kube_request, most);
    struct asked_right *asked = ARENA_ARRAY(at->arena, struct asked_right, most);
    struct doctor_facts *facts = at->facts;
    uint32_t count = 0;

    for (uint32_t i = 0; i < n_doctor_rights; i++) {
        const struct doctor_right *right = &doctor_rights[i];

        if (!right_is_needed(right, facts->platform, at->needs) ||
            ((right->flags & RIGHT_IF_SERVED) != 0 &&
             kube_apis_find(apis, right->api, right->resource) == KUBE_NOT_SERVED)) {
            continue;
        }
        for (uint32_t n = 0; n < right_count_namespaces(right, at->needs); n++) {
            asked[count] = (struct asked_right){i, right_namespace(right, at->needs, n)};
            requests[count] =
                review(PATH_ACCESS, access_review(at, right, asked[count].namespace_));
            count++;
        }
    }
    kube_perform(at->client, requests, count);
    for (uint32_t i = 0; i < count; i++) {
        note_verdict(at, &asked[i], verdict_of(&requests[i]));
        kube_request_release(&requests[i]);
    }
}

void
doctor_gather(struct kube_client *client, const struct doctor_needs *needs, struct arena *arena,
              struct doctor_facts *facts)
{
    struct gathering at = {client, needs, arena, facts};

    if (!ask_server(&at)) {
        return;
    }
    struct kube_apis *apis = kube_apis_ask(client);

    ask_all(&at);
    set_served(apis, CLUSTER_API, "clusters", &facts->clusters);
    set_served(apis, WORK_API, "resourcebindings", &facts->bindings);
    set_served(apis, KUBEFED_API, "kubefedclusters", &facts->kubefed);
    facts->platform = platform_of(needs, facts);
    facts->since_1_14 = kube_apis_find(apis, "policy.karmada.io/v1alpha1", "clustertaintpolicies");
    facts->since_1_10 = kube_apis_find(apis, "apps.karmada.io/v1alpha1", "workloadrebalancers");
    if (facts->platform != PLATFORM_AUTO) {
        ask_rights(&at, apis);
    }
    kube_apis_free(apis);
}

bool
doctor_may_read(const struct doctor_facts *facts)
{
    return facts->platform == PLATFORM_KUBEFED
               ? facts->kubefed.status == 200
               : facts->platform == PLATFORM_KARMADA && facts->clusters.status == 200 &&
                     facts->bindings.status == 200;
}
