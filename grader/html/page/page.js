// SPDX-License-Identifier: Apache-2.0

'use strict';
const SVG = 'http://www.w3.org/2000/svg';
const LANES = 32;

function svg(name, attributes, parent, text) {
  const node = document.createElementNS(SVG, name);
  for (const key in attributes) node.setAttribute(key, attributes[key]);
  if (text !== undefined) node.textContent = text;
  if (parent) parent.appendChild(node);
  return node;
}
function html(name, attributes, parent, text) {
  const node = document.createElement(name);
  for (const key in attributes) node.setAttribute(key, attributes[key]);
  if (text !== undefined) node.textContent = text;
  if (parent) parent.appendChild(node);
  return node;
}
const dark = matchMedia('(prefers-color-scheme: dark)');
// From blue over violet to orange: the order of the lanes can be seen.
function laneColour(lane) {
  const hue = (205 + lane * 6) % 360;
  return 'hsl(' + hue + ' 68% ' + (dark.matches ? 66 : 45) + '%)';
}
// Neighbouring banks differ in lightness, too.
function bankColour(bank, banks, strong) {
  const hue = Math.round(bank * 360 / banks);
  const light = (dark.matches ? 58 : 50) + (bank % 2 ? 8 : -6);
  return 'hsl(' + hue + (strong ? ' 75% ' : ' 45% ') + light + '%)';
}
function offsetsOf(request) {
  if (Array.isArray(request.o)) return request.o;
  const all = [];
  for (let lane = 0; lane < LANES; lane++) {
    all.push(request.m >>> lane & 1 ? request.o.s + lane * request.o.d : null);
  }
  return all;
}
// in[3][5] or tile + 132: the place of a byte in its memory.
function placeText(line, offset) {
  if (!line.memory) return '0x' + offset.toString(16);
  const element = Math.floor(offset / line.es);
  if (line.cols && line.rows > 1) {
    return line.memory + '[' + Math.floor(element / line.cols) + '][' + element % line.cols + ']';
  }
  if (line.cols) return line.memory + '[' + element + ']';
  return line.memory + ' + ' + offset + ' B';
}
function canvasFor(stage, height) {
  const width = Math.max(280, Math.floor(stage.clientWidth));
  stage.textContent = '';
  const root = svg('svg', {viewBox: '0 0 ' + width + ' ' + height, width: width, height: height,
                           'aria-hidden': 'true'}, stage);
  return {root: root, width: width};
}

