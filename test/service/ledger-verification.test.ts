// docs/interface.md, Ledger.
import { describe, expect, it } from 'vitest';
import type { LedgerVerification } from '../../src/contract/index.ts';
import { type Account, registerAgent, submitNext, TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const service = await TestService.start();
const owner = await service.signUp();
const { orgId } = owner;
const signers = [await registerAgent(owner, 'one'), await registerAgent(owner, 'two')];
for (let n = 0; n < 12; n++) {
  const signer = signers[n % 2];
  if (signer !== undefined) await submitNext(owner, signer, { payload: { n } });
  if (n % 4 === 3) await owner.client.ok('closeEpoch');
}

/** Has the ledger verified. */
async function verify({ client }: Account): Promise<LedgerVerification> {
  await client.ok('verifyLedger');
  return until('the verification', async () => {
    const state = await client.ok('ledgerVerification');
    return state.status !== 'running' && (state as LedgerVerification);
  });
}

/** Does something to the database that its triggers would refuse, with the file in hand; takes it back afterwards. */
async function tampered<T>(act: () => () => void, look: () => Promise<T>): Promise<T> {
  const triggers = service.sql.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all() as {
    name: string;
    sql: string;
  }[];
  for (const { name } of triggers) service.sql.exec(`DROP TRIGGER ${name}`);
  service.sql.pragma('foreign_keys = OFF');
  const restore = act();
  try {
    return await look();
  } finally {
    restore();
    for (const { sql } of triggers) service.sql.exec(sql);
  }
}

/** Changes columns of one row, by SQL. */
const changing = (table: string, where: string, assignment: string) => (): (() => void) => {
  const row = service.sql.prepare(`SELECT * FROM ${table} WHERE org_id = ? AND ${where}`).get(orgId) as object;
  const done = service.sql.prepare(`UPDATE ${table} SET ${assignment} WHERE org_id = ? AND ${where}`).run(orgId);
  expect(done.changes).toBe(1);
  const back = Object.keys(row).map((column) => `${column} = @${column}`);
  return () => {
    service.sql.prepare(`UPDATE ${table} SET ${back} WHERE org_id = @org_id AND ${where}`).run(row);
  };
};

/** Deletes rows. */
const deleting = (table: string, where: string) => (): (() => void) => {
  const rows = service.sql.prepare(`SELECT * FROM ${table} WHERE org_id = ? AND ${where}`).all(orgId) as object[];
  const done = service.sql.prepare(`DELETE FROM ${table} WHERE org_id = ? AND ${where}`).run(orgId);
  expect(done.changes).toBe(rows.length);
  return () => {
    for (const row of rows) {
      const columns = Object.keys(row);
      const values = columns.map((column) => `@${column}`);
      service.sql.prepare(`INSERT INTO ${table} (${columns}) VALUES (${values})`).run(row);
    }
  };
};

describe('a sound ledger', () => {
  it('was never verified at first', async () => {
    expect(await (await service.signUp('new')).client.ok('ledgerVerification')).toEqual({
      status: 'never',
      started_at: null,
      completed_at: null,
      records_checked: 0,
      records_total: 0,
      valid: null,
      findings: [],
    });
  });

  it('is found sound, as a job', async () => {
    const before = Date.now();
    const answer = await owner.client.call('verifyLedger');
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ status: 'running', valid: null, completed_at: null, findings: [] });
    const state = await verify(owner);
    expect(state).toMatchObject({
      status: 'completed',
      valid: true,
      findings: [],
      records_checked: 12,
      records_total: 12,
    });
    expect(Date.parse(state.started_at ?? '')).toBeGreaterThanOrEqual(before);
    expect(Date.parse(state.completed_at ?? '')).toBeGreaterThanOrEqual(Date.parse(state.started_at ?? ''));
  });

  it('is sound without any record', async () => {
    const state = await verify(await service.signUp('empty'));
    expect(state).toMatchObject({
      status: 'completed',
      valid: true,
      findings: [],
      records_checked: 0,
      records_total: 0,
    });
  });

  it('stays sound through all that may happen to agents', async () => {
    const account = await service.signUp('eventful');
    const signer = await registerAgent(account);
    await submitNext(account, signer);
    const params = { agent_id: signer.agentId };
    const reason = 'for the test';
    await account.client.ok('freezeAgent', { params, body: { reason } });
    await account.client.ok('revokeKey', { params, body: { kid: 'key-1', reason } });
    await account.client.ok('deleteAgent', { params });
    await submitNext(account, await registerAgent(account));
    expect(await verify(account)).toMatchObject({ valid: true, records_checked: 2 });
  });

  it('seals what waits, so that all of it is checked', async () => {
    const account = await service.signUp('open');
    await submitNext(account, await registerAgent(account));
    expect((await verify(account)).records_checked).toBe(1);
    expect((await account.client.ok('listEpochs')).data).toHaveLength(1);
  });
});

