// What screens of the investigation say in words: durations, queries, a session as text, the rules as they are typed.
import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../../src/actions/index.ts';
import type { WorkSession } from '../../../src/renderer/api/answers.ts';
import { durationText, offsetText } from '../../../src/renderer/lib/duration.ts';
import { queryText, refusedCallsText } from '../../../src/renderer/lib/query-text.ts';
import { readRules, suggestionsAt } from '../../../src/renderer/screens/reading-rules/rules-json.ts';
import { sessionText } from '../../../src/renderer/screens/sessions/session-text.ts';
import { foldAt } from '../../../src/renderer/ui/long-text.tsx';
import { shown, stepAt } from './steps.ts';

describe('a length of time', () => {
  it.each([
    [12, '12 ms'],
    [1400, '1.4 s'],
    [125_000, '2 min 5 s'],
    [119_900, '2 min'],
    [12_000_000, '3 h 20 min'],
    [187_200_000, '2 d 4 h'],
  ])('of %i ms is %s', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });

  it('after a beginning is as exact as it is short', () => {
    expect([0, 400, 45_300, 125_000, 12_065_000].map(offsetText)).toEqual([
      '+0.00 s',
      '+0.40 s',
      '+45.3 s',
      '+2:05',
      '+3:21:05',
    ]);
  });
});

describe('a query that a figure leads to', () => {
  it('is read as exactly these facts, whatever letters are in them', () => {
    const session = 'a "quoted" \\ and (session) or not';
    const parsed = parseQuery(queryText({ session, outcome: 'failed' }), { now: 0, zone: 'UTC' });
    expect(parsed).toMatchObject({
      ok: true,
      query: {
        kind: 'and',
        parts: [
          { kind: 'equals', text: session },
          { kind: 'equals', text: 'failed' },
        ],
      },
    });
  });

  it('leaves decisions out of the calls that were refused', () => {
    const parsed = parseQuery(refusedCallsText(), { now: 0, zone: 'UTC' });
    expect(parsed).toMatchObject({ ok: true, query: { kind: 'and', parts: [{ kind: 'equals' }, { kind: 'not' }] } });
  });
});

describe('a long text', () => {
  it('is folded after some letters or lines, and not for a few more', () => {
    expect(foldAt('x'.repeat(360))).toBeNull();
    expect(foldAt('x'.repeat(2000))).toBe(320);
    expect(foldAt('line\n'.repeat(40))).toBe(39);
  });
});

const SESSION: WorkSession = {
  session: 'main',
  parent: null,
  agents: ['coder'],
  people: ['ada'],
  first_seq: 1,
  last_seq: 2,
  actions: 1,
  records: 2,
  first_at: '2026-11-21T10:00:00.000Z',
  last_at: '2026-11-21T10:00:09.000Z',
  calls: 1,
  failed: 1,
  refused: 0,
  unfinished: 0,
  tools: [],
  begins_with: null,
  ended: true,
};

describe('a session as text', () => {
  it('has each step with what went in and came out, and names letters that nobody sees', () => {
    const text = sessionText(
      SESSION,
      [
        stepAt(0, {
          kind: 'told',
          title: 'Prompt',
          outcome: null,
          told: [{ kind: 'user', content: shown('Pay\u202e it') }],
        }),
        stepAt(9, {
          outcome: 'failed',
          error: 'no funds',
          duration_ms: 1500,
          input: shown('{"to":"x"}'),
          entities: [
            {
              kind: 'account',
              id: 'DE1',
              access: 'write',
              declared: true,
              read_from: '/touched/0',
              access_from: 'declared',
            },
          ],
        }),
      ],
      'UTC',
    );
    expect(text).toContain('Session main\n2026-11-21 10:00:00.000 UTC to 2026-11-21 10:00:09.000 UTC');
    expect(text).toContain('Told (user):\n     Pay⟨U+202E⟩ it');
    expect(text).toContain('2. 2026-11-21 10:00:09.000  Call  Bash  step at 9  [Failed, 1.5 s]');
    expect(text).toContain('     {"to":"x"}');
    expect(text).toContain('Touched: changed account DE1');
    expect(text).not.toContain('\u202e');
  });
});

describe('rules as they are typed', () => {
  it('are explained where they are none, each with its place in the text', () => {
    expect(readRules('{"version":1').problems?.[0]).toMatchObject({ place: null, line: 1 });
    expect(readRules('{\n  "version": 1\n  "tools": []\n}').problems).toEqual([
      { place: null, message: 'a comma is missing', line: 3, from: 19, to: 26 },
    ]);
    const text = '{"version":1,\n"entities":[{"kind":"Order!","at":"order_id"}],\n"sesions":[]}';
    const { problems } = readRules(text);
    expect(problems?.map(({ place, line }) => [place, line])).toEqual([
      ['entities, entry 1, kind', 2],
      ['sesions', 3],
    ]);
    expect(problems?.[0]?.message).toContain('lowercase');
    expect(text.slice(problems?.[0]?.from, problems?.[0]?.to)).toBe('"Order!"');
    expect(readRules('[]').problems?.[0]).toMatchObject({ place: 'the whole', line: 1 });
    expect(readRules('{"version":1} // mine').problems?.[0]?.message).toBe('JSON has no comments');
  });

  it('are not taken where a member stands twice, of which the first would be lost', () => {
    const { problems } = readRules('{"version":1,"tools":[],\n"tools":["/tool"]}');
    expect(problems).toMatchObject([{ place: 'tools', message: 'stands there twice: leave one out' }]);
  });

  it('take over what is left out from the defaults', () => {
    expect(readRules('{"version":1}').rules?.sessions).toContain('/session');
  });

  /** The text with the first suggestion in place of what is typed at the mark. */
  function completed(marked: string): string | null {
    const caret = marked.indexOf('|');
    const text = marked.replace('|', '');
    const [first] = suggestionsAt(text, caret);
    return first === undefined ? null : text.slice(0, first.from) + first.text + text.slice(first.to);
  }

  it.each([
    ['the name of a member, with what it begins with', '{"version":1, "too|}', '{"version":1, "tools": []}'],
    ['a member that is not there yet', '{"version":1, |}', '{"version":1, "sessions": []}'],
    ['before others', '{ | "sessions": []}', '{ "version": 1, "sessions": []}'],
    ['the name alone where its value is there', '{"ver|": 1}', '{"version": 1}'],
    ['a member of an entry', '{"entities":[{"kind":"user","a|"}]}', '{"entities":[{"kind":"user","at": ""}]}'],
    ['a value that is one of some', '{"outcomes":[{"is":"re|"}]}', '{"outcomes":[{"is":"refused"}]}'],
    ['a text among pointers', '{"sessions":["s|"]}', '{"sessions":["subject"]}'],
    ['nothing where any text can stand', '{"entities":[{"kind":"|"}]}', null],
    ['nothing in what no rule has', '{"mine":{"|":1}}', null],
    ['something where nothing is yet', '{|', '{"version": 1'],
  ])('are completed by %s', (_, marked, expected) => {
    expect(completed(marked)).toBe(expected);
  });
});
