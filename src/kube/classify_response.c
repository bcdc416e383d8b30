/* SPDX-License-Identifier: Apache-2.0
 *
 * What came of a try: which of it may be tried again, and the words for what
 * may not.
 */
#include <openssl/x509_vfy.h>
#include <string.h>
#include <strings.h>

#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/kinds/protobuf.h"
#include "status.h"
#include "transfer.h"

/* Text of a server or of the TLS library, made fit to be shown. */
static bool
fail_with(struct error *err, enum error_code code, const char *before, const char *shown)
{
    struct buf text;

    buf_init(&text, (size_t)2 * ERROR_MESSAGE_MAX); /* error_set marks the cut */
    text_append_line(&text, shown);
    error_set(err, code, "%s%s", before, buf_text(&text));
    buf_release(&text);
    return false;
}

/* Or begun to be: libcurl's own times do not tell of a request that broke off while it was sent. */
static bool
was_sent(const struct transfer *transfer)
{
    return transfer->sends > 0;
}

/* What a mistake in certificates, keys or addresses gives; trying again cannot help. */
static bool
is_configuration(CURLcode result)
{
    switch (result) {
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_URL_MALFORMAT:
    case CURLE_NOT_BUILT_IN:
    case CURLE_BAD_FUNCTION_ARGUMENT:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
    case CURLE_SSL_CLIENTCERT:
    case CURLE_SSL_ENGINE_NOTFOUND:
        return true;
    default:
        return false;
    }
}

/* What is wrong with the certificate that the server shows, and what to do; NULL: it is not that.
 */
