/* SPDX-License-Identifier: Apache-2.0
 *
 * What came of a try: an answer, and if not, what that means for the call and
 * for the connection.
 */
#include <stdio.h>
#include <string.h>

#include "attempt.h"
#include "ballast/base/text.h"
#include "messages.h"

/* "UNAVAILABLE: text", with a text of the server's or a library's made fit to be shown. */
static void
say(struct error *err, int code, const char *text)
{
    struct buf shown;

    buf_init(&shown, (size_t)2 * ERROR_MESSAGE_MAX); /* error_set marks the cut */
    text_append_line(&shown, text);
    error_set(err, grpc_error_code(code), "%s%s%s", grpc_code_name(code),
              shown.length > 0 ? ": " : "", buf_text(&shown));
    buf_release(&shown);
}

/* ---- something came back ---- */

static long
info(const struct estimator_attempt *attempt, CURLINFO what)
{
    long value = 0;

    curl_easy_getinfo(attempt->easy, what, &value);
    return value;
}

/* An answer of something else, such as a proxy. */
static enum attempt_outcome
classify_foreign(const struct estimator_attempt *attempt, struct estimator_call *call,
                 struct error *err)
{
    long status = info(attempt, CURLINFO_RESPONSE_CODE);
    char text[128];

    if (status != 200) {
        snprintf(text, sizeof(text), "HTTP %ld", status);
        call->grpc_status = grpc_code_of_http((int)status);
    } else {
        snprintf(text, sizeof(text), "this is no gRPC answer (content type \"%s\")",
                 attempt->answer.content_type);
        call->grpc_status = GRPC_UNKNOWN;
    }
    say(err, call->grpc_status, text);
    return OUTCOME_REFUSED;
}

static enum attempt_outcome
classify_message(const struct estimator_attempt *attempt, struct estimator_call *call,
                 struct error *err)
{
    const struct buf *message = &attempt->reader.message;

    if (frame_reader_finish(&attempt->reader, err) &&
        message_read_reply(call->method, message->data, message->length, &call->answer, err)) {
        call->grpc_status = GRPC_OK;
        return OUTCOME_ANSWERED;
    }
    call->grpc_status = err->code == ERROR_LIMIT ? GRPC_RESOURCE_EXHAUSTED : GRPC_INTERNAL;
    if (attempt->answer.encoding[0] != '\0') {
        char encoding[2 * sizeof(attempt->answer.encoding)];

        snprintf(encoding, sizeof(encoding), " (grpc-encoding %s)", attempt->answer.encoding);
        error_set(err, err->code, "%s%s", err->message, encoding);
    }
    error_wrap(err, "%s", grpc_code_name(call->grpc_status));
    return OUTCOME_REFUSED;
}

static enum attempt_outcome
classify_answer(const struct estimator_attempt *attempt, struct estimator_call *call,
                struct error *err)
{
    const struct grpc_headers *answer = &attempt->answer;

    if (info(attempt, CURLINFO_HTTP_VERSION) != CURL_HTTP_VERSION_2) {
        error_set(err, ERROR_CONFIG, "the server there speaks HTTP/1.1, not gRPC");
        return OUTCOME_WRONG;
    }
    if (answer->code == GRPC_OK || attempt->reader.error.code != ERROR_NONE) {
        return classify_message(attempt, call, err);
    }
    if (answer->code == GRPC_ABSENT && !attempt_is_grpc(attempt)) {
        return classify_foreign(attempt, call, err);
    }
    if (answer->code == GRPC_ABSENT) { /* libcurl loses it where the connection ends at once */
        call->grpc_status = GRPC_INTERNAL;
        say(err, GRPC_INTERNAL, "the answer ended without grpc-status");
        return OUTCOME_STREAM;
    }
    call->grpc_status = answer->code;
    say(err, answer->code, answer->message);
    return OUTCOME_REFUSED;
}

/* ---- nothing came back ---- */

/* What a mistake in certificates or keys gives; trying again cannot help. */
static bool
is_configuration(CURLcode result)
{
    switch (result) {
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_URL_MALFORMAT:
    case CURLE_NOT_BUILT_IN:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
        return true;
    default:
        return false;
    }
}