describe('a ledger that somebody with the file in hand changed', () => {
  const record = (assignment: string) => changing('operations', 'seq_no = 6', assignment);

  it.each<[string, () => () => void, string, number | null]>([
    ['a payload', record(`payload = '{"n":7}'`), 'PAYLOAD_HASH_MISMATCH', 6],
    ['a subject', record("subject = 'another'"), 'SIGNATURE_INVALID', 6],
    ['a signature', record('signature = zeroblob(64)'), 'SIGNATURE_INVALID', 6],
    ['a chain hash', record('chain_hash = zeroblob(32)'), 'CHAIN_HASH_MISMATCH', 6],
    ['a link to the record before', record('prev_chain_hash = zeroblob(32)'), 'CHAIN_BROKEN', 6],
    ['a time of receipt', record('received_at = received_at + 1'), 'RECEIPT_SIGNATURE_INVALID', 6],
    ['a receipt_id', record("receipt_id = 'another'"), 'RECEIPT_SIGNATURE_INVALID', 6],
    ["the service's signature", record('service_signature = zeroblob(64)'), 'RECEIPT_SIGNATURE_INVALID', 6],
    ['a leaf hash', record('leaf_hash = zeroblob(32)'), 'RECEIPT_MISMATCH', 6],
    ['a deleted record in the middle', deleting('operations', 'seq_no = 6'), 'SEQUENCE_GAP', 6],
    ['a deleted record at the end', deleting('operations', 'seq_no = 12'), 'SEQUENCE_GAP', 12],
    ['records deleted in a row', deleting('operations', 'seq_no IN (6, 7)'), 'SEQUENCE_GAP', 6],
    [
      "an epoch's root",
      changing('epochs', 'epoch_no = 2', `root_hash = 'sha256:${'0'.repeat(64)}'`),
      'EPOCH_ROOT_MISMATCH',
      null,
    ],
    [
      "an epoch's signature",
      changing('epochs', 'epoch_no = 2', `signature_by_service = '${'A'.repeat(86)}'`),
      'EPOCH_SIGNATURE_INVALID',
      null,
    ],
    ['a deleted epoch', deleting('epochs', 'epoch_no = 2'), 'EPOCH_GAP', null],
    ['an admin event', changing('admin_events', 'event_no = 2', `details = '{"x":1}'`), 'ADMIN_CHAIN_BROKEN', null],
    ['a deleted admin event', deleting('admin_events', 'event_no = 2'), 'ADMIN_CHAIN_BROKEN', null],
  ])('shows %s', async (_, act, code, seqNo) => {
    const state = await tampered(act, () => verify(owner));
    expect(state).toMatchObject({ status: 'completed', valid: false });
    const codes = state.findings.map((finding) => finding.code);
    expect(codes, JSON.stringify(state.findings)).toContain(code);
    const found = state.findings.filter((finding) => finding.code === code);
    if (seqNo !== null) expect(found.map(({ seq_no }) => seq_no)).toContain(seqNo);
    for (const { message } of found) expect(message).toMatch(/^[A-Z].*\.$/);
    expect(await verify(owner)).toMatchObject({ valid: true, findings: [] });
  });

  it('shows a row that cannot be read at all', async () => {
    const act = changing('operations', 'seq_no = 6', "payload = 'not JSON'");
    const state = await tampered(act, () => verify(owner));
    expect(state).toMatchObject({ status: 'completed', valid: false });
    expect(state.findings.map(({ code }) => code)).toContain('MALFORMED');
  });

  it('does not keep a single operation from being verified, beside one that is gone', async () => {
    const { data } = await owner.client.ok('auditQuery', { body: {} });
    const operation_id = data.find(({ seq_no }) => seq_no === 8)?.operation_id ?? '';
    const verified = await tampered(deleting('operations', 'seq_no = 5'), () =>
      owner.client.ok('verifyOperation', { params: { operation_id } }),
    );
    // Its proof needs the hash of what is gone: it holds where the tiles of the epoch were stored before.
    expect(verified).toMatchObject({ checks: { signature_valid: true, receipt_valid: true } });
  });

  it("shows a change of an agent's key", async () => {
    const change = service.sql.prepare("UPDATE agent_keys SET public_key = ? WHERE org_id = ? AND agent_id = 'one'");
    change.run(signers[1]?.publicKey, orgId);
    const codes = (await verify(owner)).findings.map(({ code }) => code);
    change.run(signers[0]?.publicKey, orgId);
    expect(codes).toContain('KEY_ATTESTATION_INVALID');
    expect((await verify(owner)).valid).toBe(true);
  });

  it("leaves another organization's verification alone", async () => {
    const account = await service.signUp('neighbour');
    await submitNext(account, await registerAgent(account));
    const act = changing('operations', 'seq_no = 6', `payload = '{"n":7}'`);
    const both = await tampered(act, () => Promise.all([verify(owner), verify(account)]));
    expect(both.map(({ valid }) => valid)).toEqual([false, true]);
  });
});

