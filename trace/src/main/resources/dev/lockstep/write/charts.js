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

  function logarithmicAxis(values, from, to) {
    const logs = values.map(Math.log10);
    const first = logs.length ? Math.floor(Math.min(...logs)) : 0;
    const last = logs.length ? Math.max(first + 1, Math.ceil(Math.max(...logs))) : 1;
    const every = Math.ceil((last - first) / 8);
    const ticks = [];
    for (let power = first; power <= last; power += every) {
      ticks.push(10 ** power);
    }
    const scale = (to - from) / (last - first);
    const place = (value) => from + (Math.log10(value) - first) * scale;
    return { ticks, holds: (value) => value > 0 && Number.isFinite(value), place };
  }

  function axisOf(axis, values, from, to) {
    if (axis.logarithmic) {
      return logarithmicAxis(values.filter((value) => value > 0 && Number.isFinite(value)), from, to);
    }
    return linearAxis(values.filter(Number.isFinite), from, to);
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
        draw('text', { class: 'tick', x: at, y: PLOT.bottom + 18, 'text-anchor': 'middle' }, tickText(tick)));
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
    const taken = [];
    for (const line of chart.lines) {
      const stroke = draw('path', { class: 'roof', d: path(x, y, line.x, line.y) });
      const wide = draw('path', { class: 'reach', d: path(x, y, line.x, line.y) });
      tipOn(wide, line.name);
      svg.append(stroke, wide);
      const last = line.x.length - 1;
      if (x.holds(line.x[last]) && y.holds(line.y[last])) {
        const at = y.place(line.y[last]);
        let beside = at < PLOT.top + 16 ? at + 15 : at - 6;
        while (taken.some((other) => Math.abs(other - beside) < 14)) {
          beside += 14;
        }
        taken.push(beside);
        svg.append(draw('text', { class: 'tick beside', x: x.place(line.x[last]) - 4, y: beside, 'text-anchor': 'end' }, line.name));
      }
    }
  }

  function dots(svg, series, x, y, heaviest) {
    const group = draw('g', { class: 'points' });
    group.name_ = series.name;
    group.style.fill = `var(${colourOf(series.name)})`;
    group.style.stroke = `var(${colourOf(series.name)})`;
    if (series.connected) {
      group.append(draw('path', { class: 'join', d: path(x, y, series.x, series.y) }));
    }
    const order = series.x.map((_, i) => i).sort((a, b) => (series.weight[b] || 0) - (series.weight[a] || 0));
    for (const i of order) {
      if (x.holds(series.x[i]) && y.holds(series.y[i])) {
        const share = heaviest > 0 ? Math.sqrt((series.weight[i] || 0) / heaviest) : 0;
        const radius = series.connected ? SMALLEST_DOT : Math.max(SMALLEST_DOT, LARGEST_DOT * share);
        const dot = draw('circle', { cx: x.place(series.x[i]).toFixed(2), cy: y.place(series.y[i]).toFixed(2), r: radius.toFixed(2) });
        const place = `${chartValue(series.x[i])}, ${chartValue(series.y[i])}`;
        tipOn(dot, `${series.name}\n${series.labels[i] || ''}\n(${place})`);
        group.append(dot);
      }
    }
    svg.append(group);
  }

  function chartValue(value) {
    return Math.abs(value) >= 1e6 ? value.toPrecision(4) : brief(value);
  }

  function scatter(chart, body) {
    const all = (key) => [...chart.series, ...chart.lines].flatMap((part) => part[key].filter((value) => value !== null));
    const x = axisOf(chart.x, all('x'), PLOT.left, PLOT.right);
    const y = axisOf(chart.y, all('y'), PLOT.bottom, PLOT.top);
    const svg = canvas(PLOT.height, `${chart.title}: ${chart.y.label} over ${chart.x.label}`);
    grid(svg, chart, x, y);
    roofs(svg, chart, x, y);
    const heaviest = Math.max(0, ...chart.series.flatMap((series) => series.weight.filter(Number.isFinite)));
    chart.series.forEach((series) => dots(svg, series, x, y, heaviest));
    const left = chart.series.reduce((sum, s) => sum + s.x.filter((value, i) => !x.holds(value) || !y.holds(s.y[i])).length, 0);
    body.append(legend(chart.series.map((series) => series.name), (name) => {
      svg.classList.toggle('one', name !== null);
      svg.querySelectorAll('.points').forEach((group) => group.classList.toggle('chosen', group.name_ === name));
    }), svg);
    if (left) {
      body.append(make('p', { className: 'note' }, `${brief(left)} points have no place on these axes and are left out.`));
    }
  }

  // ---- Heat map ----------------------------------------------------------------------------------------------------

  function heat(chart, body) {
    const values = chart.values.flat().filter((value) => value !== null);
    const reach = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const unit = chart.unit ? ` ${chart.unit}` : '';
    const top = chart.columns.length > 1 ? 22 : 0;
    const rowHeight = Math.max(6, Math.min(24, 640 / Math.max(1, chart.rows.length)));
    const longest = chart.rows.reduce((most, row) => Math.max(most, row.length), 0);
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
    chart.rows.forEach((row, r) => {
      const y = top + r * rowHeight;
      if (r % everyRow === 0) {
        svg.append(draw('text', { class: 'tick', x: left - 8, y: y + rowHeight / 2 + 4, 'text-anchor': 'end' },
          row.length > 29 ? `${row.slice(0, 28)}…` : row));
      }
      chart.columns.forEach((column, c) => {
        const value = chart.values[r][c];
        if (value !== null) {
          const cell = draw('rect', { x: left + c * width, y, width: Math.max(0.6, width - (width > 4 ? 1 : 0)), height: rowHeight - (rowHeight > 8 ? 1 : 0) });
          tipOn(cell, `${row}\n${column}\n${brief(value)}${unit}`);
          cells.push([cell, value]);
          svg.append(cell);
        }
      });
    });
    const paint = () => {
      const [paper, more, less] = ['--panel', '--soft', '--better'].map(resolved);
      cells.forEach(([cell, value]) => {
        cell.style.fill = mixed(paper, value < 0 ? less : more, reach ? Math.abs(value) / reach : 0);
      });
    };
    paint();
    repaints.push(paint);
    const scale = make('p', { className: 'scale' }, '0', make('i', { className: 'ramp' }), `${brief(reach)}${unit}`);
    body.append(scale, svg);
  }

  // ---- Waterfall ---------------------------------------------------------------------------------------------------

  const STEP_HEIGHT = 26;
  const NAMES = 300;

  function waterfall(chart, body) {
    const unit = chart.unit ? ` ${chart.unit}` : '';
    let reached = chart.from;
    const rows = [{ label: chart.fromLabel, from: 0, to: chart.from, text: `${brief(chart.from)}${unit}`, kind: 'total' }];
    for (const step of chart.steps) {
      const sign = step.value > 0 ? '+' : '';
      const share = chart.from ? ` (${sign}${((100 * step.value) / chart.from).toFixed(1)} %)` : '';
      rows.push({
        label: step.label, from: reached, to: reached + step.value, text: `${sign}${brief(step.value)}${unit}${share}`,
        kind: step.value > 0 ? 'more' : 'less',
      });
      reached += step.value;
    }
    rows.push({ label: chart.toLabel, from: 0, to: reached, text: `${brief(reached)}${unit}`, kind: 'total' });
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
      const name = draw('text', { class: 'name', x: NAMES - 10, y: y + STEP_HEIGHT / 2 + 3, 'text-anchor': 'end' },
        row.label.length > 36 ? `${row.label.slice(0, 35)}…` : row.label);
      tipOn(name, row.label);
      svg.append(name, bar, draw('text', { class: 'tick', x: end + 6, y: y + STEP_HEIGHT / 2 + 3 }, row.text));
      if (i + 1 < rows.length) {
        const at = place(row.to);
        svg.append(draw('line', { class: 'grid', x1: at, x2: at, y1: y + STEP_HEIGHT - 5, y2: y + STEP_HEIGHT + 6 }));
      }
    });
    body.append(svg);
    if (cut) {
      body.append(make('p', { className: 'note' }, `The axis starts at ${brief(cut)}${unit}, so that the steps can be told apart.`));
    }
  }

  return { scatter, heat, waterfall };
};
