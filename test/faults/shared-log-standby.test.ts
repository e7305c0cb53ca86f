// docs/shared-log.md, What a standby does: it answers what changes nothing, from the ledger that every node has.
import { describe, expect, it } from 'vitest';
import { isRefusedOnStandby, ROUTES, type Route, type RouteName } from '../../src/api/index.ts';
import { pathOf } from '../support/client.ts';
import { registerAgent, submitNext } from '../support/service.ts';
import { TestPair } from '../support/shared-nodes.ts';
import { until } from '../support/until.ts';

/** A read that leaves a session: refused where it would, which is behind the checks of what it asks for. */
const LEAVE_A_TRACE: readonly RouteName[] = ['signInCallback'];

const NAMES = (Object.keys(ROUTES) as RouteName[]).filter((name) => !LEAVE_A_TRACE.includes(name));

describe('a standby', async () => {
  const pair = await TestPair.start({ epochMaxLeaves: 5 });
  const { active, standby } = pair;
  const owner = pair.ownerAt(active);
  const reader = pair.ownerAt(standby);
  const signer = await registerAgent(owner, 'agent-1');

  it('refuses every route that changes the ledger, with the address of the active node, and no other route', async () => {
    await pair.areEqual();
    const refusing: RouteName[] = [];
    for (const name of NAMES) {
      const { method }: Route = ROUTES[name];
      const { status, bytes } = await reader.client.send({ method, path: pathOf(name) });
      const text = bytes.toString('utf8');
      if (!text.startsWith('{"error":{"code":"NOT_ACTIVE"')) continue;
      expect(JSON.parse(text)).toMatchObject({ error: { active: active.url } });
      expect(status).toBe(503);
      refusing.push(name);
    }
    expect(refusing).toEqual(NAMES.filter((name) => isRefusedOnStandby(ROUTES[name])));
  });

  it('finds, proves and verifies a record that the active node took', async () => {
    const receipt = await submitNext(owner, signer, { subject: 'invoice/kumquat', payload: { fruit: 'kumquat' } });
    const asked = { body: { query: 'kumquat' } };
    const found = await until('the record to be found', async () => {
      const { data } = await reader.client.ok('auditQuery', asked);
      return data.length > 0 && data;
    });
    expect(found).toMatchObject([{ operation_id: receipt.operation_id }]);
    for (let left = 4; left > 0; left--) await submitNext(owner, signer);
    await pair.areEqual();
    const params = { operation_id: receipt.operation_id };
    expect(await reader.client.ok('operationProof', { params })).toBeDefined();
    expect(await reader.client.ok('ledgerSummary')).toEqual(await owner.client.ok('ledgerSummary'));
    expect(await reader.client.ok('verifyLedger')).toMatchObject({ status: 'running' });
    const verified = await until('the verification', async () => {
      const now = await reader.client.ok('ledgerVerification');
      return now.status === 'completed' && now;
    });
    expect(verified).toMatchObject({ valid: true, findings: [] });
    // Its own: the ledger has no row of it.
    expect(await owner.client.ok('ledgerVerification')).toMatchObject({ status: 'never' });
  });

  it('forgets what is erased, in every file', async () => {
    const { operation_id } = await submitNext(owner, signer, { payload: { fruit: 'persimmon' } });
    const asked = { body: { query: 'persimmon' } };
    const count = async (): Promise<number> => (await reader.client.ok('auditQuery', asked)).data.length;
    await until('the record to be found', async () => (await count()) === 1);
    await owner.client.ok('eraseOperation', { params: { operation_id }, body: { reason: 'for the test' } });
    await until('it to be gone', async () => (await count()) === 0);
    await pair.areEqual();
  });

  it('has the key of a rotation, and says so', async () => {
    const kid = active.running.kid;
    await owner.client.ok('rotateServiceKey', { body: { kid } });
    await until('the standby to have the new key', () => standby.running.kid === active.running.kid);
    expect(standby.running.kid).not.toBe(kid);
    expect(await reader.client.ok('jwks')).toEqual(await owner.client.ok('jwks'));
    expect(await reader.client.call('deepHealth')).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  it('says what it is, and how far it is behind', async () => {
    const { status, body } = await reader.client.call('health');
    expect({ status, body }).toMatchObject({
      status: 503,
      body: { status: 'standby', node: { role: 'standby', active: active.url } },
    });
    expect(await owner.client.call('health')).toMatchObject({
      status: 200,
      body: { status: 'ok', node: { role: 'active', active: active.url, lag_ms: 0 } },
    });
  });

  it('knows the other nodes by the log, their addresses, and when each said something', async () => {
    const named = [
      { name: 'a', role: 'active', url: active.url },
      { name: 'b', role: 'standby', url: standby.url },
    ];
    for (const { client } of [owner, reader]) {
      const { node } = await until('both to be known', async () => {
        const { body } = await client.call('deepHealth');
        return body.node?.nodes.length === 2 && body.node.nodes[0]?.role === 'active' && body;
      });
      expect(node).toMatchObject({ active: active.url, nodes: named });
      expect(node?.log_bytes).toBeGreaterThan(0);
      const text = (await client.call('metrics')).bytes.toString('utf8');
      expect(text).toContain(`countersign_node_active ${client === owner.client ? 1 : 0}\n`);
      expect(text).toMatch(/^countersign_node_heard_seconds\{node="b"\} [\d.]+$/m);
      expect(text).toMatch(/^countersign_node_lag_seconds [\d.]+$/m);
      expect(text).toMatch(/^countersign_takeovers_total [01]$/m);
      expect(text).toMatch(/^countersign_shared_log_bytes \d+$/m);
    }
  });

  it('takes over with everything, and gives the receipt again whose answer was lost', async () => {
    const record = signer.next();
    const receipt = await owner.client.ok('submitOperation', { body: record });
    await active.stop();
    await standby.becomes('active');
    const again = pair.ownerAt(standby);
    expect(await again.client.call('submitOperation', { body: record })).toMatchObject({ status: 200, body: receipt });
    expect(await submitNext(again, signer)).toMatchObject({ seq_no: receipt.seq_no + 1 });
  });
});
