// docs/interface.md, Refusals: what the screen of refusals says and saves.
import { describe, expect, it } from 'vitest';
import { ERROR_STATUS, type Refusal } from '../../src/api/index.ts';
import { allRows } from '../../src/renderer/api/rows-file.ts';
import { whoOf, wordsOf } from '../../src/renderer/screens/refused/refusal-words.ts';
import { refusedText } from '../../src/renderer/screens/refused/save-refused.ts';

const REFUSAL: Refusal = {
  refusal_no: 7,
  kind: 'submission',
  code: 'AGENT_FROZEN',
  is_alarm: true,
  agent_id: 'agent-1',
  kid: '=HYPERLINK("https://example.org")',
  operation_id: null,
  user_id: null,
  address: '127.0.0.1',
  first_at: '2026-01-31T00:00:00.000Z',
  last_at: '2026-01-31T00:00:01.000Z',
  times: 3,
};

describe('a refusal in words', () => {
  it('has its own words for every code, and the code itself for one that is not known here', () => {
    const codes = Object.keys(ERROR_STATUS);
    expect(new Set(codes.map(wordsOf)).size).toBe(codes.length);
    expect(codes.filter((code) => wordsOf(code) === code)).toEqual([]);
    expect(wordsOf('OF_TOMORROW\u202e')).toBe('OF_TOMORROW⟨U+202E⟩');
    expect(wordsOf('constructor')).toBe('constructor');
  });

  it('names the agent, else the address of a member, else what is known of the account', () => {
    const emails = new Map([['u-1', 'ada@example.org']]);
    const tried = { ...REFUSAL, kind: 'sign_in', agent_id: null } as const;
    expect(whoOf(REFUSAL, emails)).toBe('agent-1');
    expect(whoOf({ ...tried, user_id: 'u-1' }, emails)).toBe('ada@example.org');
    expect(whoOf({ ...tried, user_id: 'u-2' }, emails)).toBe('u-2');
    expect(whoOf(tried, emails)).toBe('–');
  });
});

describe('the saved list', () => {
  it('takes what senders chose as text in CSV, and as it is in JSON Lines', () => {
    const [head, row, end] = refusedText('csv', [REFUSAL]).split('\r\n');
    expect(head).toBe('refusal_no,kind,code,is_alarm,agent_id,kid,operation_id,user_id,address,first_at,last_at,times');
    expect(row).toBe(
      `7,submission,AGENT_FROZEN,true,agent-1,"'=HYPERLINK(""https://example.org"")",,,127.0.0.1,${REFUSAL.first_at},${REFUSAL.last_at},3`,
    );
    expect(end).toBe('');
    expect(refusedText('jsonl', [REFUSAL, REFUSAL])).toBe(`${JSON.stringify(REFUSAL)}\n`.repeat(2));
  });

  it('has the rows of all pages, and says where it ends before they do', async () => {
    const pages = [
      { data: [1, 2], nextCursor: 'b' },
      { data: [3], nextCursor: null },
    ];
    const asked: (string | undefined)[] = [];
    const pageAt = async ({ cursor }: { readonly cursor?: string }) => {
      asked.push(cursor);
      return pages[cursor === undefined ? 0 : 1] ?? { data: [], nextCursor: null };
    };
    const progress: number[] = [];
    expect(await allRows(pageAt, 10, (n) => progress.push(n))).toEqual({ rows: [1, 2, 3], complete: true });
    expect([asked, progress]).toEqual([
      [undefined, 'b'],
      [2, 3],
    ]);
    expect(await allRows(pageAt, 3, () => {})).toEqual({ rows: [1, 2, 3], complete: true });
    expect(await allRows(pageAt, 2, () => {})).toEqual({ rows: [1, 2], complete: false });
  });
});
