/* SPDX-License-Identifier: Apache-2.0 */
/* Filters of decisions, order of tables, copies of commands. Without it, the page is whole. */
(function () {
  'use strict';
  const byId = (id) => document.getElementById(id);
  const count = new Intl.NumberFormat('en');

  /* --- decisions --- */
  const list = byId('list');
  const controls = byId('controls');
  if (list && controls) {
    const regions = {};
    const words = (text) => (text || '').split(' ').filter((word) => word !== '');

    document.querySelectorAll('.tile').forEach((tile) => {
      regions[tile.dataset.cluster] = tile.closest('.region').dataset.region;
    });
    const entries = Array.from(list.querySelectorAll('.entry')).map((node) => {
      const clusters = words(node.dataset.cluster);
      const parts = Array.from(node.querySelectorAll('.workloads > li'));

      return { node: node, text: null, workloads: parts.length > 0 ? parts : [node],
        cluster: clusters, finding: words(node.dataset.finding), action: [node.dataset.action],
        region: clusters.map((name) => regions[name]).filter((name) => name) };
    });
    const filter = byId('filter'), others = list.querySelectorAll('.others');
    const selects = Array.from(controls.querySelectorAll('select'));
    const valuesOf = (entry, workload, name) => (
      name === 'namespace' ? [workload.dataset.namespace] : entry[name]);
    const total = entries.reduce((sum, entry) => sum + entry.workloads.length, 0);

    selects.forEach((select) => {
      const counts = {};

      entries.forEach((entry) => entry.workloads.forEach((workload) => {
        new Set(valuesOf(entry, workload, select.name)).forEach((value) => {
          counts[value] = (counts[value] || 0) + 1;
        });
      }));
      Object.keys(counts).sort().forEach((value) => {
        select.append(new Option((value || 'none') + ' (' + count.format(counts[value]) + ')',
          value));
      });
      select.parentElement.hidden = select.options.length < 3;
    });
    /* without the workloads of a folded entry: each of them has a text of its own */
    const textOf = (entry) => {
      if (entry.text === null) {
        entry.text = Array.from(entry.node.children)
          .filter((part) => !part.matches('.workloads') && !part.querySelector('.command'))
          .map((part) => part.textContent).join(' ').toLowerCase();
      }
      return entry.text;
    };
    const show = () => {
      const wanted = words(filter.value.toLowerCase());
      const chosen = selects.filter((select) => select.value !== '');
      let shown = 0;

      entries.forEach((entry) => {
        let left = 0;

        entry.workloads.forEach((workload) => {
          const own = workload === entry.node ? '' : workload.textContent.toLowerCase();
          const hide = !chosen.every((select) => (
            valuesOf(entry, workload, select.name).includes(select.value)))
            || !wanted.every((word) => textOf(entry).includes(word) || own.includes(word));

          left += hide ? 0 : 1;
          if (workload.hidden !== hide) { workload.hidden = hide; }
        });
        shown += left;
        entry.node.hidden = left === 0;
      });
      if (wanted.length + chosen.length > 0) { others.forEach((more) => { more.open = true; }); }
      byId('shown').value = count.format(shown) + ' of ' + count.format(total) + ' workloads';
    };
    let waiting = 0;

    filter.addEventListener('input', () => {
      clearTimeout(waiting);
      waiting = setTimeout(show, 120);
    });
    controls.addEventListener('change', show);
    controls.addEventListener('submit', (event) => { event.preventDefault(); show(); });
    /* a link to what the filter hides shows it */
    addEventListener('hashchange', () => {
      const target = byId(location.hash.slice(1));

      if (target && target.closest('[hidden]')) {
        controls.reset();
        show();
      }
    });
    controls.hidden = false;
    show();
  }

  /* --- links: open what encloses their target --- */
  const reveal = () => {
    const target = byId(location.hash.slice(1));

    for (let at = target; at; at = at.parentElement) {
      if (at.tagName === 'DETAILS') { at.open = true; }
    }
    if (target) { target.scrollIntoView(); }
  };
  addEventListener('hashchange', reveal);
  reveal();

  /* --- commands --- */
  document.querySelectorAll('code.command').forEach((code) => {
    const button = document.createElement('button');

    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => {
      const done = () => { button.textContent = 'Copied'; };

      getSelection().selectAllChildren(code);
      if (navigator.clipboard) {
        navigator.clipboard.writeText(code.textContent).then(done, () => {});
      } else if (document.execCommand('copy')) {
        done();
      }
    });
    code.after(button);
  });

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
