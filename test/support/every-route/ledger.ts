import { randomBytes, randomUUID } from 'node:crypto';
import { ROUTES, type Route, type RouteName, WEBHOOK_EVENTS } from '../../../src/api/index.ts';
import { toBase64Url } from '../../../src/protocol/index.ts';
import { addItem, itemsOf, signerOf, signOwn } from '../case-items.ts';
import { beginCase, codeOf, importCase, settled, uploadOf } from '../cases.ts';
import { expectError } from '../client.ts';
import { ALWAYS, backupOf, bundleOf, exportOf, registerAgent, submitNext } from '../service.ts';
import { newKey, Signer } from '../signer.ts';
import { StampingAuthority, stampOf } from '../stamping.ts';
import { until } from '../until.ts';
import { TestWitness, textOf } from '../witness.ts';
import { ALPHA } from '../witnessed.ts';
import type { Act } from './world.ts';

const agents: Act = async (world) => {
  const owner = world.pick(world.owners);
  const { agentId } = await registerAgent(owner, world.name('agent'));
  world.meet('agent_id', agentId);
  const params = { agent_id: agentId };
  const reason = 'for the test';
  const key = { kid: 'key-2', public_key: Buffer.from(newKey().publicKey).toString('base64url'), algorithm: 'ed25519' };
  await owner.client.ok('addKey', { params, body: key });
  await owner.client.ok('updateAgent', { params, body: { integration_type: world.pick(['gui', 'cursor']) } });
  await owner.client.ok('freezeAgent', { params, body: { reason } });
  await owner.client.ok('unfreezeAgent', { params, body: { reason } });
  await owner.client.ok('revokeKey', { params, body: { kid: 'key-1', reason } });
  await owner.client.ok('deleteAgent', { params });
};

const operations: Act = async (world) => {
  const owner = world.pick(world.owners);
  const { client } = owner;
  const signer = await registerAgent(owner, world.name('agent'));
  for (let left = 1 + world.random.below(5); left > 0; left--) {
    const payload = { text: world.name('payload') };
    const isSalted = world.chance(0.5) || left === 1;
    const record = isSalted ? signer.nextSalted(payload) : signer.next({ payload });
    const { operation_id: id } = await client.ok('submitOperation', { body: record });
    world.meet('operation_id', id);
    if (world.chance(0.3)) await client.call('submitOperation', { body: record });
    if (left === 1 || world.chance(0.5)) await client.ok('verifyOperation', { params: { operation_id: id } });
  }
  const records = Array.from({ length: 1 + world.random.below(40) }, () => signer.next());
  await client.ok('submitBatch', { body: { records } });
  const erased = { operation_id: world.pick(records).operation_id };
  await client.ok('eraseOperation', { params: erased, body: { reason: 'for the test' } });
  // Refused, and noted as such.
  await client.call('submitOperation', { body: { ...signer.record(), nonce: 'altered' } });
  await client.ok('auditQuery', { body: { agentId: signer.agentId } });
};

const retention: Act = async (world) => {
  const owner = world.pick(world.owners);
  const { client } = owner;
  const signer = await registerAgent(owner, world.name('agent'));
  for (let left = 3; left > 0; left--) await submitNext(owner, signer, { payload: { text: world.name('payload') } });
  const { agentId } = signer;
  const rules = [{ name: 'At once', agent_id: agentId, floor_days: 0, ceiling_days: world.chance(0.8) ? 0 : null }];
  await client.ok('setRetentionRules', { body: { rules } });
  const reason = 'for the test';
  const selection = { kind: 'range', agent_id: agentId, to_seq_no: 1 + world.random.below(50) };
  await client.ok('countHeld', { body: { selection } });
  const { hold } = await client.ok('placeHold', { body: { selection, reason } });
  const swept = async (body: object): Promise<string> => {
    const { sweep } = await client.ok('beginSweep', { body });
    const params = { sweep_id: sweep.sweep_id };
    await until('the end of a sweep', async () => {
      return (await client.ok('getSweep', { params })).sweep.status !== 'running';
    });
    return sweep.sweep_id;
  };
  // One may have ended before it is told to.
  await until('a sweep that is stopped', async () => {
    const { sweep } = await client.ok('beginSweep', { body: {} });
    const params = { sweep_id: sweep.sweep_id };
    const { status } = await client.call('stopSweep', { params });
    await until('its end', async () => (await client.ok('getSweep', { params })).sweep.status !== 'running');
    return status === 202;
  });
  await swept({ dry_run: true });
  await client.ok('releaseHold', { params: { hold_id: hold.hold_id }, body: { reason } });
  const id = await swept({});
  world.meet('sweep_id', id);
  await client.ok('retentionCertificate', { params: { sweep_id: id } });
  await client.ok('listHolds');
};

