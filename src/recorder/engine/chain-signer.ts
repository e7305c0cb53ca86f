import { randomBytes, randomUUID } from 'node:crypto';
import { contentDigest } from '../../actions/profile/light.ts';
import { RecordSigner } from '../../agent/light.ts';
import { nodeCrypto } from '../../node/light.ts';
import {
  canonicalBytes,
  DEFAULT_MAX_PAYLOAD_BYTES,
  type Disclosure,
  type Disclosures,
  disclosureDigest,
  isMembers,
  isSalted,
  type Json,
  type JsonObject,
  ProtocolError,
  recordCore,
  SALT_BYTES,
  type SubmittedRecord,
  shownPayload,
  toBase64Url,
} from '../../protocol/light.ts';
import type { AgentFile } from '../base/agent-file.ts';
import { RecordError } from '../base/record-error.ts';
import type { Draft } from '../joining/draft.ts';
import { BEGINNING, type Beginning, type WaitingRecord } from '../spool/waiting.ts';

/** A day: the longest that a record may wait for the service under its first signature (protocol F30). */
const TTL_MS = 86_400_000;

/** The member of a payload with the first core and signature of a record that was signed more than once. */
const FIRST_SIGNED = 'x_first_signed';

/** What of the service's limit is left for that member: a core has texts of up to 512 characters, of up to six bytes each. */
const MAX_BODY_BYTES = DEFAULT_MAX_PAYLOAD_BYTES - 8192;

type NewRecord = Omit<WaitingRecord, 'seq'>;
/** The phases in which a call can still be stopped. */
const BEFORE_A_CALL: ReadonlySet<string> = new Set(['proposed', 'asked', 'started']);

type Body = SubmittedRecord & { readonly disclosures?: Disclosures };

/** Signs the records of one agent, each building on one before. */
export class ChainSigner {
  readonly #signer: RecordSigner;
  /** For payloads that have their salts. */
  readonly #plain: RecordSigner;

  /** @throws AgentError KEY_INVALID */
  constructor({ org_id: orgId, agent_id: agentId, kid, private_key: privateKey }: AgentFile) {
    const options = { orgId, agentId, kid, privateKey, ttlMs: TTL_MS };
    this.#signer = new RecordSigner(options);
    this.#plain = new RecordSigner({ ...options, salted: false });
  }

  /**
   * That a payload is of the profile follows from how it was made, and is not looked at again: the schema alone takes 15 MB.
   * @throws RecordError EVENT_INVALID, EVENT_TOO_LARGE
   */
  sign({ payload, ...draft }: Draft, prevChainHash: string | null): NewRecord {
    const whole = this.#sign({ ...draft, payload }, prevChainHash);
    if (isSmall(whole)) return whole;
    for (const smaller of smallerPayloads(payload)) {
      const record = this.#sign({ ...draft, payload: smaller }, prevChainHash);
      if (isSmall(record)) return record;
    }
    const bytes = Buffer.byteLength(whole.body);
    throw new RecordError('EVENT_TOO_LARGE', `the record of an event has ${bytes} bytes, more than ${MAX_BODY_BYTES}`);
  }

  #sign({ operationId, changes, ...draft }: Draft, prevChainHash: string | null): NewRecord {
    try {
      const { record, chainHash } = this.#signer.sign({ ...draft, operationId, prevChainHash });
      return { ...rowOf(record, chainHash, JSON.stringify(record)), begins: beginningOf(draft.action, changes) };
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      throw new RecordError('EVENT_INVALID', `the record of an event has no valid form: ${error.message}`);
    }
  }

  /**
   * The same operation signed as of now. Its payload keeps its salts and gets one member more, the core and the signature of the
   * first time: with the other members a reader recomputes what was signed then.
   * @param newId whether the operation has to have another id, since its own stands for another one
   */
  signAgain(record: WaitingRecord, prevChainHash: string | null, newId: boolean): WaitingRecord {
    const first = JSON.parse(record.body) as Body;
    const { payload, disclosures } = withFirstSigned(first);
    const { operation_type: operationType, subject, action } = first;
    const operationId = newId ? randomUUID() : first.operation_id;
    const again = this.#plain.sign({ operationType, subject, action, payload, operationId, prevChainHash });
    const body = JSON.stringify({ ...again.record, ...(disclosures === undefined ? {} : { disclosures }) });
    return { seq: record.seq, begins: record.begins, ...rowOf(again.record, again.chainHash, body) };
  }
}

