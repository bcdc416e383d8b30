/* SPDX-License-Identifier: Apache-2.0
 *
 * libcurl, loaded when it is first asked for: it brings some 30 libraries along, which would cost
 * what reads no server 4 MiB and half of its time.
 *
 * What takes an option is called by libcurl's own name (curl_easy_setopt): its header has macros of
 * these names that check what is passed, and libcurl.c has the functions.
 */
#ifndef BALLAST_HTTP_LIBCURL_H
#define BALLAST_HTTP_LIBCURL_H

#include <curl/curl.h>

#define LIBCURL_FUNCTIONS(X)                                                                       \
    X(easy_init)                                                                                   \
    X(easy_cleanup)                                                                                \
    X(easy_reset)                                                                                  \
    X(easy_setopt)                                                                                 \
    X(easy_getinfo)                                                                                \
    X(easy_escape)                                                                                 \
    X(easy_strerror)                                                                               \
    X(free)                                                                                        \
    X(getdate)                                                                                     \
    X(global_init)                                                                                 \
    X(global_cleanup)                                                                              \
    X(multi_init)                                                                                  \
    X(multi_cleanup)                                                                               \
    X(multi_setopt)                                                                                \
    X(multi_add_handle)                                                                            \
    X(multi_remove_handle)                                                                         \
    X(multi_perform)                                                                               \
    X(multi_poll)                                                                                  \
    X(multi_info_read)                                                                             \
    X(slist_append)                                                                                \
    X(slist_free_all)                                                                              \
    X(url)                                                                                         \
    X(url_cleanup)                                                                                 \
    X(url_get)                                                                                     \
    X(url_set)                                                                                     \
    X(version)                                                                                     \
    X(version_info)

/* Each as the header declares it: a const came into some. */
struct libcurl {
#define X(name) __typeof__(curl_##name) *name;
    LIBCURL_FUNCTIONS(X)
#undef X
};

/* Ends the process where there is none (library.h). Any thread may ask. */
const struct libcurl *libcurl(void);

#endif
