/* SPDX-License-Identifier: Apache-2.0
 *
 * libcurl's functions, found once: the table is what the dynamic linker would have kept for us.
 */
#define CURL_DISABLE_TYPECHECK
/* Not for libcurl, whose own calls must not end here. */
#pragma GCC visibility push(hidden)
#include "libcurl.h"
#pragma GCC visibility pop
#include <nss.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>

#include "ballast/base/library.h"

/* Unchanged since 2006, in Debian 13 as in 12. */
#define SONAME "libcurl.so.4"

static struct libcurl functions;
static pthread_once_t loaded = PTHREAD_ONCE_INIT;

#ifdef BALLAST_STATIC
/* glibc would load the modules that /etc/nsswitch.conf names, which may be another glibc's. These
 * two are part of it. */
static void *
open_library(void)
{
    __nss_configure_lookup("hosts", "files dns");
    return library_open(SONAME);
}
#else
/* GnuTLS comes along, for protocols that nobody asks for here, and would get itself ready. Who does
 * use it says so to it. The variable is nobody else's, so no program that is run sees it. */
static void *
open_library(void)
{
    static const char name[] = "GNUTLS_NO_IMPLICIT_INIT";
    bool is_set = getenv(name) != NULL;

    setenv(name, "1", 0);
    void *library = library_open(SONAME);

    if (!is_set) {
        unsetenv(name);
    }
    return library;
}
#endif

static void
load(void)
{
    void *library = open_library();

#define X(name) functions.name = library_function(library, curl_##name);
    LIBCURL_FUNCTIONS(X)
#undef X
}

const struct libcurl *
libcurl(void)
{
    pthread_once(&loaded, load);
    return &functions;
}

#ifndef BALLAST_STATIC /* there libcurl's own are called */
/* The header has macros of these names. */
#undef curl_easy_setopt
#undef curl_multi_setopt
#undef curl_easy_getinfo

/* An option's number says what follows it: pointers, where it is no number. */
static int
kind_of(int option)
{
    return option - option % CURLOPTTYPE_OBJECTPOINT;
}

/* NOLINTBEGIN(bugprone-branch-clone): the types differ */
CURLcode
curl_easy_setopt(CURL *curl, CURLoption option, ...)
{
    int kind = kind_of((int)option);
    CURLcode code;
    va_list args;

    va_start(args, option);
    if (kind == CURLOPTTYPE_LONG) {
        code = libcurl()->easy_setopt(curl, option, va_arg(args, long));
    } else if (kind == CURLOPTTYPE_OFF_T) {
        code = libcurl()->easy_setopt(curl, option, va_arg(args, curl_off_t));
    } else {
        code = libcurl()->easy_setopt(curl, option, va_arg(args, void *));
    }
    va_end(args);
    return code;
}

CURLMcode
curl_multi_setopt(CURLM *multi_handle, CURLMoption option, ...)
{
    CURLMcode code;
    va_list args;

    va_start(args, option);
    if (kind_of((int)option) == CURLOPTTYPE_LONG) {
        code = libcurl()->multi_setopt(multi_handle, option, va_arg(args, long));
    } else {
        code = libcurl()->multi_setopt(multi_handle, option, va_arg(args, void *));
    }
    va_end(args);
    return code;
}
/* NOLINTEND(bugprone-branch-clone) */

CURLcode
curl_easy_getinfo(CURL *curl, CURLINFO info, ...)
{
    CURLcode code;
    va_list args;

    va_start(args, info);
    code = libcurl()->easy_getinfo(curl, info, va_arg(args, void *));
    va_end(args);
    return code;
}
#endif
