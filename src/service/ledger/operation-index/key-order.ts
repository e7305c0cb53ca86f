const DIGIT = 0x1_0000;

/** The 16 bits of a key from one of its places on; keys have 48. */
function digitOf(key: number, place: number): number {
  return Math.floor(key / DIGIT ** place) % DIGIT;
}

/**
 * In which order keys are to be gone through from the least to the greatest, equal ones in the order they have. A radix
 * sort (Knuth, The Art of Computer Programming 3, 5.2.5), for comparing numbers with their places costs many times more.
 * @param keys whole numbers from 0 to 2^48 - 1
 * @returns the places of the keys
 */
export function orderOfKeys(keys: Float64Array): Uint32Array {
  let order = Uint32Array.from(keys.keys());
  for (let place = 0; place < 3; place++) {
    const starts = new Uint32Array(DIGIT + 1);
    for (const key of keys) starts[digitOf(key, place) + 1] = (starts[digitOf(key, place) + 1] ?? 0) + 1;
    for (let digit = 0; digit < DIGIT; digit++) starts[digit + 1] = (starts[digit + 1] ?? 0) + (starts[digit] ?? 0);
    const next = new Uint32Array(keys.length);
    for (const at of order) {
      const digit = digitOf(keys[at] ?? 0, place);
      const to = starts[digit] ?? 0;
      next[to] = at;
      starts[digit] = to + 1;
    }
    order = next;
  }
  return order;
}
