/* SPDX-License-Identifier: Apache-2.0
 *
 * Classifies the end of a try: whether to try again, and the words of the error.
 */
#include <openssl/x509_vfy.h>
#include <string.h>
#include <strings.h>

#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/format/protobuf_envelope.h"
#include "status.h"
#include "transfer.h"

/* True also if the connection broke during the sending, which libcurl's times do not show. */
static bool
was_sent(const struct transfer *transfer)
{
    return transfer->http.sends > 0;
}

/* Returns advice about the server's certificate; NULL: the certificate is not the problem. */
static const char *
certificate_advice(const struct transfer *transfer)
{
    if (transfer->http.end != HTTP_UNTRUSTED) {
        return NULL;
    }
    switch (http_facts(&transfer->http).verify_result) {
    case X509_V_OK:              /* the chain is trusted, the name differs */
    case X509_V_ERR_UNSPECIFIED: /* libcurl compares names before it asks for the verdict */
        return "the server's certificate is for another name: correct the server's URL, or set "
               "tls-server-name";
    case X509_V_ERR_CERT_HAS_EXPIRED:
        return "the server's certificate has expired: it has to be renewed there (or this "
               "machine's clock is wrong)";
    case X509_V_ERR_CERT_NOT_YET_VALID:
        return "the server's certificate is not valid yet: this machine's clock, or the server's, "
               "is wrong";
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_CERT_SIGNATURE_FAILURE:
        return "the server's certificate is not of an authority that we trust: give the server's "
               "own as certificate-authority";
    default:
        return NULL;
    }
}

/* Under TLS 1.3 a server refuses a client certificate after the handshake. That can look like a
 * connection that breaks for no reason. */
static void
add_hint(const struct transfer *transfer, struct error *err)
{
    const struct http_exchange *http = &transfer->http;

    if (http->has_tls && http_facts(http).connections > 0 && was_sent(transfer) &&
        (http->end == HTTP_BROKEN || http->end == HTTP_NOTHING)) {
        error_set(err, err->code, "%s (%s)", err->message,
                  http->has_certificate ? "the server may have refused the client certificate"
                                        : "the server may want a client certificate");
    }
}

/* Reports a failure of the proxy itself, as libcurl's message does not mention the proxy. */
static bool
proxy_failed(const struct transfer *transfer, bool *ret_is_fatal, struct error *err)
{
    struct http_facts facts = http_facts(&transfer->http);
    int status = facts.proxy_status;

    if (transfer->http.end == HTTP_PROXY_FAILED) {
        *ret_is_fatal = facts.proxy_refuses;
        http_fail_with(err, *ret_is_fatal ? ERROR_CONFIG : ERROR_UNAVAILABLE,
                       "the proxy: ", transfer->http.why);
        return true;
    }
    if (was_sent(transfer) || status < 300) {
        return false;
    }
    *ret_is_fatal = status < 500;
    error_set(err, *ret_is_fatal ? ERROR_CONFIG : ERROR_UNAVAILABLE,
              "the proxy does not let us through: it answered %d%s", status,
              status == 407 ? ": it wants another user or password than proxy-url has" : "");
    return true;
}

static enum failure
classify_transport(const struct transfer *transfer, struct error *err)
{
    const struct http_exchange *http = &transfer->http;
    bool is_fatal;

    if (proxy_failed(transfer, &is_fatal, err)) {
        return is_fatal ? FAILURE_FATAL : FAILURE_UNSENT;
    }
    if (http->end == HTTP_SENT_TWICE) {
        error_set(err, ERROR_UNAVAILABLE, "the connection was closed before the answer");
        return FAILURE_LOST;
    }
    if (http->end == HTTP_CONFIGURATION || http->end == HTTP_UNTRUSTED) {
        const char *advice = certificate_advice(transfer);

        http_fail_with(err, ERROR_CONFIG, "", http->why);
        if (advice != NULL) {
            error_set(err, ERROR_CONFIG, "%s (%s)", advice, err->message);
        }
        return FAILURE_FATAL;
    }
    const char *reason = http_connect_reason(http);

    http_fail_with(err, ERROR_UNAVAILABLE, "", http->why);
    if (reason[0] != '\0') {
        error_set(err, err->code, "%s: %s", err->message, reason);
    }
    add_hint(transfer, err);
    return was_sent(transfer) ? FAILURE_LOST : FAILURE_UNSENT;
}

