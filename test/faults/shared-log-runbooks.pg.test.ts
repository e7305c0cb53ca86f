// docs/shared-log.md, Runbooks: each is done by the commands that the page names, and what it promises follows.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Receipt } from '../../src/protocol/index.ts';
import { utf8 } from '../../src/protocol/index.ts';
import { Client } from '../support/client.ts';
import { temporaryFolder } from '../support/folders.ts';
import { postgresPair } from '../support/postgres.ts';
import { CommandProcess, serving } from '../support/processes.ts';
import { type Account, bundleOf, registerAgent, submitNext, TestService, verifyWith } from '../support/service.ts';
import { until } from '../support/until.ts';

const PATIENCE = { timeout: 300_000 };

/** @returns the exit code and what was printed */
async function run(...args: readonly string[]) {
  const { code, stdout, stderr } = await new CommandProcess(args).ended;
  return { code, text: stdout + stderr };
}

async function succeed(...args: readonly string[]): Promise<string> {
  const { code, text } = await run(...args);
  expect({ code, text }).toMatchObject({ code: 0 });
  return text;
}

class Node {
  readonly dataDir: string;
  readonly process: CommandProcess;

  constructor(name: string, dataDir: string, log: string) {
    this.dataDir = dataDir;
    const options = ['--recorder', 'off', '--log-level', 'silent', '--node', name, '--shared-log', log];
    this.process = new CommandProcess(serving(dataDir, ...options));
  }

  /** The newest that it said of itself. */
  get said(): readonly [role: string | undefined, url: string | undefined] {
    const [, role, url] =
      [...this.process.stdout.matchAll(/^node \S+ is (\w+)(?:, at (http:\S+:\d+))?/gm)].at(-1) ?? [];
    return [role, url];
  }

  is(role: 'active' | 'standby', not?: string): Promise<string> {
    return until(`the node to be ${role}`, () => {
      const [now, url] = this.said;
      return now === role && url !== not ? url : undefined;
    });
  }
}

describe('a ledger on two nodes', async () => {
  const database = await postgresPair();
  const root = temporaryFolder();
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => join(root, name)) as [string, string, string, string];
  const log = database.url;
  const service = await TestService.start({ dataDir: a });
  const { kid } = service;
  const owner = await service.signUp();
  const signer = await registerAgent(owner, 'agent-1');
  const receipts: Receipt[] = [await submitNext(owner, signer)];
  await service.stop();
  const at = (url: string): Account => ({ ...owner, client: new Client(url, owner.client.token) });
  const submitAt = async (url: string): Promise<void> => void receipts.push(await submitNext(at(url), signer));
  const backupOf = async (dataDir: string): Promise<string> => {
    const folder = join(temporaryFolder(), 'node');
    await succeed('backup', '--data-dir', dataDir, folder);
    return folder;
  };

  await succeed('shared', 'begin', '--data-dir', a, log);
  let first = new Node('a', a, log);
  await submitAt(await first.is('active'));
  await succeed('join', '--from', await backupOf(a), '--data-dir', b, log);
  let second = new Node('b', b, log);
  await second.is('standby');

  it('lets each node out of service in turn, and is active meanwhile', PATIENCE, async () => {
    await first.process.kill('SIGTERM');
    await submitAt(await second.is('active'));
    expect(await succeed('shared', 'status', log)).toContain('a node is active');
    first = new Node('a', a, log);
    const standby = new Client(await first.is('standby'));
    await until('it to have caught up', async () => {
      const { body } = await standby.call('health');
      return ((body as { node?: { lag_ms: number } }).node?.lag_ms ?? 5000) < 1000;
    });
    await first.process.kill('SIGTERM');
    await submitAt(await second.is('active'));
    first = new Node('a', a, log);
    await first.is('standby');
  });

  it('continues on the new primary when the old one is dead', PATIENCE, async () => {
    await database.failOver();
    // The node that was active stays so where it said nothing to the database meanwhile.
    const body = signer.next();
    const receipt = await until('a node to take a record', async () => {
      const [, url] = [first, second].map(({ said }) => said).find(([role]) => role === 'active') ?? [];
      const answer = await (url === undefined
        ? null
        : at(url)
            .client.call('submitOperation', { body })
            .catch(() => null));
      return answer !== null && [200, 201].includes(answer.status) && answer.body;
    });
    receipts.push(receipt);
  });

  it('takes a new node in place of a machine that is lost', PATIENCE, async () => {
    const [lost, left] = first.said[0] === 'active' ? [first, second] : [second, first];
    await lost.process.kill('SIGKILL');
    rmSync(lost.dataDir, { recursive: true });
    await submitAt(await left.is('active'));
    await succeed('join', '--from', await backupOf(left.dataDir), '--data-dir', c, log);
    first = left;
    second = new Node('c', c, log);
    await second.is('standby');
    await first.process.kill('SIGTERM');
    await submitAt(await second.is('active'));
  });

  it('begins a new log with the node that has the most when the log was set back', PATIENCE, async () => {
    await second.process.kill('SIGTERM');
    const newest = database.primary.query('SELECT max(no) FROM countersign_log')[0];
    database.primary.query('DELETE FROM countersign_log WHERE no > 2');
    const { code, text } = await new Node('c', c, log).process.ended.then(({ code, stdout, stderr }) => ({
      code,
      text: stdout + stderr,
    }));
    expect(code).not.toBe(0);
    expect(text).toContain(`does not hold entry ${newest}`);
    await succeed('shared', 'end', '--lost', '--data-dir', c);
    database.primary.query('CREATE DATABASE again');
    const again = log.replace(/postgres$/, 'again');
    await succeed('shared', 'begin', '--data-dir', c, again);
    first = new Node('c', c, again);
    await submitAt(await first.is('active'));
    await succeed('join', '--from', await backupOf(c), '--data-dir', d, again);
    second = new Node('d', d, again);
    await second.is('standby');
    await first.process.kill('SIGTERM');
    await submitAt(await second.is('active'));
    await second.process.kill('SIGTERM');
    await succeed('shared', 'end', '--data-dir', d, again);
  });

  it('is one machine again in the end, with every record and every receipt', PATIENCE, async () => {
    const alone = await TestService.start({ dataDir: d });
    await submitAt(alone.url);
    const kept = utf8(receipts.map((receipt) => JSON.stringify(receipt)).join('\n'));
    const report = await verifyWith(kid, await bundleOf(at(alone.url)), [{ name: 'receipts', source: () => [kept] }]);
    expect(report).toMatchObject({ verdict: 'verified', findings: [], bundle: { records: receipts.length } });
    await alone.stop();
  });
});