static const char *
certificate_advice(const struct transfer *transfer, CURLcode result)
{
    long verdict = X509_V_OK;

    if (result != CURLE_PEER_FAILED_VERIFICATION) {
        return NULL;
    }
    curl_easy_getinfo(transfer->easy, CURLINFO_SSL_VERIFYRESULT, &verdict);
    switch (verdict) {
    case X509_V_OK:              /* of an authority that we trust, but: */
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

/* libcurl does not say why a connection was not made. */
static void
add_errno(const struct transfer *transfer, CURLcode result, struct error *err)
{
    long why = 0;

    curl_easy_getinfo(transfer->easy, CURLINFO_OS_ERRNO, &why);
    if (result == CURLE_COULDNT_CONNECT && why > 0) {
        error_set(err, err->code, "%s: %s", err->message, strerror((int)why));
    }
}

/* Under TLS 1.3 a server refuses a client after the handshake, so that it may look like a
 * connection that breaks for no reason. */
static void
add_hint(const struct transfer *transfer, CURLcode result, struct error *err)
{
    long new_connections = 0;

    curl_easy_getinfo(transfer->easy, CURLINFO_NUM_CONNECTS, &new_connections);
    if (transfer->has_tls && new_connections > 0 && was_sent(transfer) &&
        (result == CURLE_PARTIAL_FILE || result == CURLE_SEND_ERROR || result == CURLE_RECV_ERROR ||
         result == CURLE_GOT_NOTHING)) {
        error_set(err, err->code, "%s (%s)", err->message,
                  transfer->has_certificate ? "the server may have refused the client certificate"
                                            : "the server may want a client certificate");
    }
}

/* Between us and the server; the words of libcurl do not say which proxy that was, or that there is
 * one at all. */
static bool
proxy_failed(const struct transfer *transfer, CURLcode result, const char *why, bool *ret_is_fatal,
             struct error *err)
{
    long status = 0, socks = 0;

    curl_easy_getinfo(transfer->easy, CURLINFO_HTTP_CONNECTCODE, &status);
    curl_easy_getinfo(transfer->easy, CURLINFO_PROXY_ERROR, &socks);
    if (result == CURLE_PROXY) {
        *ret_is_fatal = socks == CURLPX_USER_REJECTED || socks == CURLPX_NO_AUTH;
        fail_with(err, *ret_is_fatal ? ERROR_CONFIG : ERROR_UNAVAILABLE, "the proxy: ", why);
        return true;
    }
    if (result == CURLE_OK || was_sent(transfer) || status < 300) {
        return false;
    }
    *ret_is_fatal = status < 500;
    error_set(err, *ret_is_fatal ? ERROR_CONFIG : ERROR_UNAVAILABLE,
              "the proxy does not let us through: it answered %ld%s", status,
              status == 407 ? ": it wants another user or password than proxy-url has" : "");
    return true;
}

/* libcurl's own word for it is the best there is. */
static enum failure
classify_transport(const struct transfer *transfer, CURLcode result, struct error *err)
{
    const char *why = transfer->why[0] != '\0' ? transfer->why : curl_easy_strerror(result);

    if (result == CURLE_OUT_OF_MEMORY) {
        out_of_memory();
    }
    bool is_fatal;

    if (proxy_failed(transfer, result, why, &is_fatal, err)) {
        return is_fatal ? FAILURE_FATAL : FAILURE_UNSENT;
    }
    if (result == CURLE_ABORTED_BY_CALLBACK) { /* the only one that aborts is on_send */
        error_set(err, ERROR_UNAVAILABLE, "the connection was closed before the answer");
        return FAILURE_LOST;
    }
    if (is_configuration(result)) {
        const char *advice = certificate_advice(transfer, result);

        fail_with(err, ERROR_CONFIG, "", why);
        if (advice != NULL) {
            error_set(err, ERROR_CONFIG, "%s (%s)", advice, err->message);
        }
        return FAILURE_FATAL;
    }
    fail_with(err, ERROR_UNAVAILABLE, "", why);
    add_errno(transfer, result, err);
    add_hint(transfer, result, err);
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

static enum failure
classify_body(const struct transfer *transfer, CURLcode result, struct error *err)
{
    if (transfer->is_crowded) {
        error_set(err, ERROR_LIMIT, "there was no room for the answer");
        return FAILURE_CROWDED;
    }
    if (transfer->is_too_big) {
        error_set(err, ERROR_LIMIT, "the answer is larger than %zu bytes", transfer->body.maximum);
        return FAILURE_FATAL;
    }
    if (result != CURLE_OK) {
        fail_with(err, ERROR_UNAVAILABLE, "the answer broke off: ",
                  transfer->why[0] != '\0' ? transfer->why : curl_easy_strerror(result));
        return FAILURE_BODY;
    }
    if (transfer->body.length == 0 && !transfer->wants_body) {
        return FAILURE_NONE;
    }
    if (transfer->may_be_protobuf && is_of_type(transfer->content_type, PROTOBUF_CONTENT_TYPE)) {
        return FAILURE_NONE; /* it is whole as far as its bytes were counted */
    }
    if (!is_of_type(transfer->content_type, "application/json")) {
        fail_with(err, ERROR_IO, "want application/json, got ",
                  transfer->content_type[0] != '\0' ? transfer->content_type : "no content type");
        error_wrap(err, "HTTP %d: this does not seem to be an API server",
                   transfer_status(transfer));
        return FAILURE_FATAL;
    }
    if (!status_body_is_whole(buf_text(&transfer->body), transfer->body.length)) {
        error_set(err, ERROR_UNAVAILABLE, "the answer is not whole: its JSON ends early");
        return FAILURE_BODY;
    }
    return FAILURE_NONE;
}

enum failure
transfer_classify(struct transfer *transfer, CURLcode result, struct error *err)
{
    int status = transfer_status(transfer);

    if (transfer->is_head_too_long) { /* a write may have been carried out all the same */
        error_set(err, ERROR_LIMIT, "the answer's headers are longer than %zu bytes", HEAD_MAX);
        return transfer->wants_body ? FAILURE_FATAL : FAILURE_LOST;
    }
    if (status < 200) { /* no answer, or only the promise of one */
        return classify_transport(transfer, result == CURLE_OK ? CURLE_GOT_NOTHING : result, err);
    }
    if (!transfer->has_head) { /* which to libcurl is none of its business */
        error_set(err, ERROR_UNAVAILABLE, "the answer broke off within its headers");
        return FAILURE_LOST;
    }
    if (status < 300) {
        return classify_body(transfer, result, err);
    }
    if (status < 400) {
        fail_with(err, ERROR_CONFIG, "redirected to ",
                  transfer->location[0] != '\0' ? transfer->location : "nowhere");
        error_wrap(err, "HTTP %d", status);
        error_set(err, err->code, "%s: redirects are not followed, correct the server's URL",
                  err->message);
        return FAILURE_FATAL;
    }
    status_explain(status, buf_text(&transfer->body), transfer->body.length, err);
    return FAILURE_STATUS;
}