const decisions: Act = async (world) => {
  const { client, orgId } = world.pick(world.owners);
  const made = new Signer(orgId, 'to be named', world.name('key'));
  const { key } = await client.ok('addDecisionKey', { body: made.registration.keys[0] });
  const { chain_hash: head } = await client.ok('agentHead', { params: { agent_id: key.agent_id } });
  const signer = Object.assign(made, { agentId: key.agent_id, head });
  // Another act of the same person may have come first.
  await client.call('submitDecision', { body: signer.next() });
  await client.ok('revokeDecisionKey', { params: { kid: key.kid } });
};

const investigation: Act = async (world) => {
  const owner = world.pick(world.owners);
  const { client } = owner;
  const session = world.name('session');
  const payload = { session, tool: 'get_user', arguments: { user_id: session }, result: 'ok' };
  await submitNext(owner, await registerAgent(owner, world.name('agent')), { payload });
  await until('a record to be indexed', async () => {
    const { data } = await client.ok('sessions', { body: { query: `session=${session}` } });
    return data.length === 1;
  });
  await client.ok('sessionSteps', { body: { session } });
  await client.ok('entityTouches', { body: { kind: 'user', id: session } });
  await client.ok('entities', { body: {} });
  await client.ok('redactionPlaces', { body: { names: [session] } });
  await client.ok('facets', { body: { fields: ['agent'] } });
  await client.ok('names', { body: {} });
  const rules = world.chance(0.5) ? { version: 1, people: ['/by'] } : null;
  await client.ok('whatLeft', { body: {} });
  const { data: rows } = await client.ok('actions', { body: { query: `session=${session}` } });
  const operation_id = rows[0]?.operation_id ?? '';
  await client.ok('actionContext', { body: { operation_id } });
  await client.ok('compareSessions', { body: { left: session, right: session } });
  await client.ok('groups', { body: { by: ['agent'] } });
  // A call that failed and was not tried again.
  const failed = { session, tool: 'get_user', arguments: { user_id: session }, result: 'Error: gone' };
  await submitNext(owner, await registerAgent(owner, world.name('agent')), { payload: failed });
  let item_ids: string[] = [];
  await until('something that needs a look', async () => {
    const { data: items } = await client.ok('needsLook', { body: { limit: 2 } });
    item_ids = items.map(({ item_id }) => item_id);
    return item_ids.length > 0;
  });
  await client.ok('markLooked', { body: { item_ids, seen: world.chance(0.8) } });
  await client.ok('setInvestigationRules', { body: { rules } });
  const body = { name: world.name('search'), search: { query: 'outcome=failed' } };
  await client.ok('saveSearch', { body });
  // It takes the place of the one of the same name.
  const { search_id: id } = await client.ok('saveSearch', { body });
  world.meet('search_id', id);
  await client.ok('deleteSearch', { params: { search_id: id } });
};

const annotations: Act = async (world) => {
  const owner = world.pick(world.owners);
  const { operation_id } = await submitNext(owner, await registerAgent(owner, world.name('agent')));
  const params = { operation_id };
  await owner.client.ok('annotateLive', { params, body: { note: world.name('note'), tags: ['a'] } });
  await owner.client.ok('annotateManyLive', { body: { operation_ids: [operation_id], add_tags: [world.name('tag')] } });
  await owner.client.ok('removeLiveAnnotation', { params });
};

