// docs/interface.md, Roles and Authentication: every route, with every role, with none, and from elsewhere. How a credential
// is presented has its own tests in authentication.slow.test.ts.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ErrorCode,
  mayCall,
  ROLES,
  ROUTES,
  type Role,
  type Route,
  type RouteName,
  type Sweep,
  satisfiesRole,
} from '../../src/api/index.ts';
import { authorize } from '../../src/service/people/identity/authenticate.ts';
import { addItem, signerOf } from '../support/case-items.ts';
import { importCase, uploadOf } from '../support/cases.ts';
import { type Answer, type Arguments, errorOf, expectError } from '../support/client.ts';
import { IS_NIGHTLY, ONE_OF } from '../support/extent.ts';
import { temporaryFolder } from '../support/folders.ts';
import { ended, sweep } from '../support/retention.ts';
import {
  type Account,
  backupOf,
  bundleOf,
  exportOf,
  registerAgent,
  submitNext,
  TestService,
} from '../support/service.ts';
import { StampingAuthority, stampOf } from '../support/stamping.ts';
import { until } from '../support/until.ts';
import { TestWitness } from '../support/witness.ts';
import { ALPHA } from '../support/witnessed.ts';

const service = await TestService.start({ trustStore: join(temporaryFolder(), 'trust.json') });
const owner = await service.signUp();
const routes = Object.entries(ROUTES) as [RouteName, Route][];
const guarded = routes.filter(([, { access }]) => access !== 'public');

/** Who may call a route for somebody else, where the route lets everybody call it for themselves. */
const FOR_OTHERS: { readonly [N in RouteName]?: Role } = {
  removeMember: 'security_admin',
  memberAgents: 'security_admin',
};

const SOME_DIGEST = `sha256:${'0'.repeat(64)}`;
const SOME_SIGNATURE = signerOf('nobody@example.org').sign({
  type: 'countersign.custody-signature.v1',
  case_sha256: SOME_DIGEST,
  entry_no: 1,
  entry_hash: SOME_DIGEST,
});

