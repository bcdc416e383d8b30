/* SPDX-License-Identifier: Apache-2.0 */
/* Filter and order of the decisions, and of tables. Without it, the page is whole. */
(function () {
  'use strict';
  const byId = (id) => document.getElementById(id);
  const count = new Intl.NumberFormat('en');

  /* --- decisions --- */
  const list = byId('list');
  const controls = byId('controls');
  if (list && controls) {
    const all = Array.from(list.children).map((node) => (
      { node: node, state: node.dataset.state, rank: Number(node.dataset.rank),
        replicas: Number(node.dataset.replicas), name: node.id, text: null }));
    const filter = byId('filter'), state = byId('state'), order = byId('order');
    const states = {};

    all.forEach((row) => { states[row.state] = (states[row.state] || 0) + 1; });
    Object.keys(states).sort().forEach((name) => {
      state.append(new Option(name + ' (' + count.format(states[name]) + ')', name));
    });
    const matches = (row, words) => {
      if (state.value && row.state !== state.value) { return false; }
      if (words.length === 0) { return true; }
      if (row.text === null) { row.text = row.node.textContent.toLowerCase(); }
      return words.every((word) => row.text.includes(word));
    };
    const show = () => {
      const words = filter.value.toLowerCase().split(/\s+/).filter((word) => word !== '');
      let shown = 0;

      all.forEach((row) => {
        const hide = !matches(row, words);

        shown += hide ? 0 : 1;
        if (row.node.hidden !== hide) { row.node.hidden = hide; }
      });
      byId('shown').value = count.format(shown) + ' of ' + count.format(all.length) + ' shown';
    };
    const compare = {
      rank: (a, b) => a.rank - b.rank,
      name: (a, b) => (a.name < b.name ? -1 : 1),
      replicas: (a, b) => b.replicas - a.replicas || a.rank - b.rank,
    };
    let waiting = 0;

    filter.addEventListener('input', () => {
      clearTimeout(waiting);
      waiting = setTimeout(show, 120);
    });
    state.addEventListener('change', show);
    order.addEventListener('change', () => {
      all.sort(compare[order.value]);
      list.append(...all.map((row) => row.node));
    });
    controls.addEventListener('submit', (event) => { event.preventDefault(); show(); });
    /* a link to what the filter hides shows it */
    const reveal = () => {
      const target = byId(location.hash.slice(1));

      if (target && target.hidden) {
        filter.value = state.value = '';
        show();
        target.scrollIntoView();
      }
    };
    addEventListener('hashchange', reveal);
    controls.hidden = false;
    show();
  }

  /* --- tables --- */
  const valueOf = (row, column) => {
    const cell = row.cells[column];
    const text = cell.dataset.value || cell.textContent;
    const number = Number(text.replace(/,/g, ''));

    return text.trim() === '' || Number.isNaN(number) ? text : number;
  };
  const compareValues = (a, b) => {
    if (typeof a === 'number' && typeof b === 'number') { return a - b; }
    return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
  };
  document.querySelectorAll('thead th').forEach((head) => {
    const button = document.createElement('button');
    const table = head.closest('table');

    button.type = 'button';
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      const down = head.getAttribute('aria-sort') === 'descending';
      const column = head.cellIndex, body = table.tBodies[0];
      const rows = Array.from(body.rows).map((row) => [valueOf(row, column), row]);

      table.querySelectorAll('thead th').forEach((other) => other.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort', down ? 'ascending' : 'descending');
      rows.sort((a, b) => (down ? 1 : -1) * compareValues(a[0], b[0]));
      body.append(...rows.map((row) => row[1]));
    });
  });
}());
