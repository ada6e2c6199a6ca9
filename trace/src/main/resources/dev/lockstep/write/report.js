// SPDX-License-Identifier: Apache-2.0
// Draws the report from the data in the page. Texts of the data reach the page through textContent and title only.
(() => {
  'use strict';

  const ROWS_AT_ONCE = 100;
  const DEEPEST_DETAIL = 6;
  const COLOURS = 8;
  const root = document.documentElement;
  const main = document.getElementById('content');
  const tip = document.getElementById('tip');

  // ---- Small tools -------------------------------------------------------------------------------------------------

  /** An element with properties and children; a child that is a string becomes text. */
  function make(tag, properties, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties || {})) {
      if (name in element && !name.startsWith('aria-')) {
        element[name] = value;
      } else {
        element.setAttribute(name, value);
      }
    }
    element.append(...children);
    return element;
  }

  const formats = new Map();

  /** A number with grouped thousands and this many decimals, or at least that many where a second number is given. */
  function grouped(value, digits, least = digits) {
    const key = `${least}-${digits}`;
    if (!formats.has(key)) {
      formats.set(key, new Intl.NumberFormat('en-US', { minimumFractionDigits: least, maximumFractionDigits: digits }));
    }
    return formats.get(key).format(value);
  }

  /** A number alone, with about four significant digits. */
  function brief(value) {
    const size = Math.abs(value);
    if (size === 0 || Number.isInteger(value)) {
      return grouped(value, 0);
    }
    if (size < 1e-4) {
      return value.toPrecision(3);
    }
    return grouped(value, Math.max(0, Math.min(7, 3 - Math.floor(Math.log10(size)))), 0);
  }

  const TIME_UNITS = [['s', 1e9], ['ms', 1e6], ['µs', 1e3], ['ns', 1]];

  /** The unit in which a length of time reads well. */
  function timeUnit(nanoseconds) {
    return TIME_UNITS.find(([, size]) => nanoseconds >= size) || TIME_UNITS[3];
  }

  function duration(nanoseconds) {
    const [unit, size] = timeUnit(Math.abs(nanoseconds));
    return `${brief(nanoseconds / size)} ${unit}`;
  }

  // ---- Colours: one name, one colour, in every chart ---------------------------------------------------------------

  const colours = new Map();
  const SAME = new Map([['compute', 'computation'], ['memory', 'copies']]);

  function colourOf(title) {
    const plain = title.replace(/^exposed[ _]/i, '');
    const name = SAME.get(plain) || plain;
    if (!colours.has(name)) {
      const idle = /(^|[^a-z])idle/i.test(name);
      const used = [...colours.values()].filter((c) => c !== '--idle').length;
      colours.set(name, idle ? '--idle' : `--c${used % COLOURS}`);
    }
    return colours.get(name);
  }

  function resolved(variable) {
    return getComputedStyle(root).getPropertyValue(variable).trim();
  }

  /** Dark or light ink, whichever reads better on a colour such as #0072b2. */
  function inkOn(hex) {
    const [r, g, b] = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
    return 0.299 * r + 0.587 * g + 0.114 * b > 140 ? '#10161d' : '#ffffff';
  }

  const repaints = [];
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => repaints.forEach((paint) => paint()));

  function legend(names, hovered) {
    const list = make('ul', { className: 'legend' });
    for (const name of names) {
      const swatch = make('i');
      swatch.style.background = `var(${colourOf(name)})`;
      const item = make('li', {}, swatch, name);
      if (hovered) {
        item.addEventListener('pointerenter', () => hovered(name));
        item.addEventListener('pointerleave', () => hovered(null));
      }
      list.append(item);
    }
    return list;
  }

  // ---- Tooltips: whatever has a title, and table cells -------------------------------------------------------------

  let tipOwner = null;

  function showTip(text, x, y) {
    tip.textContent = text;
    tip.hidden = false;
    const width = tip.offsetWidth;
    const height = tip.offsetHeight;
    tip.style.left = `${Math.max(4, Math.min(x + 12, innerWidth - width - 8))}px`;
    tip.style.top = `${Math.max(4, y + 18 + height > innerHeight ? y - height - 10 : y + 18)}px`;
  }

  function hideTip() {
    tip.hidden = true;
    if (tipOwner) {
      tipOwner.title = tipOwner.dataset.tip;
      delete tipOwner.dataset.tip;
      tipOwner.removeAttribute('aria-describedby');
      tipOwner = null;
    }
  }

  /** Takes the title over, lest the browser show it a second time. */
  function ownTip(element, x, y) {
    if (element === tipOwner) {
      return;
    }
    hideTip();
    tipOwner = element;
    element.dataset.tip = element.title;
    element.removeAttribute('title');
    element.setAttribute('aria-describedby', 'tip');
    showTip(element.dataset.tip, x, y);
  }

  document.addEventListener('pointerover', (event) => {
    const owner = event.target.closest('[title], [data-tip]');
    if (owner) {
      ownTip(owner, event.clientX, event.clientY);
      return;
    }
    hideTip();
    const cell = event.target.closest('.sheet > table > tbody > tr > td');
    const text = cell && cell.parentElement.exact ? cell.parentElement.exact(cell) : '';
    if (text) {
      showTip(text, event.clientX, event.clientY);
    }
  });
  document.addEventListener('focusin', (event) => {
    const owner = event.target.closest('[title], [data-tip]');
    if (owner && event.target.matches(':focus-visible')) {
      const box = owner.getBoundingClientRect();
      ownTip(owner, box.left, box.bottom - 12);
    }
  });
  document.addEventListener('focusout', hideTip);
  document.addEventListener('scroll', hideTip, true);
  document.addEventListener('keydown', (event) => event.key === 'Escape' && hideTip());

  // ---- Facts and findings ------------------------------------------------------------------------------------------

  function facts(section) {
    const list = make('dl', { className: 'facts' });
    for (const fact of section.facts) {
      const card = make('div', {}, make('dt', {}, fact.label), make('dd', { className: fact.value.length > 24 ? 'long' : '' }, fact.value));
      if (fact.doc) {
        card.title = fact.doc;
        card.tabIndex = 0;
      }
      list.append(card);
    }
    return list;
  }

  const RANKS = ['problem', 'notice', 'info'];
  const SHAPES = {
    problem: 'M8 1.5 15 14H1Z M7.2 6h1.6v4H7.2Z M7.2 11h1.6v1.6H7.2Z',
    notice: 'M8 1 15 8 8 15 1 8Z M7.2 4.6h1.6v4.4H7.2Z M7.2 10h1.6v1.6H7.2Z',
    info: 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1Z M7.2 7h1.6v5H7.2Z M7.2 4.2h1.6v1.6H7.2Z',
  };

  function icon(severity) {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('viewBox', '0 0 16 16');
    svg.setAttribute('class', severity);
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', severity);
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    path.setAttribute('d', SHAPES[severity]);
    path.setAttribute('fill', 'currentColor');
    path.setAttribute('fill-rule', 'evenodd');
    svg.append(path);
    return svg;
  }

  function findings(section, body) {
    const ranked = [...section.findings].sort((a, b) => RANKS.indexOf(a.severity) - RANKS.indexOf(b.severity));
    const list = make('ul', { className: 'findings' });
    for (const finding of ranked) {
      const words = make('div', {}, make('span', {}, finding.text));
      if (finding.basis) {
        words.append(make('span', { className: 'basis' }, finding.basis));
      }
      list.append(make('li', {}, icon(finding.severity), words));
    }
    body.append(ranked.length ? list : make('p', { className: 'note' }, 'Nothing stands out.'));
  }

  // ---- Stacked bars ------------------------------------------------------------------------------------------------

  function bars(chart, body) {
    const grid = make('div', { className: 'bars' });
    const clean = (value) => (value > 0 ? value : 0);
    const totals = chart.bars.map((bar) => bar.values.reduce((sum, value) => sum + clean(value), 0));
    const longest = Math.max(...totals, 0) || 1;
    const unit = chart.unit ? ` ${chart.unit}` : '';
    chart.parts.forEach(colourOf); // in the order of the legend, so that pages of one kind agree
    const highlight = (name) => {
      grid.classList.toggle('one', name !== null);
      grid.querySelectorAll('.part').forEach((part) => part.classList.toggle('chosen', part.part_ === name));
    };
    chart.bars.forEach((bar, i) => {
      const track = make('div', { className: 'track', role: 'img' });
      const spoken = [];
      bar.values.forEach((value, p) => {
        const share = totals[i] ? clean(value) / totals[i] : 0;
        const text = `${chart.parts[p]}: ${brief(clean(value))}${unit} (${brief(100 * share)} %)`;
        spoken.push(text);
        const width = (100 * clean(value)) / longest;
        if (width > 0) {
          const part = make('div', { className: 'part', title: `${bar.label}\n${text}` });
          part.part_ = chart.parts[p];
          part.style.width = `${width}%`;
          part.style.background = `var(${colourOf(chart.parts[p])})`;
          part.textContent = width > 5 ? `${Math.round(100 * share)} %` : '';
          const paint = () => { part.style.color = inkOn(resolved(colourOf(chart.parts[p]))); };
          paint();
          repaints.push(paint);
          track.append(part);
        }
      });
      track.setAttribute('aria-label', `${bar.label}. ${spoken.join('; ')}`);
      grid.append(
        make('div', { className: 'label', title: bar.label }, bar.label),
        track,
        make('div', { className: 'total' }, `${brief(totals[i])}${unit}`),
      );
    });
    body.append(legend(chart.parts, highlight), grid);
  }

  // ---- Timeline ----------------------------------------------------------------------------------------------------

  let lastPageWheel = 0;
  document.addEventListener('wheel', (event) => {
    if (!event.target.closest('.strip')) {
      lastPageWheel = event.timeStamp;
    }
  }, { passive: true });

  /** However little runs, so many pixels show it. */
  const LEAST_HEIGHT = 3;

  /** Adds to each pixel how much of it lies between two places, times a share. */
  function spread(pixels, left, right, share) {
    for (let x = Math.floor(left); x < right; x++) {
      pixels[x] += (Math.min(right, x + 1) - Math.max(left, x)) * share;
    }
  }

  function timeline(chart, body, id) {
    const rows = chart.rows.map(unpacked);
    const canvas = make('canvas', { tabIndex: 0, role: 'img' });
    canvas.setAttribute('aria-label', `${chart.title}: ${rows.length} streams over ${duration(chart.length)}. `
      + 'Plus and minus zoom, arrows move, 0 shows everything.');
    const range = make('span', { className: 'grow', 'aria-live': 'polite' });
    const strip = make('div', { className: 'strip' }, canvas);
    const rowHeight = rows.length > 40 ? 14 : rows.length > 16 ? 18 : 26;
    const axisHeight = 26;
    const height = axisHeight + rows.length * rowHeight + 4;
    const gutter = Math.min(190, 24 + 7 * Math.max(...rows.map((row) => row.label.length), 4));
    const smallest = Math.min(20, chart.length || 20);
    const whole = () => ({ from: 0, to: chart.length || 1 });
    let view = whole();
    let width = 0;

    const span = () => view.to - view.from;
    const xOf = (time) => gutter + ((time - view.from) / span()) * (width - gutter);
    const timeAt = (x) => view.from + ((x - gutter) / (width - gutter)) * span();

    function show(from, to) {
      const length = Math.max(smallest, Math.min(to - from, whole().to));
      const start = Math.max(0, Math.min(from, whole().to - length));
      view = { from: start, to: start + length };
      draw();
    }

    function zoom(factor, at) {
      const centre = at === undefined ? (view.from + view.to) / 2 : at;
      show(centre - (centre - view.from) * factor, centre + (view.to - centre) * factor);
    }

    function draw() {
      width = canvas.clientWidth || 1000;
      const scale = devicePixelRatio || 1;
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
      canvas.style.height = `${height}px`;
      const pen = canvas.getContext('2d');
      pen.scale(scale, scale);
      pen.font = `12px ${getComputedStyle(document.body).fontFamily}`;
      pen.textBaseline = 'middle';
      drawAxis(pen);
      rows.forEach((row, i) => drawRow(pen, row, axisHeight + i * rowHeight));
      range.textContent = span() >= whole().to
        ? `All of ${duration(chart.length)}`
        : `${duration(view.from)} to ${duration(view.to)}: ${duration(span())} of ${duration(chart.length)}`;
    }

    function drawAxis(pen) {
      const ideal = (span() / Math.max(2, (width - gutter) / 110));
      const power = 10 ** Math.floor(Math.log10(ideal));
      const step = Math.max(1, [1, 2, 5, 10].find((m) => m * power >= ideal) * power);
      const [unit, size] = timeUnit(Math.max(step, view.to / 1000));
      const digits = Math.max(0, Math.min(9, -Math.floor(Math.log10(step / size) + 1e-9)));
      pen.strokeStyle = resolved('--line');
      pen.fillStyle = resolved('--soft');
      pen.textAlign = 'center';
      for (let n = Math.ceil(view.from / step); n * step <= view.to; n++) {
        const x = Math.round(xOf(n * step)) + 0.5;
        pen.beginPath();
        pen.moveTo(x, axisHeight - 5);
        pen.lineTo(x, height);
        pen.stroke();
        const label = `${grouped((n * step) / size, digits)} ${unit}`;
        const half = pen.measureText(label).width / 2;
        pen.fillText(label, Math.max(gutter + half, Math.min(x, width - half - 4)), axisHeight / 2 - 1);
      }
    }

    function drawRow(pen, row, top) {
      const label = fitted(pen, row.label, gutter - 16);
      pen.textAlign = 'left';
      pen.fillStyle = resolved('--soft');
      pen.fillText(label, 10, top + rowHeight / 2);
      pen.save();
      pen.beginPath();
      pen.rect(gutter, top, width - gutter, rowHeight);
      pen.clip();
      const paints = chart.classes.map((name) => resolved(colourOf(name)));
      // Of what is narrower than a pixel, or was busy for a part of its time only, the height is the share of the time.
      const shares = chart.classes.map(() => new Float32Array(Math.ceil(width) + 1));
      for (let i = firstReaching(row, view.from); i < row.start.length && row.start[i] <= view.to; i++) {
        const left = xOf(row.start[i]);
        const right = xOf(row.start[i] + row.duration[i]);
        const share = row.busy[i] < row.duration[i] ? row.busy[i] / row.duration[i] : 1;
        if (right - left < 1 || share < 1) {
          spread(shares[row.class[i]], Math.max(left, gutter), Math.min(right, width), share);
          continue;
        }
        pen.fillStyle = paints[row.class[i]];
        pen.fillRect(left, top + 2, right - left - (right - left > 3 ? 0.6 : 0), rowHeight - 4);
        if (right - left > 42 && row.name[i] >= 0 && rowHeight >= 14) {
          pen.fillStyle = inkOn(pen.fillStyle);
          const visible = Math.max(left, gutter);
          pen.fillText(fitted(pen, chart.names[row.name[i]], Math.min(right, width) - visible - 8), visible + 4, top + rowHeight / 2);
        }
      }
      const bottom = top + rowHeight - 2;
      const least = LEAST_HEIGHT / (rowHeight - 4);
      for (let x = Math.floor(gutter); x < width; x++) {
        const heights = shares.map((all) => (all[x] > 0 ? Math.max(least, Math.min(1, all[x])) : 0));
        const scale = (rowHeight - 4) / Math.max(1, heights.reduce((sum, height) => sum + height, 0));
        let level = bottom;
        heights.forEach((height, c) => {
          if (height > 0) {
            pen.fillStyle = paints[c];
            pen.fillRect(x, level - height * scale, 1, height * scale);
            level -= height * scale;
          }
        });
      }
      pen.restore();
    }

    function describe(x, y) {
      const row = rows[Math.floor((y - axisHeight) / rowHeight)];
      if (!row || y < axisHeight) {
        return '';
      }
      if (x < gutter) {
        return row.label;
      }
      const time = timeAt(x);
      const slack = (2 * span()) / (width - gutter);
      let best = -1;
      let distance = slack;
      for (let i = firstReaching(row, time - slack); i < row.start.length && row.start[i] <= time + slack; i++) {
        const away = Math.max(row.start[i] - time, time - row.start[i] - row.duration[i], 0);
        if (away < distance || (away === 0 && distance === 0)) {
          best = i;
          distance = away;
        }
      }
      if (best < 0) {
        return '';
      }
      const merged = row.merged[best];
      if (row.busy[best] < row.duration[best] || merged === 0) {
        return `${joined(row, best)}\n${row.label}\n`
          + `${duration(row.start[best])} to ${duration(row.start[best] + row.duration[best])}`;
      }
      const what = merged > 1 ? `${grouped(merged, 0)} slices, joined` : chart.names[row.name[best]] || 'unnamed';
      return `${what}\n${chart.classes[row.class[best]] || 'other'} · ${row.label}\n`
        + `start ${duration(row.start[best])} · duration ${duration(row.duration[best])}`;
    }

    /** What was joined into one place, a line for each class. */
    function joined(row, at) {
      const lines = [];
      for (let i = row.start.indexOf(row.start[at]); row.start[i] === row.start[at]; i++) {
        const share = Math.round((100 * row.busy[i]) / row.duration[i]);
        lines.push(`${chart.classes[row.class[i]] || 'other'}: ${share || '<1'} % of the time, `
          + `${grouped(row.merged[i], 0)} begin here`);
      }
      return lines.join('\n');
    }

    let drag = null;
    canvas.addEventListener('pointerdown', (event) => {
      if (event.button === 0) {
        drag = { x: event.clientX, view };
        canvas.setPointerCapture(event.pointerId);
        canvas.classList.add('moving');
      }
    });
    canvas.addEventListener('pointermove', (event) => {
      const box = canvas.getBoundingClientRect();
      if (drag) {
        const moved = ((drag.x - event.clientX) / (width - gutter)) * (drag.view.to - drag.view.from);
        show(drag.view.from + moved, drag.view.to + moved);
        hideTip();
        return;
      }
      const text = describe(event.clientX - box.left, event.clientY - box.top);
      if (text) {
        showTip(text, event.clientX, event.clientY);
      } else {
        hideTip();
      }
    });
    for (const end of ['pointerup', 'pointercancel']) {
      canvas.addEventListener(end, () => {
        drag = null;
        canvas.classList.remove('moving');
      });
    }
    canvas.addEventListener('pointerleave', hideTip);
    canvas.addEventListener('dblclick', () => show(0, whole().to));
    canvas.addEventListener('wheel', (event) => {
      // Whoever scrolls the page past the strip wants to get past it.
      if (event.timeStamp - lastPageWheel < 350) {
        lastPageWheel = event.timeStamp;
        return;
      }
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        const moved = (event.deltaX / width) * span();
        show(view.from + moved, view.to + moved);
      } else if (event.deltaY < 0 || span() < whole().to) {
        zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY / 300))), timeAt(event.clientX - canvas.getBoundingClientRect().left));
      } else {
        return;
      }
      hideTip();
      event.preventDefault();
    }, { passive: false });
    const keys = {
      '+': () => zoom(0.6),
      '=': () => zoom(0.6),
      '-': () => zoom(1 / 0.6),
      ArrowLeft: () => show(view.from - span() / 5, view.to - span() / 5),
      ArrowRight: () => show(view.from + span() / 5, view.to + span() / 5),
      Home: () => show(0, span()),
      End: () => show(whole().to - span(), whole().to),
      0: () => show(0, whole().to),
    };
    canvas.addEventListener('keydown', (event) => {
      if (keys[event.key] && !event.ctrlKey && !event.metaKey) {
        keys[event.key]();
        event.preventDefault();
      }
    });

    const button = (label, title, action) => make('button', { type: 'button', title, onclick: action, 'aria-label': title }, label);
    body.append(
      legend(chart.classes),
      make('div', { className: 'tools' }, range,
        button('−', 'Zoom out (key −)', () => zoom(1 / 0.6)),
        button('+', 'Zoom in (key +)', () => zoom(0.6)),
        button('Show all', 'Show everything (double click, key 0)', () => show(0, whole().to))),
      strip,
    );
    const asked = new RegExp(`^#${id}:(\\d+)-(\\d+)$`).exec(location.hash);
    if (asked) {
      view = { from: Math.min(+asked[1], chart.length - smallest), to: Math.min(+asked[2], chart.length) };
    }
    repaints.push(draw);
    new ResizeObserver(draw).observe(canvas);
    draw();
  }

  /** Starts as times instead of steps; and for each slice the latest end up to it, so that a search can halve. */
  function unpacked(row) {
    let time = 0;
    let latest = 0;
    const start = row.start.map((step) => (time += step));
    const reach = start.map((from, i) => (latest = Math.max(latest, from + row.duration[i])));
    return { ...row, start, reach, busy: row.busy || row.duration };
  }

  /** The first slice that ends at a time or later. */
  function firstReaching(row, time) {
    let low = 0;
    let high = row.reach.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (row.reach[middle] < time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  function fitted(pen, text, width) {
    const most = Math.floor(width / 4);
    let shown = text.length > most ? text.slice(0, Math.max(0, most)) : text;
    if (shown === text && pen.measureText(text).width <= width) {
      return text;
    }
    while (shown && pen.measureText(`${shown}…`).width > width) {
      shown = shown.slice(0, Math.floor(shown.length * 0.9));
    }
    return shown ? `${shown}…` : '';
  }

  // ---- Tables ------------------------------------------------------------------------------------------------------

  const isNumber = (column) => column.type === 'long' || column.type === 'double';
  const isStructured = (column) => column.type === 'json' || column.type === 'arguments';

  /** The value of a cell: a number, a truth value, a text, or null. */
  function valueOf(column, row) {
    const cell = column.cells[row];
    return cell !== null && column.texts ? column.texts[cell] : cell;
  }

  /** How the numbers of a column are shown: equal decimals below one another, as many as the largest one deserves. */
  function formatOf(column) {
    const numbers = column.cells.filter((cell) => typeof cell === 'number');
    const largest = numbers.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const whole = numbers.every(Number.isInteger);
    const digits = whole ? 0
      : column.role === 'percent' ? 2
        : Math.max(1, Math.min(8, 4 - Math.ceil(Math.log10(largest || 1))));
    return (value) => {
      if (typeof value !== 'number') {
        return value;
      }
      if (column.role === 'id') {
        return String(value);
      }
      const shown = grouped(value, digits);
      return value !== 0 && !/[1-9]/.test(shown) ? value.toPrecision(2) : shown;
    };
  }

  /** Whether the header says the unit, in our spelling or as ascii. */
  function namesUnit(column) {
    const words = column.header.toLowerCase().split(/[^a-zµ%]+/);
    const unit = column.unit.toLowerCase();
    return column.header.includes(column.unit) || words.includes(unit) || words.includes(unit.replace('µ', 'u'))
      || (unit === 'b' && words.includes('bytes')) || (unit === '%' && words.includes('pct'));
  }

  /** A header that may go on in the next line after each underscore. */
  function breakable(header) {
    return header.split(/(?<=_)/).flatMap((word, i) => (i ? [make('wbr'), word] : [word]));
  }

  function exactText(column, value) {
    return column.unit && isNumber(column) ? `${value} ${column.unit}` : String(value);
  }

  function table(section, body) {
    const columns = section.columns;
    if (section.total === 0) {
      body.append(make('p', { className: 'note' }, 'No rows.'));
      return;
    }
    const shows = columns.map((column) => (isNumber(column) ? formatOf(column) : (value) => String(value)));
    const searched = Array.from({ length: section.rows }, (_, row) => columns
      .map((column) => valueOf(column, row)).filter((value) => value !== null).join('\n').toLowerCase());
    const all = Array.from({ length: section.rows }, (_, row) => row);
    let order = all;
    let sorted = { column: -1, down: false };
    let query = '';
    let drawn = 0;

    const head = make('tr', {}, make('th', { className: 'opener' }));
    const rowsBody = make('tbody');
    const sheet = make('div', { className: 'sheet', tabIndex: 0, role: 'region', 'aria-label': section.name },
      make('table', {}, make('thead', {}, head), rowsBody));
    const count = make('span', { className: 'grow', 'aria-live': 'polite' });

    columns.forEach((column, c) => {
      const button = make('button', { type: 'button', title: `${column.header}\n${column.doc}` }, ...breakable(column.header));
      if (column.unit && !namesUnit(column)) {
        button.append(make('span', { className: 'unit' }, ` ${column.unit}`));
      }
      // Wide enough for two lines, so that long names neither tower nor push the numbers apart.
      const length = column.header.length;
      button.style.minWidth = `${Math.min(length, 22, length / 2 + 3) + 4}ch`;
      button.addEventListener('click', () => sortBy(c));
      const kind = (isNumber(column) ? 'number' : '') + (c === 0 ? ' first' : '');
      head.append(make('th', { scope: 'col', className: kind, 'aria-sort': 'none' }, button));
    });

    function sortBy(c) {
      const natural = isNumber(columns[c]);
      sorted = { column: c, down: sorted.column === c ? !sorted.down : natural };
      [...head.children].slice(1).forEach((th, i) => th.setAttribute('aria-sort',
        i !== c ? 'none' : sorted.down ? 'descending' : 'ascending'));
      refresh();
    }

    function compare(column) {
      const sign = sorted.down ? -1 : 1;
      return (a, b) => {
        const x = valueOf(column, a);
        const y = valueOf(column, b);
        if (x === null || y === null) {
          return x === y ? a - b : x === null ? 1 : -1;
        }
        const difference = isNumber(column) ? Number(x) - Number(y) : x < y ? -1 : x > y ? 1 : 0;
        return sign * difference || a - b;
      };
    }

    function refresh() {
      const words = query.toLowerCase().split(/\s+/).filter(Boolean);
      order = words.length ? all.filter((row) => words.every((word) => searched[row].includes(word))) : all.slice();
      if (sorted.column >= 0) {
        order.sort(compare(columns[sorted.column]));
      }
      rowsBody.replaceChildren();
      drawn = 0;
      more();
      sheet.scrollTop = 0;
      const total = grouped(section.rows, 0);
      count.textContent = words.length ? `${grouped(order.length, 0)} of ${total} rows` : `${total} rows`;
    }

    function more() {
      const next = order.slice(drawn, drawn + ROWS_AT_ONCE).map(rowElement);
      rowsBody.append(...next);
      drawn += next.length;
    }

    function rowElement(row) {
      const opener = make('button', { type: 'button', 'aria-expanded': 'false', 'aria-label': 'Show the whole row' }, '›');
      const tr = make('tr', {}, make('td', { className: 'opener' }, opener));
      columns.forEach((column, c) => {
        const value = valueOf(column, row);
        const td = make('td', { className: c === 0 ? 'first' : '' });
        td.textContent = value === null ? '' : column.type === 'bool' ? (value ? 'yes' : 'no') : shows[c](value);
        if (isNumber(column)) {
          td.classList.add('number');
        }
        if (isStructured(column)) {
          td.classList.add('code');
        }
        if (column.role === 'percent') {
          td.classList.add('percent');
        }
        if (column.role === 'percent' && value > 0) {
          td.classList.add('share');
          td.style.setProperty('--part', `${Math.min(100, value)}%`);
        }
        tr.append(td);
      });
      tr.exact = (td) => {
        const column = columns[td.cellIndex - 1];
        const value = column ? valueOf(column, row) : null;
        if (value === null || column.type === 'bool') {
          return '';
        }
        if (isNumber(column)) {
          return exactText(column, value);
        }
        return td.scrollWidth > td.clientWidth ? value.slice(0, 2000) : '';
      };
      opener.addEventListener('click', () => toggle(tr, row, opener));
      return tr;
    }

    function toggle(tr, row, opener) {
      const open = opener.getAttribute('aria-expanded') === 'true';
      opener.setAttribute('aria-expanded', String(!open));
      if (open) {
        tr.nextSibling.remove();
        return;
      }
      const list = make('dl');
      for (const column of columns) {
        const value = valueOf(column, row);
        list.append(make('dt', { title: column.doc }, column.header),
          make('dd', {}, value === null ? '' : isStructured(column) ? structure(value) : exactText(column, value)));
      }
      tr.after(make('tr', { className: 'detail' }, make('td', { colSpan: columns.length + 1 }, list)));
    }

    const search = make('input', { type: 'search', placeholder: 'Search all columns', 'aria-label': `Search ${section.name}` });
    search.addEventListener('input', () => {
      query = search.value;
      refresh();
    });
    sheet.addEventListener('scroll', () => {
      if (drawn < order.length && sheet.scrollTop + sheet.clientHeight > sheet.scrollHeight - 400) {
        more();
      }
    });
    const tools = make('div', { className: 'tools' });
    if (section.rows > 8) {
      tools.append(search);
    }
    tools.append(count);
    body.append(tools, sheet);
    if (section.rows < section.total) {
      body.append(make('p', { className: 'note' }, `The first ${grouped(section.rows, 0)} of ${grouped(section.total, 0)} rows; `
        + `the other ${grouped(section.total - section.rows, 0)} are in the CSV and the workbook.`));
    }
    refresh();
  }

  /** A structured value, laid out: records as a small table, everything else as text. */
  function structure(json) {
    try {
      const value = laidOut(JSON.parse(json), 0);
      return typeof value === 'string' ? json : value;
    } catch (e) {
      return json;
    }
  }

  function laidOut(value, depth) {
    const isRecord = (v) => v !== null && typeof v === 'object' && !Array.isArray(v);
    if (Array.isArray(value) && value.length && value.every(isRecord) && depth < DEEPEST_DETAIL) {
      const names = [...new Set(value.flatMap(Object.keys))];
      const head = make('tr', {}, ...names.map((name) => make('th', {}, name)));
      const lines = value.map((record) => make('tr', {}, ...names.map((name) => make('td', {},
        name in record ? laidOut(record[name], depth + 1) : ''))));
      return make('table', {}, head, ...lines);
    }
    if (isRecord(value) && depth < DEEPEST_DETAIL) {
      return make('table', {}, ...Object.entries(value).map(([name, v]) => make('tr', {},
        make('th', {}, name), make('td', {}, laidOut(v, depth + 1)))));
    }
    if (typeof value === 'number') {
      return brief(value);
    }
    return typeof value === 'string' ? value : JSON.stringify(value);
  }

  // ---- Files -------------------------------------------------------------------------------------------------------

  function files(section, body) {
    const list = make('ul', { className: 'files' });
    for (const link of section.links) {
      const item = make('li', {}, make('a', { href: link.target }, link.label));
      if (link.doc) {
        item.append(' ', make('span', { className: 'basis' }, link.doc));
      }
      list.append(item);
    }
    body.append(list);
  }

  // ---- The page ----------------------------------------------------------------------------------------------------

  function draw(report) {
    const contents = make('ol');
    const links = new Map();
    const counters = {};
    const header = make('header', {}, make('h1', {}, report.title));
    if (report.subtitle) {
      header.append(make('p', { className: 'subtitle' }, report.subtitle));
    }
    main.append(header);

    // Where the class of a chart first appears decides its colour, so that charts agree.
    const tools = { make, brief, colourOf, resolved, legend, repaints, showTip, hideTip };
    const painters = { findings, links: files, bars, timeline, table, ...vectorCharts(tools) };
    for (const section of report.sections) {
      if (section.kind === 'facts') {
        header.append(facts(section));
        continue;
      }
      if (section.kind === 'not-applicable') {
        main.append(make('p', { className: 'quiet' }, make('strong', {}, section.name), ` is not here: ${section.reason}.`
          .replace(/\.\.$/, '.')));
        continue;
      }
      counters[section.kind] = (counters[section.kind] || 0) + 1;
      const id = `${section.kind}-${counters[section.kind]}`;
      const body = make('section', { id, 'aria-labelledby': `${id}-title` }, make('h2', { id: `${id}-title` }, section.title));
      const note = section.kind === 'table' && section.name !== section.title ? `Sheet ${section.name}` : section.doc;
      if (note) {
        body.append(make('p', { className: 'doc' }, note));
      }
      main.append(body);
      painters[section.kind](section, body, id);
      const link = make('a', { href: `#${id}`, title: section.title }, section.title);
      links.set(body, link);
      contents.append(make('li', {}, link));
    }
    main.append(make('footer', {}, 'Made by Lockstep. This page holds all it shows and asks no server for anything. '
      + 'Hover or focus a heading for its definition, a number for all its digits.'));
    document.getElementById('contents').append(make('p', { className: 'brand' }, 'Lockstep'), contents);
    follow(links);
  }

  /** Marks the section in sight in the contents. */
  function follow(links) {
    const seen = new Set();
    const observer = new IntersectionObserver((entries) => {
      entries.forEach((entry) => (entry.isIntersecting ? seen.add(entry.target) : seen.delete(entry.target)));
      const current = [...links.keys()].find((section) => seen.has(section));
      links.forEach((link, section) => link.setAttribute('aria-current', String(section === current)));
    }, { rootMargin: '0px 0px -55% 0px' });
    links.forEach((_, section) => observer.observe(section));
  }

  try {
    draw(JSON.parse(document.getElementById('data').textContent));
    root.dataset.ready = 'true';
  } catch (error) {
    root.dataset.error = String(error && error.stack ? error.stack : error);
    main.append(make('p', { className: 'problem', role: 'alert' }, `This page could not be drawn: ${error}`));
  }
})();
