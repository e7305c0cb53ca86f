// docs/interface.md, Ledger.
import { describe, expect, it } from 'vitest';
import type { LedgerVerification } from '../../src/api/index.ts';
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

/** Adds a copy of a row with some columns changed, by SQL. */
const inserting = (table: string, where: string, columns: Readonly<Record<string, string>>) => (): (() => void) => {
  const row = service.sql.prepare(`SELECT * FROM ${table} WHERE org_id = ? AND ${where}`).get(orgId) as object;
  const names = Object.keys(row);
  const values = names.map((name) => columns[name] ?? name);
  const before = service.sql.prepare(`SELECT * FROM ${table}`).all() as Record<string, unknown>[];
  const done = service.sql
    .prepare(`INSERT INTO ${table} (${names}) SELECT ${values} FROM ${table} WHERE org_id = ? AND ${where}`)
    .run(orgId);
  expect(done.changes).toBe(1);
  return () => {
    service.sql.exec(`DELETE FROM ${table}`);
    for (const old of before) {
      const given = Object.keys(old).map((column) => `@${column}`);
      service.sql.prepare(`INSERT INTO ${table} (${Object.keys(old)}) VALUES (${given})`).run(old);
    }
  };
};

/** Gives two records each other's sequence number. */
const swapping = (a: number, b: number) => (): (() => void) => {
  const move = service.sql.prepare('UPDATE operations SET seq_no = ? WHERE org_id = ? AND seq_no = ?');
  const swap = (): void => {
    move.run(1000, orgId, a);
    move.run(a, orgId, b);
    move.run(b, orgId, 1000);
  };
  swap();
  return swap;
};

