// The agent library for Python, against the real service and against the implementation in TypeScript.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/support/paths.ts';
import { canonicalize, toBase64Url } from '../../src/protocol/index.ts';
import { whatIsTold } from '../support/agent-sessions.ts';
import { runs } from '../support/extent.ts';
import { temporaryFolder } from '../support/folders.ts';
import { jsonValue } from '../support/json-values.ts';
import { bundleOf, registerAgent, TestService, verifyWith } from '../support/service.ts';

const PYTHON = join(ROOT, 'python');
const hasCryptography = spawnSync('python3', ['-c', 'import cryptography']).status === 0;
const why = hasCryptography ? '' : ' (python3 has no package cryptography: install it, Debian: python3-cryptography)';

async function python(args: readonly string[], cwd: string, more: Record<string, string> = {}, input = '') {
  const env = { ...process.env, ...more, PYTHONPATH: join(PYTHON, 'src'), PYTHONDONTWRITEBYTECODE: '1' };
  const child = spawn('python3', args, { cwd, env });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output };
}

const script = (name: string) => join(ROOT, 'test', 'interop', 'python', name);

describe.skipIf(!hasCryptography)(`the Python package${why}`, () => {
  it('passes its own tests, which read the test vectors', async () => {
    const { code, stderr } = await python(['-m', 'unittest', 'discover', '-s', 'tests'], PYTHON);
    expect(stderr).toMatch(/\nOK/);
    expect(code).toBe(0);
  });

  it('writes random JSON values as the implementation in TypeScript does', async () => {
    const values = fc.sample(jsonValue, runs(1000));
    const texts = values.map((value) => JSON.stringify(value));
    const { stdout, stderr } = await python([script('canonicalize_lines.py')], PYTHON, {}, `${texts.join('\n')}\n`);
    expect(stderr).toBe('');
    expect(stdout.split('\n').slice(0, -1)).toEqual(values.map((value) => canonicalize(value)));
  });

  it('records sessions that the service accepts and whose bundle verifies and fits together', async () => {
    const service = await TestService.start();
    const owner = await service.signUp();
    const signer = await registerAgent(owner);
    const folder = temporaryFolder();
    const receipts = join(folder, 'receipts.jsonl');
    const environment = { SERVICE: service.url, TOKEN: owner.client.token ?? '', ORG: owner.orgId, KID: service.kid };
    const names = { AGENT: signer.agentId, KEY: toBase64Url(signer.seed), RECEIPTS: receipts };
    const ran = await python([script('recorded_sessions.py')], folder, { ...environment, ...names });
    expect(ran).toEqual({ code: 0, stdout: 'ok\n', stderr: '' });
    const kept = readFileSync(receipts, 'utf8');
    const named = [{ name: 'kept', source: () => [Buffer.from(kept)] }];
    const report = await verifyWith(service.kid, await bundleOf(owner), named);
    expect(report).toMatchObject({ verdict: 'verified', checks: { reconciliation: { status: 'pass' } } });

    const { records, coherence, phases } = await whatIsTold(service, owner, signer.agentId);
    expect(phases).toEqual([
      ...[
        'session_started',
        'told',
        'started',
        'session_started',
        'started',
        'completed',
        'session_ended',
        'completed',
      ],
      ...['started', 'started', 'completed', 'completed', 'started', 'failed error', 'asked', 'decided', 'started'],
      ...['completed', 'asked', 'refused denied', 'started', 'started', 'completed', 'note', 'failed unknown'],
      'session_ended',
    ]);
    // That of the plain operation twice, as it was submitted twice.
    expect(kept.trim().split('\n')).toHaveLength(records.length + 2);
    expect(coherence).toMatchObject({ status: 'coherent', codes: { SELF_APPROVED: 1 } });
    expect(records[4]?.payload['cause']).toEqual([records[2]?.operationId]);
    expect(records[13]?.payload['outcome']).toMatchObject({ error: { type: 'RuntimeError', message: 'far\ufffd' } });
    expect(records[15]?.payload['decision']).toMatchObject({ by: { reported: true }, outcome: 'modified' });
  });

  it("runs the README's example", async () => {
    const service = await TestService.start();
    const owner = await service.signUp();
    const example = join(PYTHON, 'example', 'recorded_session.py');
    const environment = { SERVICE: service.url, TOKEN: owner.client.token ?? '', ORG: owner.orgId };
    const { code, stdout, stderr } = await python([example], temporaryFolder(), environment);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^accepted: seq_no 1, sha256:[0-9a-f]{64}\npaid: 9 records\n$/);
    expect(readFileSync(join(PYTHON, 'README.md'), 'utf8')).toContain(readFileSync(example, 'utf8'));
  });
});
