// docs/interface.md and protocol V132: countersign verify --data-dir.
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { type MadeLedger, makeLedger } from '../../bench/support/make-ledger.ts';
import type { VerificationReport } from '../../src/protocol/index.ts';
import { run } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';
import { CommandProcess, PATIENCE_MS } from '../support/processes.ts';
import { registerAgent, submitNext, TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const folder = temporaryFolder();
let made: MadeLedger;
beforeAll(async () => {
  made = await makeLedger(folder, { records: 25, epochSize: 10, agents: 2 });
});

/** A copy of the folder, without its private key, whose database was changed. */
function changed(sql: string): string {
  const copy = temporaryFolder();
  copyFileSync(join(folder, 'ledger.sqlite'), join(copy, 'ledger.sqlite'));
  const database = new Database(join(copy, 'ledger.sqlite'));
  const triggers = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all() as {
    name: string;
  }[];
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
  database.pragma('foreign_keys = OFF');
  database.exec(sql);
  database.close();
  return copy;
}

describe('countersign verify --data-dir', () => {
  it('verifies a sound ledger, sealed and unsealed records, with the keys that are named', async () => {
    const before = readFileSync(join(folder, 'ledger.sqlite'));
    const { code, stdout } = await run('verify', '--data-dir', folder, '--trust', made.kid, '--json');
    const report = JSON.parse(stdout) as VerificationReport;
    expect(report).toMatchObject({ verdict: 'verified', findings: [] });
    expect(report.bundle).toMatchObject({ org_id: made.orgId, records: 25, epochs: 2, agents: 2, filter: null });
    expect(report.checks.epochs.counts).toMatchObject({ epochs: 2, roots_rebuilt: 2, unsealed: 5 });
    expect(report.checks.epochs.reason).toContain('5 records not sealed');
    expect(code).toBe(0);
    expect(readFileSync(join(folder, 'ledger.sqlite')).equals(before)).toBe(true);
  });

  it('trusts no key for being in the folder', async () => {
    const { code, stdout } = await run('verify', '--data-dir', folder);
    expect(code).toBe(3);
    expect(stdout).toContain('Verdict: incomplete');
    expect(stdout).toContain('ISSUER_NOT_PINNED');
  });

  it.each<[string, string, string, string]>([
    ['a changed record', "UPDATE operations SET subject = 'x' WHERE seq_no = 7", 'SIGNATURE_INVALID', 'seq_no 7'],
    ['an unsealed one', "UPDATE operations SET subject = 'x' WHERE seq_no = 24", 'SIGNATURE_INVALID', 'seq_no 24'],
    ['the newest one deleted', 'DELETE FROM operations WHERE seq_no = 25', 'STATE_MISMATCH', 'head_seq_no'],
    ['a sealed one deleted', 'DELETE FROM operations WHERE seq_no = 20', 'SEQUENCE_GAP', 'seq_no 20'],
    [
      'an agent without organization',
      "UPDATE agents SET org_id = 'x' WHERE agent_id = 'agent-1'",
      'STATE_MISMATCH',
      '',
    ],
  ])('finds %s and says where', async (_, sql, code, place) => {
    const result = await run('verify', '--data-dir', changed(sql), '--trust', made.kid);
    expect(result.code).toBe(1);
    expect(result.stdout).toContain(code);
    expect(result.stdout).toContain(place);
  });

  it('verifies every organization, each with a report', async () => {
    const service = await TestService.start();
    for (const name of ['one', 'two']) {
      const account = await service.signUp(name);
      await submitNext(account, await registerAgent(account));
    }
    // Beside the running service.
    const { code, stdout } = await run('verify', '--data-dir', service.dataDir, '--trust', service.kid, '--json');
    const reports = JSON.parse(stdout) as VerificationReport[];
    expect(reports.map(({ verdict, bundle }) => [verdict, bundle.records])).toEqual([
      ['verified', 1],
      ['verified', 1],
    ]);
    expect(code).toBe(0);
  });

  it.each<[string, () => string]>([
    ['there is no folder', () => join(folder, 'nowhere')],
    ['there is no ledger in it', temporaryFolder],
    [
      'the file is no database',
      () => {
        const other = temporaryFolder();
        writeFileSync(join(other, 'ledger.sqlite'), 'x'.repeat(5000));
        return other;
      },
    ],
    ['it is of a later version', () => changed('PRAGMA user_version = 1000')],
    ['it is a database of something else', () => changed('PRAGMA application_id = 7')],
  ])('cannot judge where %s', async (_, make) => {
    const { code, stderr, stdout } = await run('verify', '--data-dir', make());
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^countersign verify: \S.*\n$/);
  });

  it.each([
    ['a bundle as well', ['bundle.json']],
    ['receipts', ['--receipts', 'receipts.jsonl']],
    ['another bundle', ['--against', 'bundle.json']],
  ])('is not used with %s', async (_, args) => {
    expect((await run('verify', '--data-dir', folder, ...args)).code).toBe(2);
  });

  it('is ended by Ctrl-C with its own exit code', { timeout: PATIENCE_MS }, async () => {
    const large = temporaryFolder();
    await makeLedger(large, { records: 30_000 });
    const command = new CommandProcess(['verify', '--data-dir', large]);
    await until('it to open the database', () => existsSync(join(large, 'ledger.sqlite-shm')));
    const { code, stdout, stderr } = await command.kill('SIGINT');
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(stderr).toContain('interrupted');
  });
});