/** Gives an administrative event another number. */
const renumbering = (from: number, to: number) => (): (() => void) => {
  const move = service.sql.prepare('UPDATE admin_events SET event_no = ? WHERE org_id = ? AND event_no = ?');
  move.run(to, orgId, from);
  return () => void move.run(from, orgId, to);
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

  it('seals what is pending, so that all of it is checked', async () => {
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
  });

  const other = `'sha256:${'0'.repeat(64)}'`;
  it.each<[string, () => () => void, string, object]>([
    [
      'a copy of a time',
      record('issued_at_ms = issued_at_ms + 1'),
      'STATE_MISMATCH',
      { seq_no: 6, member: 'issued_at_ms' },
    ],
    [
      'a payload in another spelling',
      record(`payload = ' ' || payload`),
      'STATE_MISMATCH',
      { seq_no: 6, member: 'payload' },
    ],
    ['a payload that is gone', record('payload = NULL'), 'PAYLOAD_HASH_MISMATCH', { seq_no: 6, member: 'payload' }],
    ['a signature cut short', record('signature = zeroblob(63)'), 'MALFORMED', { seq_no: 6 }],
    ['a number that nobody can hold', record('ttl_ms = 9223372036854775807'), 'MALFORMED', { seq_no: 6 }],
    ['a time that there is not', record('received_at = 9000000000000000'), 'MALFORMED', { seq_no: 6 }],
    ['two records swapped', swapping(5, 6), 'RECEIPT_SIGNATURE_INVALID', { seq_no: 5 }],
    [
      'a record inserted at the end',
      inserting('operations', 'seq_no = 6', {
        seq_no: '13',
        operation_id: "'00000000-0000-4000-8000-000000000000'",
        nonce: "'another nonce'",
      }),
      'RECEIPT_SIGNATURE_INVALID',
      { seq_no: 13 },
    ],
    [
      'a record inserted before the beginning',
      inserting('operations', 'seq_no = 6', {
        seq_no: '-1',
        operation_id: "'00000000-0000-4000-8000-000000000000'",
        nonce: "'another nonce'",
      }),
      'MALFORMED',
      { member: 'seq_no' },
    ],
    ['the first record deleted', deleting('operations', 'seq_no = 1'), 'SEQUENCE_GAP', { seq_no: 1 }],
    ['the first epoch deleted', deleting('epochs', 'epoch_no = 1'), 'EPOCH_CHAIN_BROKEN', { epoch_no: 1 }],
    ['the last epoch deleted', deleting('epochs', 'epoch_no = 3'), 'EPOCH_CHAIN_BROKEN', { epoch_no: 3 }],
    [
      'an epoch inserted',
      inserting('epochs', 'epoch_no = 3', { epoch_no: '4', epoch_id: "'another'", last_seq_no: '16' }),
      'EPOCH_SIGNATURE_INVALID',
      { epoch_no: 4 },
    ],
    [
      'an epoch that cannot be read',
      changing('epochs', 'epoch_no = 2', "start_time = 'soon'"),
      'MALFORMED',
      { epoch_no: 2 },
    ],
    [
      'the head of the admin events in an epoch',
      changing('epochs', 'epoch_no = 2', `admin_head_hash = ${other}`),
      'EPOCH_SIGNATURE_INVALID',
      { epoch_no: 2 },
    ],
    ['the number of an admin event', renumbering(3, 70), 'ADMIN_CHAIN_BROKEN', {}],
    ['the first admin event deleted', deleting('admin_events', 'event_no = 1'), 'ADMIN_CHAIN_BROKEN', {}],
    [
      'details in another spelling',
      changing('admin_events', 'event_no = 2', "details = ' ' || details"),
      'STATE_MISMATCH',
      { member: 'details' },
    ],
    [
      "an agent's status",
      changing('agents', "agent_id = 'one'", "status = 'frozen'"),
      'DIRECTORY_MISMATCH',
      { agent_id: 'one' },
    ],
    [
      'an agent that is deleted in secret',
      changing('agents', "agent_id = 'one'", 'deleted_at = 5'),
      'STATE_MISMATCH',
      { agent_id: 'one', member: 'deleted_at' },
    ],
    [
      'how an agent is integrated',
      changing('agents', "agent_id = 'one'", "integration_type = 'x'"),
      'STATE_MISMATCH',
      { agent_id: 'one', member: 'integration_type' },
    ],
    [
      "the time of an agent's registration",
      changing('agents', "agent_id = 'one'", 'created_at = created_at - 1'),
      'DIRECTORY_MISMATCH',
      { agent_id: 'one' },
    ],
    [
      "the time of an agent's change",
      changing('agents', "agent_id = 'one'", 'updated_at = updated_at + 1'),
      'STATE_MISMATCH',
      { agent_id: 'one', member: 'updated_at' },
    ],
    [
      "the head of an agent's chain",
      changing('agents', "agent_id = 'one'", 'head_chain_hash = zeroblob(32)'),
      'STATE_MISMATCH',
      { agent_id: 'one', member: 'head_chain_hash' },
    ],
    [
      "the number of an agent's newest record",
      changing('agents', "agent_id = 'one'", 'head_seq_no = 9'),
      'STATE_MISMATCH',
      { agent_id: 'one', member: 'head_seq_no' },
    ],
    [
      'an agent inserted',
      inserting('agents', "agent_id = 'one'", { agent_id: "'three'" }),
      'DIRECTORY_MISMATCH',
      { agent_id: 'three' },
    ],
    ['an agent deleted', deleting('agents', "agent_id = 'one'"), 'DIRECTORY_MISMATCH', { agent_id: 'one' }],
    [
      "an agent's key deleted",
      deleting('agent_keys', "agent_id = 'one'"),
      'DIRECTORY_MISMATCH',
      { agent_id: 'one', kid: 'key-1' },
    ],
    [
      'a key inserted',
      inserting('agent_keys', "agent_id = 'one'", { kid: "'key-2'" }),
      'DIRECTORY_MISMATCH',
      { agent_id: 'one', kid: 'key-2' },
    ],
    [
      'a key whose status there is not',
      changing('agent_keys', "agent_id = 'one'", "status = 'odd'"),
      'MALFORMED',
      { agent_id: 'one' },
    ],
    [
      'a kept root of the log',
      () => {
        const insert = 'INSERT INTO log_subtrees (org_id, height, subtree_index, root) VALUES (?, 8, 0, zeroblob(32))';
        service.sql.prepare(insert).run(orgId);
        return () => void service.sql.prepare('DELETE FROM log_subtrees WHERE org_id = ?').run(orgId);
      },
      'STATE_MISMATCH',
      { member: 'log_subtrees 8/0' },
    ],
    [
      "the organization's name",
      changing('organizations', '1 = 1', "name = 'Another'"),
      'STATE_MISMATCH',
      { member: 'organizations.name' },
    ],
  ])('names the row and what is wrong with it: %s', async (_, act, code, where) => {
    const state = await tampered(act, () => verify(owner));
    expect(state).toMatchObject({ status: 'completed', valid: false });
    expect(state.findings).toContainEqual(expect.objectContaining({ code, where: expect.objectContaining(where) }));
    if (code === 'STATE_MISMATCH') {
      for (const finding of state.findings) {
        if (finding.code === code) expect([finding.expected, finding.actual]).not.toContain(null);
      }
    }
  });

  it('takes a signature stored as text for none, be it of the same bytes', async () => {
    // A single bit of a row's header says which of the two a value is; in SQL only a table without STRICT lets it change.
    const strict = (from: string, to: string): void => {
      service.sql.unsafeMode(true);
      service.sql.pragma('writable_schema = ON');
      service.sql
        .prepare("UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE type = 'table' AND name = 'operations'")
        .run(from, to);
      service.sql.pragma('writable_schema = RESET');
      service.sql.unsafeMode(false);
    };
    const asText = (): (() => void) => {
      strict(') STRICT', ') /*STRICT*/');
      const back = record('signature = CAST(signature AS TEXT)')();
      return () => {
        back();
        strict(') /*STRICT*/', ') STRICT');
      };
    };
    const state = await tampered(asText, () => verify(owner));
    expect(state.findings).toContainEqual(
      expect.objectContaining({ code: 'MALFORMED', where: expect.objectContaining({ seq_no: 6 }) }),
    );
  });

  it('continues with the next row after one that cannot be read', async () => {
    const both = (): (() => void) => {
      const first = record("payload = 'not JSON'")();
      const second = changing('operations', 'seq_no = 9', "subject = 'another'")();
      return () => {
        second();
        first();
      };
    };
    const state = await tampered(both, () => verify(owner));
    expect(state).toMatchObject({ status: 'completed', valid: false, records_checked: 12 });
    const found = state.findings.map(({ code, seq_no }) => [code, seq_no]);
    expect(found).toContainEqual(['MALFORMED', 6]);
    expect(found).toContainEqual(['SIGNATURE_INVALID', 9]);
  });

  it('shows an agent whose registration is gone from the end of the log', async () => {
    const account = await service.signUp('forgetful');
    const signer = await registerAgent(account);
    const last = '(SELECT max(event_no) FROM admin_events WHERE org_id = ?)';
    const act = (): (() => void) => {
      service.sql
        .prepare(`DELETE FROM admin_events WHERE org_id = ? AND event_no = ${last}`)
        .run(account.orgId, account.orgId);
      return () => undefined;
    };
    const { findings } = await tampered(act, () => verify(account));
    expect(findings.map(({ code, where }) => [code, where.agent_id])).toEqual([['DIRECTORY_MISMATCH', signer.agentId]]);
  });

  it('shows a key that was given back its state and attestation of before its revocation', async () => {
    const account = await service.signUp('revoked');
    const signer = await registerAgent(account);
    const key = service.sql.prepare('SELECT * FROM agent_keys WHERE org_id = ?').get(account.orgId) as object;
    const params = { agent_id: signer.agentId };
    await account.client.ok('revokeKey', { params, body: { kid: 'key-1', reason: 'for the test' } });
    expect((await verify(account)).valid).toBe(true);
    service.sql
      .prepare(
        'UPDATE agent_keys SET status = @status, retired_at = @retired_at, attestation = @attestation WHERE org_id = @org_id',
      )
      .run(key);
    const { findings } = await verify(account);
    expect(findings.map(({ code, where }) => [code, where.kid])).toEqual([['DIRECTORY_MISMATCH', 'key-1']]);
  });

  it('is found sound again when all is as it was', async () => {
    expect(await verify(owner)).toMatchObject({ valid: true, findings: [] });
  });

  it('does not keep a single operation from being verified, beside one that is gone', async () => {
    const { data } = await owner.client.ok('auditQuery', { body: {} });
    const operation_id = data.find(({ seq_no }) => seq_no === 8)?.operation_id ?? '';
    const verified = await tampered(deleting('operations', 'seq_no = 5'), () =>
      owner.client.ok('verifyOperation', { params: { operation_id } }),
    );
    // Its proof needs the hash of what is gone.
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

  it('runs during submissions, over what there was at its beginning', async () => {
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

  it('is cancelled without a result, and can be started again', async () => {
    const account = await service.signUp('cancelling');
    const signer = await registerAgent(account);
    await account.client.ok('submitBatch', { body: { records: Array.from({ length: 1000 }, () => signer.next()) } });
    await account.client.ok('verifyLedger');
    const state = await account.client.ok('cancelLedgerVerification');
    expect(state).toMatchObject({ status: 'cancelled', valid: null, findings: [] });
    expect(state.completed_at).not.toBeNull();
    expect(await account.client.ok('ledgerVerification')).toEqual(state);
    expect(await verify(account)).toMatchObject({ status: 'completed', valid: true, records_checked: 1000 });
    expect(await account.client.ok('cancelLedgerVerification')).toMatchObject({ status: 'completed', valid: true });
  });

  it('that a stop or a crash interrupts is begun again by the next start', async () => {
    const other = await TestService.start();
    const account = await other.signUp();
    const signer = await registerAgent(account);
    await account.client.ok('submitBatch', { body: { records: Array.from({ length: 1000 }, () => signer.next()) } });
    const { started_at } = await account.client.ok('verifyLedger');
    await other.restart();
    const again = { ...account, client: other.client(account.client.token) };
    const state = await until('the verification', async () => {
      const now = await again.client.ok('ledgerVerification');
      return now.status !== 'running' && now;
    });
    expect(state).toMatchObject({ status: 'completed', valid: true, records_checked: 1000, started_at });
  });
});
