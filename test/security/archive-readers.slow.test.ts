// docs/decisions/0097-archive-search.md: who reads the ledgers of a central node, and that nothing of others comes of it.
import { beforeAll, describe, expect, it } from 'vitest';
import { FolderStore } from '../../src/service/archive/folder-store.ts';
import { completed } from '../support/agent-actions.ts';
import { type ArchiveHost, archiveHost, shipped } from '../support/archive.ts';
import { at as nth } from '../support/bytes.ts';
import { archiveOf, TestCentral } from '../support/central.ts';
import type { Client } from '../support/client.ts';
import { temporaryFolder } from '../support/folders.ts';
import { type Account, submitNext } from '../support/service.ts';

const hosts: ArchiveHost[] = [];
let central: TestCentral;
let owner: Client;
/** Organizations at the central node: each may see the ledgers of one host. */
const guests: Account[] = [];

const orgOf = (host: number): string => nth(hosts, host).account.orgId;
const caseOf = async (client: Client): Promise<string> => (await archiveOf(client))?.case_id ?? '';

beforeAll(async () => {
  const folder = temporaryFolder();
  for (const tool of ['alpha', 'beta']) {
    const host = await archiveHost();
    hosts.push(host);
    // The same session on both: whoever sees one of them learns nothing of the other.
    await submitNext(host.account, host.signer, { payload: { session: 'shared', tool, secret: `word-of-${tool}` } });
    await submitNext(host.account, host.signer, { payload: completed('claimed by both') });
    await host.seal(1);
    await shipped(host.service.dataDir, new FolderStore(folder));
  }
  central = await TestCentral.start({ folder, trusted: hosts.map(({ service }) => service.kid) });
  owner = await central.owner();
  for (let n = 0; n < 3; n++) guests.push(await central.service.signUp());
  await central.follow();
});

describe('a central node', () => {
  it('lets nobody read before somebody is named, not even who administers it', async () => {
    expect(await archiveOf(owner)).toBeNull();
    for (const { client } of guests) expect(await archiveOf(client)).toBeNull();
  });

  it('lets each organization read what it was named for, and nothing of others', async () => {
    await central.letRead([0, 1].map((n) => ({ organization: orgOf(n), reader: nth(guests, n).orgId })));
    await central.follow();
    for (const n of [0, 1]) {
      const { client } = nth(guests, n);
      const params = { case_id: await caseOf(client) };
      const { data } = await client.ok('caseAuditQuery', { params, body: { details: true } });
      expect(data).toHaveLength(3);
      expect(new Set(data.map(({ details }) => details?.organization))).toEqual(new Set([orgOf(n)]));
      // Neither marks nor names nor files tell of the other ledger.
      expect(data.flatMap(({ details }) => details?.marks)).not.toContain('SESSION_ON_OTHER_LEDGER');
      const other = n === 0 ? 'beta' : 'alpha';
      expect((await client.ok('caseAuditQuery', { params, body: { query: `word-of-${other}` } })).data).toEqual([]);
      expect((await client.ok('archivedLedgers', { params })).ledgers).toHaveLength(1);
    }
    const third = nth(guests, 2).client;
    expect(await archiveOf(third)).toBeNull();
    for (const client of [third, owner]) {
      const refused = await client.call('caseAuditQuery', {
        params: { case_id: await caseOf(nth(guests, 0).client) },
        body: {},
      });
      expect(refused.status).toBe(404);
    }
  });

  it('finds a session on two hosts where both may be seen', async () => {
    const both = [0, 1].map((n) => ({ organization: orgOf(n), reader: nth(guests, 2).orgId }));
    await central.letRead(both);
    await central.follow();
    const { client } = nth(guests, 2);
    const params = { case_id: await caseOf(client) };
    const found = await client.ok('caseAuditQuery', { params, body: { query: 'mark:SESSION_ON_OTHER_LEDGER' } });
    expect(found.data).toHaveLength(1);
    const { data } = await client.ok('caseSessions', { params, body: {} });
    expect(data).toHaveLength(1);
    // One call that both hosts signed stands in both ledgers, and is marked where it was accepted later.
    const calls = await client.ok('caseAuditQuery', { params, body: { query: 'mark:CALL_ON_OTHER_LEDGER' } });
    expect(calls.data).toHaveLength(1);
    // What was read before is gone for the others.
    for (const n of [0, 1]) expect(await archiveOf(nth(guests, n).client)).toBeNull();
  });

  it('changes nothing of what was accepted, whoever asks', async () => {
    const { client } = nth(guests, 2);
    const params = { case_id: await caseOf(client) };
    for (const refused of [
      await client.call('deleteCase', { params }),
      await client.call('verifyCase', { params, body: {} }),
      await client.call('draftCase', { params }),
    ])
      expect(refused.status).toBe(409);
  });

  it('writes each change of the readers into its ledger', async () => {
    const { data } = await owner.ok('auditQuery', { body: { operationType: 'archive.readers' } });
    expect(data).toHaveLength(2);
  });
});
