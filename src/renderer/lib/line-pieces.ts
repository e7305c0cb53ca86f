/** Letters that are read from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const BETWEEN = /(\s*[,:(){}→]\s*)/u;

export interface LinePiece {
  readonly text: string;
  /** Whether it is read from right to left, which must not take hold of what is next to it. */
  readonly isTurned: boolean;
}

/**
 * A line made of names and values, such as what a call was, cut between them: else a value that is read from right to left would draw
 * the next name and its number to its other side.
 */
export function linePieces(line: string): LinePiece[] {
  if (!RIGHT_TO_LEFT.test(line)) return [{ text: line, isTurned: false }];
  return line
    .split(BETWEEN)
    .filter((text) => text !== '')
    .map((text) => ({ text, isTurned: RIGHT_TO_LEFT.test(text) }));
}
