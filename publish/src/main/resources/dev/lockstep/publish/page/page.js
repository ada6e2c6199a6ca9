// SPDX-License-Identifier: Apache-2.0
// Tables: the search box hides rows, a click on a head sorts. Pictures: a click shows one in the whole window. Keys do the
// same: a table's heads are one stop, arrows go from head to head.
(function () {
  'use strict';
  const search = document.getElementById('search');
  if (search) {
    search.addEventListener('input', function () {
      const wanted = search.value.trim().toLowerCase();
      for (const row of document.querySelectorAll('tbody tr')) {
        row.hidden = wanted !== '' && !row.textContent.toLowerCase().includes(wanted);
      }
    });
  }

  function onKeys(element, action) {
    element.addEventListener('click', action);
    element.addEventListener('keydown', function (event) {
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        action();
      }
    });
  }

  for (const image of document.querySelectorAll('figure img')) {
    image.tabIndex = 0;
    onKeys(image, function () { image.classList.toggle('whole'); });
  }
  document.addEventListener('keydown', function (event) {
    if (event.key === 'Escape') {
      for (const image of document.querySelectorAll('img.whole')) image.classList.remove('whole');
    }
  });

  function number(text) {
    const cleaned = text.replace(/,/g, '').replace('\u2212', '-');
    return cleaned === '' || isNaN(cleaned) ? -Infinity : Number(cleaned);
  }

  function sort(head) {
    const table = head.closest('table');
    const place = Array.prototype.indexOf.call(head.parentNode.children, head);
    const down = head.getAttribute('aria-sort') === 'ascending';
    for (const other of head.parentNode.children) other.removeAttribute('aria-sort');
    head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    const numeric = head.classList.contains('n');
    const body = table.tBodies[0];
    const rows = Array.from(body.rows);
    rows.sort(function (a, b) {
      const x = a.cells[place].textContent;
      const y = b.cells[place].textContent;
      const order = numeric ? Math.sign(number(x) - number(y)) || 0 : x.localeCompare(y, 'en');
      return down ? -order : order;
    });
    rows.forEach(function (row) { body.appendChild(row); });
  }

  for (const row of document.querySelectorAll('thead tr')) {
    const heads = Array.from(row.cells);
    heads.forEach(function (head, i) {
      head.tabIndex = i === 0 ? 0 : -1;
      onKeys(head, function () { sort(head); });
      head.addEventListener('keydown', function (event) {
        const next = heads[i + (event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0)];
        if (next && next !== head) {
          event.preventDefault();
          head.tabIndex = -1;
          next.tabIndex = 0;
          next.focus();
        }
      });
    });
  }
  document.documentElement.dataset.ready = 'true';
})();