// Lanes above, the sectors that they touch below, a line from each lane to its bytes.
function drawSectors(stage, line, request) {
  const offsets = offsetsOf(request);
  const sectors = new Map();
  offsets.forEach((offset, lane) => {
    if (offset === null) return;
    const begin = line.align + offset;
    for (let at = begin; at < begin + line.bytes;) {
      const sector = Math.floor(at / 32);
      const end = Math.min(begin + line.bytes, (sector + 1) * 32);
      if (!sectors.has(sector)) sectors.set(sector, []);
      sectors.get(sector).push({lane: lane, from: at - sector * 32, to: end - sector * 32});
      at = end;
    }
  });
  // Lanes whose bytes are not of the memory that the others use.
  const outside = offset => line.size > 0 && (offset < 0 || offset + line.bytes > line.size);
  const isOutside = offsets.some(offset => offset !== null && outside(offset));
  const colour = lane => outside(offsets[lane]) ? 'var(--bad)' : laneColour(lane);
  const order = [...sectors.keys()].sort((a, b) => a - b);
  const laneTop = 20, laneHeight = 22, bytesTop = 150, bytesHeight = 34;
  const {root, width} = canvasFor(stage, bytesTop + bytesHeight + 44);
  const laneWidth = width / LANES;
  // A gap separates sectors that are not neighbours.
  let gaps = 0;
  order.forEach((sector, i) => { if (i > 0 && sector !== order[i - 1] + 1) gaps++; });
  const gap = gaps ? Math.min(10, width * 0.25 / gaps) : 0;
  const box = Math.min((width - gaps * gap) / Math.max(order.length, 1), width / 4);
  svg('text', {x: 0, y: 12, class: 'note'}, root, 'lanes 0 to 31 of the warp');
  for (let lane = 0; lane < LANES; lane++) {
    const on = offsets[lane] !== null;
    svg('rect', {x: lane * laneWidth + 0.5, y: laneTop, width: laneWidth - 1, height: laneHeight,
                 rx: 2, class: on ? '' : 'off', fill: on ? colour(lane) : 'none'}, root);
    if (laneWidth > 18 || lane % 8 === 0 || lane === 31) {
      const isLast = lane === 31 && laneWidth < 18;
      svg('text', {x: isLast ? width : (lane + 0.5) * laneWidth, y: laneTop + laneHeight + 12,
                   class: isLast ? 'end' : 'tick'}, root, lane);
    }
  }
  let x = 0, last = null;
  const labels = [];
  order.forEach(sector => {
    if (last !== null && sector !== last + 1) x += gap;
    if (last === null || sector !== last + 1) labels.push({x: x, offset: sector * 32 - line.align});
    last = sector;
    svg('rect', {x: x + 0.5, y: bytesTop, width: Math.max(box - 1, 1), height: bytesHeight,
                 class: 'sector'}, root);
    svg('path', {d: 'M' + (x + 1) + ' ' + (bytesTop + bytesHeight + 1) + 'v3H' +
                    (x + Math.max(box - 1, 2)) + 'v-3', class: 'bracket'}, root);
    sectors.get(sector).forEach(part => {
      const left = x + part.from / 32 * box, wide = (part.to - part.from) / 32 * box;
      const from = (part.lane + 0.5) * laneWidth, to = left + wide / 2;
      const top = laneTop + laneHeight + 16;
      svg('path', {d: 'M' + from + ' ' + top + 'C' + from + ' ' + (top + 50) + ' ' + to + ' ' +
                      (bytesTop - 50) + ' ' + to + ' ' + bytesTop,
                   class: 'link', stroke: colour(part.lane)}, root);
      svg('rect', {x: left, y: bytesTop + 1, width: Math.max(wide - (box > 60 ? 0.7 : 0), 1),
                   height: bytesHeight - 2, fill: colour(part.lane)}, root);
    });
    x += box;
  });
  let free = -1;
  labels.forEach(label => {
    const text = placeText(line, label.offset);
    const wide = text.length * 6.6 + 8;
    const left = Math.min(label.x, width - wide);
    if (left <= free) return;
    svg('text', {x: Math.max(left, 0), y: bytesTop + bytesHeight + 17, class: 'note'}, root, text);
    free = left + wide;
  });
  svg('text', {x: 0, y: bytesTop + bytesHeight + 34, class: 'note strong'}, root,
      order.length + (order.length === 1 ? ' sector' : ' sectors') + ' of 32 bytes, one per bracket' +
      (isOutside ? '; red: outside ' + line.memory : ''));
}

