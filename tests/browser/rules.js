/* SPDX-License-Identifier: Apache-2.0 */
/* What every page must hold, whatever it shows: docs/dev/testing.md says it in words. Returns a list of
   sentences, one for each thing that is wrong. */
const wrong = [];
const all = (selector) => Array.from(document.querySelectorAll(selector));
const nameOf = (node) => node.outerHTML.slice(0, 100);
const isShown = (node) => node.checkVisibility({ checkVisibilityCSS: true })
  && node.getClientRects().length > 0;
const fault = (condition, sentence) => { if (condition) { wrong.push(sentence); } };

/* --- document, landmarks, headings --- */
fault(!document.documentElement.lang, 'the document has no language');
fault(document.title.trim() === '', 'the document has no title');
for (const landmark of ['header', 'nav', 'main', 'footer']) {
  fault(all('body > ' + landmark).length !== 1, 'not one ' + landmark);
}
fault(all('h1').length !== 1, 'not one h1');
let level = 0;
for (const heading of all('h1, h2, h3, h4')) {
  const next = Number(heading.tagName[1]);

  fault(next > level + 1, 'a level is left out before ' + nameOf(heading));
  fault(heading.textContent.trim() === '', 'an empty heading');
  level = next;
}
for (const section of all('section')) {
  const label = document.getElementById(section.getAttribute('aria-labelledby'));

  fault(!label || label.textContent.trim() === '', 'a section has no name: ' + nameOf(section));
}

/* --- tables, fields, pictures --- */
for (const table of all('table')) {
  fault(!table.caption || table.caption.textContent.trim() === '', 'no caption: ' + nameOf(table));
  for (const head of table.querySelectorAll('th')) {
    fault(!['col', 'row'].includes(head.scope), 'a th without scope: ' + nameOf(head));
    fault(head.textContent.trim() === '', 'an empty th: ' + nameOf(head));
  }
  for (const row of table.tBodies[0].rows) {
    fault(row.cells.length !== table.tHead.rows[0].cells.length, 'cells: ' + nameOf(row));
  }
}
for (const field of all('input, select, textarea')) {
  fault(field.labels.length === 0, 'a field without label: ' + nameOf(field));
  fault(isShown(field) && field.getBoundingClientRect().height < 24, 'small: ' + nameOf(field));
}
for (const picture of all('svg')) {
  const outer = picture.parentElement.closest('svg');
  const hidden = picture.getAttribute('aria-hidden') === 'true';
  const named = picture.getAttribute('role') === 'img' && picture.getAttribute('aria-label');

  fault(!outer && !hidden && !named, 'a picture without name: ' + nameOf(picture));
}
for (const region of all('[tabindex="0"]')) {
  fault(!region.getAttribute('aria-label'), 'what is focused has no name: ' + nameOf(region));
}

/* --- ids and links --- */
const ids = new Set();
for (const node of all('[id]')) {
  fault(ids.has(node.id), 'twice the id ' + node.id);
  fault(/\s/.test(node.id), 'a blank in the id ' + node.id);
  ids.add(node.id);
}
for (const link of all('a, button')) {
  fault(link.textContent.trim() === '', 'no text: ' + nameOf(link));
  const href = link.getAttribute('href');

  fault(link.tagName === 'A' && (!href || href[0] !== '#'), 'it leads elsewhere: ' + nameOf(link));
  fault(href && !ids.has(href.slice(1)), 'it leads nowhere: ' + nameOf(link));
}
fault(all('[style], [onclick], [onload], iframe, object, embed, link, img, base').length > 0,
  'what the policy forbids');

/* --- width: the page does not scroll sideways --- */
fault(document.documentElement.scrollWidth > document.documentElement.clientWidth,
  'the page is ' + document.documentElement.scrollWidth + ' wide, the window '
  + document.documentElement.clientWidth);

/* --- contrast: WCAG's, 4.5, or 3 for large text --- */
const parse = (colour) => {
  const numbers = colour.match(/[\d.]+/g).map(Number);
  const scale = colour.startsWith('color(') ? 255 : 1;

  return [numbers[0] * scale, numbers[1] * scale, numbers[2] * scale,
    numbers.length > 3 ? numbers[3] : 1];
};
const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3]))
  .concat(1);
const backgroundOf = (node) => {
  const layers = [];

  for (let at = node; at; at = at.parentElement) {
    const colour = parse(getComputedStyle(at).backgroundColor);

    layers.push(colour);
    if (colour[3] === 1) { break; }
  }
  return layers.reduceRight((below, top) => over(top, below), [255, 255, 255, 1]);
};
const luminance = (colour) => {
  const [r, g, b] = colour.slice(0, 3).map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));

  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a, b) => {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);

  return (light + 0.05) / (dark + 0.05);
};
const seen = new Set();
let least = 21;
for (const node of all('body *')) {
  const own = Array.from(node.childNodes).some((child) => child.nodeType === Node.TEXT_NODE
    && child.data.trim() !== '');

  if (!own || ['SCRIPT', 'STYLE', 'OPTION'].includes(node.tagName) || !isShown(node)) { continue; }
  const style = getComputedStyle(node);
  const inDrawing = node instanceof SVGElement;
  const size = parseFloat(style.fontSize), bold = Number(style.fontWeight) >= 700;
  const background = backgroundOf(inDrawing ? node.closest('section') : node);
  const text = over(parse(inDrawing ? style.fill : style.color), background);
  const ratio = contrast(text, background);
  const want = size >= 24 || (bold && size >= 18.66) ? 3 : 4.5;
  const key = [style.color, background].join();

  least = Math.min(least, ratio);
  if (ratio < want && !seen.has(key)) {
    seen.add(key);
    wrong.push('contrast ' + ratio.toFixed(2) + ' of ' + nameOf(node));
  }
}
/* parts of bars and bands are told apart by their shape, too, but are to be seen: 3 */
for (const part of all('rect.runs, .flow rect')) {
  const ratio = contrast(parse(getComputedStyle(part).fill), backgroundOf(part.closest('section')));

  if (ratio < 3 && !seen.has(part.className.baseVal)) {
    seen.add(part.className.baseVal);
    wrong.push('contrast ' + ratio.toFixed(2) + ' of ' + nameOf(part));
  }
}
return { wrong: wrong, least: least, nodes: all('*').length };
