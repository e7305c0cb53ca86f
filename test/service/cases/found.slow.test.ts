// docs/evidence-from-before.md: what was found on a disk becomes a case, and nothing of it turns green.
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/protocol/index.ts';
import { action, actionId, bundleOfPayloads, input } from '../../support/agent-actions.ts';
import { BUNDLE, ISSUER } from '../../support/case-evidence.ts';
import { addItem, itemsOf, openCase, saveCase } from '../../support/case-items.ts';
import { importCase, settled } from '../../support/cases.ts';
import { type Client, expectError } from '../../support/client.ts';
import { run } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { claudeHome, execve, put, SESSION, sessionLines } from '../../support/found-home.ts';
import { TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

/** What of a payload is the call. */
interface Called {
  readonly tool: { readonly name: string; readonly call_id: string };
  readonly input: { readonly value: Json };
  readonly outcome: { readonly status: string; readonly exit_code?: number };
}

const service = await TestService.start();
const { client } = await service.signUp();
const folder = temporaryFolder();

/** Makes a case file of paths, with the command. */
async function imported(name: string, ...paths: string[]): Promise<Buffer> {
  const out = join(folder, `${name}.cscase`);
  const { code, stderr } = await run('import-transcripts', ...paths, '-o', out, '--by', 'eve@example.com');
  if (code !== 0) throw new Error(stderr);
  return readFileSync(out);
}

async function opened(bytes: Buffer) {
  const { status, body, bytes: said } = await openCase(client, bytes);
  if (status !== 202) throw new Error(`${status} ${said.toString('utf8')}`);
  return settled(client, body.case_id);
}

/** The case, once its items are read. */
function withItemsRead(of: Client, case_id: string) {
  return until('the items of a case', async () => {
    const found = await of.ok('getCase', { params: { case_id } });
    return !found.reading_items && !found.checking_items && found;
  });
}

const actionsOf = async (case_id: string, query?: string) =>
  (await client.ok('caseActions', { params: { case_id }, body: { ...(query && { query }), limit: 200 } })).data;

const home = claudeHome(join(folder, 'a'));
const about = await opened(await imported('home', home));
const { case_id } = about;
const params = { case_id };

describe('a case of what was found', () => {
  it('is incomplete, since nobody signed it, whatever else holds', async () => {
    expect(about).toMatchObject({ state: 'ready', verdict: 'incomplete', verdict_code: 'NOT_SIGNED', report: null });
    const [first] = await itemsOf(client, case_id);
    expect(first).toMatchObject({ kind: 'collection', verdict: 'not_verified', code: 'NOT_SIGNED' });
  });

  it('has the calls of the transcript in its list of actions, each marked', async () => {
    const actions = await actionsOf(case_id);
    const calls = actions.filter(({ tool }) => tool !== null);
    expect(calls.length).toBe(about.found?.actions);
    expect(calls.length).toBeGreaterThan(8);
    expect(actions.every(({ marks }) => marks.includes('NOT_SIGNED'))).toBe(true);
    expect(actions.every(({ agent_id }) => agent_id === 'found:claudecode:ada')).toBe(true);
    expect(calls.some(({ witnesses }) => witnesses[0]?.source === 'transcript')).toBe(true);
  });

  it('answers who ran what and what failed as a ledger does', async () => {
    const failed = await actionsOf(case_id, 'outcome:failed');
    expect(failed.map(({ exit_code }) => exit_code)).toContain(2);
    expect(await actionsOf(case_id, 'mark:NOT_SIGNED')).toHaveLength((await actionsOf(case_id)).length);
    const { data } = await client.ok('caseSessions', { params, query: {} });
    expect(data.map(({ session }) => session)).toContain(SESSION);
  });

  it('says of an action in which file and line it stands, and who imported it', async () => {
    const [action] = (await actionsOf(case_id)).filter(({ tool }) => tool === 'Bash');
    const operation_id = action?.operation_id ?? '';
    const { found } = await client.ok('caseFoundAction', { params: { case_id, operation_id } });
    expect(found).toMatchObject({ collected_by: 'eve@example.com', item_no: 1, agent_id: 'found:claudecode:ada' });
    const line = sessionLines()[(found?.line ?? 0) - 1] ?? '';
    expect(found?.path).toMatch(/\.jsonl$/);
    if (found?.path.endsWith(`${SESSION}.jsonl`)) expect(line).toContain('tool_use');
  });

  it('has no record, proof or text of such an action, and says why', async () => {
    const [action] = await actionsOf(case_id);
    const asked = { params: { case_id, operation_id: action?.operation_id ?? '' } };
    expectError(await client.call('caseOperation', asked), 'CONFLICT');
    expectError(await client.call('caseOperationProof', asked), 'CONFLICT');
    expectError(await client.call('caseRecordText', asked), 'CONFLICT');
  });

  it('takes tags and notes on its actions', async () => {
    const [action] = await actionsOf(case_id);
    const operation_id = action?.operation_id ?? '';
    await client.ok('annotate', { params: { case_id, operation_id }, body: { tags: ['look'], note: 'Here.' } });
    expect((await actionsOf(case_id, 'tag:look')).map(({ operation_id: id }) => id)).toEqual([operation_id]);
  });

  it('is saved as a file and opened again as it was', async () => {
    const again = await opened(await saveCase(client, case_id, null));
    expect(again).toMatchObject({ verdict: 'incomplete', verdict_code: 'NOT_SIGNED', sha256: about.sha256 });
    expect(again.found).toEqual(about.found);
    await itemsOf(client, again.case_id);
    expect((await client.ok('getCase', { params: { case_id: again.case_id } })).origin?.reproduced).toBe(true);
  });
});

describe('a case of a bundle', () => {
  it('takes a transcript as an item: its verdict stays, and the actions join its lists', async () => {
    const { case_id: id } = await importCase(client, { name: 'b', bytes: BUNDLE }, { trusted_kids: [ISSUER] });
    const before = await actionsOf(id);
    await addItem(client, id, { name: 'session.jsonl', bytes: Buffer.from(sessionLines().join('\n')) });
    const items = await itemsOf(client, id);
    expect(items[1]).toMatchObject({ kind: 'found', verdict: 'not_verified', code: 'NOT_SIGNED' });
    const after = await withItemsRead(client, id);
    expect(after).toMatchObject({ verdict: 'verified', found: { items: [2], files: 1, transcripts: 1 } });
    const actions = await actionsOf(id);
    expect(actions.length).toBeGreaterThan(before.length);
    const signed = actions.filter(({ marks }) => !marks.includes('NOT_SIGNED'));
    expect(signed.map(({ seq_no }) => seq_no)).toEqual(before.map(({ seq_no }) => seq_no));
    await client.ok('removeItem', { params: { case_id: id, item_no: '2' } });
    expect((await withItemsRead(client, id)).found).toBeNull();
    expect(await actionsOf(id)).toEqual(before);
  });
});

describe('a ledger with records of the same session', () => {
  it('is in the lists from then on, whoever asks while it is read', async () => {
    const { case_id } = await importCase(client, { name: 'ledger.csbundle', bytes: Buffer.from(BUNDLE) });
    const params = { case_id };
    let isRead = false;
    const askers = Array.from({ length: 8 }, async () => {
      while (!isRead) await client.ok('caseActions', { params, body: { limit: 200 } });
    });
    await addItem(client, case_id, { name: 'found.jsonl', bytes: Buffer.from(sessionLines().join('\n')) });
    await withItemsRead(client, case_id);
    isRead = true;
    await Promise.all(askers);
    const { data } = await client.ok('caseActions', { params, body: { limit: 200 } });
    expect(data.filter(({ marks }) => marks.includes('NOT_SIGNED'))).not.toEqual([]);
  });

  it('shows which calls only one of the two has, and in what others differ', async () => {
    const calls = await Promise.all(
      (await actionsOf(case_id, 'tool:Bash')).map(async ({ operation_id }) => {
        const { found } = await client.ok('caseFoundAction', { params: { case_id, operation_id } });
        return found?.payload as unknown as Called;
      }),
    );
    const [same, other] = calls;
    if (same === undefined || other === undefined) throw new Error('two calls');
    const recorded = (label: string, { tool, input: { value }, outcome }: Called, given: Json = value) =>
      action('completed', {
        action_id: actionId(label),
        session: { id: SESSION },
        tool: { ...tool },
        input: input(given),
        outcome: { ...outcome, status: 'ok' },
        whole_call: true,
      });
    const payloads = [
      {
        ...recorded('same', same),
        ...(same.outcome.status !== 'ok' && { phase: 'failed', outcome: { ...same.outcome } }),
      },
      recorded('other', other, { command: 'something else' }),
      recorded('gone', { ...same, tool: { ...same.tool, call_id: 'call_nobody_has' } }),
    ];
    const { case_id: id } = await importCase(client, { name: 'b', bytes: Buffer.from(bundleOfPayloads(payloads)) });
    await addItem(client, id, { name: 'session.jsonl', bytes: Buffer.from(sessionLines().join('\n')) });
    await itemsOf(client, id);
    const { found } = await withItemsRead(client, id);
    expect(found).toMatchObject({ shared_sessions: 1, same: 1, differing: 1, only_ledger: 1 });
    expect(found?.only_found).toBe((found?.actions ?? 0) - 2);
    const { data } = await client.ok('caseFoundDifferences', { params: { case_id: id }, query: {} });
    const differing = data.find(({ state }) => state === 'differs');
    expect(differing).toMatchObject({ call_id: other.tool.call_id, members: expect.arrayContaining(['input']) });
    // The signed record says it as well, from its own side.
    const operation_id = differing?.ledger?.operation_id ?? '';
    const said = await client.ok('caseFoundAction', { params: { case_id: id, operation_id } });
    expect(said).toMatchObject({ found: null, difference: { state: 'differs' } });
  });
});

describe('a second witness', () => {
  it('is shown on the action that it is consistent with, with the offset of its clock', async () => {
    const calls = (await actionsOf(case_id, 'tool:Bash')).filter(({ outcome }) => outcome !== 'refused');
    const commands = await Promise.all(
      calls.map(async ({ operation_id, started_at }) => {
        const { found } = await client.ok('caseFoundAction', { params: { case_id, operation_id } });
        const payload = found?.payload as { input: { value: { command: string } } } | undefined;
        return { at: Date.parse(started_at), command: payload?.input.value.command ?? '' };
      }),
    );
    const AHEAD_MS = 90_000;
    const log = commands.map(({ at, command }, index) => execve(at + AHEAD_MS, 100 + index, ['bash', '-c', command]));
    const audit = put(join(folder, 'audit'), 'audit.log', log.join(''));
    const found = await opened(await imported('audited', home, audit));
    expect(found.found).toMatchObject({ logs: 1, events: commands.length });
    expect(found.found?.corroborated).toBeGreaterThanOrEqual(3);
    const [action] = await actionsOf(found.case_id, 'tool:Bash outcome:failed');
    const asked = { params: { case_id: found.case_id, operation_id: action?.operation_id ?? '' } };
    const { witnesses } = await client.ok('caseFoundAction', asked);
    expect(witnesses[0]).toMatchObject({ fits_by: 'command', log: 'Linux audit log' });
    expect(Math.abs((witnesses[0]?.offset_ms ?? 0) - AHEAD_MS)).toBeLessThan(1_000);
  });
});

describe('what was altered afterwards', () => {
  const signsOf = async (name: string, change: (lines: string[]) => string[]) => {
    const found = await opened(await imported(name, claudeHome(join(folder, name), change)));
    const { data } = await client.ok('caseFoundNotes', { params: { case_id: found.case_id }, query: {} });
    return { signs: found.found?.signs, codes: data.map(({ code }) => code) };
  };

  it('finds nothing in what the program wrote', () => {
    expect(about.found).toMatchObject({ signs: 0, unread: 0 });
  });

  it('finds an entry that was taken out of the middle', async () => {
    const at = sessionLines().findIndex((line) => line.includes('"tool_use"'));
    expect((await signsOf('cut', (lines) => lines.toSpliced(at, 1))).codes).toContain('LINK_MISSING');
  });

  it('finds a result that was taken out', async () => {
    const at = sessionLines().findIndex((line) => line.includes('tool_use_id'));
    expect((await signsOf('result', (lines) => lines.toSpliced(at, 1))).codes).toContain('RESULT_MISSING');
  });

  it('finds an output that was changed in one of its two places', async () => {
    const { codes } = await signsOf('edited', (lines) =>
      lines.map((line) => line.replace('"stdout":"hi-from-tool', '"stdout":"nothing to see')),
    );
    expect(codes).toContain('ACCOUNTS_DIFFER');
  });
});

describe('what is collected', () => {
  it('is no symbolic link, and says what was left out', async () => {
    const other = claudeHome(join(folder, 'links'));
    symlinkSync(join(home, 'notes.txt'), join(other, 'link.jsonl'));
    const { code, stdout } = await run('import-transcripts', other, '--json');
    const { manifest } = JSON.parse(stdout) as { manifest: { files: object[]; left_out: { named: object[] } } };
    expect(code).toBe(0);
    expect(manifest.files).toHaveLength(2);
    expect(manifest.left_out.named).toContainEqual({ path: join(other, 'link.jsonl'), reason: 'LINK' });
  });

  it('is refused where there is nothing that is known', async () => {
    const nothing = put(join(folder, 'nothing'), 'notes.txt', 'none of it');
    const { code, stderr } = await run('import-transcripts', nothing, '-o', join(folder, 'nothing.cscase'));
    expect(code).toBe(2);
    expect(stderr).toContain('NOT_RECOGNISED');
  });
});
