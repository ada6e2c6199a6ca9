// SPDX-License-Identifier: Apache-2.0
// The timeline: unpacks the slices that the page carries, draws them, and answers what is asked of them.
const timelines = (tools) => {
  'use strict';

  const { make, brief, grouped, duration, timeUnit, colourOf, resolved, inkOn, mixed, legend, repaints, showTip, hideTip, address } = tools;
  const COLUMNS = ['start', 'duration', 'kind', 'name', 'merged', 'idle', 'details', 'cause'];
  const ROW = 19;
  const COUNTER = 34;
  /** Where there is no room beside the rows, their labels stand above them. */
  const HEAD = 14;
  const AXIS = 26;
  const MOST_NAMES = 100;
  /** However little runs, so many pixels show it. */
  const LEAST_HEIGHT = 2;
  /** Rows of these groups are shown at the outermost level until they are opened. */
  const FOLDED = new Set(['python', 'annotations']);
  const DEVICE = ['compute', 'communication', 'memory', 'other'];

  // ---- Data --------------------------------------------------------------------------------------------------------

  /** The values of one column from its planes of bytes, the lowest first. */
  function column(bytes, at, n, width) {
    const values = new Float64Array(n);
    const highest = at + (width - 1) * n;
    for (let i = 0; i < n; i++) {
      let value = 0;
      for (let p = highest + i; p >= at; p -= n) {
        value = value * 256 + bytes[p];
      }
      values[i] = value;
    }
    return values;
  }

  /** Whole numbers, each less a distance; zeros less it where nothing is recorded. */
  function numbers(values, n, less) {
    const whole = new Int32Array(values || n);
    if (less) {
      for (let i = 0; i < n; i++) {
        whole[i] -= less;
      }
    }
    return whole;
  }

  /** Which bytes are among these. */
  function distinct(bytes) {
    const met = new Uint8Array(256);
    for (let i = 0; i < bytes.length; i++) {
      met[bytes[i]] = 1;
    }
    return [...met.keys()].filter((value) => met[value]);
  }

  function unpack(row, bytes, at) {
    const raw = {};
    COLUMNS.forEach((name, c) => {
      raw[name] = row.widths[c] ? column(bytes, at, row.n, row.widths[c]) : null;
      at += row.n * row.widths[c];
    });
    const start = raw.start || new Float64Array(row.n);
    const length = raw.duration || new Float64Array(row.n);
    const busy = raw.idle ? new Float64Array(row.n) : length;
    const reach = new Float64Array(row.n);
    let sum = 0;
    for (let i = 0, time = 0, latest = 0; i < row.n; i++) {
      time += start[i];
      start[i] = time;
      latest = Math.max(latest, time + length[i]);
      reach[i] = latest;
      if (raw.idle) {
        busy[i] = length[i] - raw.idle[i];
      }
      sum += busy[i];
    }
    if (sum !== row.busy) {
      throw new Error(`${row.label}: its slices add up to ${sum} ns instead of ${row.busy} ns`);
    }
    const cause = new Int32Array(row.n).fill(-1);
    if (raw.cause) {
      for (let i = 0, before = 0; i < row.n; i++) {
        if (raw.cause[i] > 0) {
          const zigzag = raw.cause[i] - 1;
          before += zigzag % 2 ? -(zigzag + 1) / 2 : zigzag / 2;
          cause[i] = before;
        }
      }
    }
    Object.assign(row, {
      start, length, reach, busy, cause,
      kind: new Uint8Array(raw.kind || row.n),
      name: numbers(raw.name, row.n, 1),
      merged: raw.merged && numbers(raw.merged, row.n, 0),
      details: raw.details && numbers(raw.details, row.n, 1),
      loaded: true,
    });
    return at;
  }

  /** The first slice that ends at a time or later. */
  function firstReaching(row, time) {
    let low = 0;
    let high = row.n;
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

  function firstStarting(row, time) {
    let low = 0;
    let high = row.n;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (row.start[middle] < time) {
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
    let wide = pen.measureText(shown === text ? text : `${shown}…`).width;
    if (shown === text && wide <= width) {
      return text;
    }
    while (shown && wide > width) {
      shown = shown.slice(0, Math.min(shown.length - 1, Math.floor((shown.length * width) / wide)));
      wide = pen.measureText(`${shown}…`).width;
    }
    return shown ? `${shown}…` : '';
  }

  /** A number of a counter with its unit. */
  function amount(row, value) {
    const [unit, size] = row.unit === 'KiB' ? [['GiB', 2 ** 20], ['MiB', 2 ** 10], ['KiB', 1]].find(([, one]) => value >= one) || ['KiB', 1] : [row.unit, 1];
    return `${row.unit === 'KiB' ? brief(value / size) : row.step === 1 ? grouped(value, 0) : brief(value * row.step)}${unit ? ` ${unit}` : ''}`;
  }

  const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));

  /** A colour such as #0072b2 or rgb(0, 114, 178) as a pixel of a picture. */
  function pixelOf(colour) {
    const [red, green, blue] = colour.startsWith('#') ? rgb(colour) : colour.match(/\d+/g).map(Number);
    return new Uint32Array(Uint8ClampedArray.of(red, green, blue, 255).buffer)[0];
  }

  // ---- Search ------------------------------------------------------------------------------------------------------

  const LENGTHS = { ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9 };

  /** What is asked for: words and "exact names" (a quote within is two), name: cat: arg: dur>1ms. */
  function question(text) {
    const asked = { names: [], exact: [], kinds: [], details: [], longer: -1, shorter: Infinity };
    for (const [, key, quoted, word] of text.matchAll(/(?:(name|cat|arg):)?(?:"([^"]*(?:""[^"]*)*)"|(\S+))/g)) {
      const value = (quoted === undefined ? word : quoted.replace(/""/g, '"')).toLowerCase();
      const limit = /^dur([<>])([\d.]+)(ns|us|µs|ms|s)$/.exec(value);
      if (limit) {
        const length = Number(limit[2]) * LENGTHS[limit[3]];
        asked[limit[1] === '>' ? 'longer' : 'shorter'] = length;
      } else if (key === 'cat') {
        asked.kinds.push(value);
      } else if (key === 'arg') {
        asked.details.push(value);
      } else {
        (quoted === undefined ? asked.names : asked.exact).push(value);
      }
    }
    return asked;
  }

  function asker(chart, text) {
    const asked = question(text);
    const flags = (texts, holds) => Uint8Array.from(texts, (one) => (holds(one.toLowerCase()) ? 1 : 0));
    const named = (name, label) => asked.exact.every((one) => one === name) && asked.names.every((one) => name.includes(one) || label.includes(one));
    const names = Uint8Array.from(chart.names, (name, i) => (named(name.toLowerCase(), (chart.labels[i] || '').toLowerCase()) ? 1 : 0));
    const kinds = flags(chart.classes, (kind) => asked.kinds.every((one) => kind.includes(one)));
    const details = asked.details.length ? flags(chart.details, (one) => asked.details.every((word) => one.includes(word))) : null;
    return (row, i) => row.name[i] >= 0 && names[row.name[i]] && kinds[row.kind[i]]
      && (!details || (row.details && row.details[i] >= 0 && details[row.details[i]]))
      && row.length[i] > asked.longer && row.length[i] < asked.shorter;
  }

  // ---- Sums --------------------------------------------------------------------------------------------------------

  /** Time of each class of which no class before it runs: unions over all rows, within a span. */
  function parts(rows, classes, from, to) {
    const begins = classes.map(() => []);
    const ends = classes.map(() => []);
    for (const row of rows) {
      for (let i = firstReaching(row, from); i < row.n && row.start[i] < to; i++) {
        const left = Math.max(from, row.start[i]);
        const right = Math.min(to, row.start[i] + row.busy[i]);
        if (right > left) {
          begins[row.kind[i]].push(left);
          ends[row.kind[i]].push(right);
        }
      }
    }
    const lists = [...begins, ...ends].map((list) => Float64Array.from(list).sort());
    const at = lists.map(() => 0);
    const running = classes.map(() => 0);
    const sums = classes.map(() => 0);
    let time = from;
    for (;;) {
      let next = Infinity;
      lists.forEach((list, l) => { next = at[l] < list.length ? Math.min(next, list[at[l]]) : next; });
      const first = running.findIndex((count) => count > 0);
      if (first >= 0) {
        sums[first] += Math.min(next, to) - time;
      }
      if (next === Infinity) {
        return sums;
      }
      time = next;
      lists.forEach((list, l) => {
        while (at[l] < list.length && list[at[l]] === next) {
          running[l % classes.length] += l < classes.length ? 1 : -1;
          at[l]++;
        }
      });
    }
  }

  /** By group and name, devices first: time within a span, how many touch it, and the longest. */
  function byName(rows, from, to) {
    const sums = new Map();
    for (const row of rows) {
      for (let i = firstReaching(row, from); i < row.n && row.start[i] < to; i++) {
        const whole = row.busy[i] === row.length[i];
        const inside = whole ? Math.min(to, row.start[i] + row.length[i]) - Math.max(from, row.start[i]) : row.busy[i];
        if (inside < 0 || (inside === 0 && row.length[i] > 0)) {
          continue;
        }
        const key = `${row.group}\n${row.name[i]}`;
        const sum = sums.get(key) || { group: row.group, name: row.name[i], time: 0, count: 0, longest: 0 };
        sum.time += inside;
        sum.count += row.merged ? row.merged[i] : 1;
        sum.longest = Math.max(sum.longest, whole ? row.length[i] : 0);
        sums.set(key, sum);
      }
    }
    const where = (sum) => ['device', '', 'host', 'annotations', 'python'].indexOf(sum.group);
    return [...sums.values()].sort((a, b) => where(a) - where(b) || b.time - a.time);
  }

  // ---- The timeline ------------------------------------------------------------------------------------------------

  function timeline(chart, body, id, docked) {
    const rows = chart.groups.flatMap((group) => group.rows);
    const sides = chart.sides || [];   // two recordings that are compared; of most timelines none
    const total = chart.length || 1;
    const smallest = Math.min(20, total);
    const canvas = make('canvas', { tabIndex: 0, role: 'application', className: 'base' });
    canvas.setAttribute('aria-label', `${chart.title}: ${rows.length} rows over ${duration(chart.length)}. Press question mark for keys.`);
    const spacer = make('div', { className: 'spacer' });
    const scroller = make('div', { className: 'scroller' }, canvas, spacer);
    const range = make('span', { className: 'grow range', 'aria-live': 'polite' });
    const found = make('span', { className: 'found', 'aria-live': 'polite' });
    const panel = make('div', { className: 'panel', hidden: true, tabIndex: 0, role: 'region', 'aria-label': 'What is selected' });
    const input = make('input', { type: 'search', className: 'find', placeholder: 'Search the timeline', 'aria-label': 'Search the timeline' });
    const strip = make('div', { className: 'strip' }, scroller, panel);

    let view = { from: 0, to: total };
    let chosen = null;      // [row, index]
    let selection = null;   // [from, to]
    let measured = [];      // [from, to, forGood]
    const NONE = { places: [], at: -1, id: '', count: 0 };
    let marked = NONE;
    let hits = null;        // { test, list, at, time }
    let width = 0;
    let gutter = 0;
    let shown = [];         // rows in sight with their tops
    let high = 0;
    let paints = [];
    const tints = new Map();   // colours as they are now, by name
    let hatch = null;
    let pixels = null;         // what many slices share, in pixels of the device
    let image = null;
    let shares = new Float32Array(0);
    let effects = null;
    let pending = false;
    const open = new Set();
    let shift = 0;          // how far the second recording is moved, in ns

    rows.forEach((row, r) => {
      row.index = r;
      row.lead = row.label ? r : rows[r - 1] && rows[r - 1].group === row.group ? rows[r - 1].lead : r;
    });
    rows.forEach((row) => { row.lanes = rows.filter((other) => other.lead === row.index).length; });
    rows.forEach((row) => {
      if (row.lanes > 1 && !FOLDED.has(row.group)) {
        open.add(row.index);
      }
    });

    const span = () => view.to - view.from;
    const xOf = (time) => gutter + ((time - view.from) / span()) * (width - gutter);
    const timeAt = (x) => view.from + ((x - gutter) / (width - gutter)) * span();
    const headOf = (row) => (gutter === 0 && row.label ? HEAD : 0);
    const bodyOf = (row) => (row.counter ? COUNTER : ROW);
    const heightOf = (row) => headOf(row) + bodyOf(row);
    const nameOf = (row, i) => (row.name[i] >= 0 ? chart.names[row.name[i]] : row.merged && row.merged[i] > 1 ? `${grouped(row.merged[i], 0)} slices, joined` : 'unnamed');

    /** The short word for a kernel where it has one; its name is in tooltips, panels and copies. */
    const labelOf = (row, i) => (row.name[i] >= 0 && chart.labels[row.name[i]]) || nameOf(row, i);

    function tint(name) {
      if (!tints.has(name)) {
        tints.set(name, resolved(name));
      }
      return tints.get(name);
    }

    function layOut() {
      let top = 0;
      shown = [];
      for (const row of rows) {
        if (row.index === row.lead || open.has(row.lead)) {
          shown.push({ row, top });
          top += heightOf(row);
        }
      }
      high = top;
      const room = `${Math.max(0, AXIS + high + 6 - canvas.clientHeight)}px`;
      if (spacer.style.height !== room) {
        spacer.style.height = room;
      }
    }

    // -- two recordings

    /** Of each recording its rows; of the only one all. */
    const bySide = (list) => (sides.length ? sides.map((_, side) => list.filter((row) => row.side === side)) : [list]);
    const sideName = (side) => (sides.length ? `${sides[side].label} ` : '');

    function move(row, by) {
      for (let i = 0; i < row.n; i++) {
        row.start[i] += by;
        row.reach[i] += by;
      }
    }

    /** Lays the second recording so that it is moved by so much. */
    function align(to) {
      if (to !== shift) {
        rows.filter((row) => row.side === 1 && row.loaded).forEach((row) => move(row, to - shift));
        shift = to;
        address.set('b', shift ? String(shift) : null);
        redraw();
      }
    }

    /** What stands against an event in the other recording: of as many of its name the one that comes as late. */
    function partnerOf([row, i]) {
      if (!sides.length || row.name[i] < 0) {
        return null;
      }
      const [own, other] = [row.side, 1 - row.side].map((side) => {
        const events = [];
        rows.filter((one) => one.loaded && !one.bucket && one.group === row.group && one.side === side).forEach((one) => {
          for (let k = 0; k < one.n; k++) {
            if (one.name[k] === row.name[i]) {
              events.push([one, k]);
            }
          }
        });
        return events.sort((a, b) => a[0].start[a[1]] - b[0].start[b[1]]);
      });
      const place = own.findIndex(([one, k]) => one === row && k === i);
      return own.length === other.length && place >= 0 ? other[place] : null;
    }

    // -- view

    function show(from, to, quiet) {
      const length = Math.max(smallest, Math.min(to - from, total));
      const start = Math.max(0, Math.min(from, total - length));
      view = { from: start, to: start + length };
      if (!quiet) {
        address.set('t', length >= total ? null : `${Math.round(view.from)}-${Math.round(view.to)}`);
      }
      redraw();
    }

    function zoom(factor, at) {
      const centre = at === undefined ? (view.from + view.to) / 2 : at;
      show(centre - (centre - view.from) * factor, centre + (view.to - centre) * factor);
    }

    /** So that a span fills most of the view. */
    function zoomTo(from, to) {
      const margin = tools.marginOf(to - from, total);
      show(from - margin, to + margin);
    }

    function redraw() {
      if (!pending) {
        pending = true;
        requestAnimationFrame(() => {
          pending = false;
          draw();
        });
      }
    }

    // -- parts of rows that did not fit into the page, from whoever serves it

    /** The row in as much detail as there is for a span; asks for more where a pixel could show it. */
    function fineOf(row, from = view.from, to = view.to) {
      const pixel = span() / Math.max(1, width - gutter);
      if (!chart.served || !row.bucket || row.bucket <= pixel) {
        return row;
      }
      const { fine } = row;
      const covered = fine && fine.from <= from && to <= fine.to;
      if (!covered || fine.bucket > pixel) {
        ask(row);
      }
      return covered ? fine : row;
    }

    async function ask(row) {
      const step = 2 ** Math.ceil(Math.log2(span()));
      const from = Math.max(0, (Math.floor(view.from / step) - 1) * step);
      const to = Math.min(total, (Math.floor(view.from / step) + 3) * step);
      const key = `${from}-${to}`;
      if (row.asked === key) {
        return;
      }
      row.asked = key;
      if (row.asking) {
        row.asking.abort();
      }
      row.asking = new AbortController();
      try {
        const answer = await fetch(`tile?row=${row.index}&from=${from}&to=${to}`, { signal: row.asking.signal });
        if (!answer.ok) {
          throw new Error(`status ${answer.status}`);
        }
        const tile = await answer.json();
        const fine = Object.assign(Object.create(row), tile, { from, to, most: row.most });
        unpack(fine, await inflated(tile.data), 0);
        row.fine = fine;
        effects = null;
        canvas.dataset.fine = Number(canvas.dataset.fine || 0) + 1;
        redraw();
      } catch (error) {
        if (error.name !== 'AbortError') {
          row.asked = null;
          row.reason = `its details cannot be had: ${error.message}`;
        }
      }
    }

    // -- drawing

    function draw() {
      width = scroller.clientWidth || 1000;
      gutter = width < 600 ? 0 : Math.min(230, 34 + 6.6 * Math.max(...rows.map((row) => row.label.length), 4));
      const height = docked ? Math.max(80, scroller.clientHeight) : Math.min(AXIS + high + 6, 520);
      if (!docked) {
        scroller.style.height = `${height}px`;
      }
      const scale = devicePixelRatio || 1;
      const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
      if (canvas.width !== w || canvas.height !== h) {
        canvas.width = w;
        canvas.height = h;
        canvas.style.height = `${height}px`;
      }
      layOut();
      const pen = canvas.getContext('2d');
      pen.setTransform(scale, 0, 0, scale, 0, 0);
      if (!image || image.width !== w || image.height !== h) {
        image = pen.createImageData(w, h);
        pixels = new Uint32Array(image.data.buffer);
      }
      pixels.fill(pixelOf(tint('--paper')));
      if (!paints.length) {
        paints = chart.classes.map((name) => tint(colourOf(name)));
      }
      hatch = hatch || hatched(pen);
      const pale = paints.map((paint) => mixed(paint, tint('--paper'), 0.78));
      const palette = Uint32Array.from([...paints, ...pale], pixelOf);
      const visible = shown.map(({ row, top }) => ({ row, y: AXIS + top - scroller.scrollTop }))
        .filter(({ row, y }) => y + heightOf(row) > AXIS && y < height);
      for (const slot of visible) {
        const top = slot.y + headOf(slot.row);
        if (!slot.row.loaded) {
          need(slot.row);
        } else if (slot.row.counter) {
          paintCounter(slot.row, top, scale);
        } else {
          slot.fine = fineOf(slot.row);
          slot.wide = paintRow(slot.fine, top, palette, scale);
        }
      }
      pen.putImageData(image, 0, 0);
      pen.font = `12px ${getComputedStyle(document.body).fontFamily}`;
      pen.textBaseline = 'middle';
      for (const { row, y, fine, wide } of visible) {
        if (wide) {
          drawWide(pen, fine, wide, y + headOf(row));
        } else if (row.loaded) {
          drawMost(pen, row, y + headOf(row));
        }
        drawLabel(pen, row, y);
      }
      drawBands(pen, height);
      drawArrows(pen);
      drawAxis(pen, height);
      canvas.dataset.view = `${Math.round(view.from)}-${Math.round(view.to)}`;
      const said_ = span() >= total
        ? `All of ${duration(chart.length)}`
        : `${duration(view.from)} to ${duration(view.to)}: ${duration(span())} of ${duration(chart.length)}`;
      if (range.textContent !== said_) {
        range.textContent = said_;
      }
    }

    function hatched(pen) {
      const tile = document.createElement('canvas');
      tile.width = 6;
      tile.height = 6;
      const brush = tile.getContext('2d');
      brush.strokeStyle = tint('--soft');
      brush.lineWidth = 1;
      brush.beginPath();
      brush.moveTo(-1, 7);
      brush.lineTo(7, -1);
      brush.moveTo(-1, 1);
      brush.lineTo(1, -1);
      brush.moveTo(5, 7);
      brush.lineTo(7, 5);
      brush.stroke();
      return pen.createPattern(tile, 'repeat');
    }

    const isHatched = (kind) => /^(idle|waiting)$/.test(chart.classes[kind]);

    function drawLabel(pen, row, y) {
      if (gutter === 0) {
        if (row.label && span() >= 0) {
          pen.fillStyle = tint('--soft');
          pen.textAlign = 'left';
          pen.font = `10px ${getComputedStyle(document.body).fontFamily}`;
          pen.fillText(fitted(pen, row.label, width - 4), 2, y + HEAD / 2 + 1);
          pen.font = `12px ${getComputedStyle(document.body).fontFamily}`;
        }
        return;
      }
      pen.fillStyle = tint('--paper');
      pen.fillRect(0, y, gutter, heightOf(row));
      pen.textAlign = 'left';
      pen.fillStyle = tint('--soft');
      if (row.label) {
        if (row.lanes > 1) {
          pen.fillText(open.has(row.index) ? '▾' : '▸', 6, y + ROW / 2);
        }
        pen.fillText(fitted(pen, row.label, gutter - 28), 20, y + ROW / 2);
        pen.strokeStyle = tint('--line');
        pen.beginPath();
        pen.moveTo(0, y + 0.5);
        pen.lineTo(width, y + 0.5);
        pen.stroke();
      }
    }

    /** Paints what is narrower than a pixel and a half, or not busy throughout; returns the other slices. */
    function paintRow(row, y, palette, scale) {
      const left = Math.round(gutter * scale);
      const columns = Math.max(1, Math.round(width * scale) - left);
      const stride = chart.classes.length * (hits ? 2 : 1);
      const perNs = columns / span();
      if (shares.length < columns * stride) {
        shares = new Float32Array(columns * stride);
      }
      shares.fill(0, 0, columns * stride);
      const wide = [];
      let narrow = false;
      const { start, length, busy, kind } = row;
      const { from, to } = view;
      for (let i = firstReaching(row, from); i < row.n && start[i] <= to; i++) {
        const a = Math.max(0, (start[i] - from) * perNs);
        const b = Math.min(columns, (start[i] + length[i] - from) * perNs);
        const share = busy[i] < length[i] ? busy[i] / length[i] : 1;
        if (b - a >= 1.5 && share === 1) {
          wide.push(i);
          continue;
        }
        narrow = true;
        const base = (hits && !hits.test(row, i) ? chart.classes.length : 0) + kind[i];
        const first = Math.min(columns - 1, Math.floor(a));
        if (b - a < 1 && Math.floor(b) === first) {
          shares[first * stride + base] += Math.max(b - a, 1e-3) * share;
          continue;
        }
        for (let x = first; x < b && x < columns; x++) {
          shares[x * stride + base] += (Math.min(b, x + 1) - Math.max(a, x)) * share;
        }
      }
      if (narrow) {
        paintColumns(palette, { left, columns, stride, top: Math.round((y + 2) * scale), rows: Math.round((bodyOf(row) - 3) * scale) });
      }
      return wide;
    }

    /** Slices that are wide enough to be told apart. */
    function drawWide(pen, row, wide, y) {
      const inner = bodyOf(row) - 3;
      const texts = { most: 400 };
      for (const i of wide) {
        const x = Math.max(gutter, xOf(row.start[i]));
        const right = Math.min(width, xOf(row.start[i] + row.length[i]));
        const faded = hits && !hits.test(row, i);
        const paint = faded ? mixed(paints[row.kind[i]], tint('--paper'), 0.78) : paints[row.kind[i]];
        if (isHatched(row.kind[i])) {
          pen.fillStyle = hatch;
          pen.fillRect(x, y + 2, right - x, inner);
          pen.strokeStyle = tint('--soft');
          pen.strokeRect(x + 0.5, y + 2.5, Math.max(0, right - x - 1), inner - 1);
        } else {
          pen.fillStyle = paint;
          pen.fillRect(x, y + 2, right - x - (right - x > 3 ? 0.6 : 0), inner);
        }
        if (right - x > 42 && texts.most-- > 0) {
          const label = fitted(pen, labelOf(row, i), right - x - 8);
          if (isHatched(row.kind[i])) {
            pen.fillStyle = tint('--paper');
            pen.fillRect(x + 3, y + 3, pen.measureText(label).width + 4, inner - 2);
            pen.fillStyle = tint('--ink');
          } else {
            pen.fillStyle = faded ? tint('--soft') : inkOn(paints[row.kind[i]]);
          }
          pen.textAlign = 'left';
          pen.fillText(label, x + 4, y + 2 + inner / 2);
        }
      }
      if (chosen && chosen[0] === row) {
        const x = xOf(row.start[chosen[1]]);
        const right = Math.max(x + 2, xOf(row.start[chosen[1]] + row.length[chosen[1]]));
        pen.strokeStyle = tint('--paper');
        pen.lineWidth = 4;
        pen.strokeRect(x - 1, y + 1, right - x + 2, inner + 2);
        pen.strokeStyle = tint('--ink');
        pen.lineWidth = 2;
        pen.strokeRect(x - 1, y + 1, right - x + 2, inner + 2);
        pen.lineWidth = 1;
      }
    }

    /** Pixels in which several slices lie: stacked by class, as high as their share of the time. */
    function paintColumns(palette, box) {
      const least = LEAST_HEIGHT / box.rows;
      for (let x = 0; x < box.columns; x++) {
        let sum = 0;
        for (let c = 0; c < box.stride; c++) {
          const share = shares[x * box.stride + c];
          sum += share > 0 ? Math.max(least, Math.min(1, share)) : 0;
        }
        if (sum === 0) {
          continue;
        }
        const scale = box.rows / Math.max(1, sum);
        let level = box.rows;
        for (let c = 0; c < box.stride; c++) {
          const share = shares[x * box.stride + c];
          if (share > 0) {
            const reached = level - Math.max(least, Math.min(1, share)) * scale;
            paintColumn(box.left + x, box.top + Math.max(0, Math.round(reached)), box.top + Math.round(level), palette[c]);
            level = reached;
          }
        }
      }
    }

    function paintColumn(x, top, bottom, colour) {
      const last = Math.min(image.height, bottom);
      for (let y = Math.max(0, top); y < last; y++) {
        pixels[y * image.width + x] = colour;
      }
    }

    function paintCounter(row, y, scale) {
      if (row.most === undefined) {
        row.most = row.merged ? row.merged.reduce((a, b) => Math.max(a, b), 0) : 0;
      }
      const inner = (COUNTER - 6) * scale;
      const left = Math.round(gutter * scale);
      const columns = Math.max(1, Math.round(width * scale) - left);
      const perNs = columns / span();
      const heights = new Float64Array(columns).fill(-1);
      for (let i = firstReaching(row, view.from); i < row.n && row.start[i] <= view.to; i++) {
        const a = Math.max(0, Math.floor((row.start[i] - view.from) * perNs));
        const b = Math.min(columns - 1, Math.floor((row.start[i] + row.length[i] - view.from) * perNs));
        for (let x = a; x <= b; x++) {
          heights[x] = Math.max(heights[x], row.merged ? row.merged[i] : 0);
        }
      }
      const colour = pixelOf(tint('--host'));
      const bottom = Math.round((y + 3) * scale + inner);
      for (let x = 0; x < columns; x++) {
        if (heights[x] > 0) {
          paintColumn(left + x, bottom - Math.round(Math.max(1, (heights[x] / (row.most || 1)) * inner)), bottom, colour);
        }
      }
    }

    /** What a counter reached, over all of it. */
    function drawMost(pen, row, y) {
      const most = `at most ${amount(row, row.most)}`;
      const room = pen.measureText(most).width + 8;
      pen.fillStyle = tint('--paper');
      pen.fillRect(width - room - 2, y + 2, room, 15);
      pen.fillStyle = tint('--soft');
      pen.textAlign = 'right';
      pen.fillText(most, width - 6, y + 10);
    }

    /** From where to where down the picture the rows of a recording stand. */
    function reaches(side, height) {
      const list = [];
      for (const { row, top } of shown) {
        const from = Math.max(AXIS, AXIS + top - scroller.scrollTop);
        const to = Math.min(height, AXIS + top - scroller.scrollTop + heightOf(row));
        if (row.side !== side || to <= from) {
          continue;
        }
        if (list.length && list[list.length - 1][1] === from) {
          list[list.length - 1][1] = to;
        } else {
          list.push([from, to]);
        }
      }
      return list;
    }

    function band(pen, from, to, height, style) {
      const left = xOf(from);
      const right = Math.max(left + 1, xOf(to));
      if (right < gutter || left > width) {
        return;
      }
      const x = Math.max(gutter, left);
      const w = Math.min(width, right) - x;
      for (const [top, bottom] of sides.length && style.side !== undefined ? reaches(style.side, height) : [[AXIS, height]]) {
        pen.globalAlpha = style.alpha;
        pen.fillStyle = style.fill;
        pen.fillRect(x, top, w, bottom - top);
        pen.globalAlpha = 1;
        pen.strokeStyle = style.line;
        pen.strokeRect(x + 0.5, top - 0.5, Math.max(1, w - 1), bottom - top);
      }
      if (style.text) {
        const text = fitted(pen, style.text, Math.max(60, w));
        const half = pen.measureText(text).width / 2;
        const middle = Math.max(gutter + half + 4, Math.min(width - half - 4, x + w / 2));
        pen.fillStyle = tint('--paper');
        pen.fillRect(middle - half - 3, AXIS + 1, 2 * half + 6, 15);
        pen.fillStyle = style.line;
        pen.textAlign = 'center';
        pen.fillText(text, middle, AXIS + 9);
      }
    }

    function drawBands(pen, height) {
      const ink = tint('--ink');
      marked.places.forEach((place, i) => {
        const now = i === marked.at;
        place.spans.forEach((one, s) => {
          const from = startOf(one);
          band(pen, from, from + one.length, height, { alpha: now ? 0.1 : 0.05, fill: ink, line: ink, side: one.side, text: now && s === 0 ? said(place) : '' });
        });
      });
      if (selection) {
        const accent = tint('--accent');
        band(pen, selection[0], selection[1], height, { alpha: 0.1, fill: accent, line: accent, text: duration(selection[1] - selection[0]) });
      }
      measured.forEach(([from, to]) => band(pen, from, to, height, { alpha: 0.04, fill: ink, line: tint('--soft'), text: duration(to - from) }));
    }

    /** The rows that are there, each in its greatest detail. */
    function known() {
      return rows.filter((row) => row.loaded).map((row) => (row.fine && !row.fine.bucket ? row.fine : row));
    }

    function place(number) {
      const row = known().find((one) => !one.bucket && number >= one.first && number < one.first + one.n);
      return row ? [row, number - row.first] : null;
    }

    function causeOf([row, i]) {
      return row.cause[i] < 0 ? null : place(row.cause[i]);
    }

    /** What a slice launched. */
    function effectsOf([row, i]) {
      if (!effects) {
        effects = new Map();
        for (const one of known()) {
          for (let k = 0; k < one.n; k++) {
            if (one.cause[k] >= 0) {
              const list = effects.get(one.cause[k]) || [];
              list.push([one, k]);
              effects.set(one.cause[k], list);
            }
          }
        }
      }
      return row.bucket ? [] : effects.get(row.first + i) || [];
    }

    function topOf(row) {
      const at = shown.find((one) => one.row.index === row.index) || shown.find((one) => one.row.index === row.lead);
      return at ? AXIS + at.top + headOf(at.row) - scroller.scrollTop : 0;
    }

    function arrows() {
      if (!chosen || !chosen[0].loaded) {
        return [];
      }
      const cause = causeOf(chosen);
      return [...(cause ? [[cause, chosen]] : []), ...effectsOf(chosen).slice(0, 50).map((effect) => [chosen, effect])];
    }

    function drawArrows(pen) {
      const all = arrows();
      canvas.dataset.arrows = all.length;
      pen.save();
      pen.beginPath();
      pen.rect(gutter, AXIS, width, canvas.height);
      pen.clip();
      for (const [from, to] of all) {
        const [x1, y1] = [xOf(from[0].start[from[1]]), topOf(from[0]) + ROW / 2];
        const [x2, y2] = [xOf(to[0].start[to[1]]), topOf(to[0]) + ROW / 2];
        const bend = Math.max(20, Math.min(120, Math.abs(x2 - x1) / 2));
        for (const [paint, thick] of [['--paper', 4], ['--ink', 1.5]]) {
          pen.strokeStyle = tint(paint);
          pen.lineWidth = thick;
          pen.beginPath();
          pen.moveTo(x1, y1);
          pen.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2);
          pen.moveTo(x2 - 7, y2 - 4);
          pen.lineTo(x2, y2);
          pen.lineTo(x2 - 7, y2 + 4);
          pen.stroke();
        }
      }
      pen.restore();
      pen.lineWidth = 1;
    }

    function drawAxis(pen, height) {
      pen.fillStyle = tint('--panel');
      pen.fillRect(0, 0, width, AXIS - 1);
      const ideal = span() / Math.max(2, (width - gutter) / 110);
      const power = 10 ** Math.floor(Math.log10(ideal));
      const step = Math.max(1, [1, 2, 5, 10].find((m) => m * power >= ideal) * power);
      const [unit, size] = timeUnit(Math.max(step, view.to / 1000));
      const digits = Math.max(0, Math.min(9, -Math.floor(Math.log10(step / size) + 1e-9)));
      pen.strokeStyle = tint('--line');
      pen.fillStyle = tint('--soft');
      pen.textAlign = 'center';
      for (let n = Math.ceil(view.from / step); n * step <= view.to; n++) {
        const x = Math.round(xOf(n * step)) + 0.5;
        pen.beginPath();
        pen.moveTo(x, AXIS - 6);
        pen.lineTo(x, AXIS);
        pen.stroke();
        const label = `${grouped((n * step) / size, digits)} ${unit}`;
        const half = pen.measureText(label).width / 2;
        pen.fillText(label, Math.max(gutter + half, Math.min(x, width - half - 4)), AXIS / 2 - 3);
      }
      // Where the view lies in the whole.
      pen.fillStyle = tint('--line');
      pen.fillRect(gutter, AXIS - 4, width - gutter, 3);
      pen.fillStyle = tint('--accent');
      pen.fillRect(gutter + (view.from / total) * (width - gutter), AXIS - 4, Math.max(3, (span() / total) * (width - gutter)), 3);
      if (hits) {
        pen.fillStyle = tint('--ink');
        const seen = new Set();
        for (const [row, i] of hits.list) {
          const x = Math.round(xOf(row.start[i]));
          if (x >= gutter && x < width && !seen.has(x)) {
            seen.add(x);
            pen.fillRect(x, AXIS - 9, 1, 5);
          }
        }
      }
    }

    // -- what lies where

    function at(x, y) {
      const level = y - AXIS + scroller.scrollTop;
      const slot = y < AXIS ? null : shown.find((one) => level >= one.top && level < one.top + heightOf(one.row));
      if (!slot || !slot.row.loaded || x < gutter) {
        return { row: slot && slot.row, index: -1 };
      }
      const row = fineOf(slot.row);
      const time = timeAt(x);
      const slack = (2 * span()) / (width - gutter);
      let best = -1;
      let distance = slack;
      let longest = -1;
      for (let i = firstReaching(row, time - slack); i < row.n && row.start[i] <= time + slack; i++) {
        const away = Math.max(row.start[i] - time, time - row.start[i] - row.length[i], 0);
        if (away < distance || (away === distance && row.busy[i] > longest)) {
          best = i;
          distance = away;
          longest = row.busy[i];
        }
      }
      return { row, index: best };
    }

    const rowName = (row) => rows[row.lead].label;

    function described(row, i) {
      const end = row.start[i] + row.length[i];
      if (row.counter) {
        return `${rowName(row)}: ${amount(row, row.merged ? row.merged[i] : 0)}\n${row.name[i] >= 0 ? chart.names[row.name[i]] : ''}\n${duration(row.start[i])} to ${duration(end)}`;
      }
      const lines = [...new Set([labelOf(row, i), nameOf(row, i)]), `${chart.classes[row.kind[i]] || 'other'} · ${rowName(row)}`];
      if (row.busy[i] < row.length[i]) {
        lines.push(`busy ${duration(row.busy[i])} between ${duration(row.start[i])} and ${duration(end)}; ${grouped(row.merged ? row.merged[i] : 1, 0)} begin here`);
      } else {
        lines.push(`start ${duration(row.start[i])} · duration ${duration(row.length[i])}`);
      }
      if (row.details && row.details[i] >= 0) {
        lines.push(chart.details[row.details[i]]);
      }
      return lines.join('\n');
    }

    // -- choosing, selecting, measuring

    function choose(event, bring) {
      chosen = event;
      if (event) {
        const [row, i] = event;
        selection = null;
        address.set('sel', null);
        address.set('e', Object.hasOwn(row, 'index') ? `${row.index}.${i}` : null);
        if (bring) {
          bringIntoView(row, i);
        }
        showEvent(row, i);
      } else {
        address.set('e', null);
        panel.hidden = true;
      }
      redraw();
    }

    function bringIntoView(row, i) {
      if (row.index !== row.lead && !open.has(row.lead)) {
        open.add(row.lead);
      }
      layOut();
      const slot = shown.find((one) => one.row.index === row.index);
      const height = canvas.clientHeight - AXIS;
      if (slot && (slot.top < scroller.scrollTop || slot.top + ROW > scroller.scrollTop + height)) {
        scroller.scrollTop = Math.max(0, slot.top - height / 2);
      }
      const [from, to] = [row.start[i], row.start[i] + row.length[i]];
      if (to < view.from || from > view.to) {
        const half = Math.max(span() / 2, to - from);
        show((from + to) / 2 - half, (from + to) / 2 + half);
      }
    }

    const button = (label, title, action) => make('button', { type: 'button', title, onclick: action, 'aria-label': title }, label);

    function closePanel() {
      panel.hidden = true;
      chosen = null;
      selection = null;
      address.set('e', null);
      address.set('sel', null);
      redraw();
      canvas.focus();
    }

    const originOf = (side) => (sides.length ? BigInt(sides[side].origin) - BigInt(side === 1 ? shift : 0) : BigInt(chart.origin));
    const absolute = (time, side) => (originOf(side) + BigInt(Math.round(time))).toString();

    function perfetto(from, to, side) {
      const source = sides.length ? sides[side].source : tools.source();
      const command = tools.command('view', source, '--at', `${absolute(from, side)}-${absolute(to, side)}`);
      return command ? button(`Open ${sideName(side)}in Perfetto`, `Copies the command that opens the Perfetto UI at this moment:\n${command}`, async (event) => {
        await tools.copy(command, event.target);
      }) : '';
    }

    function showEvent(row, i) {
      const list = make('dl', {});
      const line = (what, ...value) => list.append(make('dt', {}, what), make('dd', {}, ...value));
      const [from, to] = [row.start[i], row.start[i] + row.length[i]];
      line('duration', duration(row.length[i]), make('span', { className: 'exact' }, ` ${grouped(row.length[i], 0)} ns`));
      line('start', duration(from), make('span', { className: 'exact' }, ` ${absolute(from, row.side)} ns`));
      line('row', rowName(row));
      line('class', chart.classes[row.kind[i]] || 'other');
      if (row.details && row.details[i] >= 0) {
        for (const detail of chart.details[row.details[i]].split('\n')) {
          const cut = detail.search(/ [^ ]*[\d[("]/);
          line(cut > 0 ? detail.slice(0, cut) : detail.split(' ')[0], make('code', {}, cut > 0 ? detail.slice(cut + 1) : detail.split(' ').slice(1).join(' ')));
        }
      }
      const partner = partnerOf([row, i]);
      if (partner) {
        const [other, k] = partner;
        const change = (other.length[k] - row.length[i]) * (row.side === 0 ? 1 : -1);
        line(`in ${sides[other.side].label}`, button(duration(other.length[k]), 'Go there, so that both begin together', () => {
          align(shift + (row.side === 0 ? 1 : -1) * (row.start[i] - other.start[k]));
          choose([other, k], true);
        }), make('span', { className: change > 0 ? 'worse' : change < 0 ? 'better' : '' }, ` ${change > 0 ? '▲ +' : change < 0 ? '▼ −' : '±'}${duration(Math.abs(change))} from A to B`));
      }
      const cause = causeOf([row, i]);
      const to_ = (event) => button(labelOf(...event), 'Go there', () => choose(event, true));
      if (cause) {
        line('launched by', to_(cause), ` ${duration(from - cause[0].start[cause[1]])} before`);
      }
      const launched = effectsOf([row, i]);
      launched.slice(0, 5).forEach((event) => line('launches', to_(event), ` ${duration(event[0].start[event[1]] - from)} after`));
      const name = nameOf(row, i);
      const sheets = row.name[i] >= 0 ? tools.sheetsWith(name) : [];
      if (labelOf(row, i) !== name) {
        line('name', name);
      }
      if (sheets.length) {
        line('rows', ...sheets.flatMap((sheet) => [make('a', { href: sheet.href }, sheet.name), ' ']));
      }
      panel.replaceChildren(
        make('div', { className: 'tools' }, make('strong', { className: 'grow name' }, labelOf(row, i)), button('×', 'Close', closePanel)),
        list,
        make('div', { className: 'tools' },
          button('Zoom', 'Zoom to it (key F)', () => zoomTo(from, to)),
          ...(row.name[i] >= 0 ? [button('All of this name', 'Search for its name', () => find(tools.exactly(name)))] : []),
          perfetto(from, to, row.side)),
      );
      panel.hidden = false;
    }

    function select(from, to) {
      const [a, b] = [Math.min(from, to), Math.max(from, to)].map((time) => Math.max(0, Math.min(total, Math.round(time))));
      selection = [a, b];
      chosen = null;
      address.set('e', null);
      address.set('sel', `${a}-${b}`);
      showSums(a, b);
      redraw();
    }

    /** What searches for the name of this number; slices that are joined have none. */
    function searcher(number) {
      const name = chart.names[number];
      return name ? button(chart.labels[number] || name, `Search for ${name}`, () => find(tools.exactly(name))) : 'joined';
    }

    function showSums(from, to) {
      const within = (row) => (row.fine && row.fine.from <= from && to <= row.fine.to ? row.fine : row);
      const whole = to - from || 1;
      const lines = bySide(rows.filter((row) => row.loaded && row.group === 'device')).flatMap((all, side) => partsOf(all.map(within), all, { from, to, whole, side }));
      const counted = rows.filter((row) => row.loaded && !row.counter && /^(device|host|annotations|python|)$/.test(row.group)).map(within);
      const names = byName(counted, from, to);
      const compared = sides.length ? comparedNames(counted, from, to) : null;
      const table = compared ? compared.table : make('table', { className: 'sums' }, make('thead', {}, make('tr', {},
        ...['name', 'time', 'share', 'count', 'mean', 'longest'].map((head) => make('th', { scope: 'col' }, head)))));
      const tbody = make('tbody');
      for (const sum of compared ? [] : names.slice(0, MOST_NAMES)) {
        tbody.append(make('tr', { title: `${sum.group} · ${grouped(sum.time, 0)} ns` },
          make('td', {}, searcher(sum.name)),
          ...[duration(sum.time), `${grouped((100 * sum.time) / whole, 1)} %`, grouped(sum.count, 0), duration(sum.count ? sum.time / sum.count : 0), duration(sum.longest)]
            .map((text) => make('td', { className: 'number' }, text))));
      }
      table.append(tbody);
      const text = compared ? compared.text : () => ['name\twhere\ttime ns\tcount\tlongest ns', ...names.map((sum) => [chart.names[sum.name] || 'joined', sum.group, sum.time, sum.count, sum.longest].join('\t'))].join('\n');
      const coarse = counted.filter((row) => row.bucket > 0);
      panel.replaceChildren(
        make('div', { className: 'tools' }, make('strong', { className: 'grow' }, `${duration(to - from)} selected`), button('×', 'Close (key Esc)', closePanel)),
        make('table', { className: 'sums parts' }, make('tbody', {}, ...lines)),
        ...(coarse.length ? [make('p', { className: 'note' }, `${coarse.length} rows are summed in buckets of up to ${duration(Math.max(...coarse.map((row) => row.bucket)))}: a bucket that the selection touches counts whole.`)] : []),
        table,
        ...(names.length > MOST_NAMES ? [make('p', { className: 'note' }, `${grouped(names.length - MOST_NAMES, 0)} further names are in the copy.`)] : []),
        make('div', { className: 'tools' },
          button('Copy', 'Copies all names with their sums', (event) => tools.copy(text(), event.target)),
          button('Zoom', 'Zoom to the selection (key F)', () => zoomTo(from, to)),
          ...(sides.length ? sides.map((_, side) => perfetto(from, to, side)) : [perfetto(from, to)])),
      );
      panel.hidden = false;
    }

    /** The parts of a selection, as lines of a table: what devices did, and how long they did nothing. */
    function partsOf(device, all, { from, to, whole, side }) {
      if (!device.length) {
        return [];
      }
      const sums = parts(device, DEVICE, from, to);
      const busy = sums.reduce((a, b) => a + b, 0);
      const first = Math.min(...all.map((row) => row.start[0]));
      const last = Math.max(...all.map((row) => row.reach[row.n - 1]));
      const span_ = Math.max(0, Math.min(to, last) - Math.max(from, first));
      return [...DEVICE, 'idle', 'before the first and after the last activity'].flatMap((name, c) => {
        const time = c < DEVICE.length ? sums[c] : c === DEVICE.length ? span_ - busy : whole - span_;
        const swatch = make('i');
        swatch.style.background = c <= DEVICE.length ? `var(${colourOf(name)})` : 'none';
        return time > 0 ? [make('tr', { title: `${grouped(time, 0)} ns` }, make('td', {}, swatch, `${sideName(side)}${name}`), make('td', { className: 'number' }, duration(time)),
          make('td', { className: 'number' }, `${grouped((100 * time) / whole, 1)} %`))] : [];
      });
    }

    /** By group and name, what both recordings have of it within a span; what differs most first. */
    function comparedNames(counted, from, to) {
      const both = new Map();
      bySide(counted).forEach((list, side) => byName(list, from, to).forEach((sum) => {
        const key = `${sum.group}\n${sum.name}`;
        const pair = both.get(key) || { group: sum.group, name: sum.name, time: [0, 0], count: [0, 0] };
        pair.time[side] = sum.time;
        pair.count[side] = sum.count;
        both.set(key, pair);
      }));
      const where = ['device', '', 'host', 'annotations', 'python'];
      const pairs = [...both.values()].sort((a, b) => where.indexOf(a.group) - where.indexOf(b.group)
        || Math.abs(b.time[1] - b.time[0]) - Math.abs(a.time[1] - a.time[0]));
      const signed = (time) => `${time > 0 ? '+' : time < 0 ? '−' : ''}${duration(Math.abs(time))}`;
      const table = make('table', { className: 'sums' }, make('thead', {}, make('tr', {},
        ...['name', 'B − A', 'A', 'B', 'count A', 'count B'].map((head) => make('th', { scope: 'col' }, head)))),
      make('tbody', {}, ...pairs.slice(0, MOST_NAMES).map(({ group, name, time, count }) => {
        const change = time[1] - time[0];
        return make('tr', { title: `${group} · ${time.map((one) => `${grouped(one, 0)} ns`).join(' · ')}` },
          make('td', {}, searcher(name)),
          make('td', { className: `number ${change > 0 ? 'worse' : change < 0 ? 'better' : ''}` }, signed(change)),
          ...time.map((one) => make('td', { className: 'number' }, duration(one))),
          ...count.map((one) => make('td', { className: 'number' }, grouped(one, 0))));
      })));
      const text = () => ['name\twhere\tA ns\tB ns\tdifference ns\tcount A\tcount B',
        ...pairs.map(({ group, name, time, count }) => [chart.names[name] || 'joined', group, ...time, time[1] - time[0], ...count].join('\t'))].join('\n');
      return { table, text };
    }

    function measure(forGood) {
      const spanOf = selection || (chosen && [chosen[0].start[chosen[1]], chosen[0].start[chosen[1]] + chosen[0].length[chosen[1]]]);
      if (spanOf) {
        measured = [...measured.filter(([, , kept]) => kept), [...spanOf, forGood]];
        address.set('m', `${Math.round(spanOf[0])}-${Math.round(spanOf[1])}`);
        redraw();
      }
    }

    // -- search and marked places

    function find(text) {
      input.value = text;
      address.set('q', text || null);
      if (!text.trim()) {
        hits = null;
        found.textContent = '';
        redraw();
        return;
      }
      const test = asker(chart, text);
      const list = [];
      const time = sides.length ? [0, 0] : [0];
      const count = time.slice();
      let longest = null;
      for (const row of rows) {
        if (!row.loaded || row.counter || row.group === 'path' || row.group === 'gaps') {
          continue;
        }
        for (let i = 0; i < row.n; i++) {
          if (test(row, i)) {
            list.push([row, i]);
            time[row.side || 0] += row.busy[i];
            count[row.side || 0] += row.merged ? row.merged[i] : 1;
            if (!longest || row.busy[i] > longest[0].busy[longest[1]]) {
              longest = [row, i];
            }
          }
        }
      }
      list.sort((a, b) => a[0].start[a[1]] - b[0].start[b[1]]);
      hits = { test, list, at: -1, time, count, longest };
      say();
      redraw();
    }

    function say() {
      if (!hits) {
        return;
      }
      const where = hits.at >= 0 ? `${grouped(hits.at + 1, 0)} of ` : '';
      found.textContent = hits.list.length ? `${where}${hits.count.map((count, side) => `${sideName(side)}${grouped(count, 0)} · ${duration(hits.time[side])}`).join(', ')}` : 'nothing found';
    }

    function toHit(step) {
      if (hits && hits.list.length) {
        const n = hits.list.length;
        hits.at = hits.at < 0 ? (step > 0 ? Math.max(0, hits.list.findIndex(([row, i]) => row.start[i] >= view.from)) : n - 1) : (hits.at + step + n) % n;
        choose(hits.list[hits.at], true);
        say();
      }
    }

    /** Where a part of a place begins. */
    const startOf = (part) => part.start + (part.side === 1 ? shift : 0);

    const said = (place) => (sides.length
      ? `${place.spans.map((one) => `${sideName(one.side)}${duration(one.length)}`).join(', ')} · ${place.label}`
      : place.spans[0].length > 1 ? `${place.label}, ${duration(place.spans[0].length)}` : place.label);

    function unmark() {
      marked = NONE;
      address.set('mark', null);
      redraw();
    }

    function sayPlace() {
      const n = marked.places.length;
      const first = sides.length ? 'first' : 'longest';
      found.title = found.textContent = `place ${marked.at + 1} of ${n}${marked.count > n ? ` ${first} of ${grouped(marked.count, 0)}` : ''}: ${said(marked.places[marked.at])}`;
    }

    function toPlace(step) {
      const n = marked.places.length;
      if (n) {
        marked.at = (marked.at + step + n) % n;
        const place = marked.places[marked.at];
        align(place.shift);
        const from = startOf(place.spans[0]);
        zoomTo(from, from + Math.max(...place.spans.map((one) => one.length)));
        sayPlace();
      }
    }

    // -- pointer

    let drag = null;
    canvas.addEventListener('pointerdown', (event) => {
      if (event.button === 0) {
        const box = canvas.getBoundingClientRect();
        const x = event.clientX - box.left;
        drag = { x: event.clientX, from: timeAt(x), view, pan: event.shiftKey || event.pointerType === 'touch', moved: false };
        canvas.setPointerCapture(event.pointerId);
        canvas.focus({ preventScroll: true });
      }
    });
    canvas.addEventListener('pointermove', (event) => {
      const box = canvas.getBoundingClientRect();
      const [x, y] = [event.clientX - box.left, event.clientY - box.top];
      if (drag) {
        drag.moved = drag.moved || Math.abs(event.clientX - drag.x) > 3;
        if (drag.pan) {
          const moved = ((drag.x - event.clientX) / (width - gutter)) * (drag.view.to - drag.view.from);
          show(drag.view.from + moved, drag.view.to + moved);
        } else if (drag.moved) {
          selection = [Math.max(0, Math.min(drag.from, timeAt(x))), Math.min(total, Math.max(drag.from, timeAt(x)))];
          redraw();
        }
        hideTip();
        return;
      }
      const { row, index } = at(x, y);
      if (row && index >= 0) {
        showTip(described(row, index), event.clientX, event.clientY);
      } else if (row && x < gutter) {
        showTip(`${rowName(row)}: ${grouped(row.n, 0)} slices${row.bucket ? `, summed in buckets of ${duration(row.bucket)}` : ''}${row.reason ? `\n${row.reason}` : ''}`, event.clientX, event.clientY);
      } else {
        hideTip();
      }
    });
    canvas.addEventListener('pointerup', (event) => {
      const was = drag;
      drag = null;
      if (!was) {
        return;
      }
      const box = canvas.getBoundingClientRect();
      const [x, y] = [event.clientX - box.left, event.clientY - box.top];
      if (was.moved && !was.pan) {
        select(snapped(was.from, y), snapped(timeAt(x), y));
      } else if (!was.moved) {
        const { row, index } = at(x, y);
        if (row && x < gutter) {
          fold(row);
        } else {
          choose(index >= 0 && !row.counter ? [row, index] : null, false);
        }
      }
    });
    canvas.addEventListener('pointercancel', () => { drag = null; });
    canvas.addEventListener('pointerleave', hideTip);

    /** The nearest edge of a slice under the pointer that lies within five pixels. */
    function snapped(time, y) {
      const { row } = at(xOf(time), y);
      const reach = (5 * span()) / (width - gutter);
      let best = time;
      let distance = reach;
      if (row && row.loaded && !row.counter) {
        for (let i = firstReaching(row, time - reach); i < row.n && row.start[i] <= time + reach; i++) {
          for (const edge of [row.start[i], row.start[i] + row.length[i]]) {
            if (Math.abs(edge - time) < distance) {
              best = edge;
              distance = Math.abs(edge - time);
            }
          }
        }
      }
      return best;
    }

    function fold(row) {
      const lead = row.lead;
      if (rows[lead].lanes > 1) {
        if (!open.delete(lead)) {
          open.add(lead);
        }
        layOut();
        redraw();
      }
    }

    scroller.addEventListener('scroll', redraw);
    scroller.addEventListener('wheel', (event) => {
      if (event.ctrlKey || event.metaKey) {
        zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY / 200))), timeAt(event.clientX - canvas.getBoundingClientRect().left));
        event.preventDefault();
      } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey) {
        const moved = ((event.deltaX || event.deltaY) / width) * span();
        show(view.from + moved, view.to + moved);
        event.preventDefault();
      }
      hideTip();
    }, { passive: false });

    // -- keys

    function neighbour(step, sameName) {
      if (chosen) {
        const [row, i] = chosen;
        let next = i + step;
        while (sameName && next >= 0 && next < row.n && row.name[next] !== row.name[i]) {
          next += step;
        }
        if (next >= 0 && next < row.n) {
          choose([row, next], true);
        }
      }
    }

    function centre() {
      const spanOf = selection || (chosen && [chosen[0].start[chosen[1]], chosen[0].start[chosen[1]] + chosen[0].length[chosen[1]]]);
      if (!spanOf) {
        return;
      }
      const middle = (spanOf[0] + spanOf[1]) / 2;
      const there = Math.abs((view.from + view.to) / 2 - middle) < span() / 200;
      if (there) {
        zoomTo(...spanOf);
      } else {
        show(middle - span() / 2, middle + span() / 2);
      }
    }

    function pan(share) {
      show(view.from + share * span(), view.to + share * span());
    }

    function press(event) {
      const fast = event.shiftKey ? 5 : 1;
      const letter = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      if ((event.ctrlKey || event.metaKey) && letter === 'a') {
        select(0, total);
        return true;
      }
      if (event.ctrlKey || event.metaKey) {
        return false;
      }
      const keys = {
        w: () => zoom(0.7 ** fast), ArrowUp: () => zoom(0.7 ** fast), '+': () => zoom(0.7), '=': () => zoom(0.7),
        s: () => zoom(1 / 0.7 ** fast), ArrowDown: () => zoom(1 / 0.7 ** fast), '-': () => zoom(1 / 0.7),
        a: () => pan(-0.1 * fast), ArrowLeft: () => pan(-0.1 * fast),
        d: () => pan(0.1 * fast), ArrowRight: () => pan(0.1 * fast),
        Home: () => show(0, span()), End: () => show(total - span(), total),
        f: centre,
        m: () => measure(event.shiftKey),
        r: () => chosen && select(chosen[0].start[chosen[1]], chosen[0].start[chosen[1]] + chosen[0].length[chosen[1]]),
        ',': () => neighbour(-1, event.altKey), '.': () => neighbour(1, event.altKey),
        '[': () => chosen && causeOf(chosen) && choose(causeOf(chosen), true),
        ']': () => chosen && effectsOf(chosen).length && choose(effectsOf(chosen)[0], true),
        n: () => toPlace(1), p: () => toPlace(-1),
        '/': () => input.focus(),
        0: () => show(0, total),
        '?': () => tools.keys(),
        Escape: () => {
          measured = [];
          address.set('m', null);
          unmark();
          find('');
          closePanel();
        },
      };
      if (!keys[letter]) {
        return false;
      }
      keys[letter]();
      return true;
    }
    canvas.addEventListener('keydown', (event) => press(event) && event.preventDefault());
    input.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') {
        if (input.value !== (address.get('q') || '')) {
          find(input.value);
        }
        toHit(event.shiftKey ? -1 : 1);
      } else if (event.key === 'Escape') {
        find('');
        canvas.focus();
      }
      event.stopPropagation();
    });
    input.addEventListener('input', () => find(input.value));

    // -- loading

    const loading = new Map();
    const seen = new Set();   // classes of what was loaded

    function load(group) {
      if (!loading.has(group)) {
        loading.set(group, inflated(document.getElementById(group.data).textContent).then((bytes) => {
          let from = 0;
          for (const row of group.rows) {
            from = unpack(row, bytes, from);
            if (!row.counter) {
              distinct(row.kind).forEach((kind) => seen.add(kind));
            }
            if (row.side === 1 && shift) {
              move(row, shift);
            }
          }
          effects = null;
        }).catch((error) => {
          group.rows.forEach((row) => { row.reason = `cannot be shown: ${error.message}`; });
          tools.failed(`${chart.title}: ${error.message}`);
        }).then(redraw));
      }
      return loading.get(group);
    }

    function need(row) {
      load(chart.groups.find((group) => group.rows.includes(row)));
    }

    async function loadAll() {
      for (const group of chart.groups) {
        await load(group);
      }
      if (hits) {
        find(input.value);
      }
      if (!chart.served) {
        drawKey(chart.classes.filter((_, kind) => seen.has(kind)));
      }
      apply();
      draw();
      strip.dataset.loaded = 'true';
    }

    // -- address

    function pair(text) {
      const match = /^(\d{1,16})-(\d{1,16})$/.exec(text || '');
      return match && [Number(match[1]), Number(match[2])];
    }

    const converted = (places) => places.map((one) => ({ label: one.label, ...tools.spansOf(one) }));

    function toLongest() {
      const [row, i] = hits.longest;
      choose(hits.longest, true);
      zoomTo(row.start[i], row.start[i] + row.length[i]);
    }

    /** Shows what the address says. */
    function apply() {
      address.reading(() => {
        const t = pair(address.get('t'));
        const m = pair(address.get('m'));
        const sel = pair(address.get('sel'));
        const e = /^(\d+)\.(\d+)$/.exec(address.get('e') || '');
        const q = address.get('q') || '';
        const id_ = address.get('mark') || '';
        align(Number(/^-?\d{1,15}$/.exec(address.get('b') || '') || 0));
        if (id_ !== marked.id) {
          const { places, count } = tools.placesOf(id_);
          marked = { places: converted(places), at: places.length ? 0 : -1, id: id_, count };
          found.textContent = '';
          if (marked.at >= 0) {
            sayPlace();
          } else {
            say();
          }
        }
        measured = m ? [[...m, true]] : [];
        if (q !== input.value || (q && !hits)) {
          find(q);
        }
        if (e && rows[e[1]] && rows[e[1]].loaded && Number(e[2]) < rows[e[1]].n) {
          choose([rows[e[1]], Number(e[2])], false);
        } else if (sel && rows.some((row) => row.loaded)) {
          select(...sel);
        }
        show(...(t || [0, total]), true);
      });
      if (address.get('e') === 'longest' && hits && hits.longest) {
        toLongest();
      }
    }

    const controls = make('div', { className: 'tools' }, input, found,
      button('‹', 'Previous place or hit (keys p, Shift+Enter)', () => (marked.places.length ? toPlace(-1) : toHit(-1))),
      button('›', 'Next place or hit (keys n, Enter)', () => (marked.places.length ? toPlace(1) : toHit(1))),
      range,
      button('−', 'Zoom out (key S)', () => zoom(1 / 0.6)),
      button('+', 'Zoom in (key W)', () => zoom(0.6)),
      button('All', 'Show everything (key 0)', () => show(0, total)),
      button('?', 'Keys', () => tools.keys()));
    let key = make('span');

    /** Classes of one colour share an entry. */
    function drawKey(classes) {
      const named = new Map();
      classes.forEach((name) => named.set(colourOf(name), [...(named.get(colourOf(name)) || []), name]));
      const drawn = legend([...named.values()].map((names) => names.join(', ')));
      key.replaceWith(drawn);
      key = drawn;
    }

    if (docked) {
      docked.append(key);
      body.append(controls, strip);
    } else {
      body.append(key, controls, strip);
    }
    drawKey(chart.classes);
    repaints.push(() => {
      tints.clear();
      paints = [];
      hatch = null;
      draw();
    });
    new ResizeObserver(redraw).observe(scroller);
    layOut();
    loadAll();
    return { apply, focus: () => canvas.focus({ preventScroll: true }) };
  }

  return timeline;
};
