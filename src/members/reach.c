/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the way to a member: through the control plane's proxy, with Ballast's own credential, or
 * directly with the member's Secret. `auto` goes directly if there is no proxy for the member.
 */
#include <stdlib.h>
#include <strings.h>

#include "ballast/kube/kube_text.h"
#include "probe.h"

#define SECRET_MAX ((size_t)4 << 20)

static void
go_by_proxy(struct member_probe *member)
{
    struct buf path;

    buf_init(&path, KUBE_PATH_MAX);
    member->looking->look->proxy->append_path(&path, member->address->name);
    member->prefix = arena_strndup(member->looking->arena, buf_text(&path), path.length);
    buf_release(&path);
    member->client = member->looking->relay;
    member_begin(member);
}

/* Gives the member up, with the failures of both ways if both were tried. */
static void
fail(struct member_probe *member, const char *message)
{
    struct arena *arena = member->looking->arena;

    member_lose(member,
                member->proxy_message == NULL
                    ? message
                    : arena_printf(arena, "%s; and directly: %s", member->proxy_message, message));
}

static void
open_directly(struct member_probe *member, const struct buf *secret)
{
    const struct member_probes *looking = member->looking;
    const struct kube_client *ours = looking->look->client;
    struct kube_client_options options = *kube_client_settings(ours);
    struct error err = ERROR_INIT;

    options.engine = looking->engine;
    options.deadline = 0; /* each request has its own */
    if (looking->look->options->qps > 0) {
        options.qps = looking->look->options->qps;
        options.burst = looking->look->options->burst;
    }
    options.contact = NULL; /* the member is another server */
    options.watch = looking->look->options->watch;
    member->config = kube_config_of_member(&member->address->way, buf_text(secret), secret->length,
                                           kube_client_config(ours), &err);
    if (member->config != NULL) {
        member->own = kube_client_new(member->config, &options, &err);
    }
    if (member->own == NULL) {
        fail(member, err.message);
        return;
    }
    member->client = member->own;
    member->prefix = "";
    member_begin(member);
}

static void
take_secret(void *context, struct kube_request *request)
{
    struct member_probe *member = context;

    member_count_wait(member, request->took);
    if (request->error.code == ERROR_STOPPED) {
        member->looking->stopped = request->error;
    } else if (request->error.code != ERROR_NONE) {
        fail(member, request->error.message);
    } else {
        open_directly(member, &request->reply);
    }
    if (request->reply.data != NULL) {
        explicit_bzero(request->reply.data, request->reply.capacity);
    }
    kube_request_release(request);
}

static const char *
namespaces_text(struct arena *arena, const struct str_list *list)
{
    const char *text = list->count > 0 ? list->items[0] : "none";

    for (uint32_t i = 1; i < list->count; i++) {
        text = arena_printf(arena, "%s, %s", text, list->items[i]);
    }
    return text;
}

/* Returns why the credential must not be sent; NULL: it may. A user who may write a Cluster chooses
 * its endpoint, its Secret, and whether the endpoint has to prove its identity. Ballast may read
 * Secrets that this user may not, so it decides here. A certificate of the Secret's own caBundle
 * proves that the Secret is for this endpoint. A CA in the object proves only that its author chose
 * the endpoint, but then the Secret is in the object's own namespace. */
static const char *
refusal_of(struct arena *arena, const struct kube_member *way, const struct member_trust *trust)
{
    if (str_is_empty(way->api_endpoint) || str_is_empty(way->secret_name)) {
        return arena_printf(arena, "its %s has no spec.apiEndpoint or no spec.secretRef",
                            way->kind);
    }
    if (!str_list_has(&trust->secret_namespaces, way->secret_namespace)) {
        return arena_printf(arena,
                            "its %s names the Secret %s/%s, which is not in "
                            "--member-secret-namespaces (%s)",
                            way->kind, way->secret_namespace, way->secret_name,
                            namespaces_text(arena, &trust->secret_namespaces));
    }
    if (trust->allow_insecure) {
        return NULL;
    }
    const char *weakness = kube_member_weakness(way);

    if (weakness != NULL) {
        return arena_printf(arena,
                            "its %s has %s: its credential is only sent there with "
                            "--allow-insecure-members",
                            way->kind, weakness);
    }
    if (strncasecmp(way->api_endpoint, "http:", strlen("http:")) == 0) {
        return "its endpoint is in clear text (http://): its credential is only sent there with "
               "--allow-insecure-members";
    }
    return NULL;
}

void
member_reach_directly(struct member_probe *member, const char *why)
{
    struct arena *arena = member->looking->arena;
    const struct kube_member *way = &member->address->way;

    member->client = NULL;
    member->proxy_message = why != NULL ? arena_strndup(arena, why, strlen(why)) : NULL;
    for (unsigned i = 0; i < member->n_lists; i++) {
        member->lists[i].is_older = false;
    }
    member->n_begun = 0;
    const char *refusal = refusal_of(arena, way, &member->looking->look->options->trust);

    if (refusal != NULL) {
        fail(member, refusal);
        return;
    }
    const struct kube_place place = {.api = "/api/v1",
                                     .namespace_ = way->secret_namespace,
                                     .plural = "secrets",
                                     .name = way->secret_name};

    member->secret = (struct kube_request){
        .method = KUBE_GET,
        .path = kube_path(arena, &place),
        .max_tries = 2,
        .timeout = member_time_left(member),
        .patience = member_time_left(member),
        .until = member->looking->until,
        .max_reply = SECRET_MAX,
    };
    kube_start(member->looking->relay, &member->secret, take_secret, member);
}

bool
member_proxy_is_missing(const struct member_probe *member, const struct kube_request *request)
{
    const struct members_look *look = member->looking->look;

    return look->options->access == MEMBER_ACCESS_AUTO && !member->has_answered &&
           member->own == NULL && look->proxy->is_missing(request);
}

void
member_reach(struct member_probe *member)
{
    const struct members_look *look = member->looking->look;
    bool was_direct = look->direct != NULL && look->direct[member - member->looking->members];

    if (look->proxy == NULL || look->options->access == MEMBER_ACCESS_DIRECT || was_direct) {
        member_reach_directly(member, NULL);
    } else {
        go_by_proxy(member);
    }
}

void
member_leave(struct member_probe *member)
{
    bool *direct = member->looking->look->direct;

    if (direct != NULL) {
        direct[member - member->looking->members] = member->own != NULL;
    }
    if (member->own != NULL) {
        struct kube_statistics own = kube_client_statistics(member->own);

        kube_statistics_add(member->looking->requests, &own);
    }
    for (unsigned i = 0; i < member->n_lists; i++) {
        member_list_forget(&member->lists[i]);
    }
    kube_client_free(member->own);
    kube_config_free(member->config);
    member->own = member->client = NULL;
    member->config = NULL;
}