static bool
is_of_type(const char *content_type, const char *wanted)
{
    size_t length = strlen(wanted);

    return strncasecmp(content_type, wanted, length) == 0 &&
           (content_type[length] == '\0' || content_type[length] == ';' ||
            content_type[length] == ' ');
}

bool
transfer_is_json(const struct transfer *transfer)
{
    return is_of_type(transfer->content_type, "application/json");
}

/* The caller has taken pieces of the body, so the request cannot be tried again. */
static enum failure
classify_taken(const struct transfer *transfer, struct error *err)
{
    if (transfer->refusal.code != ERROR_NONE) {
        *err = transfer->refusal;
        return FAILURE_FATAL;
    }
    if (transfer->http.end != HTTP_ANSWERED) {
        http_fail_with(err, ERROR_UNAVAILABLE, "the answer broke off: ", transfer->http.why);
        return FAILURE_FATAL;
    }
    return FAILURE_NONE;
}

static enum failure
classify_body(const struct transfer *transfer, struct error *err)
{
    const struct kube_request *request = transfer->request;

    if (request->part != NULL && request->was_begun) {
        return classify_taken(transfer, err);
    }
    if (transfer->is_crowded) {
        error_set(err, ERROR_LIMIT, "there was no room for the answer");
        return FAILURE_CROWDED;
    }
    if (transfer->is_too_big) {
        error_set(err, ERROR_LIMIT, "the answer is larger than %zu bytes", transfer->body.maximum);
        return FAILURE_FATAL;
    }
    if (transfer->http.end != HTTP_ANSWERED) {
        http_fail_with(err, ERROR_UNAVAILABLE, "the answer broke off: ", transfer->http.why);
        return FAILURE_BODY;
    }
    if (transfer->body.length == 0 && request->method != KUBE_GET) {
        return FAILURE_NONE;
    }
    if (request->accept != NULL && strstr(request->accept, PROTOBUF_CONTENT_TYPE) != NULL &&
        is_of_type(transfer->content_type, PROTOBUF_CONTENT_TYPE)) {
        return FAILURE_NONE; /* complete, as far as libcurl counts bytes */
    }
    if (!transfer_is_json(transfer)) {
        http_fail_with(err, ERROR_IO, "want application/json, got ",
                       transfer->content_type[0] != '\0' ? transfer->content_type
                                                         : "no content type");
        error_wrap(err, "HTTP %d: this does not seem to be an API server",
                   http_status(&transfer->http));
        return FAILURE_FATAL;
    }
    if (!status_body_is_whole(buf_text(&transfer->body), transfer->body.length)) {
        error_set(err, ERROR_UNAVAILABLE, "the answer is not whole: its JSON ends early");
        return FAILURE_BODY;
    }
    return FAILURE_NONE;
}

enum failure
transfer_classify(struct transfer *transfer, struct error *err)
{
    int status = http_status(&transfer->http);

    if (http_head_is_too_long(&transfer->http)) { /* a write may be done */
        error_set(err, ERROR_LIMIT, "the answer's headers are longer than %zu bytes",
                  transfer->http.receiver->max_head);
        return transfer->request->method == KUBE_GET ? FAILURE_FATAL : FAILURE_LOST;
    }
    if (status < 200) { /* no response, or an interim one */
        return classify_transport(transfer, err);
    }
    if (!transfer->has_head) { /* libcurl does not report this */
        error_set(err, ERROR_UNAVAILABLE, "the answer broke off within its headers");
        return FAILURE_LOST;
    }
    if (status < 300) {
        return classify_body(transfer, err);
    }
    if (status < 400) {
        http_fail_with(err, ERROR_CONFIG, "redirected to ",
                       transfer->location[0] != '\0' ? transfer->location : "nowhere");
        error_wrap(err, "HTTP %d", status);
        error_set(err, err->code, "%s: redirects are not followed, correct the server's URL",
                  err->message);
        return FAILURE_FATAL;
    }
    status_explain(status, buf_text(&transfer->body), transfer->body.length, err);
    return FAILURE_STATUS;
}
