/* SPDX-License-Identifier: Apache-2.0
 *
 * Classifies the end of a try: an answer, or the consequences for the call and the connection.
 */
#include <stdio.h>

#include "call_attempt.h"
#include "messages.h"

/* Sets err to "UNAVAILABLE: text", with the text made safe to show. */
static void
say(struct error *err, int code, const char *text)
{
    http_fail_with(err, grpc_error_code(code), "", text);
    if (text[0] != '\0') {
        error_wrap(err, "%s", grpc_code_name(code));
    } else {
        error_set(err, err->code, "%s", grpc_code_name(code));
    }
}

/* Explains a response that is not gRPC, for example a proxy's. */
static enum attempt_outcome
classify_foreign(const struct estimator_attempt *attempt, struct estimator_call *call,
                 struct error *err)
{
    int status = http_status(&attempt->http);
    char text[128];

    if (status != 200) {
        snprintf(text, sizeof(text), "HTTP %d", status);
        call->grpc_status = grpc_code_of_http(status);
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

    if (!http_is_version_2(&attempt->http)) {
        error_set(err, ERROR_CONFIG, "the server there speaks HTTP/1.1, not gRPC");
        return OUTCOME_WRONG;
    }
    if (answer->code == GRPC_OK || attempt->reader.error.code != ERROR_NONE) {
        return classify_message(attempt, call, err);
    }
    if (answer->code == GRPC_ABSENT && !attempt_is_grpc(attempt)) {
        return classify_foreign(attempt, call, err);
    }
    if (answer->code == GRPC_ABSENT) { /* libcurl loses it if the connection ends at once */
        call->grpc_status = GRPC_INTERNAL;
        say(err, GRPC_INTERNAL, "the answer ended without grpc-status");
        return OUTCOME_STREAM;
    }
    call->grpc_status = answer->code;
    say(err, answer->code, answer->message);
    return OUTCOME_REFUSED;
}

/* True if neither TLS nor HTTP/2 gives a reason. */
static bool
is_bare_end(enum http_end end)
{
    return end == HTTP_NOTHING || end == HTTP_BROKEN || end == HTTP_FRAMING || end == HTTP_STREAM;
}

/* Returns the most likely cause, which libcurl does not name. Under TLS 1.3 a server refuses a
 * client's certificate after the handshake. */
static const char *
hint(const struct estimator_attempt *attempt, enum http_end end)
{
    const struct http_exchange *http = &attempt->http;

    if (!attempt->dials) {
        return "";
    }
    if (http->has_tls && end == HTTP_TLS_FAILED) {
        return " (the estimator may speak without TLS)";
    }
    if (!is_bare_end(end)) {
        return "";
    }
    return !http->has_tls          ? " (the estimator may want TLS)"
           : http->has_certificate ? " (the estimator may have refused the client certificate)"
                                   : " (the estimator may want a client certificate)";
}

static const char *
words(const struct estimator_attempt *attempt, enum http_end end)
{
    if (end == HTTP_STREAM) { /* libcurl's text has the stream's number */
        return "the call was broken off";
    }
    if (end == HTTP_NOTHING) { /* libcurl's text may be about a second connection */
        return "the connection was broken off";
    }
    return attempt->http.why;
}

static enum attempt_outcome
classify_transport(const struct estimator_attempt *attempt, enum http_end end, struct error *err)
{
    char text[HTTP_WHY_MAX + 192];
    const char *why = end != HTTP_NOTHING ? http_connect_reason(&attempt->http) : "";

    snprintf(text, sizeof(text), "%s%s%s%s", words(attempt, end), why[0] != '\0' ? ": " : "", why,
             hint(attempt, end));
    if (end == HTTP_CONFIGURATION || end == HTTP_UNTRUSTED) {
        say(err, GRPC_UNAVAILABLE, text);
        err->code = ERROR_CONFIG;
        return OUTCOME_WRONG;
    }
    if (end == HTTP_TIMED_OUT && (!attempt->dials || attempt_has_dialed(attempt))) {
        say(err, GRPC_DEADLINE_EXCEEDED, "no answer within the time limit");
        return OUTCOME_LATE;
    }
    say(err, GRPC_UNAVAILABLE, text);
    if (attempt->dials && !attempt_has_dialed(attempt)) {
        return OUTCOME_UNDIALED;
    }
    return end == HTTP_STREAM                             ? OUTCOME_STREAM
           : !attempt->dials && end == HTTP_NOT_CONNECTED ? OUTCOME_UNSENT
                                                          : OUTCOME_LOST;
}

enum attempt_outcome
attempt_classify(const struct estimator_attempt *attempt, struct estimator_call *call,
                 struct error *err)
{
    enum http_end end = attempt->http.end;

    call->grpc_status = GRPC_ABSENT;
    if (attempt->answer.code != GRPC_ABSENT || attempt->reader.error.code != ERROR_NONE ||
        end == HTTP_ANSWERED) {
        return classify_answer(attempt, call, err);
    }
    bool is_second = end == HTTP_NOT_CONNECTED && attempt_has_dialed(attempt);

    return classify_transport(attempt, is_second ? HTTP_NOTHING : end, err);
}
