// docs/evidence-from-before.md, Signs of alterations: what a hostile transcript may hold.
import { describe, expect, it } from 'vitest';
import { AlterationSearch } from '../../../src/actions/found/index.ts';

function signsOf(program: string, entries: readonly object[]) {
  const search = new AlterationSearch(program);
  return entries.flatMap((entry, index) => [...search.take(JSON.stringify(entry), index + 1)]);
}

const asks = (request: string, id: string) => ({
  type: 'assistant',
  message: { id: request, content: [{ type: 'tool_use', id, name: 'Bash', input: {} }] },
});

describe('signs of an alteration', () => {
  it('say of each call once that the model was asked again before its result, in time that grows with the file', () => {
    const calls = Array.from({ length: 60_000 }, (_, at) => asks('m1', `c${at}`));
    const result = { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'x' }] } };
    const signs = signsOf('claudecode', [...calls, result, asks('m2', 'd'), asks('m2', 'e')]);
    expect(signs.length).toBe(59_999);
    expect(signs.every(({ code, line }) => code === 'RESULT_MISSING' && line === 60_002)).toBe(true);
    expect(signs.some(({ message }) => message.includes('call c1 '))).toBe(false);
  });

  it('are none where the model was shown a picture', () => {
    const shown = { type: 'tool_result', tool_use_id: 'c', content: [{ type: 'image', source: {} }] };
    expect(
      signsOf('claudecode', [{ type: 'user', message: { content: [shown] }, toolUseResult: { stdout: 'data:x' } }]),
    ).toEqual([]);
  });

  it('have no name in them that no program gives', () => {
    const signs = signsOf('copilot', [
      { id: 'a', parentId: 'x'.repeat(1_000_000) },
      { id: 'b', parentId: 'gone' },
    ]);
    expect(signs.map(({ line }) => line)).toEqual([2]);
  });
});
