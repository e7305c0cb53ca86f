import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { run } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';
import type { Bundle } from '../support/vectors.ts';

const folder = temporaryFolder();
let files = 0;
function actions(...lines: unknown[]): string {
  const path = join(folder, `actions-${files++}.jsonl`);
  writeFileSync(path, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
  return path;
}

// Temporary files go to a place of their own, where nobody else leaves any.
const temporary = join(folder, 'temporary');
mkdirSync(temporary);
vi.stubEnv('TMPDIR', temporary);
afterAll(() => vi.unstubAllEnvs());
const leftBehind = (): string[] => readdirSync(temporary);

const toolCall = {
  agent: 'airline-agent-0',
  session: 's1',
  step: 1,
  tool: 'get_user',
  arguments: { user_id: 'mia' },
  result: 'found',
};
const operation = {
  agent_id: 'clerk',
  operation_type: 'invoice.create',
  subject: 'invoice/7',
  action: 'create',
  payload: { note: 'ünï' },
};

describe('demo', () => {
  it('shows everything with a built-in scenario, and leaves nothing behind', async () => {
    const { code, stdout, stderr } = await run('demo');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Verdict: verified');
    expect(stdout).toContain('Verdict: failed');
    expect(stdout.indexOf('Verdict: verified')).toBeLessThan(stdout.indexOf('Verdict: failed'));
    expect(stdout).toMatch(/DISCLOSURE_INVALID\n +line \d+, seq_no \d+, operation [0-9a-f-]{36}, agent /);
    // What the manifest then states of the members only follows from that.
    expect(stdout).not.toMatch(/MANIFEST_MISMATCH$/m);
    expect(stdout).not.toContain('\u001b');
    expect(leftBehind()).toEqual([]);
  });

  it('takes actions from a file, tool calls and operations alike, and keeps the bundle', async () => {
    const from = actions(toolCall, '', { ...toolCall, step: 2, extra: true }, operation, '   ');
    const out = join(folder, 'kept.json');
    const { code, stdout } = await run('demo', '--from', from, '--out', out);
    expect(code).toBe(0);
    const { records, agents } = JSON.parse(readFileSync(out, 'utf8')) as Bundle;
    expect(agents.map(({ agent_id }) => agent_id).toSorted()).toEqual(['airline-agent-0', 'clerk']);
    const bySubject = records.map(({ eor }) => [eor.operation_type, eor.subject, eor.action]).toSorted();
    expect(bySubject).toEqual([
      ['airline.get_user', 'mia', 'get_user'],
      ['airline.get_user', 'mia', 'get_user'],
      ['invoice.create', 'invoice/7', 'create'],
    ]);
    // The command that it names at the end does what it says.
    const [, path = '', kid = ''] = /countersign verify (\S+) --trust (\S+)/.exec(stdout) ?? [];
    expect(path).toBe(out);
    expect((await run('verify', path, '--trust', kid)).code).toBe(0);
  });

  it.each<[string, unknown[], RegExp]>([
    ['is not JSON', [toolCall, '{"agent":'], /line 2/],
    ['is another kind of JSON', [toolCall, operation, { hello: 'world' }], /line 3/],
    ['lacks a member', [{ ...operation, payload: undefined }], /line 1/],
    ['has a payload that is a list', [{ ...operation, payload: [] }], /line 1/],
    ['is not there at all', [], /no actions/],
    ['names an agent as none can be named', [operation, { ...operation, agent_id: 'a b' }], /agent_id|line 2/],
    ['names an operation as none can be named', [operation, { ...operation, operation_type: 'a b' }], /operation_type/],
    ['has an empty subject, made of blanks or not', [operation, { ...operation, subject: 'x'.repeat(513) }], /subject/],
    ['holds a lone surrogate', [operation, JSON.stringify({ ...operation, subject: '\ud800' })], /subject|surrogate/],
    ['is too large', [{ ...operation, payload: { t: 'x'.repeat(300_000) } }], /payload/],
  ])('refuses a file where a line %s: exit code 2 and a sentence', async (_, lines, named) => {
    const out = join(folder, 'never.json');
    const { code, stderr } = await run('demo', '--from', actions(...lines), '--out', out);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^countersign demo: /);
    expect(stderr).toMatch(named);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(existsSync(out)).toBe(false);
    expect(leftBehind()).toEqual([]);
  });

  it.each(['missing', 'a folder'])('refuses a file that is %s', async (what) => {
    const { code, stdout, stderr } = await run('demo', '--from', what === 'missing' ? join(folder, 'none') : folder);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^countersign demo: /);
  });

  it.each<[string, object, string]>([
    ['a text', { note: 'x', n: 1 }, 'DISCLOSURE_INVALID'],
    ['a number alone', { n: 7, ok: true }, 'DISCLOSURE_INVALID'],
    ['a text in no Latin letters, and a number', { note: 'ж', n: [0] }, 'SIGNATURE_INVALID'],
    ['nothing', {}, 'SIGNATURE_INVALID'],
  ])('alters a record whose payload has %s, and names it and the reason', async (_, payload, code) => {
    const { code: exit, stdout } = await run('demo', '--from', actions({ ...operation, payload }));
    expect(exit).toBe(0);
    const [, found] = stdout.split('Verdict: verified');
    expect(found).toContain('Verdict: failed');
    expect(found).toMatch(new RegExp(`^ +1 {2}${code}\n +line \\d+, seq_no 1, operation [0-9a-f-]{36}`, 'm'));
  });

  it.each(['a folder', 'in a folder that is not there'])('refuses to write to what is %s', async (what) => {
    const out = what === 'a folder' ? join(folder, 'out') : join(folder, 'none', 'bundle.json');
    if (what === 'a folder') mkdirSync(out);
    const { code, stderr } = await run('demo', '--out', out, '--from', actions(operation));
    expect(code).toBe(2);
    expect(stderr).toMatch(/^countersign demo: /);
    expect(stderr).toContain(out);
    expect(leftBehind()).toEqual([]);
  });
});
