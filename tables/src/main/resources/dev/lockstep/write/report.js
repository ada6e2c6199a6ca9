// SPDX-License-Identifier: Apache-2.0
// Draws the report from the data in the page. Texts of the data reach the page through textContent and title only.
(() => {
  'use strict';

  const ROWS_AT_FIRST = 30;
  const ROWS_AT_ONCE = 100;
  const ROWS_IN_SIGHT = 20;
  const ROWS_ON_PAPER = 50;
  const DEEPEST_DETAIL = 6;
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

  // ---- Colours: one meaning, one colour, on every page -------------------------------------------------------------

  /** What names mean. Whatever is not here gets a hue by its name, never by its place. */
  const MEANINGS = [/* Tone.MEANINGS */];
  const HUES = ['--attention', '--convolution', '--normalization', '--elementwise'];
  const SHAPES_OF = { '--compute': 0, '--attention': 1, '--convolution': 2, '--normalization': 3, '--elementwise': 4, '--communication': 5, '--memory': 1 };
  /** 32 bits of FNV-1a, which does not depend on anything but the text. */
  function hashOf(text) {
    let hash = 0x811c9dc5;
    for (const byte of new TextEncoder().encode(text)) {
      hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
    }
    return hash;
  }

  /** One of the hues in each of the shapes: by the number that a name ends in, as ranks do, so that neighbours differ, else by the name. */
  function lookOf(name) {
    const number = /(\d{1,9})$/.exec(name);
    const hash = hashOf(name);
    return (number ? Number(number[1]) : hash ^ (hash >>> 16)) >>> 0;
  }

  /** The colour of a name: what it means, else what the name alone picks. */
  function colourOf(title) {
    const name = title.toLowerCase().replace(/^exposed[ _]/, '');
    const known_ = MEANINGS.find(([pattern]) => pattern.test(name));
    return known_ ? known_[1] : HUES[lookOf(name) % HUES.length];
  }

  /** Whether a name means something, as communication does, and looks like all that means the same. */
  const isMeant = (title) => MEANINGS.some(([pattern]) => pattern.test(title.toLowerCase().replace(/^exposed[ _]/, '')));

  /** The shape of a category's dots: by its meaning, else by its name. */
  function shapeOf(title) {
    const name = title.toLowerCase();
    if (/reduc/.test(name)) {
      return 3;
    }
    const known_ = MEANINGS.find(([pattern]) => pattern.test(name));
    return known_ ? SHAPES_OF[known_[1]] || 0 : Math.floor(lookOf(name) / HUES.length) % 6;
  }

  function resolved(variable) {
    return getComputedStyle(root).getPropertyValue(variable).trim();
  }

  function luminance(hex) {
    const [r, g, b] = [1, 3, 5].map((i) => {
      const value = parseInt(hex.slice(i, i + 2), 16) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }

  /** Black or white, whichever contrasts more with a colour such as #0072b2: 4.58 at least. */
  function inkOn(hex) {
    const light = luminance(hex);
    return (light + 0.05) / 0.05 > 1.05 / (light + 0.05) ? '#000000' : '#ffffff';
  }

  /** A colour between two, as #rrggbb. */
  function mixed(from, to, share) {
    return `#${[1, 3, 5].map((i) => {
      const a = parseInt(from.slice(i, i + 2), 16);
      return Math.round(a + (parseInt(to.slice(i, i + 2), 16) - a) * share).toString(16).padStart(2, '0');
    }).join('')}`;
  }

  const repaints = [];
  for (const media of ['(prefers-color-scheme: dark)', 'print']) {
    matchMedia(media).addEventListener('change', () => repaints.forEach((paint) => paint()));
  }
  addEventListener('beforeprint', () => document.querySelectorAll('details.more').forEach((more) => { more.open = true; }));

  /** What names look like: swatches, or the shapes of dots where they have some. */
  function legend(names, hovered, shaped) {
    const list = make('ul', { className: 'legend' });
    for (const name of names) {
      const swatch = make('i');
      swatch.style.background = `var(${colourOf(name)})`;
      if (['--idle', '--waiting'].includes(colourOf(name))) {
        swatch.dataset.hatched = 'true';
      }
      const item = make('li', {}, shaped ? shaped(name) : swatch, name);
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

  // ---- The address: what is shown, so that a copied link shows it again --------------------------------------------

  const KEYS = ['t', 'b', 'e', 'sel', 'm', 'mark', 'q', 'w', 's', 'cols', 'r'];
  const TABLE_KEYS = ['w', 's', 'cols', 'r'];

  const encoded = (text) => encodeURIComponent(text).replace(/[!'()*~]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

  /** Undoes it; null of what nobody has encoded. */
  function decoded(text) {
    try {
      return decodeURIComponent(text);
    } catch (e) {
      return null;
    }
  }

  function parsed(hash) {
    const [place, ...pairs] = hash.replace(/^#/, '').split('&');
    const keys = new Map();
    const old = /^timeline-\d+:(\d+-\d+)$/.exec(place);
    for (const one of pairs) {
      const at = one.indexOf('=');
      const value = at < 0 ? '' : decoded(one.slice(at + 1));
      if (value !== null) {
        keys.set(at < 0 ? one : one.slice(0, at), value);
      }
    }
    if (old) {
      keys.set('t', old[1]);
    }
    return { place: old ? 'timeline' : decoded(place) || 'answer', keys };
  }

  /** A span in the trace's own time, as other pages know it, becomes a view with a little around it, and a selection. */
  function ownTimes(asked) {
    const at = /^(-?\d{1,19})-(-?\d{1,19})$/.exec(asked.keys.get('at') || '');
    asked.keys.delete('at');
    if (at && known.timeline) {
      const [from, to] = at.slice(1).map((time) => Math.max(0, Math.min(known.timeline.length, Number(BigInt(time) - BigInt(known.timeline.origin)))));
      const margin = Math.max(10, (to - from) / 25);
      asked.keys.set('t', `${Math.max(0, Math.round(from - margin))}-${Math.round(Math.min(known.timeline.length, to + margin))}`);
      asked.keys.set('sel', `${from}-${to}`);
    }
    return asked;
  }

  function spelt(place, keys) {
    const order = (key) => (KEYS.includes(key) ? KEYS.indexOf(key) : KEYS.length);
    const pairs = [...keys].filter(([, value]) => value !== null).sort(([a], [b]) => order(a) - order(b));
    return `#${encoded(place).replace(/%2F/g, '/')}${pairs.map(([key, value]) => `&${key}=${encoded(value).replace(/%2F/g, '/').replace(/%2C/g, ',')}`).join('')}`;
  }

  const address = {
    now: parsed(location.hash),
    silent: 0,
    timer: 0,
    get(key) {
      return this.now.keys.has(key) ? this.now.keys.get(key) : null;
    },
    /** Changes what the address says, without a step in the history. */
    set(key, value) {
      if (this.silent || this.get(key) === value) {
        return;
      }
      if (value === null) {
        this.now.keys.delete(key);
      } else {
        this.now.keys.set(key, value);
      }
      if (!this.timer) {
        this.timer = setTimeout(() => this.write(), 250);
      }
    },
    write() {
      clearTimeout(this.timer);
      this.timer = 0;
      history.replaceState(null, '', spelt(this.now.place, this.now.keys));
    },
    /** Writes at once what waits to be written, and what is in sight, so that the way back leads to it. */
    leave() {
      if (this.timer) {
        this.write();
      }
      const section = [...main.children].find((one) => one.getBoundingClientRect().bottom > 0);
      history.replaceState(section ? { child: [...main.children].indexOf(section), top: section.getBoundingClientRect().top } : null, '', location.hash || '#');
    },
    /** Brings into sight what was there when the page was left for another place. */
    returned() {
      const was = history.state;
      if (was && main.children[was.child]) {
        scrollBy(0, main.children[was.child].getBoundingClientRect().top - was.top);
      }
    },
    /** While the page follows the address, nothing writes it. */
    reading(action) {
      this.silent++;
      try {
        action();
      } finally {
        this.silent--;
      }
    },
  };

  /** An address of this page; the timeline stays as it is where the link says nothing of it. */
  function href(place, keys) {
    return spelt(place, new Map(Object.entries(keys || {})));
  }

  async function copy(text, button) {
    const said = button.textContent;
    try {
      await navigator.clipboard.writeText(text);
    } catch (e) {
      const area = make('textarea', { value: text });
      document.body.append(area);
      area.select();
      document.execCommand('copy');
      area.remove();
    }
    button.textContent = 'copied';
    setTimeout(() => { button.textContent = said; }, 1500);
  }

  /** A word as shells take it; null for one that no terminal should be given. */
  function shellWord(text) {
    const word = text.startsWith('-') && !/^--[a-z]+$/.test(text) ? `./${text}` : text;
    return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(word) ? null : /^[\w@+:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`;
  }

  /** A command line of the program, to be copied; null where a name is none that could be pasted. */
  function command(...words) {
    const spelt_ = words.map(shellWord);
    return spelt_.includes(null) ? null : `lockstep ${spelt_.join(' ')}`;
  }

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

  const proven = new Map();   // by id: findings of the page
  const sheets = new Map();   // by name: what shows a table
  let line = null;            // the timeline of the page

  /** Names of sheets in a text lead to them. */
  function withSheets(text, names) {
    const pattern = new RegExp(`(?<![\\w.])(${names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})(?![\\w])`, 'g');
    const pieces = [];
    let last = 0;
    for (const match of names.length ? text.matchAll(pattern) : []) {
      // A plain word, such as copies, is a sheet only where a sheet is named: first, or after a semicolon.
      if (/^[a-z]+$/.test(match[1]) && match.index > 0 && !text.slice(0, match.index).endsWith('; ')) {
        continue;
      }
      pieces.push(text.slice(last, match.index), make('a', { href: href(`table/${match[1]}`) }, match[1]));
      last = match.index + match[1].length;
    }
    return [...pieces, text.slice(last)];
  }

  /** What finds a name on the timeline, and no other. */
  const exactly = (name) => `"${name.replace(/"/g, '""')}"`;

  /** Links to what proves a finding or an action; the one to the timeline says what is given. */
  function leads(finding, see = 'see ›') {
    const of = (kind) => finding.evidence.find((one) => one.kind === kind);
    const links = [];
    const rows = of('rows');
    if (rows && rows.lines.length && known.tables.has(rows.sheet)) {
      const lines = rows.lines.map((one) => one + 1);
      links.push(make('a', { className: 'lead', href: href(`table/${rows.sheet}`, { r: lines.join(',') }), title: `Rows of sheet ${rows.sheet}` },
        lines.length === 1 ? 'row' : `${lines.length} rows`));
    }
    const places = of('places');
    const events = of('events');
    if (places && places.places.length && known.timeline) {
      links.push(toPlaces(places, finding.id, see));
    } else if (rows && known.timeline && placesOf(`${rows.sheet}/${rows.lines[0] + 1}`).places.length) {
      links.push(toPlaces(placesOf(`${rows.sheet}/${rows.lines[0] + 1}`), `${rows.sheet}/${rows.lines[0] + 1}`, see));
    } else if (events && known.timeline) {
      links.push(make('a', { className: 'lead', href: href('timeline', { e: 'longest', q: exactly(events.name) }), title: `${events.name} on the timeline` }, see));
    }
    const page = of('page');
    const other = of('rank');
    const line_ = other && (other.from === undefined ? command('report', other.file, ...other.ranks.flatMap((rank) => ['--rank', rank])) : command('view', '--own', other.file, '--at', `${other.from}-${other.to}`));
    if (line_) {
      links.push(make('button', { type: 'button', className: 'lead', title: `Copies the command that shows ${other.label}:\n${line_}`, onclick: (event) => copy(line_, event.target) }, `${other.label}: command`));
    }
    if (page) {
      links.push(make('a', { className: 'lead', href: page.target, title: page.place ? `${page.place}, on the page of ${page.label}` : page.label }, `${page.label} ›`));
    }
    return links;
  }

  /** What to show on each side of a place: a little; of a moment, enough to see what led to it. */
  function marginOf(length, whole) {
    return length > 1 ? Math.max(10, length * 0.04) : Math.max(10, whole / 100);
  }

  /** A link that shows the first of several places and marks all. */
  function toPlaces(places, id, see = 'see ›') {
    const [first] = places.places;
    const { spans, shift } = spansOf(first);
    const from = spans[0].start;
    const length = Math.max(...spans.map((one) => one.length));
    const margin = marginOf(length, known.timeline.length);
    const t = `${Math.max(0, Math.round(from - margin))}-${Math.round(Math.min(known.timeline.length, from + length + margin))}`;
    const many = places.places.length > 1 ? '; n and p lead to the others' : '';
    return make('a', {
      className: 'lead', href: href('timeline', { t, ...(shift ? { b: String(shift) } : {}), mark: id }),
      title: known.timeline.sides ? `${first.label}: ${spans.map((one) => `${known.timeline.sides[one.side].label} ${duration(one.length)}`).join(', ')}; the first of ${grouped(places.count, 0)}, those that differ most first${many}`
        : `${first.label}, ${duration(first.length)}: the longest of ${grouped(places.count, 0)}${many}`,
    }, see);
  }

  /** Where the parts of a place begin on the timeline, and how far the second recording moves so that they begin together. */
  function spansOf(place) {
    const { sides, origin } = known.timeline;
    // A page with one recording shows of a pair what lies in the candidate.
    const parts = [place, place.partner].filter((one) => one && (sides || one.side !== 0 || !('side' in place)));
    const spans = parts.map((one) => ({ side: sides ? one.side : undefined, start: Number(BigInt(one.from) - BigInt(sides ? sides[one.side].origin : origin)), length: one.length }));
    return { spans, shift: spans.length > 1 ? spans[0].start - spans[1].start : 0 };
  }

  /** The places that an id stands for: a finding's, or those of a row, as sheet/line. */
  function placesOf(id) {
    const nowhere = { places: [], count: 0 };
    const there = (evidence) => (evidence && evidence.places ? { ...evidence, places: evidence.places.filter((one) => spansOf(one).spans.length) } : nowhere);
    const finding = proven.get(id);
    if (finding) {
      return there(finding.evidence.find((one) => one.kind === 'places'));
    }
    const [sheet, row] = id.split('/');
    const section = known.sections.find((one) => one.kind === 'table' && one.name === sheet);
    return there(section && section.places[row - 1]);
  }

  // ---- The answer: what bounds the trace, what to change, and what that gains --------------------------------------

  const MOST_ACTIONS = 3;

  /** A time with three digits, in the unit that fits. */
  function threeDigits(nanoseconds) {
    const size = Math.abs(nanoseconds);
    const [unit, one] = TIME_UNITS.find(([, unit_]) => size >= 0.9995 * unit_) || TIME_UNITS[3];
    const value = size / one;
    return `${grouped(value, value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2)} ${unit}`;
  }

  /** A part of a whole in percent: without decimals from 10 % on, else with one. */
  function percent(part, whole) {
    const value = whole ? (100 * Math.abs(part)) / whole : 0;
    return `${value.toFixed(value < 9.95 ? 1 : 0)} %`;
  }

  const sign = (gain) => (gain >= 0 ? '−' : '+');

  /** What a change saves of a step, and which part of it that is. */
  function gain(saved, of, steps) {
    return [
      make('span', { className: 'saved' }, sign(saved) + threeDigits(saved / steps)),
      make('span', { className: 'saved' }, sign(saved) + percent(saved, of)),
    ];
  }

  /** What a gain rests on, and how to see whether it comes true. */
  function why(action, steps) {
    const list = make('dl', {});
    const say = (word, ...what) => list.append(make('dt', {}, word), make('dd', {}, ...what));
    const places = action.evidence.find((one) => one.kind === 'places');
    if (places && places.count) {
      const [first] = places.places;
      say('Evidence', `${grouped(places.count, 0)} ${places.count === 1 ? 'place' : 'places'}, the longest `, make('code', {}, first.label), ` ${threeDigits(first.length)}`);
    }
    if (action.low !== action.high) {
      say('Range', `${sign(action.low)}${percent(action.low, action.of)} to ${sign(action.high)}${percent(action.high, action.of)}`);
    }
    if (action.assumption) {
      say('Assumption', action.assumption);
    }
    if (action.check) {
      say('Check', make('code', {}, action.check), ' ', make('button', { type: 'button', className: 'lead', onclick: (event) => copy(action.check, event.target) }, 'copy'));
    }
    return make('div', { className: 'why', hidden: true }, list);
  }

  function actions(all, steps, from) {
    return make('ol', { className: 'actions', start: from + 1 }, ...all.map((action, i) => {
      action.id = `action/${action.id}`;
      proven.set(action.id, action);
      const behind = why(action, steps);
      const button = make('button', { type: 'button', className: 'lead', 'aria-expanded': 'false', title: 'What the gain rests on' }, 'why');
      button.addEventListener('click', () => {
        behind.hidden = !behind.hidden;
        button.setAttribute('aria-expanded', String(!behind.hidden));
      });
      return make('li', { id: action.id }, make('span', { className: 'place' }, String(from + i + 1)), make('span', { className: 'what' }, action.text), ...gain(action.gain, action.of, steps),
        action.snippet ? make('code', {}, action.snippet) : make('span', {}), make('div', { className: 'leads' }, ...leads(action, 'show ›'), button), behind);
    }));
  }

  /** The first thing on a page; nothing where nothing is answered. */
  function answered(report) {
    const { answer } = report;
    if (!answer && !report.trust.length) {
      return [];
    }
    const card = make('div', { className: 'answer' });
    if (answer) {
      card.append(make('p', { className: 'verdict' }, answer.text));
    }
    report.trust.forEach((text) => card.append(make('p', { className: 'trust problem' }, text)));
    if (answer && answer.actions.length) {
      const steps = Math.max(1, answer.steps);
      const count = answer.actions.length;
      card.append(actions(answer.actions.slice(0, MOST_ACTIONS), steps, 0));
      if (count > MOST_ACTIONS) {
        card.append(make('details', { className: 'more' }, make('summary', {}, `${count - MOST_ACTIONS} more`), actions(answer.actions.slice(MOST_ACTIONS), steps, MOST_ACTIONS)));
      }
      if (count > 1 && answer.together >= 0) {
        card.append(make('p', { className: 'together' }, make('span', { className: 'what' }, count > MOST_ACTIONS ? `All ${count} together` : 'Together'), ...gain(answer.together, answer.of, steps)));
      }
    }
    return [card];
  }

  const MOST_FINDINGS = 5;

  function findings(section, body) {
    // What the report says first of all stays first, unless it is context only; the total of a comparison always does.
    const [headline] = section.findings;
    const rank = (finding) => (finding === headline && (finding.severity !== 'info' || finding.code === 'total_time') ? -1 : RANKS.indexOf(finding.severity));
    const ranked = [...section.findings].sort((a, b) => rank(a) - rank(b));
    const list = make('ul', { className: 'findings' });
    const names = [...known.tables];
    const items = ranked.map((finding) => {
      let number = 1;
      while (proven.has(number > 1 ? `${finding.code}.${number}` : finding.code)) {
        number++;
      }
      finding.id = number > 1 ? `${finding.code}.${number}` : finding.code;
      proven.set(finding.id, finding);
      const words = make('div', { 'data-address': `#finding/${finding.id}` }, make('span', {}, finding.text));
      if (finding.basis) {
        words.append(make('span', { className: 'basis' }, ...withSheets(finding.basis, names)));
      }
      return make('li', { id: `finding/${finding.id}` }, icon(finding.severity), words, make('div', { className: 'leads' }, ...leads(finding)));
    });
    const first = Math.max(MOST_FINDINGS, ranked.filter((one) => one.severity === 'problem').length);
    list.append(...items.slice(0, items.length > first + 1 ? first : items.length));
    body.append(ranked.length ? list : make('p', { className: 'note' }, 'Nothing stands out.'));
    const rest = items.slice(list.children.length);
    if (rest.length) {
      const more = make('details', { className: 'more' }, make('summary', {}, `${rest.length} more findings`), make('ul', { className: 'findings' }, ...rest));
      body.append(more);
    }
  }

  const CLASSES = { '--compute': 'compute', '--communication': 'communication', '--memory': 'memory' };

  /** The address that evidence leads to; null where this page has nothing of it. */
  function targetOf(lead) {
    switch (lead.kind) {
      case 'page': return lead.target;
      case 'events': return known.timeline && known.names.has(lead.name) ? href('timeline', { e: 'longest', q: exactly(lead.name) }) : null;
      case 'rows': return known.tables.has(lead.sheet) ? href(`table/${lead.sheet}`, { r: lead.lines.map((one) => one + 1).join(',') }) : null;
      case 'places': return known.timeline && lead.places.length ? toPlaces(lead, '').getAttribute('href') : null;
      default: return null;
    }
  }

  /** An element that leads somewhere when it is chosen. */
  function leading_(element, follow) {
    element.tabIndex = 0;
    element.setAttribute('role', 'link');
    element.addEventListener('click', follow);
    element.addEventListener('keydown', (event) => event.key === 'Enter' && follow());
  }

  /** Follows a link that is not in the page. */
  function goTo(target) {
    const link = make('a', { href: target });
    document.body.append(link);
    link.click();
    link.remove();
  }

  /** A part of a bar leads to the longest slice of its class; idle time to its places. */
  function leadOn(part, name) {
    const kind = CLASSES[colourOf(name)];
    const lost = colourOf(name) === '--idle';
    if (!known.timeline || !(lost || known.timeline.classes.includes(kind))) {
      return;
    }
    leading_(part, () => {
      const idle = document.querySelector('[id="finding/idle"] a[href^="#timeline"]');
      goTo(lost ? (idle ? idle.getAttribute('href') : '#timeline') : href('timeline', { e: 'longest', q: `cat:${kind}` }));
    });
  }

  // ---- Stacked bars ------------------------------------------------------------------------------------------------

  function bars(chart, body) {
    const grid = make('div', { className: 'bars' });
    const clean = (value) => (value > 0 ? value : 0);
    const totals = chart.bars.map((bar) => bar.values.reduce((sum, value) => sum + clean(value), 0));
    const longest = Math.max(...totals, 0) || 1;
    const unit = chart.unit ? ` ${chart.unit}` : '';
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
          if (!bar.lead) {
            leadOn(part, chart.parts[p]);
          }
          part.style.width = `${width}%`;
          part.style.backgroundColor = `var(${colourOf(chart.parts[p])})`;
          if (['--idle', '--waiting'].includes(colourOf(chart.parts[p]))) {
            part.dataset.hatched = 'true';
          }
          part.textContent = width > 5 ? `${Math.round(100 * share)} %` : '';
          part.dataset.narrow = String(width < 14);
          const paint = () => { part.style.color = inkOn(resolved(colourOf(chart.parts[p]))); };
          paint();
          repaints.push(paint);
          track.append(part);
        }
      });
      track.setAttribute('aria-label', `${bar.label}. ${spoken.join('; ')}`);
      const label = make('div', { className: 'label', title: bar.label }, bar.label);
      const target = bar.lead && targetOf(bar.lead);
      if (target) {
        label.replaceChildren(make('a', { href: target }, bar.label));
        label.dataset.place = /^rank \d+$/.test(bar.label) ? bar.label.replace(' ', '/') : `config/${bar.label}`;
        track.addEventListener('click', () => goTo(target));
        track.classList.add('leads-on');
      }
      grid.append(
        label,
        track,
        make('div', { className: 'total' }, `${brief(totals[i])}${unit}`),
      );
    });
    body.append(legend(chart.parts, highlight), grid);
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

  /** Whether a label says the unit itself: "Percent", "Bytes". */
  function namesUnit(column) {
    const words = column.label.toLowerCase().split(/[^a-zµ%]+/);
    return column.label.includes(column.unit) || (column.unit === 'B' && words.includes('bytes'))
      || (column.unit === '%' && words.some((word) => /^percent(age)?$/.test(word)));
  }

  function exactText(column, value) {
    return column.unit && isNumber(column) ? `${value} ${column.unit}` : String(value);
  }

  // ---- Which columns lead ------------------------------------------------------------------------------------------

  const isTime = (column) => ['s', 'ms', 'µs', 'ns'].includes(column.unit) && isNumber(column);

  /** What a column holds in all rows, where that is one thing; undefined else. */
  function constantOf(column, rows) {
    const first = rows ? valueOf(column, 0) : null;
    for (let row = 1; row < rows; row++) {
      if (valueOf(column, row) !== first) {
        return undefined;
      }
    }
    return rows > 1 || first === null ? first : undefined;
  }

  // ---- Conditions on rows ------------------------------------------------------------------------------------------

  const MOST_COLUMNS = 14;
  const OPERATORS = [['~', 'contains'], ['=', 'is'], ['!', 'is not'], ['<', 'is below'], ['>', 'is above']];

  /** A condition as addresses spell it: semicolons end conditions, those within follow a backslash. */
  const condition = (header, op, value) => `${header}${op}${value}`.replace(/[\\;]/g, '\\$&');

  function conditions(text, columns) {
    const list = [];
    for (const [spelt_] of (text || '').matchAll(/[^;\\]*(?:\\[\\;]?[^;\\]*)*/g)) {
      const one = spelt_.replace(/\\([\\;])/g, '$1');
      const column = columns.find((c) => one.startsWith(c.header) && OPERATORS.some(([op]) => op === one[c.header.length]));
      if (column) {
        list.push({ column, op: one[column.header.length], value: one.slice(column.header.length + 1) });
      }
    }
    return list;
  }

  function holds(condition, row) {
    const value = valueOf(condition.column, row);
    const asked = condition.value;
    switch (condition.op) {
      case '=': return String(value ?? '') === asked;
      case '!': return String(value ?? '') !== asked;
      case '<': return value !== null && Number(value) < Number(asked);
      case '>': return value !== null && Number(value) > Number(asked);
      default: return String(value ?? '').toLowerCase().includes(asked.toLowerCase());
    }
  }

  const quoted = (text) => (/[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);

  function table(section, body) {
    const columns = section.columns;
    if (section.total === 0) {
      body.append(make('p', { className: 'note' }, 'No rows.'));
      return;
    }
    const place = `table/${section.name}`;
    const leads = section.places.some((place) => place && (place.target || (known.timeline && place.places))) ? 1 : 0;
    const shows = columns.map((column) => (isNumber(column) ? formatOf(column) : (value) => String(value)));
    const constants = columns.map((column) => constantOf(column, section.rows));
    const preferred = section.order;
    const usual = preferred.filter((c, i) => i < 2 || constants[c] === undefined).slice(0, MOST_COLUMNS);
    let searched = null;
    const textOf = (row) => {
      searched = searched || Array.from({ length: section.rows }, (_, r) => columns
        .map((column) => valueOf(column, r)).filter((value) => value !== null).join('\n').toLowerCase());
      return searched[row];
    };
    const all = Array.from({ length: section.rows }, (_, row) => row);
    let visible = usual;
    let order = all;
    let sorted = { column: -1, down: false };
    let query = '';
    let where = [];
    let marks = [];
    let drawn = 0;

    const head = make('tr');
    const rowsBody = make('tbody');
    const sheet = make('div', { className: 'sheet', tabIndex: 0, role: 'region', 'aria-label': section.name },
      make('table', {}, make('thead', {}, head), rowsBody));
    const count = make('span', { className: 'grow', 'aria-live': 'polite' });
    const chips = make('div', { className: 'chips' });
    // Moments are no lengths: their sum means nothing.
    const sum = visible.find((c) => isTime(columns[c]) && !/\b(at|start|begin|end)\b/i.test(columns[c].header));

    function drawHead() {
      head.replaceChildren(make('th', { className: 'opener' }));
      visible.forEach((c, i) => {
        const column = columns[c];
        const button = make('button', { type: 'button', title: `${column.header}\n${column.doc}` }, column.label);
        if (column.unit && !namesUnit(column)) {
          button.append(make('span', { className: 'unit' }, ` ${column.unit}`));
        }
        // Wide enough for two lines, so that long names neither tower nor push the numbers apart.
        const length = column.label.length;
        button.style.minWidth = `${Math.min(length, 22, length / 2 + 3) + 4}ch`;
        button.addEventListener('click', () => sortBy(c));
        const kind = (isNumber(column) ? 'number' : '') + (i === 0 ? ' first' : '');
        head.append(make('th', { scope: 'col', className: kind,
          'aria-sort': sorted.column !== c ? 'none' : sorted.down ? 'descending' : 'ascending' }, button));
      });
      if (leads) {
        head.append(make('th', { className: 'see' }));
      }
    }

    /** Says in the address what is shown, if the address is about this table. */
    function told() {
      const keys = {
        w: where.length ? where.map((one) => condition(one.column.header, one.op, one.value)).join(';') : null,
        s: sorted.column < 0 ? null : `${sorted.down ? '-' : ''}${columns[sorted.column].header}`,
        cols: visible === usual ? null : visible.map((c) => columns[c].header).join(','),
        r: marks.length ? marks.map((row) => row + 1).join(',') : null,
      };
      if (!address.silent && address.now.place !== place && Object.values(keys).some((value) => value !== null)) {
        TABLE_KEYS.forEach((key) => address.now.keys.delete(key));
        address.now.place = place;
      }
      if (address.now.place === place) {
        Object.entries(keys).forEach(([key, value]) => address.set(key, value));
      }
    }

    function sortBy(c) {
      const natural = isNumber(columns[c]);
      sorted = { column: c, down: sorted.column === c ? !sorted.down : natural };
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
      order = (marks.length ? marks : all).filter((row) => words.every((word) => textOf(row).includes(word)) && where.every((one) => holds(one, row)));
      if (sorted.column >= 0) {
        order.sort(compare(columns[sorted.column]));
      }
      drawHead();
      drawChips();
      if (order.length > ROWS_ON_PAPER) {
        sheet.dataset.rest = `The first ${ROWS_ON_PAPER} of ${grouped(order.length, 0)} rows.`;
      } else {
        delete sheet.dataset.rest;
      }
      if (drawn) {
        rowsBody.replaceChildren();
        drawn = 0;
        sheet.scrollTop = 0;
      }
      sheet.classList.toggle('long', order.length > ROWS_IN_SIGHT);
      more(marks.length ? ROWS_AT_ONCE : ROWS_AT_FIRST);
      const total = grouped(section.rows, 0);
      const part = words.length || where.length || marks.length;
      const time = part && sum !== undefined ? ` · ${brief(order.reduce((t, row) => t + (Number(valueOf(columns[sum], row)) || 0), 0))} ${columns[sum].unit} ${columns[sum].label.toLowerCase()}` : '';
      const counted = `${total} ${section.rows === 1 ? 'row' : 'rows'}`;
      count.textContent = part ? `${grouped(order.length, 0)} of ${counted}${time}` : counted;
      told();
    }

    function drawChips() {
      const chip = (text, remove) => make('span', { className: 'chip' }, text,
        make('button', { type: 'button', 'aria-label': `Remove ${text}`, title: 'Remove', onclick: () => { remove(); refresh(); } }, '×'));
      chips.replaceChildren(
        ...(marks.length ? [chip(marks.length === 1 ? 'the row of the link' : `${marks.length} rows of the link`, () => { marks = []; })] : []),
        ...where.map((one) => chip(`${one.column.label} ${OPERATORS.find(([op]) => op === one.op)[1]} ${one.value}`, () => { where = where.filter((other) => other !== one); })));
    }

    function more(count) {
      const next = order.slice(drawn, drawn + count).map(rowElement);
      rowsBody.append(...next);
      drawn += next.length;
    }

    function rowElement(row) {
      const opener = make('button', { type: 'button', 'aria-expanded': 'false', 'aria-label': 'Show the whole row' }, '›');
      const tr = make('tr', marks.includes(row) ? { className: 'marked' } : {}, make('td', { className: 'opener' }, opener));
      visible.forEach((c, i) => {
        const column = columns[c];
        const value = valueOf(column, row);
        const td = make('td', { className: i === 0 ? 'first' : '' });
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
      if (leads) {
        const place = section.places[row];
        tr.append(make('td', { className: 'see' }, ...(!place ? [] : place.target
          ? [make('a', { className: 'lead', href: place.target, title: place.place ? `${place.label}: ${place.place}` : place.label }, 'see ›')]
          : known.timeline && placesOf(`${section.name}/${row + 1}`).places.length ? [toPlaces(placesOf(`${section.name}/${row + 1}`), `${section.name}/${row + 1}`)] : [])));
      }
      tr.exact = (td) => {
        const column = columns[visible[td.cellIndex - 1]];
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
      const isOpen = opener.getAttribute('aria-expanded') === 'true';
      opener.setAttribute('aria-expanded', String(!isOpen));
      if (isOpen) {
        tr.nextSibling.remove();
        return;
      }
      const list = make('dl');
      const named = columns.find((column) => column.texts && valueOf(column, row) && known.names.has(valueOf(column, row)));
      if (named) {
        list.append(make('dt', {}, 'timeline'), make('dd', {}, make('a', {
          href: href('timeline', { e: 'longest', q: exactly(valueOf(named, row)) }) }, `all ${valueOf(named, row)}, the longest first`)));
      }
      for (const c of preferred) {
        const column = columns[c];
        const value = valueOf(column, row);
        list.append(make('dt', { title: column.doc }, column.label),
          make('dd', {}, value === null ? '' : isStructured(column) ? structure(value) : exactText(column, value)));
      }
      tr.after(make('tr', { className: 'detail' }, make('td', { colSpan: visible.length + 1 + leads }, list)));
    }

    const search = make('input', { type: 'search', placeholder: 'Search all columns', 'aria-label': `Search ${section.name}` });
    search.addEventListener('input', () => {
      query = search.value;
      refresh();
    });
    sheet.addEventListener('scroll', () => {
      if (drawn < order.length && sheet.scrollTop + sheet.clientHeight > sheet.scrollHeight - 400) {
        more(ROWS_AT_ONCE);
      }
    });
    addEventListener('beforeprint', () => drawn < ROWS_ON_PAPER && more(ROWS_ON_PAPER - drawn));

    const button = (label, title, action) => make('button', { type: 'button', title, onclick: action }, label);
    const drawer = make('div', { className: 'drawer', hidden: true });

    function chooser() {
      const list = make('ul', { className: 'choices' }, ...columns.map((column, c) => {
        const box = make('input', { type: 'checkbox', checked: visible.includes(c) });
        box.addEventListener('change', () => {
          visible = preferred.filter((other) => (other === c ? box.checked : visible.includes(other)));
          refresh();
        });
        return make('li', {}, make('label', { title: column.doc }, box, ` ${column.label}`, make('span', { className: 'basis' }, ` ${column.doc}`)));
      }));
      const choose = (which) => () => {
        visible = which;
        refresh();
        chooser();
      };
      drawer.replaceChildren(make('div', { className: 'tools' }, button('All', 'All columns', choose(preferred)), button('Default', 'The columns that lead', choose(usual))), list);
    }

    function filterForm() {
      const column = make('select', { 'aria-label': 'Column' }, ...columns.map((one, c) => make('option', { value: c }, one.label)));
      const op = make('select', { 'aria-label': 'Condition' }, ...OPERATORS.map(([value, text]) => make('option', { value }, text)));
      const value = make('input', { 'aria-label': 'Value' });
      const values = make('div', { className: 'choices values' });
      const suggest = () => {
        const chosen = columns[column.value];
        values.replaceChildren();
        if (!isNumber(chosen)) {
          const counts = new Map();
          all.forEach((row) => counts.set(String(valueOf(chosen, row) ?? ''), (counts.get(String(valueOf(chosen, row) ?? '')) || 0) + 1));
          [...counts].sort((a, b) => b[1] - a[1]).slice(0, 12).forEach(([text, n]) => values.append(button(`${text.slice(0, 60) || '(missing)'} (${n})`, text, () => add('=', text))));
        }
        op.value = isNumber(chosen) ? '>' : '~';
      };
      const add = (operator, text) => {
        where = [...where, { column: columns[column.value], op: operator, value: text }];
        refresh();
      };
      column.addEventListener('change', suggest);
      const form = make('form', { className: 'tools' }, column, op, value, make('button', { type: 'submit' }, 'Filter'));
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        if (value.value) {
          add(op.value, value.value);
        }
      });
      drawer.replaceChildren(form, values);
      suggest();
    }

    const opens = (fill) => (event) => {
      const same = drawer.owner === event.target && !drawer.hidden;
      drawer.hidden = same;
      drawer.owner = event.target;
      if (!same) {
        fill();
      }
    };
    const cell = (column, row) => {
      const value = valueOf(column, row);
      return value === null ? '' : String(value);
    };
    const tsv = () => [visible.map((c) => columns[c].header), ...order.map((row) => visible.map((c) => cell(columns[c], row).replace(/[\t\n]/g, ' ')))].map((one) => one.join('\t')).join('\n');
    const csv = () => `${[columns.map((column) => column.header), ...all.map((row) => columns.map((column) => cell(column, row)))].map((one) => one.map(quoted).join(',')).join('\n')}\n`;

    function download() {
      const link = make('a', { href: URL.createObjectURL(new Blob([csv()], { type: 'text/csv' })), download: `${section.name}.csv` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    }

    const tools = make('div', { className: 'tools' });
    if (section.rows > 8) {
      tools.append(search);
    }
    tools.append(count);
    if (columns.length > 3) {
      tools.append(button('Columns', 'Choose columns', opens(chooser)));
    }
    if (section.rows > 3) {
      tools.append(button('Filter', 'Rows by the value of a column', opens(filterForm)));
    }
    tools.append(button('Copy', 'Copies the rows and columns that are shown', (event) => copy(tsv(), event.target)),
      button('CSV', section.rows < section.total ? `The first ${grouped(section.rows, 0)} rows with all columns; csv/${section.name}.csv holds all` : 'All rows and columns with all digits', download));
    const fixed = columns.map((_, c) => c).filter((c) => constants[c] !== undefined && constants[c] !== null && !usual.includes(c));
    body.append(tools, drawer, chips);
    if (fixed.length) {
      body.append(make('p', { className: 'note constants' }, 'The same in all rows: ', ...fixed.slice(0, 12).flatMap((c, i) => [i ? ', ' : '', make('span', { title: columns[c].doc }, `${columns[c].label} ${String(shows[c](constants[c])).slice(0, 60)}`)])));
    }
    body.append(sheet);
    if (section.rows < section.total) {
      body.append(make('p', { className: 'note' }, `The first ${grouped(section.rows, 0)} of ${grouped(section.total, 0)} rows; `
        + `the other ${grouped(section.total - section.rows, 0)} are in the CSV and the workbook.`));
    }
    refresh();
    sheets.set(section.name, {
      body,
      /** Shows what the address asks for. */
      apply(get) {
        where = conditions(get('w'), columns);
        const s = get('s') || '';
        const by = columns.findIndex((column) => column.header === s.replace(/^-/, ''));
        sorted = { column: by, down: s.startsWith('-') };
        const cols = (get('cols') || '').split(',').map((header) => columns.findIndex((column) => column.header === header)).filter((c) => c >= 0);
        visible = cols.length ? cols : usual;
        marks = (get('r') || '').split(',').map((one) => Number(one) - 1).filter((row) => Number.isInteger(row) && row >= 0 && row < section.rows);
        refresh();
      },
    });
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

  /** What the page holds, known before anything is drawn. */
  const known = { tables: new Set(), names: new Set(), timeline: null };

  const GROUPS = [
    ['Charts', (section) => !['table', 'findings', 'links'].includes(section.kind)],
    ['Time', (section) => /^(ranks?$|rank_|gpu_timeline|device|stream|idle|host_(threads|summary)|iterations|gpu_)/.test(section.name)],
    ['Path', (section) => /^(opportunit|what_if|compute_gaps|critical|dependency)/.test(section.name)],
    ['Operators', (section) => /^(ops|unified|host_ops|work|[A-Z]|host_)/.test(section.name)],
    ['Kernels', (section) => /kernel/.test(section.name)],
    ['Collectives', (section) => /coll|comm|nccl/.test(section.name)],
  ];

  function chartId(title) {
    return title.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
  }

  function dockFor(section) {
    const dock = make('aside', { id: 'dock', 'aria-label': section.title });
    const grip = make('div', { className: 'grip', role: 'separator', tabIndex: 0, 'aria-orientation': 'horizontal', 'aria-label': 'Height of the timeline (Shift with up and down)' });
    let height = innerWidth <= 900 ? 60 : 36;
    const size = (percent) => {
      height = Math.max(20, Math.min(70, percent));
      root.style.setProperty('--dock', `${height}vh`);
    };
    const fold = (folded) => {
      dock.classList.toggle('folded', folded === undefined ? !dock.classList.contains('folded') : folded);
      root.classList.toggle('dock-folded', dock.classList.contains('folded'));
    };
    grip.addEventListener('pointerdown', (event) => {
      grip.setPointerCapture(event.pointerId);
      grip.onpointermove = (moved) => size(100 - (100 * moved.clientY) / innerHeight);
    });
    grip.addEventListener('pointerup', () => { grip.onpointermove = null; });
    dock.addEventListener('keydown', (event) => {
      if (event.shiftKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown') && !event.target.matches('input')) {
        size(height + (event.key === 'ArrowUp' ? 5 : -5));
        event.preventDefault();
        event.stopPropagation();
      }
    }, true);
    document.addEventListener('keydown', (event) => event.key === '\\' && !event.target.matches('input, textarea, select') && fold());
    const button = make('button', { type: 'button', className: 'folder', title: 'Fold or open the timeline (key \\)', onclick: () => fold() }, section.title);
    const inner = make('div', { className: 'inside', id: 'timeline' });
    const bar = make('div', { className: 'bar' }, button);
    dock.append(grip, bar, inner);
    document.body.append(dock);
    root.classList.add('docked');
    size(height);
    fold(innerWidth <= 900);
    return { inner, fold, bar };
  }

  const KEY_HELP = [
    ['W S A D, arrows', 'zoom and move; with Shift five times as far'],
    ['Ctrl + wheel', 'zoom at the pointer; the plain wheel scrolls'],
    ['drag, Shift + drag', 'select; move'],
    ['click', 'choose what is there; F centres it, again fits it; R selects it; Ctrl + A selects all'],
    ['M, Shift + M', 'mark the span with its length, until the next or for good'],
    [', .', 'previous and next in the row; with Alt of the same name'],
    ['[ ]', 'along the arrow: launch, kernel'],
    ['/ Enter Shift + Enter', 'search, next, previous; name: cat: arg: "exact" dur>1ms'],
    ['n p', 'places of the finding that is marked'],
    ['0 ? Esc', 'everything; these keys; leave'],
    ['\\, Shift + up and down', 'fold the timeline; its height'],
  ];

  function keys() {
    const before = document.activeElement;
    const box = make('dialog', { className: 'keys', 'aria-label': 'Keys' }, make('h2', {}, 'Keys of the timeline'),
      make('dl', {}, ...KEY_HELP.flatMap(([key, text]) => [make('dt', {}, key), make('dd', {}, text)])),
      make('form', { method: 'dialog' }, make('button', {}, 'Close')));
    box.addEventListener('close', () => {
      box.remove();
      before.focus();
    });
    document.body.append(box);
    box.showModal();
  }

  /** Links to the other pages of the run. */
  function around(pages) {
    const list = make('nav', { className: 'around', 'aria-label': 'Other pages' });
    const at = pages.ranks.findIndex((page) => page.rank === pages.rank);
    const to = (page, text) => make('a', { href: page.target }, text);
    if (pages.run) {
      list.append(make('a', { href: `${pages.run}#${encoded(pages.place).replace(/%2F/g, '/')}` }, pages.place.startsWith('config/') ? '↑ sweep' : '↑ run'));
    }
    if (at > 0) {
      list.append(to(pages.ranks[at - 1], `‹ rank ${pages.ranks[at - 1].rank}`));
    }
    if (at >= 0 && at + 1 < pages.ranks.length) {
      list.append(to(pages.ranks[at + 1], `rank ${pages.ranks[at + 1].rank} ›`));
    }
    if (pages.rank < 0) {
      list.append(...pages.ranks.slice(0, 64).map((page) => to(page, `rank ${page.rank}`)));
    }
    return list.children.length ? [list] : [];
  }

  function sheetsWith(name) {
    const found = [];
    for (const section of known.sections) {
      const column = section.kind === 'table' && section.columns.find((one) => one.texts && one.texts.includes(name));
      if (column) {
        found.push({ name: section.name, href: href(`table/${section.name}`, { w: condition(column.header, '=', name) }) });
      }
    }
    return found.slice(0, 6);
  }

  function draw(report) {
    known.sections = report.sections;
    report.sections.filter((section) => section.kind === 'table').forEach((section) => known.tables.add(section.name));
    const lines = report.sections.filter((section) => section.kind === 'timeline');
    known.timeline = lines.find((section) => section.groups.some((group) => group.rows.some((row) => row.group))) || lines[0] || null;
    (known.timeline ? known.timeline.names : []).forEach((name) => known.names.add(name));
    const contents = make('ol');
    const links = new Map();
    const counters = {};
    const header = make('header', {}, make('h1', {}, report.title));
    if (report.subtitle) {
      header.append(make('p', { className: 'subtitle' }, report.subtitle));
    }
    main.append(header);
    header.append(...around(report.pages), ...answered(report));
    const tools = {
      make, brief, grouped, duration, timeUnit, colourOf, shapeOf, resolved, inkOn, mixed, legend, repaints, showTip, hideTip, address, href, copy, keys, sheetsWith, marginOf, exactly,
      follow: goTo, targetOf, command,
      spansOf, isMeant,
      source: () => report.subtitle || 'FILE',
      placesOf,
      failed: (text) => { root.dataset.error = text; },
    };
    const drawTimeline = timelines(tools);
    let dock = null;
    const timeline = (section, body, id) => {
      if (section === known.timeline) {
        dock = dockFor(section);
        line = drawTimeline(section, dock.inner, id, dock.bar);
      } else {
        drawTimeline(section, body, id, null);
      }
    };
    const { mostOf, ...vectors } = vectorCharts(tools);
    const painters = { findings, links: files, bars, timeline, table, ...vectors };
    const groups = new Map();
    const aside = [];
    const whole = report.sections.find((section) => section.kind === 'bars' && section.bars.length > 1 && TIME_UNITS.some(([unit]) => unit === section.unit));
    if (whole && known.timeline) {
      bars({ ...whole, bars: whole.bars.slice(0, 1) }, header);
    }
    const missing = make('ul', { className: 'quiet' });
    for (const section of report.sections) {
      if (section.kind === 'facts') {
        aside.push(facts(section));
        continue;
      }
      if (section.kind === 'not-applicable') {
        missing.append(make('li', {}, make('strong', {}, section.name), ` is not here: ${section.reason}.`.replace(/\.\.$/, '.')));
        continue;
      }
      counters[section.kind] = (counters[section.kind] || 0) + 1;
      const id = `${section.kind}-${counters[section.kind]}`;
      const place = section.kind === 'table' ? `table/${section.name}` : section.kind === 'findings' ? id
        : section === known.timeline ? 'timeline' : `chart/${chartId(section.title || id)}`;
      const link = make('a', { href: href(place), title: section.title }, section.title);
      if (section === known.timeline) {
        painters.timeline(section, null, id);
        contents.append(make('li', {}, link));
        continue;
      }
      const body = make('section', { id, 'aria-labelledby': `${id}-title` }, make('h2', { id: `${id}-title` }, section.title));
      body.dataset.place = place;
      const most = mostOf(section);
      if (most) {
        body.append(make('p', { className: 'most' }, `Most: ${most}`));
      }
      const note = section.kind === 'table' && section.name !== section.title ? `Sheet ${section.name}` : section.doc;
      if (note) {
        body.append(make('p', { className: 'doc' }, note));
      }
      main.append(body);
      painters[section.kind](section, body, id);
      main.append(...aside.splice(0));
      links.set(body, link);
      const group = section.kind === 'findings' ? null : (GROUPS.find(([, is]) => is(section)) || ['More'])[0];
      if (group === null || counters.table === undefined) {
        contents.append(make('li', {}, link));
        continue;
      }
      if (!groups.has(group)) {
        groups.set(group, make('ol'));
        contents.append(make('li', {}, make('details', { open: groups.size < 3 }, make('summary', {}, group), groups.get(group))));
      }
      groups.get(group).append(make('li', {}, link));
    }
    main.append(...aside);
    if (missing.children.length) {
      main.append(missing);
    }
    main.append(make('footer', {}, 'Made by Lockstep. This page holds all it shows and asks no server for anything. '
      + 'Hover or focus a heading for its definition, a number for all its digits.'));
    const menu = make('button', { type: 'button', className: 'menu', 'aria-expanded': 'false', 'aria-label': 'Contents' }, '☰');
    const nav = document.getElementById('contents');
    menu.addEventListener('click', () => menu.setAttribute('aria-expanded', String(nav.classList.toggle('open'))));
    nav.append(make('p', { className: 'brand' }, make('a', { href: '#answer' }, 'Lockstep'), menu), contents);
    follow(links);
    steer(dock);
  }

  // ---- Following the address ---------------------------------------------------------------------------------------

  function steer(dock) {
    let followed = true;
    let shown = null;   // the table that the address was about
    document.addEventListener('click', (event) => {
      const link = event.target.closest('a[href]');
      if (link) {
        address.leave();
      }
      if (link && link.getAttribute('href').startsWith('#') && !link.classList.contains('skip')) {
        followed = true;
        document.getElementById('contents').classList.remove('open');
        if (link.getAttribute('href') === location.hash) {
          arrive();
        }
      }
    });
    const scrollTo = (element) => element && element.scrollIntoView({ block: 'start' });

    function arrive() {
      const asked = ownTimes(parsed(location.hash));
      const before = address.now;
      // What a link does not say of the timeline stays as it is; of tables, each link says all.
      if (followed && !asked.place.startsWith('timeline')) {
        for (const key of KEYS) {
          if (!TABLE_KEYS.includes(key) && before.keys.has(key) && !asked.keys.has(key)) {
            asked.keys.set(key, before.keys.get(key));
          }
        }
      }
      address.now = asked;
      const [kind, name] = [asked.place.split('/')[0], asked.place.split('/').slice(1).join('/')];
      address.reading(() => {
        const sheet = kind === 'table' && sheets.get(name);
        if (shown && shown !== sheet && kind !== 'timeline') {
          shown.apply(() => null);
          shown = null;
        }
        if (sheet) {
          sheet.apply((key) => address.get(key));
          shown = sheet;
        }
      });
      if (line) {
        line.apply();
      }
      document.querySelectorAll('.reached').forEach((one) => one.classList.remove('reached'));
      const target = kind === 'table' && sheets.has(name) ? sheets.get(name).body
        : [...document.querySelectorAll('[data-place]')].find((one) => one.dataset.place === asked.place) || document.getElementById(asked.place);
      if (kind === 'finding' && target) {
        const box = target.closest('details');
        if (box) {
          box.open = true;
        }
      }
      if (kind === 'timeline' && dock) {
        dock.fold(false);
        root.classList.add('on-timeline');
        line && line.focus();
      } else {
        root.classList.remove('on-timeline');
        if (target && kind !== 'timeline') {
          target.classList.add('reached');
          if (followed) {
            scrollTo(target);
          }
        } else if (followed && kind === 'answer' && location.hash) {
          scrollTo(document.body);
        }
      }
      if (!followed) {
        address.returned();
      } else if (location.hash && spelt(asked.place, asked.keys) !== location.hash) {
        address.write();
      }
      followed = false;
    }
    addEventListener('hashchange', arrive);
    if (location.hash) {
      arrive();
    }
    followed = false;
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

  function failed(error) {
    root.dataset.error = String(error && error.stack ? error.stack : error);
    main.append(make('p', { className: 'problem', role: 'alert' }, `This page could not be drawn: ${error}`));
  }

  function begin(text) {
    try {
      draw(JSON.parse(text));
      root.dataset.ready = 'true';
    } catch (error) {
      failed(error);
    }
  }

  // Short data stands in the page as it is, so that it is drawn at once; long data is packed.
  const carried = document.getElementById('data').textContent;
  if (carried.startsWith('{')) {
    begin(carried);
  } else {
    inflated(carried).then((bytes) => begin(new TextDecoder().decode(bytes)), failed);
  }
})();