const epochs: Act = async (world) => {
  const owner = world.pick(world.owners);
  const signer = await registerAgent(owner, world.name('agent'));
  await submitNext(owner, signer);
  const { epoch } = await owner.client.ok('closeEpoch');
  if (epoch !== null) world.meet('epoch_id', epoch.epoch_id);
  await owner.client.call('checkpoint');
  const { data } = await owner.client.ok('auditQuery', { body: { limit: 1 } });
  for (const { operation_id } of data) {
    await owner.client.call('operationProof', { params: { operation_id } });
    await owner.client.call('operationTlogProof', { params: { operation_id } });
  }
  const entries = data.map(({ seq_no }) => ({ seq_no, comment: world.name('comment') }));
  const asked = { title: world.name('report'), entries, format: world.pick(['pdf', 'html']) };
  await owner.client.call('reportOfRecords', { body: asked });
  await owner.client.call('draftReport', { body: { title: asked.title, entries } });
  await owner.client.call('recordFile', { body: { format: world.pick(['csv', 'parquet']) } });
  await owner.client.call('consistencyProof', { query: { from: '1' } });
  await until('a verification to be begun', async () => (await owner.client.call('verifyLedger')).status === 202);
  await owner.client.ok('cancelLedgerVerification');
  if (world.chance(0.5)) await owner.client.call('verifyLedger');
};

/** So many records of one organization that roots of its log are kept: the lowest are those of 256 (log-tree.ts). */
const longLog: Act = async (world) => {
  const owner = world.pick(world.owners.slice(0, 1));
  const signer = await registerAgent(owner, world.name('agent'));
  for (let left = 3; left > 0; left--) {
    const records = Array.from({ length: 100 }, () => signer.next());
    await owner.client.ok('submitBatch', { body: { records } });
  }
  await owner.client.ok('closeEpoch');
};

const exports: Act = async (world) => {
  const owner = world.pick(world.owners);
  const { client } = owner;
  await client.ok('previewExport', { body: ALWAYS });
  // What another act erases meanwhile takes an export away that may hold it.
  const gone = /^(?:getExport|createDownloadTicket|deleteExport): 404 /;
  const orGone = (error: Error): null => {
    if (!gone.test(error.message)) throw error;
    return null;
  };
  const id = await exportOf(owner, { ...ALWAYS, format: world.pick(['json', 'pdf']) }).catch(orGone);
  if (id === null) return;
  world.meet('export_id', id);
  const params = { export_id: id };
  await client.call('downloadExport', { params });
  const path = `/v1/exports/${id}/download`;
  await client.ok('createDownloadTicket', { body: { path } }).catch(orGone);
  // Its file as well, while another is being made or is kept.
  if (world.chance(0.5)) await client.ok('createExport', { body: ALWAYS });
  await client.ok('deleteExport', { params }).catch(orGone);
};

const webhooks: Act = async (world) => {
  const { client } = world.pick(world.owners);
  const body = { endpoint_url: world.webhookUrl, events: [...WEBHOOK_EVENTS], secret: randomBytes(24).toString('hex') };
  const { webhook } = await client.ok('registerWebhook', { body });
  world.meet('webhook_id', webhook.webhook_id);
  const params = { webhook_id: webhook.webhook_id };
  await client.ok('testWebhook', { params });
  await client.ok('deleteWebhook', { params });
  if (world.chance(0.5)) await client.ok('registerWebhook', { body });
};

const witnessed: Act = async (world) => {
  const { client } = world.home();
  await client.ok('closeEpoch');
  const witness = new TestWitness(world.name('w'));
  const added = await client.ok('addWitness', { body: { keys: witness.keys, url: world.webhookUrl } });
  const params = { witness_id: added.witness.witness_id };
  world.meet('witness_id', params.witness_id);
  const request = await textOf(client.call('witnessRequest', { params }));
  const answer = await witness.answer(world.service, world.home(), request);
  await client.ok('importCosignatures', { params, body: { answer } });
  await client.ok('listCosignatures');
  await textOf(client.call('cosignedCheckpoint'));
  const { time_stamp } = await client.ok('addTimeStamp', {
    body: await stampOf(client, new StampingAuthority(world.name('time'))),
  });
  world.meet('digest', time_stamp.digest);
  await client.ok('listTimeStamps');
  await textOf(client.call('timeStampFile', { params: { digest: time_stamp.digest } }));
  await client.ok('noteLine', { body: { line: world.name('line'), source: 'a beacon' } });
  await client.ok('removeWitness', { params });
  // A node is a witness by itself, so that another one that took over may be none yet.
  await client.call('makeWitness', { body: { name: 'own.example.org' } });
  await client.ok('ownWitness');
  await client.ok('cosign', { body: { request } });
};

