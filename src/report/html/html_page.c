/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the common parts of pages. The Content-Security-Policy forbids all requests, and allows
 * only this style and script, by digest, in case an escape fails.
 */
#include "html.h"

#include <string.h>

#include "ballast/base/wide.h"
#include <openssl/evp.h>

static const char style[] = {
#include "html_style.inc"
};

static const char script[] = {
#include "html_script.inc"
};

#define SHA256_SIZE 32
#define BASE64_SIZE 45 /* of a SHA-256, with the NUL */

/* Writes a source of a Content-Security-Policy. */
static void
write_digest(struct html *html, const char *text)
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned char encoded[BASE64_SIZE] = "";
    unsigned size = 0;

    if (EVP_Digest(text, strlen(text), digest, &size, EVP_sha256(), NULL) == 1 &&
        size == SHA256_SIZE) {
        EVP_EncodeBlock(encoded, digest, pin_int32(size));
    }
    fprintf(html->stream, "'sha256-%s'", (const char *)encoded);
}

static void
write_policy(struct html *html)
{
    html_print(html, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                     "base-uri 'none'; form-action 'none'; style-src ");
    write_digest(html, style);
    html_print(html, "; script-src ");
    write_digest(html, script);
    html_print(html, "\">\n");
}

void
html_page_begin(struct html *html, const char *title, const char *heading)
{
    html_print(html, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    write_policy(html);
    html_print(html,
               "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
               "<meta name=\"color-scheme\" content=\"light dark\">\n"
               "<meta name=\"referrer\" content=\"no-referrer\">\n<title>%s</title>\n<style>",
               title);
    fputs(style, html->stream);
    html_print(html,
               "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#content\">Skip to the "
               "report</a>\n<header>\n<p class=\"brand\">Ballast</p>\n<h1>%s</h1>\n</header>\n",
               heading);
}

void
html_page_end(struct html *html)
{
    html_print(html, "</main>\n<footer><p>Made by Ballast. This page holds all that it shows, and "
                     "asks no server for anything.</p></footer>\n<script>");
    fputs(script, html->stream);
    html_print(html, "</script>\n</body>\n</html>\n");
}

void
html_navigation_begin(struct html *html)
{
    html_print(html, "<nav aria-label=\"Sections\"><ul>\n");
}

void
html_navigation_link(struct html *html, const char *id, const char *title)
{
    html_print(html, "<li><a href=\"#%s\">%s</a></li>\n", id, title);
}

void
html_navigation_end(struct html *html)
{
    html_print(html, "</ul></nav>\n<main id=\"content\" tabindex=\"-1\">\n");
}

void
html_section_begin(struct html *html, const char *id, const char *title)
{
    html_print(html,
               "<section id=\"%s\" aria-labelledby=\"%s-title\">\n<h2 id=\"%s-title\">%s</h2>\n",
               id, id, id, title);
}

void
html_section_end(struct html *html)
{
    html_print(html, "</section>\n");
}

void
html_table_begin(struct html *html, const char *class, const char *caption)
{
    html_print(html,
               "<div class=\"scroll\" role=\"region\" aria-label=\"%s\" tabindex=\"0\">\n"
               "<table class=\"%s\">\n<caption>%s</caption>\n",
               caption, class, caption);
}

void
html_table_end(struct html *html)
{
    html_print(html, "</tbody>\n</table>\n</div>\n");
}