/** Bodies that are right in form, so that a call gets as far as to what it is about. */
const BODIES: { readonly [N in RouteName]?: object } = {
  updateAgent: { integration_type: 'gui' },
  freezeAgent: { reason: 'for the test' },
  eraseOperation: { reason: 'for the test' },
  setRetentionRules: { rules: [] },
  placeHold: { selection: { kind: 'agent', agent_id: 'agent-1' }, reason: 'for the test' },
  countHeld: { selection: { kind: 'agent', agent_id: 'agent-1' } },
  releaseHold: { reason: 'for the test' },
  beginSweep: { dry_run: true },
  unfreezeAgent: { reason: 'for the test' },
  revokeKey: { kid: 'key-1', reason: 'for the test' },
  addKey: { kid: 'key-2', public_key: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', algorithm: 'ed25519' },
  assign: { user_id: owner.userId },
  changeRole: { role: 'readonly_investigator' },
  addTrust: { kid: 'A'.repeat(43) },
  trustWitness: { name: 'Alpha Ltd', keys: ALPHA.vkey },
  demandWitnesses: { threshold: 1 },
  trustTimeRoots: { certificates: 'none' },
  makeWitness: { name: 'witness.example.org' },
  cosign: { request: 'none' },
  renameCase: { name: 'another name' },
  compareCase: { with: { live: true } },
  annotate: { note: 'secret' },
  caseMarkLooked: { item_ids: ['SILENT:1'], seen: true },
  annotateMany: { operation_ids: [randomUUID()], add_note: 'secret' },
  addItem: { upload_id: randomUUID() },
  compareItems: { item_no: 2, with: 3 },
  signCustody: { signatures: [{ entry_no: 1, entry_hash: SOME_DIGEST, signature: SOME_SIGNATURE }] },
  caseReportOfRecords: { title: 'Report', entries: [{ seq_no: 1 }] },
  draftCaseReport: { title: 'Report', entries: [{ seq_no: 1 }] },
  draftReport: { title: 'Report', entries: [{ seq_no: 1 }] },
  reportOfRecords: { title: 'Report', entries: [{ seq_no: 1 }] },
  ...Object.fromEntries(['recordFile', 'caseRecordFile'].map((name) => [name, { format: 'csv' }])),
  ...Object.fromEntries(['facets', 'caseFacets'].map((name) => [name, { fields: ['agent'] }])),
  ...Object.fromEntries(['actionContext', 'caseActionContext'].map((name) => [name, { operation_id: 'secret' }])),
  ...Object.fromEntries(['compareSessions', 'caseCompareSessions'].map((name) => [name, { left: 'a', right: 'b' }])),
  ...Object.fromEntries(['sessionSteps', 'caseSessionSteps'].map((name) => [name, { session: 'secret-session' }])),
  ...Object.fromEntries(['entityTouches', 'caseEntityTouches'].map((name) => [name, { kind: 'user', id: 'secret' }])),
  ...Object.fromEntries(['redactionPlaces', 'caseRedactionPlaces'].map((name) => [name, { names: ['secret'] }])),
  ...Object.fromEntries(['saveSearch', 'caseSaveSearch'].map((name) => [name, { name: 'a search', search: {} }])),
  ...Object.fromEntries(['setInvestigationRules', 'caseSetInvestigationRules'].map((name) => [name, { rules: null }])),
  changePasskey: { name: 'another name' },
};

function ladderOf({ access, memberRole = 'readonly_investigator' }: Route): Role | null {
  if (access === 'workstation') return memberRole;
  return access === 'authenticated' || access === 'public' ? null : access;
}

function minimumOf(name: RouteName, route: Route): Role | null {
  return FOR_OTHERS[name] ?? ladderOf(route);
}

/** The caller is let in: what the answer then is, is no matter of access. */
async function expectLetIn(answer: Answer<unknown>): Promise<void> {
  if (answer.status >= 400) expect(['UNAUTHORIZED', 'FORBIDDEN']).not.toContain(errorOf(answer).code);
  // What was begun is over before the next call: a certificate comes with the end of a sweep, and would be that call's trace.
  const begun = answer.status === 202 ? (answer.body as { readonly sweep?: Sweep }).sweep : undefined;
  if (begun !== undefined) await ended(owner, begun);
}

/** The credential that a route wants of a user: one of them takes an API token, all others a session as well. */
async function clientFor(name: RouteName, { client }: Account) {
  return name === 'rotateToken' ? service.client((await client.ok('createToken', { body: {} })).token) : client;
}

/** Whether a role is asked of a route over HTTP: nightly every one; in the gate the lowest that may, and the one below it. */
function isProbed(role: Role, minimum: Role | null): boolean {
  const first = ROLES.findIndex((one) => minimum === null || satisfiesRole(one, minimum));
  return IS_NIGHTLY || [first, first - 1].includes(ROLES.indexOf(role));
}

describe('the decision about a caller', () => {
  const now = Date.now();
  const decide = (name: RouteName, role: Role | null, separated = false, orgId: string | null = owner.orgId) => {
    const of = { userId: owner.userId, submitsFor: null, enrolsOnly: false, provedAt: now } as const;
    authorize({ ...of, orgId, role, separated, by: 'session' }, name, now);
  };

  it.each(guarded)('%s: is that of the ladder for every role, and of none without one', (name, route) => {
    const minimum = ladderOf(route);
    for (const role of ROLES) {
      const isLetIn = minimum === null || satisfiesRole(role, minimum);
      if (isLetIn) decide(name, role);
      else expect(() => decide(name, role), role).toThrow(minimum ?? '');
      if (mayCall(name, role, true)) decide(name, role, true);
      else expect(() => decide(name, role, true), role).toThrow('this needs');
    }
    for (const [role, orgId] of [
      [null, owner.orgId],
      ['org_owner', null],
      ['superuser' as Role, owner.orgId],
    ] as const) {
      if (minimum === null) decide(name, role, false, orgId);
      else expect(() => decide(name, role, false, orgId), `${role}`).toThrow('this needs');
    }
  });
});

describe.each(ROLES)('a %s', (role: Role) => {
  it.each(guarded.filter(([name, route]) => isProbed(role, minimumOf(name, route))))('%s', async (name, route) => {
    // A user of its own for each call: some of them end sessions and memberships.
    const client = await clientFor(name, service.addMember(owner, role));
    const before = service.trace();
    const answer = await client.call(name);
    const minimum = minimumOf(name, route);
    if (minimum === null || satisfiesRole(role, minimum)) return expectLetIn(answer);
    expectError(answer, 'FORBIDDEN', minimum);
    expect(service.trace()).toEqual(before);
  });
});

describe.each(ROLES)('where duties are separated, a %s', (role: Role) => {
  const separate = (separate_duties: boolean) => owner.client.ok('changeOrganization', { body: { separate_duties } });
  beforeAll(() => separate(true));
  afterAll(() => separate(false));

  // In the gate what the separation changes for the role, over HTTP.
  const asked = guarded.filter(
    ([name]) => IS_NIGHTLY || mayCall(name, role, true) !== mayCall(name, role, false) || name === 'listAgents',
  );
  it.each(asked)('%s', async (name) => {
    const client = await clientFor(name, service.addMember(owner, role));
    const answer = await client.call(name);
    const minimum = FOR_OTHERS[name];
    const may = mayCall(name, role, true) && (minimum === undefined || satisfiesRole(role, minimum));
    if (may) return expectLetIn(answer);
    expectError(answer, 'FORBIDDEN');
  });
});

describe('a user without organization', () => {
  it.each(guarded.filter((_, n) => n % ONE_OF === 0))('%s', async (name, route) => {
    const client = await clientFor(name, service.addUser(null));
    const answer = await client.call(name);
    if (minimumOf(name, route) === null) await expectLetIn(answer);
    else expectError(answer, 'FORBIDDEN');
  });
});

describe('a role that the ladder does not have', () => {
  it.each(guarded.filter(([name, route], n) => minimumOf(name, route) !== null && n % ONE_OF === 0))(
    '%s',
    async (name) => {
      expectError(await service.addMember(owner, 'superuser' as Role).client.call(name), 'FORBIDDEN');
    },
  );
});

describe('no credential, or one that has expired', async () => {
  const account = service.addMember(owner, 'org_owner');
  const { token } = await account.client.ok('createToken', { body: { ttl_seconds: 60 } });
  const expired = Date.now();
  service.sql.prepare('UPDATE api_tokens SET expires_at = ? WHERE user_id = ?').run(expired, account.userId);
  service.sql.prepare('UPDATE sessions SET expires_at = ? WHERE user_id = ?').run(expired, account.userId);
  const cookie = { cookie: `countersign_session=${account.client.token}`, origin: service.url };

  it.each(guarded)('%s', async (name) => {
    const before = service.trace();
    expectError(await service.client().call(name), 'UNAUTHORIZED');
    expectError(await account.client.call(name), 'UNAUTHORIZED');
    expectError(await service.client(token).call(name), 'UNAUTHORIZED');
    expectError(await service.client().call(name, { headers: cookie }), 'UNAUTHORIZED');
    expect(service.trace()).toEqual(before);
  });

  it.each(routes.filter(([, { access }]) => access === 'public'))('%s: is open', async (name) => {
    await expectLetIn(await service.client().call(name));
    // The one open call that asks who is there, where somebody says so.
    if (name === 'acceptInvitation') return;
    await expectLetIn(await account.client.call(name));
  });
});

describe("another organization's credential", async () => {
  const signer = await registerAgent(owner, 'secret-agent');
  // A question, so that there is something to decide.
  const payload = {
    profile: 'countersign.agent-action/1',
    phase: 'asked',
    action_id: randomUUID(),
    tool: { name: 'pay' },
    input: { value: 'secret-input' },
  };
  const receipt = await submitNext(owner, signer, { subject: 'secret-subject', payload });
  const exportId = await exportOf(owner);
  const epoch = (await owner.client.ok('listEpochs')).data[0];
  const { invitation } = await owner.client.ok('invite', { body: { email: 'secret@example.org', role: 'org_owner' } });
  const hook = { endpoint_url: 'https://receiver.example/', events: ['epoch.created'], secret: 's'.repeat(16) };
  const { webhook } = await owner.client.ok('registerWebhook', { body: hook });
  const search = await owner.client.ok('saveSearch', { body: { name: 'secret-search', search: {} } });
  await owner.client.ok('createToken', { body: { ttl_seconds: 60 } });
  const token = (await owner.client.ok('listTokens')).tokens[0];
  await owner.client.ok('assign', { params: { agent_id: signer.agentId }, body: { user_id: owner.userId } });
  const file = { name: 'secret-file', bytes: await bundleOf(owner) };
  const { case_id } = await importCase(owner.client, file, { name: 'secret-case' });
  const named_case = { case_id, operation_id: receipt.operation_id };
  const noted = { params: { operation_id: receipt.operation_id }, body: { note: 'x' } };
  await owner.client.ok('annotateLive', noted);
  await owner.client.ok('annotate', { params: named_case, body: { note: 'secret-note' } });
  const item = await addItem(owner.client, case_id, { name: 'secret-item', bytes: Buffer.from('secret') });
  const saved = await owner.client.ok('saveCase', { params: { case_id }, body: {} });
  const comparison = await owner.client.ok('compareCase', { params: { case_id }, body: { with: { case_id } } });
  const selection = { kind: 'session', session: 'secret-session' };
  const { hold } = await owner.client.ok('placeHold', { body: { selection, reason: 'secret-reason' } });
  const params = {
    hold_id: hold.hold_id,
    sweep_id: (await sweep(owner)).sweep_id,
    case_id,
    file_id: saved.file_id,
    comparison_id: comparison.comparison_id,
    upload_id: (await uploadOf(owner.client, file)).upload_id,
    kid: 'A'.repeat(43),
    agent_id: signer.agentId,
    operation_id: receipt.operation_id,
    epoch_id: epoch?.epoch_id ?? '',
    export_id: exportId,
    invitation_id: invitation.invitation_id,
    webhook_id: webhook.webhook_id,
    token_id: token?.id ?? '',
    user_id: owner.userId,
    backup_id: await backupOf(owner),
    session_id: (await owner.client.ok('listSessions')).sessions[0]?.id ?? '',
    passkey_id: randomUUID(),
    search_id: search.search_id,
  };
  const keys = new TestWitness('witness.example');
  const { witness } = await owner.client.ok('addWitness', { body: { keys: keys.keys, url: null } });
  const { time_stamp } = await owner.client.ok('addTimeStamp', {
    body: await stampOf(owner.client, new StampingAuthority('Time')),
  });
  const trusted = { name: 'Alpha Ltd', sha256: SOME_DIGEST };
  const places = {
    ...params,
    ...trusted,
    digest: time_stamp.digest,
    item_no: String(item.item_no),
    witness_id: witness.witness_id,
  };
  const secrets = [...Object.values(params), owner.orgId, owner.email, receipt.receipt_id, 'secret-'];
  const stranger = await service.signUp('stranger');
  const named = guarded.filter(([, { path }]) => path.includes(':'));

  const argumentsOf = (name: RouteName, given: Record<string, string>): Arguments => {
    const body = BODIES[name];
    return body === undefined ? { params: given } : { params: given, body };
  };

  it('all kinds of names in paths are known here', () => {
    const names = named.flatMap(([, { path }]) => path.match(/:\w+/g) ?? []);
    expect(new Set(names)).toEqual(new Set(Object.keys(places).map((name) => `:${name}`)));
  });

  // Witnesses are those of all organizations; test/service/operator/witnesses.slow.test.ts asks for them as a guest.
  it.each(named.filter(([, { path }]) => !path.includes(':witness_id')))(
    '%s: not found, as if it did not exist',
    async (name) => {
      const before = service.trace();
      const refused = expectError(await stranger.client.call(name, argumentsOf(name, places)), 'NOT_FOUND');
      const nothing = {
        ...Object.fromEntries(Object.keys(params).map((param) => [param, randomUUID()])),
        item_no: places.item_no,
      };
      const missing = expectError(await stranger.client.call(name, argumentsOf(name, nothing)), 'NOT_FOUND');
      const withoutNames = (message: string, names: Record<string, string>) =>
        Object.values(names).reduce((rest, value) => rest.replaceAll(value, 'NAME'), message);
      expect(withoutNames(refused.message, params)).toBe(withoutNames(missing.message, nothing));
      expect(service.trace()).toEqual(before);
    },
  );

  it.each(named)('%s: found by the owner', async (name) => {
    // What takes something away comes last, by the order of the table: checked here is that the names above are right.
    if (ROUTES[name].method !== 'GET') return;
    expect((await owner.client.call(name, argumentsOf(name, places))).status).toBe(200);
  });

  /** An empty ledger has no checkpoint, a proof is of two sizes, and what is of all ledgers together is for the home organization. */
  const WITHOUT_ANSWER: { readonly [Name in RouteName]?: ErrorCode } = {
    checkpoint: 'NOT_FOUND',
    consistencyProof: 'VALIDATION_ERROR',
    cosignedCheckpoint: 'NOT_FOUND',
    exchangeCheckpoints: 'NOT_FOUND',
    metrics: 'FORBIDDEN',
    timeStampRequest: 'NOT_FOUND',
  };

  it.each(guarded.filter(([, { method, path }]) => method === 'GET' && !path.includes(':')))(
    '%s: shows nothing of elsewhere',
    async (name) => {
      const answer = await stranger.client.call(name);
      const { bytes } = answer;
      if (name in WITHOUT_ANSWER) expectError(answer, WITHOUT_ANSWER[name] as ErrorCode);
      else expect(answer.status).toBe(200);
      for (const secret of secrets) expect(bytes.toString('utf8')).not.toContain(secret);
    },
  );

  it('audit query, export and ledger verification see their own organization only', async () => {
    const own = await registerAgent(stranger, 'own-agent');
    await submitNext(stranger, own);
    const found = await stranger.client.ok('auditQuery', { body: {} });
    expect(found.data.map(({ agent_id }) => agent_id)).toEqual(['own-agent']);
    expect((await stranger.client.ok('auditQuery', { body: { agentId: signer.agentId } })).data).toEqual([]);
    const range = { startTime: '2000-01-01T00:00:00Z', endTime: '2100-01-01T00:00:00Z' };
    const export_id = await exportOf(stranger, range);
    const { bytes } = await stranger.client.call('downloadExport', { params: { export_id } });
    for (const secret of [owner.orgId, owner.userId, receipt.operation_id, 'secret-subject']) {
      expect(bytes.toString('utf8')).not.toContain(secret);
    }
    // To them there never was such an agent.
    const foreign = await stranger.client.call('createExport', { body: { ...range, agentId: signer.agentId } });
    expectError(foreign, 'VALIDATION_ERROR', 'agentId');
    await stranger.client.ok('verifyLedger');
    const state = await until('the verification', async () => {
      const now = await stranger.client.ok('ledgerVerification');
      return now.status === 'completed' && now;
    });
    expect(state.records_checked).toBe(1);
  });
});
