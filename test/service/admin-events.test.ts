// docs/interface.md, Admin events.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/node/index.ts';
import {
  type AdminEvent,
  adminEventHash,
  formatDigest,
  fromBase64Url,
  thumbprint,
  toBase64Url,
  utf8,
} from '../../src/protocol/index.ts';
import type { AdminAction } from '../../src/service/ledger/admin-log/admin-action.ts';
import { makeBundle, serviceKid } from '../support/bundle-maker.ts';
import { importCase } from '../support/cases.ts';
import { expectError } from '../support/client.ts';
import { temporaryFolder } from '../support/folders.ts';
import { certificateOf, sweep } from '../support/retention.ts';
import { ALWAYS, eventsOf, exportOf, registerAgent, submitNext, TestService } from '../support/service.ts';
import { newKey } from '../support/signer.ts';
import { StampingAuthority, stampOf } from '../support/stamping.ts';
import { until } from '../support/until.ts';
import { TestWitness, textOf } from '../support/witness.ts';
import { ALPHA } from '../support/witnessed.ts';

const service = await TestService.start({ trustStore: join(temporaryFolder(), 'trust.json') });
const owner = service.addUser(null);
const { client } = owner;

/** What people do about their own accounts has its tests in test/security. */
type OfAnAccount = 'password.change' | 'session.end' | 'passkey.add' | 'passkey.change' | 'passkey.remove';

/**
 * What each action is about; a type, so that none can be forgotten here. What the operator did at a start has its test
 * where it happens (rollback.slow.test.ts), and so have the end of a sweep that somebody asked for (evidence/retention/holds.test.ts) and
 * what is cosigned of another log (operator/own-witness.slow.test.ts).
 */
type Expected = {
  readonly [A in Exclude<
    AdminAction,
    | 'ledger.accept_rollback'
    | 'ledger.clock_accepted'
    | 'ledger.clock_corrected'
    | 'ledger.restored'
    | 'retention.stop'
    | 'witness.cosign'
    | 'account.link'
    | 'account.verify_address'
    | OfAnAccount
  >]: Pick<AdminEvent, 'actor' | 'target_type' | 'target_id' | 'details'>;
};

