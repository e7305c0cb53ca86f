import { describe, expect, it } from 'vitest';
import { type BundleContent, readContents, utf8 } from '../../src/protocol/index.ts';
import { makeBundle } from '../support/bundle-maker.ts';

const { text, bundle } = makeBundle({ agents: 2, epochs: [2, 1] });

async function contentsOf(given: string): Promise<BundleContent[]> {
  const all: BundleContent[] = [];
  for await (const contents of readContents(() => [utf8(given)])) all.push(...contents);
  return all;
}

describe('the contents of a bundle', () => {
  it('come in the order of the document, with their lines', async () => {
    const contents = await contentsOf(text);
    const kinds = contents.map(({ kind }) => kind);
    expect(kinds.join(' ')).toBe(
      'service_key org agent agent epoch epoch edges admin_event admin_event admin_event admin_event record record record manifest',
    );
    const records = contents.flatMap((content) => (content.kind === 'record' ? [content] : []));
    expect(records.map(({ value }) => value)).toEqual(bundle.records);
    const lines = records.map(({ line }) => line);
    expect(lines).toEqual([...lines].sort((a, b) => a - b));
    expect(text.split('\n')[(lines[0] ?? 0) - 1]).toContain('"eor"');
  });

  it('that are not as they should be are named, and reading continues', async () => {
    const contents = await contentsOf(text.replace('"op_version":1', '"op_version":7'));
    const unreadable = contents.filter(({ kind }) => kind === 'unreadable');
    expect(unreadable).toMatchObject([{ member: 'eor.op_version' }]);
    expect(contents.filter(({ kind }) => kind === 'record').length).toBe(2);
    expect(contents.at(-1)?.kind).toBe('manifest');
  });

  it.each([
    ['is cut off', text.slice(0, -300)],
    ['has an unknown member', text.replace('"agents":[', '"agent":[')],
    ['has a member of the wrong type', text.replace('"org":{', '"org":[],"x":{')],
    ['is no JSON', 'hello'],
  ])('end with why, where the document %s', async (_, given) => {
    const contents = await contentsOf(given);
    expect(contents.at(-1)?.kind).toBe('broken');
    expect(contents.filter(({ kind }) => kind === 'broken').length).toBe(1);
    expect(contents.some(({ kind }) => kind === 'manifest')).toBe(false);
  });
});
