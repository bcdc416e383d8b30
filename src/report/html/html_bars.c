/* SPDX-License-Identifier: Apache-2.0
 *
 * Draws bars as SVG: the page's policy forbids inline styles, and so widths in HTML.
 */
#include "html_bars.h"

void
html_legend(struct html *html)
{
    html_print(html, "<p>The upper bar is before, the lower one after.</p>\n"
                     "<svg width=\"0\" height=\"0\" aria-hidden=\"true\"><defs><pattern "
                     "id=\"hatch\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
                     "patternTransform=\"rotate(45)\"><rect class=\"stripe\" width=\"3\" "
                     "height=\"5\"/></pattern><pattern id=\"stripes\" width=\"5\" height=\"5\" "
                     "patternUnits=\"userSpaceOnUse\"><rect class=\"stripe new\" width=\"3\" "
                     "height=\"5\"/></pattern></defs></svg>\n"
                     "<ul class=\"legend\"><li><i class=\"runs\"></i>assigned</li>"
                     "<li><i class=\"stuck\"></i>stuck</li><li><i class=\"comes\"></i>arrives</li>"
                     "</ul>\n");
}

static void
write_bar(struct html *html, int y, const struct html_bar_part parts[HTML_BAR_PARTS_MAX])
{
    double x = 0;

    for (size_t i = 0; i < HTML_BAR_PARTS_MAX && parts[i].class != NULL; i++) {
        if (parts[i].share > 0) {
            html_print(html,
                       "<rect class=\"%s\" x=\"%.2f%%\" y=\"%d\" width=\"%.2f%%\" height=\"8\"/>",
                       parts[i].class, 100 * x, y, 100 * parts[i].share);
            x += parts[i].share;
        }
    }
}

void
html_bars(struct html *html, const struct html_bar_part before[HTML_BAR_PARTS_MAX],
          const struct html_bar_part after[HTML_BAR_PARTS_MAX])
{
    html_print(html, "<svg class=\"bar\" aria-hidden=\"true\">");
    write_bar(html, 0, before);
    write_bar(html, 11, after);
    html_print(html, "</svg>");
}

double
html_share(int64_t part, int64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}