describe('the job', () => {
  it('is one, however many start it at once', async () => {
    const account = await service.signUp('many');
    const signer = await registerAgent(account);
    const records = Array.from({ length: 600 }, () => signer.next());
    await account.client.ok('submitBatch', { body: { records } });
    const started = await Promise.all(Array.from({ length: 4 }, () => account.client.ok('verifyLedger')));
    for (const { status } of started) expect(status).toBe('running');
    expect(new Set(started.map(({ started_at }) => started_at)).size).toBe(1);
    const state = await until('the verification', async () => {
      const now = await account.client.ok('ledgerVerification');
      expect(now.records_checked).toBeLessThanOrEqual(600);
      return now.status === 'completed' && now;
    });
    expect(state).toMatchObject({ valid: true, records_checked: 600, started_at: started[0]?.started_at });
  });

  it('goes on beside submissions, over what there was at its beginning', async () => {
    const account = await service.signUp('busy');
    const signer = await registerAgent(account);
    await account.client.ok('submitBatch', { body: { records: Array.from({ length: 300 }, () => signer.next()) } });
    await account.client.ok('verifyLedger');
    for (let n = 0; n < 5; n++) await submitNext(account, signer);
    const state = await until('the verification', async () => {
      const now = await account.client.ok('ledgerVerification');
      return now.status === 'completed' && now;
    });
    expect(state.valid).toBe(true);
    expect(state.findings).toEqual([]);
  });

  it('leaves its result to the next start', async () => {
    const before = await verify(owner);
    await service.restart();
    const client = service.client(owner.client.token);
    expect(await client.ok('ledgerVerification')).toEqual(before);
    expect(await verify({ ...owner, client })).toMatchObject({ valid: true });
  });

  it('that a stop interrupts is over, and can be started again', async () => {
    const other = await TestService.start();
    const account = await other.signUp();
    const signer = await registerAgent(account);
    await account.client.ok('submitBatch', { body: { records: Array.from({ length: 1000 }, () => signer.next()) } });
    await account.client.ok('verifyLedger');
    await other.restart();
    const again = { ...account, client: other.client(account.client.token) };
    const state = await again.client.ok('ledgerVerification');
    expect(['completed', 'failed']).toContain(state.status);
    expect(state.valid).toBe(state.status === 'completed' ? true : null);
    expect(await verify(again)).toMatchObject({ status: 'completed', valid: true });
  });
});
