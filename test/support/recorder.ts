import { generateKeyPair } from '../../src/agent/index.ts';
import {
  type Disclosures,
  type JsonObject,
  parseJson,
  parseReceipt,
  type Receipt,
  type RecordCore,
  shownPayload,
} from '../../src/protocol/index.ts';
import { type AgentFile, writeAgentFile } from '../../src/recorder/base/agent-file.ts';
import { type RecorderHome, recorderHome } from '../../src/recorder/base/home.ts';
import { Recorder } from '../../src/recorder/engine/recorder.ts';
import type { Seen } from '../../src/recorder/seen/seen.ts';
import { atEnd } from './cleanup.ts';
import { temporaryFolder } from './folders.ts';
import type { Account } from './service.ts';
import { standIn } from './stand-in-pipeline.ts';
import { until } from './until.ts';

let agents = 0;

/**
 * An agent that is registered at a service and installed in a recorder's folder of its own.
 * @param folder what the recorder's folder is made in
 */
export async function installAgent(
  { client, orgId }: Account,
  serviceKid: string,
  members: Partial<AgentFile> = {},
  folder = temporaryFolder(),
): Promise<{ readonly home: RecorderHome; readonly agent: AgentFile }> {
  const { publicKey, privateKey } = generateKeyPair();
  const { feed = 'codex', agent_id: agentId = `${feed}-${agents++}` } = members;
  const keys = [{ kid: 'key-1', public_key: publicKey, algorithm: 'ed25519' }];
  await client.ok('registerAgent', { body: { agent_id: agentId, integration_type: feed, keys } });
  const issued = { name: agentId, scope: 'submit', agent_id: agentId, ttl_seconds: null };
  const { token } = await client.ok('createToken', { body: issued });
  const agent: AgentFile = {
    feed,
    service_url: client.url,
    org_id: orgId,
    agent_id: agentId,
    kid: 'key-1',
    private_key: privateKey,
    token,
    service_kid: serviceKid,
    on_failure: 'allow',
    threshold: 'captured',
    require_receipt_for: 'changes',
    before: 'changes',
    content: 'full',
    installed_at: new Date().toISOString(),
    head: null,
    config: [],
    ...members,
  };
  const home = recorderHome({ COUNTERSIGN_RECORDER: `${folder}/recorder` });
  writeAgentFile(home, agent);
  return { home, agent };
}

/** A recorder on a folder, with the stand-in for redaction and joining; closed with the test file. */
export function openRecorder(home: RecorderHome, maxBytes?: number): Recorder<Seen> {
  const recorder = new Recorder({ home, pipeline: standIn, ...(maxBytes === undefined ? {} : { maxBytes }) });
  atEnd(() => recorder.close());
  return recorder;
}

/** An operation as the ledger has it. */
export interface Stored extends RecordCore {
  readonly payload: JsonObject;
  readonly disclosures: Disclosures;
  /** The payload as a reader sees it. */
  readonly shown: JsonObject;
}

/** The operations of an agent in the ledger, oldest first. */
export function ledgerOf(account: Account, { agent_id }: AgentFile): Promise<Stored[]> {
  return storedOf(account, agent_id);
}

/** The same for an agent of which the id is known. */
export async function storedOf({ client }: Account, agent_id: string): Promise<Stored[]> {
  const rows = [];
  for (let before: string | undefined; ; ) {
    const query = { limit: '200', ...(before !== undefined && { before }) };
    const { data, older } = await client.ok('agentChain', { params: { agent_id }, query });
    rows.push(...data);
    if (!older) break;
    before = String(data.at(-1)?.seq_no);
  }
  const stored = rows.toReversed().map(async ({ operation_id }): Promise<Stored> => {
    const { eor, disclosures = {} } = await client.ok('getOperation', { params: { operation_id } });
    const { payload = {} } = eor;
    return { ...eor, payload, disclosures, shown: shownPayload(payload, disclosures) };
  });
  return Promise.all(stored);
}

/** Waits until everything is at the service. */
export async function sent(recorder: Recorder<Seen>): Promise<void> {
  await until('the spool to be empty', () => recorder.status().waiting === 0);
}

/** The receipts in a file, read strictly. */
export function receiptsIn(text: string): Receipt[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parseReceipt(parseJson(line)));
}