// One column per bank; the words that a bank delivers form a stack, one per wavefront.
function drawBanks(stage, request, device, cost) {
  const words = [];
  for (let i = 0; i + 2 < cost.k.length; i += 3) {
    words.push({lane: cost.k[i], bank: cost.k[i + 1], row: cost.k[i + 2]});
  }
  let rows = 1;
  words.forEach(word => { rows = Math.max(rows, word.row + 1); });
  const most = 40, shown = Math.min(rows, most);
  const high = rows > 16 ? 13 : 17, top = 20, left = 26;
  const {root, width} = canvasFor(stage, top + shown * high + 32);
  const wide = (width - left) / device.banks;
  svg('text', {x: 0, y: 12, class: 'note'}, root, 'wavefront, and the lane that each bank serves');
  for (let row = 0; row < shown; row++) {
    if (shown <= 8 || row % 4 === 0 || row === shown - 1) {
      svg('text', {x: left - 5, y: top + row * high + high - 4, class: 'end'}, root, row + 1);
    }
    for (let bank = 0; bank < device.banks; bank++) {
      svg('rect', {x: left + bank * wide + 0.5, y: top + row * high + 0.5, width: wide - 1,
                   height: high - 1, class: 'slot'}, root);
    }
  }
  const seen = new Set();
  words.forEach(word => {
    const key = word.bank + ' ' + word.row;
    if (word.row >= shown || seen.has(key)) return;
    seen.add(key);
    const x = left + word.bank * wide, y = top + word.row * high;
    svg('rect', {x: x + 0.5, y: y + 0.5, width: wide - 1, height: high - 1, rx: 1.5,
                 fill: laneColour(word.lane)}, root);
    if (wide > 17) {
      svg('text', {x: x + wide / 2, y: y + high - 3.5, class: 'inside'}, root, word.lane);
    }
  });
  for (let bank = 0; bank < device.banks; bank++) {
    if (wide > 17 ? bank % 2 === 0 : bank % 8 === 0 || bank === device.banks - 1) {
      const isLast = wide <= 17 && bank === device.banks - 1;
      svg('text', {x: isLast ? width : left + (bank + 0.5) * wide, y: top + shown * high + 12,
                   class: isLast ? 'end' : 'tick'}, root, bank);
    }
  }
  svg('text', {x: left, y: top + shown * high + 28, class: 'note strong'}, root,
      'banks 0 to ' + (device.banks - 1) + (rows > shown ? '; ' + (rows - shown) + ' more rows' : ''));
}

// The array row by row; each word in the colour of its bank, those of the request outlined.
function drawTile(stage, line, request, device) {
  const words = Math.floor(line.size / device.bankBytes);
  const perRow = line.tile ? line.tile / device.bankBytes : device.banks;
  const rows = Math.ceil(words / perRow);
  const offsets = offsetsOf(request);
  const asked = new Map();
  offsets.forEach((offset, lane) => {
    if (offset === null) return;
    for (let at = offset; at < offset + line.bytes; at += device.bankBytes) {
      asked.set(Math.floor(at / device.bankBytes), lane);
    }
  });
  const most = 64, shown = Math.min(rows, most);
  const size = Math.min(Math.max(280, stage.clientWidth) / perRow, 15);
  const {root} = canvasFor(stage, shown * size + 6);
  for (let word = 0; word < Math.min(words, shown * perRow); word++) {
    const bank = Math.floor((line.first + word * device.bankBytes) / device.bankBytes) % device.banks;
    const on = asked.has(word);
    const x = word % perRow * size, y = Math.floor(word / perRow) * size;
    const inset = on ? 1 : 0.5;
    svg('rect', {x: x + inset, y: y + inset, width: size - 2 * inset, height: size - 2 * inset,
                 fill: bankColour(bank, device.banks, on), class: on ? 'asked' : 'pale'}, root);
  }
}

function redraw(figure) {
  const line = figure.line, data = figure.data;
  const device = data.devices[figure.device];
  const request = figure.requests[figure.pass];
  const cost = request.c[figure.device];
  figure.output.textContent = cost.t;
  if (line.shared) {
    drawBanks(figure.stages[0], request, device, cost);
    drawTile(figure.stages[1], line, request, device);
  } else {
    drawSectors(figure.stages[0], line, request);
  }
  figure.stages[0].setAttribute('aria-label', cost.t);
}

function choose(figure, warp) {
  figure.requests = figure.line.requests.filter(request => request.w === warp);
  figure.pass = 0;
  if (figure.slider) {
    figure.slider.max = figure.requests.length;
    figure.slider.value = 1;
    figure.slider.disabled = figure.requests.length < 2;
    figure.count.textContent = '1 of ' + figure.requests.length;
  }
}

