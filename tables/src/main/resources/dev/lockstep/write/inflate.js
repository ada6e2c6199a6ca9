// SPDX-License-Identifier: Apache-2.0
// Unpacks what the page carries: base64 of a zlib stream (RFC 1950, 1951). By the browser where it can, else by hand.
const inflated = (() => {
  'use strict';

  /** Codes of these lengths: how many there are of each length, and their symbols in order. */
  function codesOf(lengths) {
    const count = new Uint16Array(16);
    lengths.forEach((length) => { count[length]++; });
    count[0] = 0;
    const next = new Uint16Array(17);
    for (let length = 1; length <= 15; length++) {
      next[length + 1] = next[length] + count[length];
    }
    const symbols = new Uint16Array(lengths.length);
    lengths.forEach((length, symbol) => {
      if (length) {
        symbols[next[length]++] = symbol;
      }
    });
    return { count, symbols };
  }

  /** Smallest values of the symbols and how many bits follow: lengths 3 to 258, distances 1 to 32768. */
  function valuesOf(symbols, group, first, last) {
    const bits = new Uint8Array(symbols);
    const least = new Uint16Array(symbols);
    for (let symbol = 0, value = first; symbol < symbols; symbol++) {
      bits[symbol] = symbol < 2 * group ? 0 : Math.floor(symbol / group) - 1;
      least[symbol] = value;
      value += 1 << bits[symbol];
    }
    if (last) {
      bits[symbols - 1] = 0;
      least[symbols - 1] = last;
    }
    return { bits, least };
  }

  const LENGTHS = valuesOf(29, 4, 3, 258);
  const DISTANCES = valuesOf(30, 2, 1, 0);
  const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
  const FIXED = [
    codesOf(Uint8Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8))),
    codesOf(new Uint8Array(30).fill(5)),
  ];

  function byHand(packed) {
    let out = new Uint8Array(packed.length * 6);
    let size = 0;
    let at = 2; // behind the head of the zlib stream
    let held = 0;
    let holds = 0;

    function bits(count) {
      while (holds < count) {
        if (at >= packed.length) {
          throw new Error('packed data end too early');
        }
        held |= packed[at++] << holds;
        holds += 8;
      }
      const value = held & ((1 << count) - 1);
      held >>>= count;
      holds -= count;
      return value;
    }

    function symbol({ count, symbols }) {
      for (let length = 1, code = 0, first = 0, index = 0; length <= 15; length++) {
        code |= bits(1);
        if (code - count[length] < first) {
          return symbols[index + code - first];
        }
        index += count[length];
        first = (first + count[length]) << 1;
        code <<= 1;
      }
      throw new Error('packed data are damaged');
    }

    function room(more) {
      if (size + more > out.length) {
        const larger = new Uint8Array(2 * (size + more));
        larger.set(out.subarray(0, size));
        out = larger;
      }
    }

    function stated() {
      const [literals, distances, stands] = [bits(5) + 257, bits(5) + 1, bits(4) + 4];
      const own = new Uint8Array(19);
      for (let i = 0; i < stands; i++) {
        own[ORDER[i]] = bits(3);
      }
      const codes = codesOf(own);
      const lengths = new Uint8Array(literals + distances);
      for (let i = 0; i < lengths.length;) {
        const what = symbol(codes);
        if (what < 16) {
          lengths[i++] = what;
        } else {
          const value = what === 16 ? lengths[i - 1] : 0;
          const times = what === 16 ? 3 + bits(2) : what === 17 ? 3 + bits(3) : 11 + bits(7);
          lengths.fill(value, i, i + times);
          i += times;
        }
      }
      return [codesOf(lengths.subarray(0, literals)), codesOf(lengths.subarray(literals))];
    }

    for (let last = 0; !last;) {
      last = bits(1);
      const kind = bits(2);
      if (kind === 0) {
        held = holds = 0;
        const length = packed[at] | (packed[at + 1] << 8);
        room(length);
        out.set(packed.subarray(at + 4, at + 4 + length), size);
        at += 4 + length;
        size += length;
        continue;
      }
      const [literal, distance] = kind === 1 ? FIXED : stated();
      for (let code = symbol(literal); code !== 256; code = symbol(literal)) {
        room(258);
        if (code < 256) {
          out[size++] = code;
        } else {
          const length = LENGTHS.least[code - 257] + bits(LENGTHS.bits[code - 257]);
          const back = symbol(distance);
          const from = DISTANCES.least[back] + bits(DISTANCES.bits[back]);
          for (let i = 0; i < length; i++, size++) {
            out[size] = out[size - from];
          }
        }
      }
    }
    return out.subarray(0, size);
  }

  return async (base64) => {
    const text = atob(base64);
    const packed = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) {
      packed[i] = text.charCodeAt(i);
    }
    if (typeof DecompressionStream === 'undefined') {
      return byHand(packed);
    }
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  };
})();
