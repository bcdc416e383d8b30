/* SPDX-License-Identifier: Apache-2.0
 *
 * Splits URLs as libcurl reads them, escapes values, and reads header lines.
 */
#include <string.h>
#include <strings.h>

#include "ballast/base/text.h"
#include "ballast/base/wide.h"
#include "ballast/http/http.h"
#include <curl/curl.h>

bool
http_url_split(struct http_url *url, const char *text)
{
    CURLU *handle = curl_url();

    *url = (struct http_url){.scheme = NULL};
    if (handle == NULL) {
        out_of_memory();
    }
    bool is_fine = curl_url_set(handle, CURLUPART_URL, text, 0) == CURLUE_OK;

    curl_url_get(handle, CURLUPART_SCHEME, &url->scheme, 0);
    curl_url_get(handle, CURLUPART_USER, &url->user, 0);
    curl_url_get(handle, CURLUPART_HOST, &url->host, 0);
    curl_url_get(handle, CURLUPART_PORT, &url->port, CURLU_DEFAULT_PORT);
    curl_url_get(handle, CURLUPART_PATH, &url->path, 0);
    curl_url_get(handle, CURLUPART_QUERY, &url->query, 0);
    curl_url_get(handle, CURLUPART_FRAGMENT, &url->fragment, 0);
    curl_url_cleanup(handle);
    return is_fine && url->host != NULL;
}

void
http_url_release(struct http_url *url)
{
    curl_free(url->scheme);
    curl_free(url->user);
    curl_free(url->host);
    curl_free(url->port);
    curl_free(url->path);
    curl_free(url->query);
    curl_free(url->fragment);
}

bool
http_header_is_name(const char *text)
{
    static const char token_bytes[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                      "0123456789!#$%&'*+-.^_`|~";

    return text[0] != '\0' && strspn(text, token_bytes) == strlen(text);
}

void
http_append_escaped(struct buf *out, const char *value)
{
    char *escaped = curl_easy_escape(NULL, value, 0);

    if (escaped == NULL) {
        out_of_memory();
    }
    buf_append_str(out, escaped);
    curl_free(escaped);
}

const char *
http_header_value(const char *line, size_t length, const char *name, size_t *ret_length)
{
    size_t begin = strlen(name) + 1;

    if (length < begin || line[begin - 1] != ':' || strncasecmp(line, name, begin - 1) != 0) {
        return NULL;
    }
    while (begin < length && (line[begin] == ' ' || line[begin] == '\t')) {
        begin++;
    }
    while (length > begin && (unsigned char)line[length - 1] <= ' ') {
        length--;
    }
    *ret_length = length - begin;
    return line + begin;
}

void
http_header_keep(const char *line, size_t length, const char *name, char *value, size_t size)
{
    const char *text = http_header_value(line, length, name, &length);

    if (text != NULL) {
        text_print(value, size, "%.*s", pin_width(length < size ? length : size), text);
    }
}