function select(parent, label, names, changed) {
  const box = html('label', {}, parent, label + ' ');
  const list = html('select', {}, box);
  names.forEach((name, i) => html('option', {value: i}, list, name));
  list.addEventListener('change', () => changed(Number(list.value)));
}

function prepare(node, data) {
  const line = data.lines[Number(node.dataset.line)];
  const figure = {data: data, line: line, device: 0,
                  stages: [...node.querySelectorAll('.stage')],
                  output: node.querySelector('output')};
  const controls = node.querySelector('.controls');
  const warps = [...new Set(line.requests.map(request => request.w))];
  if (warps.length > 1) {
    select(controls, 'Warp', warps.map(w => data.warps[w]), i => {
      choose(figure, warps[i]);
      redraw(figure);
    });
  }
  const passes = Math.max(...warps.map(w => line.requests.filter(r => r.w === w).length));
  if (passes > 1) {
    const box = html('label', {}, controls, 'Iteration ');
    figure.slider = html('input', {type: 'range', min: 1, step: 1}, box);
    figure.count = html('span', {class: 'count'}, box);
    figure.slider.addEventListener('input', () => {
      figure.pass = Number(figure.slider.value) - 1;
      figure.count.textContent = figure.slider.value + ' of ' + figure.requests.length;
      redraw(figure);
    });
  }
  if (line.shared && data.devices.length > 1) {
    select(controls, 'Device', data.devices.map(d => d.product), i => {
      figure.device = i;
      redraw(figure);
    });
  }
  choose(figure, warps[0]);
  let width = -1;
  const fit = () => {
    if (!figure.stages[0].clientWidth || figure.stages[0].clientWidth === width) return;
    width = figure.stages[0].clientWidth;
    redraw(figure);
  };
  new ResizeObserver(fit).observe(figure.stages[0]);
  dark.addEventListener('change', () => { if (width > 0) redraw(figure); });
  fit();
}

// The matrix tile by tile in the colours of its partitions, and the tiles that blocks begin at.
function drawPartitions(node, map) {
  const stage = node.querySelector('.stage');
  const line = map.lines[Number(node.dataset.map)];
  const tile = 32, most = 64;
  const across = Math.min(Math.ceil(line.cols / tile), most);
  const down = Math.min(Math.ceil(line.rows / tile), most);
  const paint = () => {
    const size = Math.min(Math.max(280, stage.clientWidth) / across, 12);
    const {root} = canvasFor(stage, down * size + 4);
    for (let row = 0; row < down; row++) {
      for (let column = 0; column < across;) {
        const partition = at => Math.floor((line.first + (row * tile * line.cols + at * tile) *
                                            line.es) / map.width) % map.partitions;
        let end = column + 1;
        while (end < across && partition(end) === partition(column)) end++;
        svg('rect', {x: column * size, y: row * size, width: (end - column) * size, height: size,
                     fill: bankColour(partition(column), map.partitions, false), class: 'pale'},
            root);
        column = end;
      }
    }
    for (let i = 0; i + 1 < line.places.length; i += 2) {
      const row = Math.floor(line.places[i] / tile), column = Math.floor(line.places[i + 1] / tile);
      if (row >= down || column >= across) continue;
      svg('circle', {cx: (column + 0.5) * size, cy: (row + 0.5) * size, r: Math.max(size * 0.3, 1.5),
                     class: 'dot'}, root);
    }
  };
  paint();  // An observer's first call comes after the first frame.
  new ResizeObserver(paint).observe(stage);
  dark.addEventListener('change', paint);
}