/** Brings about every action there is. */
async function everything(): Promise<Expected> {
  const actor = owner.userId;
  const by = { actor };
  const { org_id } = await client.ok('onboardOrganization', {
    body: { org_name: 'Everything', setup_code: service.setUpCode() },
  });
  const account = { ...owner, orgId: org_id };
  const organization = { ...by, target_type: 'organization', target_id: org_id };

  const guest = service.addUser(null);
  const invited = await client.ok('invite', { body: { email: guest.email, role: 'security_admin' } });
  await guest.client.ok('acceptInvitation', { body: { code: invited.code } });
  const { invitation } = await client.ok('invite', { body: { email: 'late@example.org', role: 'org_owner' } });
  await client.ok('revokeInvitation', { params: { invitation_id: invitation.invitation_id } });
  const named = { params: { user_id: guest.userId } };
  await client.ok('changeRole', { ...named, body: { role: 'compliance_auditor' } });

  const signer = await registerAgent(account, 'agent-1');
  const agent = { params: { agent_id: 'agent-1' } };
  const onAgent = { ...by, target_type: 'agent', target_id: 'agent-1' };
  await client.ok('updateAgent', { ...agent, body: { integration_type: 'cursor' } });
  const added = newKey().publicKey;
  const key = { kid: 'key-2', public_key: toBase64Url(added), algorithm: 'ed25519' };
  await client.ok('addKey', { ...agent, body: key });
  await client.ok('assign', { ...agent, body: { user_id: guest.userId } });
  await client.ok('unassign', { params: { ...agent.params, user_id: guest.userId } });
  await submitNext(account, signer);
  await submitNext(account, signer);
  await client.ok('closeEpoch');
  await client.ok('freezeAgent', { ...agent, body: { reason: 'first reason' } });
  await client.ok('unfreezeAgent', { ...agent, body: { reason: 'second reason' } });
  await client.ok('revokeKey', { ...agent, body: { kid: 'key-1', reason: 'third reason' } });
  await client.ok('deleteAgent', agent);

  const hook = {
    endpoint_url: 'https://receiver.example/hook',
    events: ['agent.status_changed'],
    secret: 's'.repeat(16),
  };
  const { webhook } = await client.ok('registerWebhook', { body: hook });
  await client.ok('deleteWebhook', { params: { webhook_id: webhook.webhook_id } });
  const onWebhook = { ...by, target_type: 'webhook', target_id: webhook.webhook_id };

  const keys = new TestWitness('w.example.org');
  const { witness } = await client.ok('addWitness', { body: { keys: keys.keys, url: null } });
  const ofWitness = { params: { witness_id: witness.witness_id } };
  const answer = await keys.answer(service, account, await textOf(client.call('witnessRequest', ofWitness)));
  await client.ok('importCosignatures', { ...ofWitness, body: { answer } });
  const { time_stamp: stamped } = await client.ok('addTimeStamp', {
    body: await stampOf(client, new StampingAuthority('Good Time')),
  });
  await client.ok('noteLine', { body: { line: 'a line', source: 'a beacon' } });
  await client.ok('removeWitness', ofWitness);
  await client.ok('makeWitness', { body: { name: 'own.example.org' } });
  await client.ok('cosign', { body: { request: 'nothing' } });
  const onOwnWitness = { ...by, target_type: 'witness', target_id: 'own.example.org' };
  const onWitness = { ...by, target_type: 'witness', target_id: witness.witness_id };
  const vkeys = keys.keys.trim().split('\n');

  const { search_id } = await client.ok('saveSearch', { body: { name: 'Failures', search: {} } });
  await client.ok('deleteSearch', { params: { search_id } });
  const onSearch = { ...by, target_type: 'saved_search', target_id: search_id, details: { name: 'Failures' } };
  await client.ok('setInvestigationRules', { body: { rules: null } });
  const onRules = { ...by, target_type: 'investigation_rules', target_id: account.orgId, details: { rules: null } };

  await client.ok('createToken', { body: { ttl_seconds: 60 } });
  const token_id = (await client.ok('listTokens')).tokens[0]?.id ?? '';
  await client.ok('revokeToken', { params: { token_id } });
  const onToken = { ...by, target_type: 'token', target_id: token_id, details: { ttl_seconds: 60 } };

  await client.ok('changeSettings', {
    body: { settings: { 'epoch-interval': 30, 'smtp-url': 'smtp://u:password@h' } },
  });
  const settings = ['epoch-interval', 'smtp-url'];
  const { job } = await client.ok('createBackup');
  await until('the backup', async () => (await client.ok('listBackups')).job?.status === 'completed');
  const prev_kid = service.kid;
  const { kid } = (await client.ok('rotateServiceKey', { body: { kid: prev_kid } })).key;

  const {
    data: [operation],
  } = await client.ok('auditQuery', { body: {} });
  const operation_id = operation?.operation_id ?? '';
  const { eor } = await client.ok('getOperation', { params: { operation_id } });
  await client.ok('eraseOperation', { params: { operation_id }, body: { reason: 'asked for' } });
  const erased = {
    ...by,
    target_type: 'operation',
    target_id: operation_id,
    details: { reason: 'asked for', seq_no: 2, payload_hash: eor.payload_hash },
  };

  const [rule] = [{ name: 'All', floor_days: 0, ceiling_days: 0 }];
  const { digest: rules_digest } = await client.ok('setRetentionRules', { body: { rules: [rule] } });
  const selection = { kind: 'person', person: 'Somebody' };
  const { hold } = await client.ok('placeHold', { body: { selection, reason: 'fourth reason' } });
  await client.ok('releaseHold', { params: { hold_id: hold.hold_id }, body: { reason: 'fifth reason' } });
  const onHold = { ...by, target_type: 'legal_hold', target_id: hold.hold_id };
  const swept = await sweep(account);
  const { records, operations_digest } = await certificateOf(account, swept);
  const onSweep = { ...by, target_type: 'retention_sweep', target_id: swept.sweep_id };

  const export_id = await exportOf(account, { ...ALWAYS, agentId: 'agent-1' });
  await client.call('downloadExport', { params: { export_id } });
  await client.ok('deleteExport', { params: { export_id } });
  await client.call('reportOfRecords', { body: { title: 'What happened', entries: [{ seq_no: 1 }] } });
  const onExport = { ...by, target_type: 'export', target_id: export_id };
  await client.ok('removeMember', named);

  const bundle = { name: 'first', bytes: Buffer.from(makeBundle({ agents: 2, epochs: [3, 2] }).text) };
  const { case_id, sha256 } = await importCase(client, bundle);
  await client.ok('renameCase', { params: { case_id }, body: { name: 'second' } });
  await client.ok('verifyCase', { params: { case_id }, body: { trusted_kids: [serviceKid(0)] } });
  await client.ok('deleteCase', { params: { case_id } });
  const onCase = { ...by, target_type: 'case', target_id: case_id };
  await client.ok('changeOrganization', { body: { separate_duties: true } });

  const [trusted, ofLedger] = ['Alpha Ltd', { org_id: 'org_other' }];
  await client.ok('trustWitness', { body: { name: trusted, keys: ALPHA.vkey, ...ofLedger } });
  await client.ok('demandWitnesses', { body: { threshold: 1, ...ofLedger } });
  await client.ok('removeTrustedWitness', { params: { name: trusted }, query: ofLedger });
  const onTrust = { ...by, target_type: 'trusted_witness', target_id: trusted };

  const member = { ...by, target_type: 'member', target_id: guest.userId };
  const late = { ...by, target_type: 'member', target_id: 'late@example.org' };
  return {
    'org.create': { ...organization, details: { name: 'Everything', type: 'organization', claimed_home_by: 'code' } },
    'org.change': { ...organization, details: { separate_duties: true } },
    'case.create': { ...onCase, details: { name: 'first', sha256 } },
    'case.rename': { ...onCase, details: { from: 'first', to: 'second' } },
    'case.verify': { ...onCase, details: { trusted_keys: [serviceKid(0)] } },
    'case.delete': { ...onCase, details: { name: 'second', sha256 } },
    'member.invite': { ...late, details: { email: 'late@example.org', role: 'org_owner' } },
    'member.join': {
      ...member,
      actor: guest.userId,
      details: { email: guest.email, role: 'security_admin', invitation_id: invited.invitation.invitation_id },
    },
    'member.role_change': {
      ...member,
      details: { email: guest.email, from: 'security_admin', to: 'compliance_auditor' },
    },
    'member.remove': { ...member, details: { email: guest.email, role: 'compliance_auditor' } },
    'invitation.revoke': { ...late, details: { invitation_id: invitation.invitation_id } },
    'agent.register': {
      ...onAgent,
      details: {
        keys: [{ kid: 'key-1', thumbprint: thumbprint(fromBase64Url(signer.publicKey, 32)) }],
        display_name: 'agent-1',
        integration_type: 'sdk',
        responsible_entity: null,
      },
    },
    'agent.update': { ...onAgent, details: { from: 'sdk', to: 'cursor', integration_type: 'cursor' } },
    'agent.delete': { ...onAgent, details: { status: 'active' } },
    'agent.freeze': { ...onAgent, details: { reason: 'first reason' } },
    'agent.unfreeze': { ...onAgent, details: { reason: 'second reason' } },
    'agent.revoke_key': { ...onAgent, details: { kid: 'key-1', reason: 'third reason' } },
    'agent.add_key': { ...onAgent, details: { kid: 'key-2', thumbprint: thumbprint(added) } },
    'agent.assign': { ...onAgent, details: { user_id: guest.userId } },
    'agent.unassign': { ...onAgent, details: { user_id: guest.userId } },
    'search.save': onSearch,
    'search.delete': onSearch,
    'investigation.rules': onRules,
    'webhook.register': { ...onWebhook, details: { endpoint_url: hook.endpoint_url, events: hook.events } },
    'webhook.delete': { ...onWebhook, details: { endpoint_url: hook.endpoint_url } },
    'witness.add': { ...onWitness, details: { name: 'w.example.org', url: null, keys: vkeys } },
    'witness.remove': { ...onWitness, details: { name: 'w.example.org' } },
    'ledger.time_stamped': {
      ...by,
      target_type: 'time_stamp',
      target_id: stamped.digest,
      details: {
        size: stamped.size,
        tokens: [stamped.digest],
        authority: 'CN=Good Time',
        existed_before: new Date(stamped.existed_before).toISOString(),
      },
    },
    'ledger.line_noted': {
      ...by,
      target_type: 'line',
      target_id: formatDigest(nodeCrypto.sha256(utf8('a line'))),
      details: { line: 'a line', source: 'a beacon' },
    },
    'witness.make': { ...onOwnWitness, details: {} },
    'witness.refuse': {
      ...onOwnWitness,
      details: { status: 400, request: formatDigest(nodeCrypto.sha256(utf8('nothing\n'))), proof: null },
    },
    'witness.import': { ...onWitness, details: { name: 'w.example.org', size: 2 } },
    'token.create': onToken,
    'token.revoke': onToken,
    'epoch.close': { ...organization, details: { epoch_no: 1 } },
    'export.create': {
      ...onExport,
      details: {
        start_time: '2000-01-01T00:00:00.000Z',
        end_time: '2100-01-01T00:00:00.000Z',
        agent_id: 'agent-1',
        format: 'json',
      },
    },
    'export.delete': { ...onExport, details: { format: 'json', record_count: 2 } },
    'export.download': { ...onExport, details: { record_count: 2 } },
    'report.create': { ...organization, details: { format: 'pdf', records: 1 } },
    'trust.add': { ...onTrust, details: { organizations: ['org_other'], how: 'account' } },
    'trust.demand': {
      ...onTrust,
      target_id: 'org_other',
      details: { organizations: ['org_other'], threshold: 1, how: 'account' },
    },
    'trust.remove': { ...onTrust, details: { organizations: ['org_other'], how: 'account' } },
    'operation.erase': erased,
    'retention.rules': {
      ...by,
      target_type: 'retention_rules',
      target_id: account.orgId,
      details: { rules: [rule], rules_digest },
    },
    'retention.hold': {
      ...onHold,
      // Whose name it is stands in no log.
      details: { reason: 'fourth reason', kind: 'person', selection_digest: hold.selection_digest },
    },
    'retention.release': { ...onHold, details: { reason: 'fifth reason' } },
    'retention.sweep': { ...onSweep, details: { rules_digest, to_seq_no: 2 } },
    'retention.erase': { ...onSweep, details: { seq_no: '1', records: 1 } },
    'retention.certificate': {
      ...onSweep,
      details: { certificate_digest: swept.certificate_digest, records, operations_digest, rules_digest },
    },
    'settings.change': {
      ...by,
      target_type: 'settings',
      target_id: 'service',
      details: { settings, values: { 'epoch-interval': 30 } },
    },
    'backup.create': { ...by, target_type: 'backup', target_id: job.backup_id, details: {} },
    'service_key.rotate': {
      ...by,
      target_type: 'service_key',
      target_id: kid,
      details: { prev_kid, kid },
    },
  };
}

