// SPDX-License-Identifier: Apache-2.0
// Charts that are drawn as vector graphics. The tools are those of the page's own script.
const vectorCharts = (tools) => {
  'use strict';

  const { make, brief, colourOf, shapeOf, resolved, inkOn, mixed, legend, repaints, showTip, hideTip } = tools;
  const SVG = 'http://www.w3.org/2000/svg';
  const WIDTH = 920;

  function draw(tag, attributes, text) {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) {
      element.setAttribute(name, value);
    }
    if (text !== undefined) {
      element.textContent = text;
    }
    return element;
  }

  function canvas(height, label) {
    return draw('svg', { viewBox: `0 0 ${WIDTH} ${height}`, class: 'vector', role: 'img', 'aria-label': label });
  }

  function tipOn(element, text) {
    element.addEventListener('pointerenter', (event) => showTip(text, event.clientX, event.clientY));
    element.addEventListener('pointerleave', hideTip);
  }

  // ---- Axes --------------------------------------------------------------------------------------------------------

  /** Steps of 1, 2 or 5 times a power of ten that cut a range into about this many parts. */
  function roundStep(range, parts) {
    const raw = range / parts;
    const power = 10 ** Math.floor(Math.log10(raw));
    return power * [1, 2, 5, 10].find((factor) => factor * power >= raw * 0.999);
  }

  function linearAxis(values, from, to) {
    const low = Math.min(0, ...values);
    const high = Math.max(0, ...values);
    const step = roundStep(high - low || 1, 6);
    const first = Math.floor(low / step);
    const last = Math.max(first + 1, Math.ceil(high / step));
    const ticks = [];
    for (let i = first; i <= last; i++) {
      ticks.push(i * step);
    }
    const scale = (to - from) / ((last - first) * step);
    return { ticks, holds: Number.isFinite, place: (value) => from + (value - first * step) * scale };
  }

  function logarithmicAxis(values, from, to, bytes) {
    const logs = values.map(Math.log10);
    const first = logs.length ? Math.floor(Math.min(...logs)) : 0;
    const last = logs.length ? Math.max(first + 1, Math.ceil(Math.max(...logs))) : 1;
    const every = Math.ceil((last - first) / 8);
    const ticks = [];
    for (let power = first; power <= last; power += every) {
      ticks.push(10 ** power);
    }
    const scale = (to - from) / (last - first);
    if (bytes) {
      // Powers of two, which sizes in bytes are; from one to the next that fits.
      const [low, high] = [Math.ceil(first * Math.log2(10)), Math.floor(last * Math.log2(10))];
      const least = (high - low) / 8;
      const step = [1, 2].find((one) => one >= least) || Math.ceil(least / 5) * 5;
      ticks.length = 0;
      for (let power = Math.ceil(low / step) * step; power <= high; power += step) {
        ticks.push(2 ** power);
      }
    }
    const place = (value) => from + (Math.log10(value) - first) * scale;
    return { ticks, holds: (value) => value > 0 && Number.isFinite(value), place };
  }

  function axisOf(axis, values, from, to) {
    if (axis.logarithmic) {
      return logarithmicAxis(values.filter((value) => value > 0 && Number.isFinite(value)), from, to, axis.label.includes('(bytes)'));
    }
    return linearAxis(values.filter(Number.isFinite), from, to);
  }

  const BYTES = [['GiB', 2 ** 30], ['MiB', 2 ** 20], ['KiB', 2 ** 10], ['B', 1]];

  function byteText(value) {
    const [unit, size] = BYTES.find(([, one]) => value >= one) || BYTES[3];
    return `${brief(value / size)} ${unit}`;
  }

  function tickText(value) {
    const size = Math.abs(value);
    return size >= 1e6 || (size > 0 && size < 1e-3) ? value.toExponential(0).replace('e+', 'e') : brief(value);
  }

  // ---- Scatter -----------------------------------------------------------------------------------------------------

  const PLOT = { left: 74, right: WIDTH - 28, top: 14, bottom: 372, height: 420 };
  const LARGEST_DOT = 15;
  const SMALLEST_DOT = 3.2;

  function grid(svg, chart, x, y) {
    for (const tick of x.ticks) {
      const at = x.place(tick);
      svg.append(draw('line', { class: 'grid', x1: at, x2: at, y1: PLOT.top, y2: PLOT.bottom }),
        draw('text', { class: 'tick', x: at, y: PLOT.bottom + 18, 'text-anchor': 'middle' },
          chart.x.logarithmic && chart.x.label.includes('(bytes)') ? byteText(tick) : tickText(tick)));
    }
    for (const tick of y.ticks) {
      const at = y.place(tick);
      svg.append(draw('line', { class: 'grid', x1: PLOT.left, x2: PLOT.right, y1: at, y2: at }),
        draw('text', { class: 'tick', x: PLOT.left - 8, y: at + 4, 'text-anchor': 'end' }, tickText(tick)));
    }
    const middle = (PLOT.top + PLOT.bottom) / 2;
    svg.append(
      draw('text', { class: 'axis', x: (PLOT.left + PLOT.right) / 2, y: PLOT.height - 8, 'text-anchor': 'middle' }, chart.x.label),
      draw('text', {
        class: 'axis', x: 16, y: middle, 'text-anchor': 'middle', transform: `rotate(-90 16 ${middle})`,
      }, chart.y.label),
    );
  }

  function path(x, y, xs, ys) {
    let corners = '';
    xs.forEach((value, i) => {
      if (x.holds(value) && y.holds(ys[i])) {
        corners += `${corners ? 'L' : 'M'}${x.place(value).toFixed(2)} ${y.place(ys[i]).toFixed(2)}`;
      }
    });
    return corners;
  }

  function roofs(svg, chart, x, y) {
    for (const line of chart.lines) {
      const stroke = draw('path', { class: 'roof', d: path(x, y, line.x, line.y) });
      const wide = draw('path', { class: 'reach', d: path(x, y, line.x, line.y) });
      tipOn(wide, line.name);
      svg.append(stroke, wide);
    }
  }

  // ---- Labels that lie under nothing -------------------------------------------------------------------------------

  const ruler = document.createElement('canvas').getContext('2d');

  /** The width of a label as it will be drawn. */
  function wideOf(text) {
    ruler.font = `11.5px ${getComputedStyle(document.body).fontFamily}`;
    return ruler.measureText(text).width + 2;
  }

  const meets = (a, b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
  const inPlot = (box) => box.x >= PLOT.left && box.x + box.w <= PLOT.right + 24 && box.y >= PLOT.top - 10 && box.y + box.h <= PLOT.bottom;

  /** Points of the roofs a few pixels apart, as boxes that labels must not cover. */
  function roofBoxes(chart, x, y) {
    const boxes = [];
    for (const line of chart.lines) {
      for (let i = 0; i + 1 < line.x.length; i++) {
        const [x1, y1, x2, y2] = [x.place(line.x[i]), y.place(line.y[i]), x.place(line.x[i + 1]), y.place(line.y[i + 1])];
        const steps = Math.min(400, Math.ceil(Math.hypot(x2 - x1, y2 - y1) / 6) || 0);
        for (let k = 0; k <= steps; k++) {
          boxes.push({ x: x1 + ((x2 - x1) * k) / (steps || 1) - 1, y: y1 + ((y2 - y1) * k) / (steps || 1) - 1, w: 2, h: 2 });
        }
      }
    }
    return boxes;
  }

  function roofNames(svg, chart, x, y, dotBoxes, taken) {
    for (const line of chart.lines) {
      const w = wideOf(line.name);
      const last = line.x.length - 1;
      if (!x.holds(line.x[last]) || !y.holds(line.y[last])) {
        continue;
      }
      const [x1, y1, x2, y2] = [x.place(line.x[Math.max(0, last - 1)]), y.place(line.y[Math.max(0, last - 1)]), x.place(line.x[last]), y.place(line.y[last])];
      let best = null;
      for (let k = 0; k <= 24 && !best; k++) {
        const [px, py] = [x2 + ((x1 - x2) * k) / 24, y2 + ((y1 - y2) * k) / 24];
        for (const beside of [-15, 4, -30, 19]) {
          const box = { x: px - w - 4, y: py + beside, w, h: 14 };
          if (box.x >= PLOT.left && box.y >= 0 && ![...dotBoxes, ...taken].some((other) => meets(box, other))) {
            best = box;
            break;
          }
        }
      }
      if (best) {
        taken.push(best);
        svg.append(draw('text', { class: 'tick beside label', x: best.x, y: best.y + 10.5 }, line.name));
      }
    }
  }

  const MOST_LABELS = 8;

  function dotNames(svg, placed, dotBoxes, lines, taken) {
    const heaviest = [...placed].sort((a, b) => b.weight - a.weight).filter((dot) => dot.label).slice(0, MOST_LABELS);
    for (const dot of heaviest) {
      const text = dot.label.length > 30 ? `${dot.label.slice(0, 29)}…` : dot.label;
      const [w, h] = [wideOf(text), 14];
      let found = null;
      for (const away of [3, 14, 30, 52]) {
        const d = 1.2 * dot.r + 1 + away;
        const places = [[d, -h / 2], [-d - w, -h / 2], [-w / 2, -d - h], [-w / 2, d], [d * 0.7, -d * 0.7 - h], [d * 0.7, d * 0.7], [-d * 0.7 - w, -d * 0.7 - h], [-d * 0.7 - w, d * 0.7]];
        const place = places.find(([dx, dy]) => {
          const box = { x: dot.x + dx, y: dot.y + dy, w, h };
          return inPlot(box) && ![...dotBoxes, ...lines, ...taken].some((other) => meets(box, other));
        });
        if (place) {
          found = { box: { x: dot.x + place[0], y: dot.y + place[1], w, h }, away };
          break;
        }
      }
      if (found) {
        taken.push(found.box);
        if (found.away > 10) {
          const [cx, cy] = [Math.max(found.box.x, Math.min(dot.x, found.box.x + w)), Math.max(found.box.y, Math.min(dot.y, found.box.y + h))];
          svg.append(draw('line', { class: 'leader', x1: dot.x, y1: dot.y, x2: cx, y2: cy }));
        }
        svg.append(draw('text', { class: 'tick label', x: found.box.x, y: found.box.y + 10.5 }, text));
      }
    }
  }

  /** Shapes that tell categories apart where colours do not: disc, square, triangle, diamond, cross, triangle on its tip. */
  function dotShape(shape, x, y, r) {
    const at = (points) => points.map(([dx, dy], i) => `${i ? 'L' : 'M'}${(x + dx * r).toFixed(2)} ${(y + dy * r).toFixed(2)}`).join('') + 'Z';
    const t = 0.35;
    const forms = [
      null,
      [[-0.88, -0.88], [0.88, -0.88], [0.88, 0.88], [-0.88, 0.88]],
      [[0, -1.15], [1.05, 0.75], [-1.05, 0.75]],
      [[0, -1.2], [1.2, 0], [0, 1.2], [-1.2, 0]],
      [[-t, -1.1], [t, -1.1], [t, -t], [1.1, -t], [1.1, t], [t, t], [t, 1.1], [-t, 1.1], [-t, t], [-1.1, t], [-1.1, -t], [-t, -t]],
      [[0, 1.15], [1.05, -0.75], [-1.05, -0.75]],
    ];
    return forms[shape] ? draw('path', { class: 'dot', d: at(forms[shape]) })
      : draw('circle', { class: 'dot', cx: x.toFixed(2), cy: y.toFixed(2), r: r.toFixed(2) });
  }

  const SHAPE_COUNT = 6;

  /** The shape of each category. Names that mean the same have one look, so that the later of two in a picture takes the next shape that is free. */
  function shapesOf(names) {
    const shapes = new Map();
    const taken = new Set();
    for (const name of new Set(names)) {
      const hollow = /bwd|backward/i.test(name);
      const look = (shape) => `${colourOf(name)} ${shape} ${hollow}`;
      let shape = shapeOf(name);
      for (let i = 1; i < SHAPE_COUNT && tools.isMeant(name) && taken.has(look(shape)); i++) {
        shape = (shape + 1) % SHAPE_COUNT;
      }
      taken.add(look(shape));
      shapes.set(name, shape);
    }
    return shapes;
  }

  function dots(svg, series, { x, y, heaviest, placed, shapes }) {
    const group = draw('g', { class: 'points' });
    group.name_ = series.name;
    group.style.fill = `var(${colourOf(series.name)})`;
    group.style.stroke = `var(${colourOf(series.name)})`;
    if (/bwd|backward/i.test(series.name)) {
      group.setAttribute('class', 'points hollow');
    }
    if (series.connected) {
      group.append(draw('path', { class: 'join', d: path(x, y, series.x, series.y) }));
    }
    const order = series.x.map((_, i) => i).sort((a, b) => (series.weight[b] || 0) - (series.weight[a] || 0));
    for (const i of order) {
      if (x.holds(series.x[i]) && y.holds(series.y[i])) {
        const share = heaviest > 0 ? Math.sqrt((series.weight[i] || 0) / heaviest) : 0;
        const radius = series.connected ? SMALLEST_DOT : Math.max(SMALLEST_DOT, LARGEST_DOT * share);
        const [cx, cy] = [x.place(series.x[i]), y.place(series.y[i])];
        const dot = dotShape(series.connected ? 0 : shapes.get(series.name), cx, cy, radius);
        const label = series.labels[i] || '';
        tipOn(dot, `${series.name}\n${label}\n(${chartValue(series.x[i])}, ${chartValue(series.y[i])})`);
        const lead = series.leads[i] && tools.targetOf(series.leads[i]);
        if (lead) {
          leadTo(dot, lead);
        } else {
          followOn(dot, label);
        }
        group.append(dot);
        placed.push({ x: cx, y: cy, r: radius, weight: series.weight[i] || 0, label: series.connected ? '' : label.split(/[\n\[(]/)[0].trim() });
      }
    }
    svg.append(group);
  }

  function swatch(name, shape) {
    const svg = draw('svg', { class: 'swatch', viewBox: '-8 -8 16 16', 'aria-hidden': 'true' });
    const dot = dotShape(shape, 0, 0, 6);
    dot.removeAttribute('class');
    dot.style.fill = `var(${colourOf(name)})`;
    dot.style.stroke = `var(${colourOf(name)})`;
    if (/bwd|backward/i.test(name)) {
      dot.style.fillOpacity = '0.1';
      dot.style.strokeWidth = '2';
    }
    svg.append(dot);
    return svg;
  }

  /** A dot leads to the rows that its label names. */
  function followOn(element, label) {
    const [sheet] = tools.sheetsWith(label.split('\n')[0]).concat(tools.sheetsWith(label.split(/[\n\[(]/)[0].trim()));
    if (sheet) {
      leadTo(element, sheet.href);
    }
  }

  function leadTo(element, target) {
    const follow = () => tools.follow(target);
    element.dataset.lead = target;
    element.setAttribute('tabindex', '-1');
    element.setAttribute('role', 'link');
    element.classList.add('leads-on');
    element.addEventListener('click', follow);
    element.addEventListener('keydown', (event) => event.key === 'Enter' && follow());
  }

  /** One stop of Tab for a picture; arrows go from part to part. */
  function roving(svg) {
    const parts = () => [...svg.querySelectorAll('.leads-on')];
    const first = parts()[0];
    if (!first) {
      return;
    }
    first.setAttribute('tabindex', '0');
    svg.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      const all = parts();
      const at = all.indexOf(document.activeElement);
      if (step && at >= 0) {
        all[at].setAttribute('tabindex', '-1');
        const next = all[(at + step + all.length) % all.length];
        next.setAttribute('tabindex', '0');
        next.focus();
        event.preventDefault();
      }
    });
  }

  /** The numbers behind a picture. */
  function behind(body, heads, rows) {
    const table = make('details', { className: 'behind' }, make('summary', {}, 'as table'));
    table.addEventListener('toggle', () => {
      if (table.open && table.children.length === 1) {
        table.append(make('div', { className: 'sheet' }, make('table', {}, make('thead', {}, make('tr', {}, ...heads.map((head) => make('th', { scope: 'col' }, head)))),
          make('tbody', {}, ...rows().slice(0, 1000).map((row) => make('tr', {}, ...row.map((cell) => make('td', { className: typeof cell === 'number' ? 'number' : '' }, typeof cell === 'number' ? chartValue(cell) : String(cell ?? '')))))))));
      }
    });
    body.append(table);
  }

  function chartValue(value) {
    return Math.abs(value) >= 1e6 ? value.toPrecision(4) : brief(value);
  }

  const FAR = 1000;

  /** What holds 99.9 % of the weight, or 98 % where the rest lies far off: a message of four bytes does not stretch an axis. */
  function core(series, key) {
    const all = series.flatMap((one) => one[key].map((value, i) => [value, one.weight[i] || 0]))
      .filter(([value]) => value > 0 && Number.isFinite(value)).sort((a, b) => a[0] - b[0]);
    const total = all.reduce((sum, [, weight]) => sum + weight, 0);
    const spare = total * 0.0005;
    let [low, high] = [0, all.length - 1];
    for (let left = spare; low < high && left >= all[low][1]; low++) {
      left -= all[low][1];
    }
    for (let left = spare; high > low && left >= all[high][1]; high--) {
      left -= all[high][1];
    }
    for (let i = low, left = total * 0.01; i < high && left >= all[i][1]; i++) {
      left -= all[i][1];
      low = all[i + 1][0] >= FAR * all[i][0] ? i + 1 : low;
    }
    for (let i = high, left = total * 0.01; i > low && left >= all[i][1]; i--) {
      left -= all[i][1];
      high = all[i][0] >= FAR * all[i - 1][0] ? i - 1 : high;
    }
    return all.length ? [all[low][0], all[high][0]] : [0, 0];
  }

  function scatter(chart, body) {
    const points = chart.series.filter((one) => !one.connected);
    const trimmed = chart.x.logarithmic && points.length === chart.series.length && points.some((one) => one.weight.some((weight) => weight > 0));
    const [low, high] = trimmed ? core(chart.series, 'x') : [-Infinity, Infinity];
    const inside = (value) => value !== null && (!trimmed || (value >= low && value <= high));
    const all = (key) => [...chart.series, ...chart.lines].flatMap((part) => part[key].filter((value, i) => value !== null && (part.labels === undefined || inside(part.x[i]))));
    const x = axisOf(chart.x, all('x'), PLOT.left, PLOT.right);
    const y = axisOf(chart.y, all('y'), PLOT.bottom, PLOT.top);
    const within = { ...x, holds: (value) => x.holds(value) && inside(value) };
    const svg = canvas(PLOT.height, `${chart.title}: ${chart.y.label} over ${chart.x.label}`);
    grid(svg, chart, x, y);
    roofs(svg, chart, x, y);
    const heaviest = Math.max(0, ...chart.series.flatMap((series) => series.weight.filter(Number.isFinite)));
    const placed = [];
    const shapes = shapesOf(chart.series.map((series) => series.name));
    chart.series.forEach((series) => dots(svg, series, { x: within, y, heaviest, placed, shapes }));
    // Triangles, diamonds and crosses reach a fifth further than discs.
    const dotBoxes = placed.map(({ x: cx, y: cy, r }) => ({ x: cx - 1.2 * r - 1, y: cy - 1.2 * r - 1, w: 2.4 * r + 2, h: 2.4 * r + 2 }));
    const taken = [];
    roofNames(svg, chart, x, y, dotBoxes, taken);
    if (chart.lines.length) {
      dotNames(svg, placed, dotBoxes, roofBoxes(chart, x, y), taken);
    }
    for (const [sign, beyond, at] of [['◂', (value) => value < low, PLOT.left], ['▸', (value) => value > high, PLOT.right]]) {
      const count = trimmed ? chart.series.reduce((sum, one) => sum + one.x.filter((value) => value !== null && x.holds(value) && beyond(value)).length, 0) : 0;
      if (count) {
        svg.append(draw('text', { class: 'tick', x: at, y: PLOT.bottom - 4, 'text-anchor': sign === '◂' ? 'start' : 'end' },
          sign === '◂' ? `◂ ${count} of little time` : `${count} of little time ▸`));
      }
    }
    const left = chart.series.reduce((sum, s) => sum + s.x.filter((value, i) => !x.holds(value) || !y.holds(s.y[i])).length, 0);
    body.append(legend(chart.series.map((series) => series.name), (name) => {
      svg.classList.toggle('one', name !== null);
      svg.querySelectorAll('.points').forEach((group) => group.classList.toggle('chosen', group.name_ === name));
    }, (name) => swatch(name, shapes.get(name))), make('div', { className: 'vectors' }, svg));
    roving(svg);
    if (left) {
      body.append(make('p', { className: 'note' }, `${brief(left)} points have no place on these axes and are left out.`));
    }
    behind(body, ['series', 'what', chart.x.label, chart.y.label], () => chart.series.flatMap((one) => one.x.map((value, i) => [one.name, one.labels[i] || '', value, one.y[i]])));
  }

  // ---- Heat map ----------------------------------------------------------------------------------------------------

  function heat(chart, body) {
    const values = chart.values.flat().filter((value) => value !== null);
    const sizes = values.map(Math.abs).sort((a, b) => a - b);
    const most = sizes.length ? sizes[sizes.length - 1] : 0;
    const usual = sizes.length ? sizes[Math.min(sizes.length - 1, Math.floor(sizes.length * 0.98))] : 0;
    const reach = usual > 0 && most > 3 * usual ? usual : most;
    const unit = chart.unit ? ` ${chart.unit}` : '';
    const top = chart.columns.length > 1 ? 22 : 0;
    const rowHeight = Math.max(6, Math.min(24, 640 / Math.max(1, chart.rows.length)));
    const longest = chart.rows.reduce((most_, row) => Math.max(most_, row.length), 0);
    const left = Math.min(220, 16 + 7 * longest);
    const height = top + rowHeight * chart.rows.length + 4;
    const width = (WIDTH - left - 4) / Math.max(1, chart.columns.length);
    const svg = canvas(height, `${chart.title}: ${chart.rows.length} rows, ${chart.columns.length} columns`);
    const shown = Math.max(...chart.columns.map((column) => column.length), 1) * 7 + 12;
    const every = Math.max(1, Math.ceil(shown / width));
    chart.columns.forEach((column, c) => {
      if (top && c % every === 0 && left + c * width + 7 * column.length <= WIDTH) {
        svg.append(draw('text', { class: 'tick', x: left + c * width, y: 14 }, column));
      }
    });
    const cells = [];
    const everyRow = Math.max(1, Math.ceil(13 / rowHeight));
    // Where there is no room to name every row, the one that stands out is named, and those around it make room.
    const greatest = chart.values.map((row) => row.reduce((sum, value) => sum + Math.abs(value || 0), 0));
    const foremost = greatest.indexOf(Math.max(...greatest));
    const named = (r) => r === foremost || (r % everyRow === 0 && Math.abs(r - foremost) >= everyRow);
    const numbered = width >= 44 && rowHeight >= 20;
    chart.rows.forEach((row, r) => {
      const y = top + r * rowHeight;
      if (named(r)) {
        svg.append(draw('text', { class: 'tick', x: left - 8, y: y + rowHeight / 2 + 4, 'text-anchor': 'end' },
          row.length > 29 ? `${row.slice(0, 28)}…` : row));
      }
      chart.columns.forEach((column, c) => {
        const value = chart.values[r][c];
        const box = { x: left + c * width, y, width: Math.max(0.6, width - (width > 4 ? 1 : 0)), height: rowHeight - (rowHeight > 8 ? 1 : 0) };
        if (value !== null) {
          const cell = draw('rect', box);
          const capped = Math.abs(value) > reach;
          tipOn(cell, `${row}\n${column}\n${brief(value)}${unit}`);
          const lead = chart.leads[r * chart.columns.length + c];
          const target = lead && tools.targetOf(lead);
          if (target) {
            leadTo(cell, target);
          }
          const sign = chart.scale === 'change' && value > 0 ? '+' : '';
          const text = numbered || capped ? draw('text', { class: 'cell', x: box.x + box.width / 2, y: y + rowHeight / 2 + 4, 'text-anchor': 'middle' },
            numbered ? `${sign}${short(value)}${capped ? ' ▴' : ''}`.replace('-', '−') : '▴') : null;
          if (text) {
            text.style.pointerEvents = 'none';
          }
          cells.push([cell, value, text]);
          svg.append(cell, ...(text ? [text] : []));
        }
      });
    });
    const paint = () => {
      const [paper, worse, better, soft] = ['--panel', '--worse', '--better', '--soft'].map(resolved);
      const more = chart.scale === 'magnitude' ? soft : worse;
      cells.forEach(([cell, value, text]) => {
        const colour = mixed(paper, value < 0 ? (chart.scale === 'change' ? better : soft) : more, reach ? Math.min(1, Math.abs(value) / reach) : 0);
        cell.style.fill = colour;
        if (text) {
          text.style.fill = inkOn(colour);
        }
      });
      scale.style.setProperty('--ramp', more);
    };
    const change = chart.scale === 'change';
    const scale = make('p', { className: 'scale' }, change ? `−${brief(reach)}${unit} better` : '0', make('i', { className: change ? 'ramp both' : 'ramp' }),
      `${change ? '+' : ''}${brief(reach)}${unit}${change ? ' worse' : ''}${reach < most ? `; ▴ up to ${brief(most)}${unit}` : ''}`);
    svg.dataset.scale = chart.scale;
    scale.dataset.scale = chart.scale;
    paint();
    repaints.push(paint);
    body.append(scale, make('div', { className: 'vectors' }, svg));
    roving(svg);
    behind(body, ['', ...chart.columns], () => chart.rows.map((row, r) => [row, ...chart.values[r]]));
  }

  /** A number in few characters. */
  function short(value) {
    const size = Math.abs(value);
    if (size >= 1e6) {
      return `${brief(Math.round(value / 1e4) / 100)} M`;
    }
    return brief(size >= 100 ? Math.round(value) : size >= 10 ? Math.round(value * 10) / 10 : Math.round(value * 100) / 100);
  }

  // ---- Waterfall ---------------------------------------------------------------------------------------------------

  const STEP_HEIGHT = 26;
  const NAMES = 300;

  function waterfall(chart, body) {
    const unit = chart.unit ? ` ${chart.unit}` : '';
    let reached = chart.from;
    const rows = [{ label: chart.fromLabel, from: 0, to: chart.from, text: `${brief(chart.from)}${unit}`, kind: 'total', lead: chart.totals }];
    for (const step of chart.steps) {
      const sign = step.value > 0 ? '+' : step.value < 0 ? '−' : '';
      const share = chart.from ? ` (${sign}${Math.abs((100 * step.value) / chart.from).toFixed(1)} %)` : '';
      rows.push({
        label: step.label, from: reached, to: reached + step.value, text: `${sign}${brief(Math.abs(step.value))}${unit}${share}`,
        kind: step.value > 0 ? 'more' : 'less', lead: step.lead,
      });
      reached += step.value;
    }
    rows.push({ label: chart.toLabel, from: 0, to: reached, text: `${brief(reached)}${unit}`, kind: 'total', lead: chart.totals });
    // Where the steps are small against the totals, the axis starts near them and says so.
    const ends = rows.slice(1, -1).flatMap((row) => [row.from, row.to]).concat(chart.from, reached);
    const low = Math.min(...ends);
    const high = Math.max(...ends);
    const cut = low > 0 && high - low < 0.35 * high ? Math.max(0, low - 0.6 * (high - low)) : 0;
    const base = Math.min(0, low) || cut;
    const scale = (WIDTH - NAMES - 175) / (high - base || 1);
    const place = (value) => NAMES + (Math.max(base, value) - base) * scale;
    const svg = canvas(rows.length * STEP_HEIGHT + 6, `${chart.title}: ${rows.map((row) => `${row.label} ${row.text}`).join('; ')}`);
    rows.forEach((row, i) => {
      const y = i * STEP_HEIGHT + 3;
      const [start, end] = [place(Math.min(row.from, row.to)), place(Math.max(row.from, row.to))];
      const bar = draw('rect', { class: row.kind, x: start, y: y + 3, width: Math.max(1, end - start), height: STEP_HEIGHT - 8 });
      tipOn(bar, `${row.label}\n${row.text}`);
      const target = row.lead && tools.targetOf(row.lead);
      if (target) {
        leadTo(bar, target);
      }
      const name = draw('text', { class: 'name', x: NAMES - 10, y: y + STEP_HEIGHT / 2 + 3, 'text-anchor': 'end' },
        row.label.length > 36 ? `${row.label.slice(0, 35)}…` : row.label);
      tipOn(name, row.label);
      svg.append(name, bar, draw('text', { class: 'tick', x: end + 6, y: y + STEP_HEIGHT / 2 + 3 }, row.text));
      if (i + 1 < rows.length) {
        const at = place(row.to);
        svg.append(draw('line', { class: 'grid', x1: at, x2: at, y1: y + STEP_HEIGHT - 5, y2: y + STEP_HEIGHT + 6 }));
      }
    });
    body.append(make('div', { className: 'vectors' }, svg));
    roving(svg);
    behind(body, ['', chart.unit], () => [[chart.fromLabel, chart.from], ...chart.steps.map((step) => [step.label, step.value]), [chart.toLabel, reached]]);
    if (cut) {
      body.append(make('p', { className: 'note' }, `The axis starts at ${brief(cut)}${unit}, so that the steps can be told apart.`));
    }
  }

  // ---- Icicle ------------------------------------------------------------------------------------------------------

  const BOX_HEIGHT = 20;
  const SMALLEST_BOX = 0.5;
  const BOX_SHADES = { group: 0.12, module: 0.85, operator: 0.5, call: 0.3, activity: 0.3, frame: 0.65 };

  function icicle(chart, body) {
    const boxes = chart.boxes;
    const inside = boxes.map(() => []);
    boxes.forEach((box, i) => box.parent >= 0 && inside[box.parent].push(i));
    inside.forEach((list) => list.sort((a, b) => boxes[b].value - boxes[a].value || a - b));
    const unit = chart.unit ? ` ${chart.unit}` : '';
    const share = (value, whole) => (whole > 0 ? `${((100 * value) / whole).toFixed(1)} %` : '');
    const way = (i) => (boxes[i].parent > 0 ? `${way(boxes[i].parent)} › ${boxes[i].label}` : boxes[i].label);
    const place = make('div', { className: 'vectors' });
    let shown = 0;
    let cells = [];
    const paint = () => {
      const [paper, soft] = ['--panel', '--soft'].map(resolved);
      cells.forEach(([rect, text, box]) => {
        const colour = mixed(paper, soft, BOX_SHADES[box.kind] || 0.4);
        rect.style.fill = colour;
        if (text) {
          text.style.fill = inkOn(colour);
        }
      });
    };
    const show = (top, focused) => {
      shown = top;
      cells = [];
      const rows = [];
      const lay = (i, x, width, depth) => {
        rows.push([i, x, width, depth]);
        let from = x;
        for (const inner of inside[i]) {
          const wide = boxes[i].value > 0 ? (width * boxes[inner].value) / boxes[i].value : 0;
          if (wide >= SMALLEST_BOX) {
            lay(inner, from, wide, depth + 1);
          }
          from += wide;
        }
      };
      const around = [];
      for (let i = boxes[top].parent; i >= 0; i = boxes[i].parent) {
        around.unshift(i);
      }
      around.forEach((i, depth) => rows.push([i, 0, WIDTH, depth]));
      lay(top, 0, WIDTH, around.length);
      const deepest = Math.max(...rows.map((row) => row[3]));
      const svg = canvas((deepest + 1) * BOX_HEIGHT + 2, `${chart.title}: ${way(top)}, ${brief(boxes[top].value)}${unit}`);
      for (const [i, x, width, depth] of rows) {
        const box = boxes[i];
        const rect = draw('rect', { class: 'box leads-on', x, y: depth * BOX_HEIGHT + 1, width: Math.max(0.4, width - 0.6), height: BOX_HEIGHT - 2, tabindex: i === top ? '0' : '-1', role: 'button', 'aria-label': `${box.label}, ${brief(box.value)}${unit}` });
        tipOn(rect, `${way(i)}\n${box.kind}\n${brief(box.value)}${unit}, ${share(box.value, boxes[0].value)} of all${top ? `, ${share(box.value, boxes[top].value)} of ${boxes[top].label}` : ''}`);
        const letters = Math.floor((width - 8) / 6.6);
        const text = letters > 2 ? draw('text', { class: 'cell', x: x + 4, y: depth * BOX_HEIGHT + 14, 'pointer-events': 'none' }, box.label.length > letters ? `${box.label.slice(0, letters - 1)}…` : box.label) : null;
        const enter = () => { hideTip(); show(i === shown ? Math.max(0, box.parent) : i, true); };
        rect.addEventListener('click', enter);
        rect.addEventListener('keydown', (event) => {
          if (event.key === 'Enter' || event.key === ' ') {
            event.preventDefault();
            enter();
          }
        });
        cells.push([rect, text, box]);
        svg.append(rect, ...(text ? [text] : []));
      }
      place.replaceChildren(svg);
      roving(svg);
      paint();
      if (focused) {
        const middle = svg.querySelectorAll('.box')[around.length];
        middle.focus();
      }
    };
    show(0, false);
    repaints.push(paint);
    body.append(place, make('p', { className: 'note' }, 'Click a box to see it alone, and again to go back.'));
    behind(body, ['what', 'kind', chart.unit], () => boxes.map((box, i) => [way(i), box.kind, box.value]));
  }

  // ---- What a picture shows first ----------------------------------------------------------------------------------

  const sumOf = (values) => values.reduce((sum, value) => sum + (value > 0 ? value : 0), 0);
  const largest = (values) => values.indexOf(Math.max(...values));
  const signed = (value) => `${value > 0 ? '+' : value < 0 ? '−' : ''}${brief(Math.abs(value))}`;

  /** Of bars that share a whole the largest, else the largest part of them. */
  function mostOfBars(chart, unit) {
    const totals = chart.bars.map((bar) => sumOf(bar.values));
    const all = sumOf(totals);
    if (chart.shares) {
      const first = largest(totals);
      return all && totals.length > 1 ? `${chart.bars[first].label}, ${brief(totals[first])} of the ${brief(all)}${unit} shown` : '';
    }
    const whole = chart.bars.filter((bar) => bar.label === 'all');
    const parts = chart.parts.map((_, p) => sumOf((whole.length ? whole : chart.bars).map((bar) => bar.values[p])));
    return all && parts.length > 1 ? `${chart.parts[largest(parts)]}, ${((100 * Math.max(...parts)) / sumOf(parts)).toFixed(1)} %` : '';
  }

  /** A row that holds more than all others together, else the largest cell. */
  function mostOfHeat(chart, unit) {
    const sizes = chart.values.map((row) => row.map((value) => Math.abs(value || 0)));
    const rows = sizes.map(sumOf);
    const row = largest(rows);
    const cell = Math.max(...sizes.flat());
    if (!(cell > 0) || sizes.flat().length < 2) {
      return '';
    }
    const told = (r, c) => `${chart.scale === 'change' ? signed(chart.values[r][c]) : brief(chart.values[r][c])}${unit}`;
    const r = rows.length > 1 && rows[row] > sumOf(rows) / 2 ? row : sizes.findIndex((of) => of.includes(cell));
    const c = largest(sizes[r]);
    return `${chart.rows[r]}, ${told(r, c)}${chart.columns.length > 1 ? ` at ${chart.columns[c]}` : ''}`;
  }

  function mostOfWaterfall(chart, unit) {
    const step = chart.steps[largest(chart.steps.map((one) => Math.abs(one.value)))];
    const all = chart.steps.reduce((sum, one) => sum + one.value, 0);
    return step && step.value ? `${step.label}, ${signed(step.value)}${unit}; in all ${signed(all)}${unit}` : '';
  }

  /** The largest of what a picture shows, in words; empty where there is nothing to compare. */
  function mostOf(chart) {
    const unit = chart.unit ? ` ${chart.unit}` : '';
    switch (chart.kind) {
      case 'bars': return chart.bars.length ? mostOfBars(chart, unit) : '';
      case 'heat': return chart.rows.length ? mostOfHeat(chart, unit) : '';
      case 'waterfall': return mostOfWaterfall(chart, unit);
      default: return '';
    }
  }

  return { scatter, heat, waterfall, icicle, mostOf };
};