const operator: Act = async (world) => {
  const home = world.home();
  await home.client.ok('changeSettings', { body: { settings: { 'epoch-interval': 100 + world.random.below(100) } } });
  await home.client.ok('rotateServiceKey', { body: { kid: world.service.kid } });
  // The clock is right: what is to be confirmed or corrected is not there.
  for (const route of ['confirmClock', 'correctClock'] as const) {
    expectError(await home.client.call(route, { body: { id: '0', reason: 'none' } }), 'CONFLICT');
  }
  const id = await backupOf(home);
  world.meet('backup_id', id);
  const verified = () => home.client.call('verifyBackup', { params: { backup_id: id } });
  await until('a verification of the backup', async () => (await verified()).status === 202);
};

const cases: Act = async (world) => {
  const home = world.home();
  const { client } = home;
  await world.client().ok('enterWorkstation', { body: { code: codeOf(world.service.workstationLink()) } });
  const signer = await registerAgent(home, world.name('agent'));
  const session = world.name('session');
  const payload = { session, tool: 'get_user', arguments: { user_id: session }, result: 'Error: gone' };
  const { operation_id: operationId } = await submitNext(home, signer, { payload });
  const file = { name: 'a.csbundle', bytes: await bundleOf(home) };
  await client.ok('deleteUpload', { params: { upload_id: (await uploadOf(client, file)).upload_id } });
  await until('an import to be cancelled before its end', async () => {
    const begun = await beginCase(client, file);
    return (await client.call('cancelCase', { params: { case_id: begun.case_id } })).status === 200;
  });
  const { case_id: caseId } = await importCase(client, file);
  world.meet('case_id', caseId);
  const params = { case_id: caseId };
  await client.ok('renameCase', { params, body: { name: world.name('Case') } });
  await client.ok('caseAuditQuery', { params, body: {} });
  await client.ok('caseSessions', { params, body: {} });
  await client.ok('caseEntities', { params, body: {} });
  const { data: rows } = await client.ok('caseActions', { params, body: {} });
  await client.ok('caseActionContext', { params, body: { operation_id: rows[0]?.operation_id ?? '' } });
  await client.ok('caseCompareSessions', { params, body: { left: session, right: session } });
  await client.ok('caseGroups', { params, body: { by: ['agent'] } });
  await client.ok('caseRedactionPlaces', { params, body: { names: [session] } });
  await client.ok('caseWhatLeft', { params, body: {} });
  const { data: items } = await client.ok('caseNeedsLook', { params, body: { limit: 2 } });
  const item_ids = items.map(({ item_id }) => item_id);
  if (item_ids.length > 0) await client.ok('caseMarkLooked', { params, body: { item_ids, seen: true } });
  await client.ok('caseSessionSteps', { params, body: { session } });
  await client.ok('caseEntityTouches', { params, body: { kind: 'user', id: session } });
  await client.ok('caseSetInvestigationRules', { params, body: { rules: null } });
  const search = { name: world.name('search'), search: {} };
  const { search_id: searchId } = await client.ok('caseSaveSearch', { params, body: search });
  await client.ok('caseDeleteSearch', { params: { ...params, search_id: searchId } });
  await client.ok('caseFacets', { params, body: { query: 'not x', fields: ['agent', 'mark'] } });
  await client.ok('caseNames', { params, body: {} });
  const asked = { title: world.name('report'), entries: [{ seq_no: 1 }] };
  await client.call('caseReportOfRecords', { params, body: asked });
  await client.call('draftCaseReport', { params, body: asked });
  await client.call('caseRecordFile', { params, body: { format: 'ocsf' } });
  await client.ok('verifyCase', { params, body: {} });
  await settled(client, caseId);
  const { comparison_id } = await client.ok('compareCase', { params, body: { with: { live: true } } });
  world.meet('comparison_id', comparison_id);
  const noted = { ...params, operation_id: operationId };
  await client.ok('annotate', { params: noted, body: { note: world.name('note') } });
  await client.ok('annotateMany', { params, body: { operation_ids: [operationId], bookmarked: true } });
  await client.ok('custody', { params });
  await client.ok('removeAnnotation', { params: noted });
  const { upload_id } = await uploadOf(client, { name: 'plan.txt', bytes: Buffer.from(world.name('plan')) });
  await client.ok('addItem', { params, body: { upload_id } });
  await itemsOf(client, caseId);
  world.meet('item_no', '2');
  const entries = [{ seq_no: 1 }];
  for (const title of ['first', 'second']) {
    const report = await client.call('caseReportOfRecords', { params, body: { title, format: 'html', entries } });
    await addItem(client, caseId, { name: `${title}.html`, bytes: report.bytes });
  }
  await itemsOf(client, caseId);
  await client.ok('compareItems', { params, body: { item_no: 3, with: 4 } });
  await client.ok('draftCase', { params });
  const saved = await client.ok('saveCase', { params, body: {} });
  world.meet('file_id', saved.file_id);
  const moved = (await client.call('savedCase', { params: { ...params, file_id: saved.file_id } })).bytes;
  const movedUpload = await uploadOf(client, { name: 'a.cscase', bytes: moved });
  const opened = await client.ok('openCase', { body: { upload_id: movedUpload.upload_id } });
  await settled(client, opened.case_id);
  const own = signerOf(home.email, world.name('signing key'));
  const public_key = toBase64Url(own.publicKey);
  const signing = { kid: `window-${public_key.slice(0, 16)}`, public_key, algorithm: 'ed25519' } as const;
  await client.ok('addDecisionKey', { body: signing });
  await signOwn({ ...home, ...own }, caseId, (await client.ok('getCase', { params })).sha256);
  await client.ok('revokeDecisionKey', { params: { kid: signing.kid } });
  await client.ok('removeItem', { params: { ...params, item_no: '2' } });
  const kid = randomBytes(32).toString('base64url');
  await client.ok('addTrust', { body: { kid } });
  await client.ok('removeTrust', { params: { kid } });
  const name = world.name('witness');
  await client.ok('trustWitness', { body: { name, keys: ALPHA.vkey, org_id: name } });
  await client.ok('demandWitnesses', { body: { threshold: 1, org_id: name } });
  await client.ok('removeTrustedWitness', { params: { name }, query: { org_id: name } });
  const { sha256 } =
    (
      await client.ok('trustTimeRoots', {
        body: { certificates: new StampingAuthority(name).rootPem },
      })
    ).time_roots[0] ?? {};
  await client.ok('removeTimeRoot', { params: { sha256: sha256 ?? '' } });
  const other = await importCase(client, file);
  await client.ok('deleteCase', { params: { case_id: other.case_id } });
};

/** Every route that only asks, with ids that were met. */
const questions: Act = async (world) => {
  const asked = (Object.entries(ROUTES) as [RouteName, Route][]).filter(([, { method }]) => method === 'GET');
  for (const [name, { path }] of asked) {
    const { client } = world.pick(world.owners);
    const names = [...path.matchAll(/:(\w+)/g)].map(([, parameter = '']) => parameter);
    const params = Object.fromEntries(names.map((parameter) => [parameter, world.met(parameter) ?? randomUUID()]));
    const { status } = await client.call(name, { params });
    if (status >= 500 && name !== 'deepHealth') throw new Error(`${name}: ${status}`);
  }
  const nonce = randomBytes(32).toString('base64url');
  await world.client().ok('serviceChallenge', { body: { address: world.service.url, nonce } });
};

/** What is done about agents, records and what is made of them. */
export const LEDGER: readonly Act[] = [
  agents,
  operations,
  retention,
  decisions,
  investigation,
  annotations,
  epochs,
  longLog,
  exports,
  webhooks,
  witnessed,
  operator,
  cases,
  questions,
];