const expected = await everything();
const events = await eventsOf(owner);

describe('GET /v1/admin/events', () => {
  it.each(Object.entries(expected))('has %s, with actor, target and details', (action, event) => {
    const [newest] = events.filter((one) => one.action === action);
    expect(newest).toMatchObject(event);
    expect(newest?.details).toEqual(event.details);
  });

  it('has each act once, and nothing else', () => {
    const counts = new Map<string, number>();
    for (const { action } of events) counts.set(action, (counts.get(action) ?? 0) + 1);
    const once = Object.fromEntries(Object.keys(expected).map((action) => [action, 1]));
    expect(Object.fromEntries(counts)).toEqual({ ...once, 'member.invite': 2 });
  });

  it('is a hash chain from the first event on (protocol F96)', () => {
    const chain = events.toReversed();
    for (const [index, event] of chain.entries()) {
      const { event_hash, ...members } = event;
      expect(adminEventHash(members, nodeCrypto.sha256)).toBe(event_hash);
      expect(event.prev_event_hash).toBe(chain[index - 1]?.event_hash ?? null);
      expect(event.created_at).toBeGreaterThanOrEqual(chain[index - 1]?.created_at ?? 0);
    }
    expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(events.length);
  });

  it('shows nothing secret', () => {
    expect(JSON.stringify(events)).not.toMatch(/csn_|ssssssss|password/);
  });

  it('lists the newest 20 unless told otherwise', async () => {
    expect((await client.ok('listAdminEvents')).events).toEqual(events.slice(0, 20));
    for (const limit of [1, 3, 99]) {
      const answer = await client.ok('listAdminEvents', { query: { limit: String(limit) } });
      expect(answer.events).toEqual(events.slice(0, limit));
    }
  });

  it.each<[string, Record<string, string>]>([
    ['limit', { limit: '0' }],
    ['limit', { limit: '101' }],
    ['limit', { limit: '-1' }],
    ['limit', { limit: '1.5' }],
    ['limit', { limit: '' }],
    ['cursor', { cursor: 'x' }],
    ['action', { action: '' }],
    ['actions', { actions: 'org.create' }],
    ['startTime', { startTime: 'yesterday' }],
  ])('refuses a wrong %s: %j', async (member, query) => {
    expectError(await client.call('listAdminEvents', { query }), 'VALIDATION_ERROR', member);
  });

  it("is an organization's own", async () => {
    const stranger = await service.signUp('stranger');
    const theirs = await eventsOf(stranger);
    expect(theirs).toHaveLength(1);
    expect(theirs[0]).toMatchObject({ action: 'org.create', org_id: stranger.orgId, prev_event_hash: null });
  });

  it('has no event of what was refused', async () => {
    const call = client.call('freezeAgent', { params: { agent_id: 'agent-1' }, body: { reason: 'too late' } });
    expectError(await call, 'NOT_FOUND');
    expect(await eventsOf(owner)).toEqual(events);
  });
});