function isSmall({ body }: NewRecord): boolean {
  return Buffer.byteLength(body) <= MAX_BODY_BYTES;
}

function beginningOf(phase: string, changes: boolean): Beginning {
  if (!BEFORE_A_CALL.has(phase)) return BEGINNING.none;
  return changes ? BEGINNING.change : BEGINNING.read;
}

function rowOf(
  { operation_id, prev_chain_hash, issued_at }: SubmittedRecord,
  chain_hash: string,
  body: string,
): Omit<NewRecord, 'begins'> {
  return { operation_id, prev_chain_hash, chain_hash, issued_at, body };
}

function withFirstSigned(record: Body): { payload: JsonObject; disclosures: Disclosures | undefined } {
  const { payload, disclosures, signature } = record;
  // The first one counts; those in between were never accepted.
  if (Object.hasOwn(shownPayload(payload, disclosures), FIRST_SIGNED)) return { payload, disclosures };
  const first: Json = { core: recordCore(record), signature };
  if (!isSalted(payload)) return { payload: { ...payload, [FIRST_SIGNED]: first }, disclosures };
  const added: Disclosure = [toBase64Url(randomBytes(SALT_BYTES)), first];
  const digest = disclosureDigest(added, nodeCrypto.sha256);
  return {
    payload: { ...payload, _sd: { ...payload._sd, [FIRST_SIGNED]: digest } },
    disclosures: { ...disclosures, [FIRST_SIGNED]: added },
  };
}

type Members = { readonly [member: string]: Json };

/**
 * The same payload in less and less room, for one that is larger than the service takes: each part is within its own bound, and all of
 * them together need not be. First to go are the places of what was replaced, of which the members stay; then what further witnesses
 * saw, the output, the input and what was told, of which the digests stay.
 */
function* smallerPayloads(payload: Members): Generator<Members> {
  let smaller = payload;
  for (const step of [
    withShortPlaces,
    withDigestsOfWitnesses,
    withDigestOf('output'),
    withDigestOf('input'),
    withDigestsOfTold,
  ]) {
    smaller = step(smaller);
    yield smaller;
  }
}

/** Of what was replaced, in which member it was. */
function withShortPlaces(payload: Members): Members {
  const { redactions } = payload;
  if (!Array.isArray(redactions)) return payload;
  const places = redactions
    .filter((one: Json) => isMembers(one))
    .map(({ at, type }) => ({ at: `/${String(at).split('/')[1]}`, type: type ?? null }));
  const met = new Map(places.map((place) => [JSON.stringify(place), place]));
  return { ...payload, redactions: [...met.values()] };
}

function withDigestsOfWitnesses(payload: Members): Members {
  const { witnesses } = payload;
  if (!Array.isArray(witnesses)) return payload;
  const shorter = witnesses.map((one: Json) =>
    isMembers(one) ? withDigestOf('output')(withDigestOf('input')(one)) : one,
  );
  return { ...payload, witnesses: shorter };
}

function withDigestsOfTold(payload: Members): Members {
  const { told } = payload;
  if (!Array.isArray(told)) return payload;
  return { ...payload, told: told.map((one: Json) => (isMembers(one) ? withDigestOf('content')(one) : one)) };
}

function withDigestOf(name: string): (members: Members) => Members {
  return (members) => {
    const content = members[name];
    return isMembers(content) ? { ...members, [name]: digestOf(content) } : members;
  };
}

/** As `contentOf` has what is not kept: without the salt, so that a short value cannot be found by trial. */
function digestOf(content: Members): Members {
  const { value, salt, truncated: _, digest, bytes, ...form } = content;
  if (value === undefined || typeof salt !== 'string') return content;
  return {
    digest: digest ?? contentDigest(salt, value, nodeCrypto.sha256),
    bytes: bytes ?? canonicalBytes(value).length,
    ...form,
  };
}
