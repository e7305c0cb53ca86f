// What the built-in rules read of payloads in the shapes of real frameworks and logs (test/fixtures/payload-shapes.json): docs/investigating.md, Rules.
import { describe, expect, it } from 'vitest';
import { payloadShapes, readIn, readingFigures } from '../../../scripts/docs/reading-figures.ts';

const shapes = payloadShapes('in view');

/** Shapes of which something is read that a person does not read there. */
const KNOWN_MISTAKES: readonly string[] = ['CloudTrail event'];

describe('payloads of common shapes', () => {
  it('are at least 120, each under its own name and with its source', () => {
    expect(shapes.length).toBeGreaterThanOrEqual(120);
    expect(new Set(shapes.map(({ name }) => name)).size).toBe(shapes.length);
    expect(shapes.filter(({ source }) => !/^(?:https?:\/\/|docs\/)/.test(source))).toEqual([]);
  });

  it.each(shapes)('are read as a person reads them: $name', (shape) => {
    const read = Object.entries(readIn(shape)).map(([what, values]) => [what, values.toSorted()]);
    const expected = Object.entries(shape.expected).map(([what, value]) => [
      what,
      [value]
        .flat()
        .filter((each) => each !== null)
        .toSorted(),
    ]);
    if (KNOWN_MISTAKES.includes(shape.name)) expect(read).not.toEqual(expected);
    else expect(read).toEqual(expected);
  });

  it('are read with a precision of 0.97 and a recall of 0.95 at least', () => {
    const poor = Object.entries(readingFigures(shapes)).filter(
      ([, { precision, recall }]) => !(precision >= 0.97 && recall >= 0.95),
    );
    expect(poor).toEqual([]);
  });
});

describe.each([
  [
    'once held out',
    [
      'tool 0.960 0.727',
      'outcome 0.960 0.923',
      'hosts 0.500 1.000',
      'files 0.833 1.000',
      'accounts 0.909 1.000',
      'person 0.941 0.889',
    ],
  ],
  [
    'held out',
    [
      'tool 0.857 0.462',
      'outcome 0.875 0.700',
      'hosts 1.000 1.000',
      'files 1.000 1.000',
      'accounts 1.000 0.800',
      'person 1.000 0.333',
    ],
  ],
  [
    'later held out',
    [
      'tool 1.000 1.000',
      'outcome 1.000 1.000',
      'hosts NaN NaN',
      'files 0.750 0.750',
      'accounts 1.000 1.000',
      'person 1.000 1.000',
    ],
  ],
] as const)('payloads that were %s', (which, stated) => {
  const others = payloadShapes(which);

  it('have other names, each with its source', () => {
    const known = new Set(shapes.map(({ name }) => name));
    expect(new Set(others.map(({ name }) => name)).size).toBe(others.length);
    expect(others.filter(({ name, source }) => known.has(name) || !source.startsWith('https://'))).toEqual([]);
  });

  it('are read with the precision and recall that the documentation states', () => {
    const figures = Object.entries(readingFigures(others)).map(([what, { precision, recall }]) => {
      return `${what} ${precision.toFixed(3)} ${recall.toFixed(3)}`;
    });
    expect(figures).toEqual(stated);
  });
});
