// What a query can be completed with at the cursor, which is where the bar stands.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Completion, completionsAt, type KnownNames } from '../../../src/actions/index.ts';
import { runs } from '../../support/extent.ts';

const KNOWN: KnownNames = {
  members: ['arguments.user_id', 'arguments.cabin', 'user_id', 'result', '"a b"'],
  values: {
    tool: ['book_flight', 'cancel_reservation', 'think'],
    agent: ['airline-agent-0', 'agent of "x"'],
    'arguments.cabin': ['business', 'basic economy'],
  },
};

function completed(marked: string, known = KNOWN): Completion[] {
  return completionsAt(marked.replace('|', ''), marked.indexOf('|'), known);
}

/** The whole text once a completion is taken. */
function taken(marked: string): string[] {
  const text = marked.replace('|', '');
  return completed(marked).map((each) => text.slice(0, each.from) + each.text + text.slice(each.to));
}

const texts = (marked: string): string[] => completed(marked).map(({ text }) => text);

describe('completed are', () => {
  it.each([
    ['to|', ['tool']],
    ['TO|', ['tool']],
    ['res|', ['result']],
    ['a not us|', ['a not user_id', 'a not arguments.user_id']],
    ['-se|', ['-seq', '-session']],
    ['(se|)', ['(seq)', '(session)']],
    ['tool:b|', ['tool:book_flight']],
    ['tool = |', ['tool = book_flight', 'tool = cancel_reservation', 'tool = think']],
    ['tool:(think or c|)', ['tool:(think or cancel_reservation)']],
    ['tool:bo|ok', ['tool:book_flight']],
    ['agent = air|', ['agent = airline-agent-0']],
    ['agent = "agent o|', ['agent = "agent of \\"x\\""']],
    ['arguments.cabin = ba|', ['arguments.cabin = "basic economy"']],
    ['outcome = f|', ['outcome = failed']],
    ['issued > y|', ['issued > yesterday']],
    ['a and outcome:re| b', ['a and outcome:refused b']],
    ['tool:book ag|', ['tool:book agent']],
    ['tool ~ b|', []],
    ['"to|', []],
    ['x:|', []],
  ])('%s: %j', (marked, whole) => {
    expect(taken(marked)).toEqual(whole);
  });

  it('operators behind a name, as its values allow', () => {
    expect(texts('tool|')).toEqual([':', '=', '!=', '~']);
    expect(texts('seq |').slice(0, 6)).toEqual(['=', '!=', '<', '<=', '>', '>=']);
    expect(texts('arguments.cabin |')).toContain('<');
    expect(texts('"a b"|')).toContain('=');
    expect(texts('unheard|')).toEqual([]);
  });

  it('and, or, not where they may stand', () => {
    const keywords = (marked: string): string[] =>
      completed(marked).flatMap(({ kind, text }) => (kind === 'keyword' ? [text] : []));
    expect(keywords('|')).toEqual(['not']);
    expect(keywords('a |')).toEqual(['and', 'or', 'not']);
    expect(keywords('tool:book |')).toEqual(['and', 'or', 'not']);
    expect(keywords('(a) |')).toEqual(['and', 'or', 'not']);
    expect(keywords('a an|')).toEqual(['and']);
    expect(keywords('a and |')).toEqual(['not']);
    expect(keywords('tool = |')).toEqual([]);
  });

  it('tags and bookmarks', () => {
    expect(completed('ta|')).toEqual([{ kind: 'field', text: 'tag', from: 0, to: 2 }]);
    expect(completed('bookmarked = |').map(({ text }) => text)).toEqual(['true', 'false']);
  });
});

it('completes any text without throwing, around the cursor', () => {
  const pieces = fc.constantFrom(' ', 'a', 'tool', ':', '=', '"', '(', ')', '/', '*', '-', 'or', '\\', '\n', '😀', '~');
  const text = fc.oneof(
    fc.array(pieces, { maxLength: 12 }).map((each) => each.join('')),
    fc.string({ unit: 'binary' }),
  );
  fc.assert(
    fc.property(text, fc.nat(), (typed, place) => {
      const at = place % (typed.length + 1);
      for (const { from, to } of completionsAt(typed, at, KNOWN)) {
        expect(from).toBeGreaterThanOrEqual(0);
        expect(from).toBeLessThanOrEqual(at);
        expect(to).toBeGreaterThanOrEqual(at);
        expect(to).toBeLessThanOrEqual(typed.length);
      }
    }),
    runs(3000),
  );
});