// A row for each warp of an SM, a path for each state, and the line under the pointer.
function drawTimeline(node, data) {
  const stage = node.querySelector('.stage'), output = node.querySelector('output');
  const summary = output.textContent;
  const high = data.rows.length > 32 ? 8 : 12, axis = 34;
  // By row: the last piece of each run, with its state and line.
  const rows = data.rows.map(row => {
    const runs = [];
    let end = 0;
    for (let i = 0; i + 2 < row.runs.length; i += 3) {
      end += row.runs[i];
      runs.push({end: end, state: row.runs[i + 1], line: row.runs[i + 2]});
    }
    return runs;
  });
  let width = 0, left = 0;
  const paint = () => {
    left = 4;
    const canvas = canvasFor(stage, rows.length * high + axis);
    width = canvas.width;
    const scale = (width - left) / data.pieces;
    const paths = data.states.map(() => '');
    rows.forEach((runs, r) => {
      let begin = 0;
      runs.forEach(run => {
        if (run.state >= 0) {
          paths[run.state] += 'M' + (left + begin * scale).toFixed(1) + ' ' + (r * high + 0.5) + 'H' +
              (left + run.end * scale).toFixed(1) + 'v' + (high - 1) + 'H' +
              (left + begin * scale).toFixed(1) + 'z';
        }
        begin = run.end;
      });
    });
    paths.forEach((path, state) => {
      if (path) svg('path', {d: path, class: 'state-' + state}, canvas.root);
    });
    const clocks = data.pieces * data.piece, bottom = rows.length * high;
    // About one tick per 100 pixels, at a round number of clocks.
    const least = clocks * 90 / width, power = Math.pow(10, Math.floor(Math.log10(least)));
    const step = power * [1, 2, 5, 10].find(factor => factor * power >= least);
    for (let clock = 0; clock <= clocks; clock += step) {
      const x = left + clock / data.piece * scale;
      svg('path', {d: 'M' + x.toFixed(1) + ' ' + bottom + 'v5', class: 'bracket'}, canvas.root);
      svg('text', {x: x, y: bottom + 17, class: clock === 0 ? '' : x > width - 20 ? 'end' : 'tick'},
          canvas.root, clock.toLocaleString('en'));
    }
    svg('text', {x: left, y: bottom + 31, class: 'note'}, canvas.root, 'clocks');
  };
  // The run under the pointer; undefined outside.
  const found = event => {
    const box = stage.getBoundingClientRect();
    const r = Math.floor((event.clientY - box.top) / high);
    const piece = Math.floor((event.clientX - box.left - left) / (width - left) * data.pieces);
    if (!rows[r] || piece < 0) return undefined;
    const run = rows[r].find(one => piece < one.end);
    return run && run.state >= 0 ? {r: r, clock: piece * data.piece, run: run} : undefined;
  };
  const rowOf = line => document.getElementById('line-' + line);
  stage.addEventListener('pointermove', event => {
    const at = found(event);
    document.querySelectorAll('tr.shown').forEach(row => row.classList.remove('shown'));
    if (!at) { output.textContent = summary; return; }
    const starts = data.rows[at.r].starts.filter(start => start[0] <= at.clock + data.piece);
    const start = starts[starts.length - 1];
    output.textContent = (start ? 'Warp ' + start[2] + ' of block ' + start[1] : 'A warp') + ', clock ' +
        at.clock.toLocaleString('en') + ': ' + data.states[at.run.state] +
        (at.run.line ? ', line ' + at.run.line : '');
    if (at.run.line && rowOf(at.run.line)) rowOf(at.run.line).classList.add('shown');
  });
  stage.addEventListener('pointerleave', () => { output.textContent = summary; });
  stage.addEventListener('click', event => {
    const at = found(event);
    if (at && rowOf(at.run.line)) rowOf(at.run.line).scrollIntoView({block: 'center'});
  });
  paint();  // An observer's first call comes after the first frame.
  new ResizeObserver(paint).observe(stage);
}

document.querySelectorAll('script[type="application/json"]').forEach(block => {
  const data = JSON.parse(block.textContent);
  const section = block.parentElement;
  if (data.timeline) {
    section.querySelectorAll('figure[data-timeline]').forEach(node => drawTimeline(node, data.timeline));
    return;
  }
  section.querySelectorAll('figure[data-line]').forEach(node => prepare(node, data));
  section.querySelectorAll('figure[data-map]').forEach(node => drawPartitions(node, data.map));
});
