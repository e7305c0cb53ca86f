/// <reference path="./bidi-js.d.ts" />

import bidiFactory from 'bidi-js';
import { directionPieces } from '../../../protocol/text/index.ts';

/** UAX #9, but for controls, which are never part of a text that is shown. Its tables are unpacked for the first text that needs them. */
let made: ReturnType<typeof bidiFactory> | undefined;

function bidi(): ReturnType<typeof bidiFactory> {
  made ??= bidiFactory();
  return made;
}

/**
 * The embedding level (UAX #9) of each UTF-16 unit of a text, where lines run from left to right: odd where it is read from right to
 * left. Pieces that must not take hold of each other are isolated. Null where all of it runs from left to right.
 */
export function levelsOf(text: string): Uint8Array | null {
  const pieces = directionPieces(text);
  if (!pieces.some(({ isTurned }) => isTurned)) return null;
  const levels = new Uint8Array(text.length);
  let at = 0;
  for (const piece of pieces) {
    if (piece.isTurned) levels.set(bidi().getEmbeddingLevels(piece.text, 'auto').levels, at);
    at += piece.text.length;
  }
  return levels;
}

/** A character as it is drawn where the text runs from right to left: brackets and the like are turned round. */
export function mirrored(character: string): string {
  return bidi().getMirroredCharacter(character) ?? character;
}

/** The order in which things of these levels are drawn from left to right (UAX #9, L2): for each place, which of them. */
export function visualOrder(levels: readonly number[]): number[] {
  const order = levels.map((_, index) => index);
  const highest = levels.reduce((most, level) => Math.max(most, level), 0);
  for (let level = highest; level > 0; level--) {
    for (let from = 0; from < order.length; ) {
      let to = from;
      while (to < order.length && (levels[order[to] ?? 0] ?? 0) >= level) to++;
      if (to > from) order.splice(from, to - from, ...order.slice(from, to).reverse());
      from = Math.max(to, from) + 1;
    }
  }
  return order;
}