/* Broken off for no reason that TLS or HTTP/2 would give. */
static bool
is_bare_end(CURLcode result)
{
    return result == CURLE_PARTIAL_FILE || result == CURLE_GOT_NOTHING ||
           result == CURLE_SEND_ERROR || result == CURLE_RECV_ERROR || result == CURLE_HTTP2 ||
           result == CURLE_HTTP2_STREAM;
}

/* libcurl's words do not tell what most often is behind them. Under TLS 1.3 a server refuses a
 * client's certificate after the handshake. */
static const char *
hint(const struct estimator_attempt *attempt, CURLcode result)
{
    if (!attempt->dials) {
        return "";
    }
    if (attempt->has_tls && result == CURLE_SSL_CONNECT_ERROR) {
        return " (the estimator may speak without TLS)";
    }
    if (!is_bare_end(result)) {
        return "";
    }
    return !attempt->has_tls          ? " (the estimator may want TLS)"
           : attempt->has_certificate ? " (the estimator may have refused the client certificate)"
                                      : " (the estimator may want a client certificate)";
}

static const char *
words(const struct estimator_attempt *attempt, CURLcode result)
{
    if (result == CURLE_HTTP2_STREAM) { /* libcurl's words have the stream's number in them */
        return "the call was broken off";
    }
    if (result ==
        CURLE_GOT_NOTHING) { /* they may be about a second connection, which it is refused */
        return "the connection was broken off";
    }
    return attempt->why[0] != '\0' ? attempt->why : curl_easy_strerror(result);
}

/* libcurl does not say why a connection was not made. */
static const char *
reason(const struct estimator_attempt *attempt, CURLcode result)
{
    long why = info(attempt, CURLINFO_OS_ERRNO);

    return result == CURLE_COULDNT_CONNECT && why > 0 ? strerror((int)why) : "";
}

void
attempt_say_late(struct error *err)
{
    say(err, GRPC_DEADLINE_EXCEEDED, "no answer within the time limit");
}

static enum attempt_outcome
classify_transport(const struct estimator_attempt *attempt, CURLcode result, struct error *err)
{
    char text[CURL_ERROR_SIZE + 192];
    const char *why = reason(attempt, result);

    snprintf(text, sizeof(text), "%s%s%s%s", words(attempt, result), why[0] != '\0' ? ": " : "",
             why, hint(attempt, result));
    if (is_configuration(result)) {
        say(err, GRPC_UNAVAILABLE, text);
        err->code = ERROR_CONFIG;
        return OUTCOME_WRONG;
    }
    if (result == CURLE_OPERATION_TIMEDOUT && (!attempt->dials || attempt->is_connected)) {
        attempt_say_late(err);
        return OUTCOME_LATE;
    }
    say(err, GRPC_UNAVAILABLE, text);
    if (attempt->dials && !attempt->is_connected) {
        return OUTCOME_UNDIALED;
    }
    return result == CURLE_HTTP2_STREAM                         ? OUTCOME_STREAM
           : !attempt->dials && result == CURLE_COULDNT_CONNECT ? OUTCOME_UNSENT
                                                                : OUTCOME_LOST;
}

enum attempt_outcome
attempt_classify(struct estimator_attempt *attempt, CURLcode result, struct estimator_call *call,
                 struct error *err)
{
    if (result == CURLE_OUT_OF_MEMORY) {
        out_of_memory();
    }
    call->grpc_status = GRPC_ABSENT;
    if (attempt->answer.code != GRPC_ABSENT || attempt->reader.error.code != ERROR_NONE ||
        (result == CURLE_OK && info(attempt, CURLINFO_RESPONSE_CODE) >= 200)) {
        return classify_answer(attempt, call, err);
    }
    bool is_second = result == CURLE_COULDNT_CONNECT && attempt->is_connected;

    return classify_transport(attempt, result == CURLE_OK || is_second ? CURLE_GOT_NOTHING : result,
                              err);
}
