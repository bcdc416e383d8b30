/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenSSL's functions, found once: the table is what the dynamic linker would have kept for us.
 */
#include "ballast/base/openssl.h"

#include <pthread.h>

#include "ballast/base/library.h"

#define TEXT_OF(macro) TEXT(macro)
#define TEXT(text) #text
/* That of the headers. It needs libcrypto, whose functions are found by it, too. */
#define SONAME "libssl.so." TEXT_OF(OPENSSL_SHLIB_VERSION)

static struct openssl functions;
static pthread_once_t loaded = PTHREAD_ONCE_INIT;

static void
load(void)
{
    void *library = library_open(SONAME);

#define X(name) functions.name = library_function(library, name);
    OPENSSL_FUNCTIONS(X)
#undef X
}

const struct openssl *
openssl(void)
{
    pthread_once(&loaded, load);
    return &functions;
}
