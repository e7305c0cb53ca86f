import { describe, expect, it } from 'vitest';
import { exportOf, registerAgent, submitNext, TestService } from '../support/service.ts';
import type { Signer } from '../support/signer.ts';

const service = await TestService.start();
const owner = await service.signUp();

const verify = (operation_id: string) => owner.client.ok('verifyOperation', { params: { operation_id } });

const SOUND = {
  signature_valid: true,
  chain_hash_valid: true,
  ttl_valid: true,
  replay_check: true,
  agent_status: 'active',
  payload_hash_valid: true,
  receipt_valid: true,
};

async function threeOf(signer: Signer): Promise<[string, string, string]> {
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) ids.push((await submitNext(owner, signer)).operation_id);
  return ids as [string, string, string];
}

describe('POST /v1/operations/:operation_id/verify', () => {
  it('finds every operation of a chain sound, before and after it is sealed', async () => {
    const ids = await threeOf(await registerAgent(owner));
    for (const id of ids) expect(await verify(id)).toEqual({ valid: true, checks: { ...SOUND, epoch_valid: null } });
    await exportOf(owner);
    for (const id of ids) expect(await verify(id)).toEqual({ valid: true, checks: { ...SOUND, epoch_valid: true } });
  });

  it('goes by the record, not by what the agent is now', async () => {
    const signer = await registerAgent(owner);
    const [id] = await threeOf(signer);
    const set = (assignment: string) =>
      service.sql.prepare(`UPDATE agents SET ${assignment} WHERE agent_id = ?`).run(signer.agentId);
    service.sql.prepare("UPDATE agent_keys SET status = 'revoked' WHERE agent_id = ?").run(signer.agentId);
    set("status = 'frozen'");
    expect(await verify(id)).toMatchObject({ valid: true, checks: { ...SOUND, agent_status: 'frozen' } });
    set('deleted_at = 1');
    expect(await verify(id)).toMatchObject({ valid: true, checks: { ...SOUND, agent_status: 'deleted' } });
  });
});

describe('a ledger that somebody with the file in hand changed', async () => {
  // What the triggers are for; whoever has the file can do without them.
  service.sql.exec('DROP TRIGGER operations_keep_values; DROP TRIGGER epochs_keep_values;');

  const changes: [string, string, (keyof typeof SOUND | 'epoch_valid')[]][] = [
    ['the payload', `payload = '{"text":"hullo"}'`, ['payload_hash_valid']],
    ['the payload hash', 'payload_hash = zeroblob(32)', ['payload_hash_valid', 'signature_valid', 'chain_hash_valid']],
    ['the subject', "subject = 'another'", ['signature_valid', 'chain_hash_valid']],
    ['the time to live', 'ttl_ms = ttl_ms + 1', ['signature_valid', 'chain_hash_valid']],
    ['the signature', 'signature = zeroblob(64)', ['signature_valid', 'chain_hash_valid']],
    ['the chain hash', 'chain_hash = zeroblob(32)', ['chain_hash_valid', 'receipt_valid', 'epoch_valid']],
    ['what came before', 'prev_chain_hash = zeroblob(32)', ['signature_valid', 'chain_hash_valid']],
    ['the time of receipt', 'received_at = received_at + 1', ['receipt_valid', 'epoch_valid']],
    [
      'the time of receipt to after its time to live',
      'received_at = received_at + 60001',
      ['receipt_valid', 'epoch_valid', 'ttl_valid'],
    ],
    ["the service's signature", 'service_signature = zeroblob(64)', ['receipt_valid']],
    ['the leaf', 'leaf_hash = zeroblob(32)', ['receipt_valid']],
    ["the receipt's id", "receipt_id = 'another'", ['receipt_valid', 'epoch_valid']],
  ];

  it.each(changes)('shows %s', async (_, assignment, failing) => {
    const signer = await registerAgent(owner);
    const [before, id, after] = await threeOf(signer);
    await exportOf(owner);
    service.sql.prepare(`UPDATE operations SET ${assignment} WHERE operation_id = ?`).run(id);
    const checks = { ...SOUND, epoch_valid: true, ...Object.fromEntries(failing.map((name) => [name, false])) };
    const { valid, checks: found } = await verify(id);
    expect(valid).toBe(false);
    // A leaf that was changed in the tree makes its neighbours' proofs fail; here only the record itself is asked for.
    expect(found).toEqual(assignment.startsWith('leaf_hash') ? { ...checks, epoch_valid: true } : checks);
    for (const neighbour of [before, after]) expect((await verify(neighbour)).checks.signature_valid).toBe(true);
  });

  it('shows a change to its epoch', async () => {
    const [id] = await threeOf(await registerAgent(owner));
    await exportOf(owner);
    service.sql
      .prepare('UPDATE epochs SET end_time = start_time WHERE epoch_no = (SELECT max(epoch_no) FROM epochs)')
      .run();
    expect(await verify(id)).toEqual({ valid: false, checks: { ...SOUND, epoch_valid: false } });
  });

  it('shows a nonce that stands twice', async () => {
    const signer = await registerAgent(owner);
    const [one, two] = await threeOf(signer);
    service.sql
      .prepare(
        'UPDATE operations SET nonce = (SELECT nonce FROM operations WHERE operation_id = ?) WHERE operation_id = ?',
      )
      .run(one, two);
    expect((await verify(two)).checks).toMatchObject({ replay_check: false, signature_valid: false });
  });

  it('shows a link to the next record that does not hold', async () => {
    const [one, two] = await threeOf(await registerAgent(owner));
    service.sql.prepare('UPDATE operations SET prev_chain_hash = zeroblob(32) WHERE operation_id = ?').run(two);
    expect(await verify(one)).toMatchObject({ valid: false, checks: { ...SOUND, chain_hash_valid: false } });
  });
});
