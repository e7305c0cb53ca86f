import { expect, it } from 'vitest';
import { MarkedSource } from '../../src/node/index.ts';

/** Reads a source of these pieces to its end. */
async function read(pieces: readonly string[], mark: string): Promise<{ text: string; isMarked: boolean }> {
  const marked = new MarkedSource(async function* () {
    for (const piece of pieces) yield Buffer.from(piece);
  }, mark);
  let text = '';
  for await (const chunk of marked.source()) text += Buffer.from(chunk).toString();
  return { text, isMarked: marked.isMarked };
}

it.each([1, 2, 3, 5, 100])('finds a text however its bytes are cut, in pieces of %i', async (size) => {
  const text = 'before the mark/1 and after it';
  const pieces = text.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
  expect(await read(pieces, 'mark/1')).toEqual({ text, isMarked: true });
});

it.each([['mark/', '2'], ['mar', 'mark/'], []])('does not find what is not there: %j', async (...pieces) => {
  expect((await read(pieces, 'mark/1')).isMarked).toBe(false);
});
