import {
  canonicalBytes,
  canonicalize,
  chainHash,
  decodeUtf8,
  fitDisclosures,
  formatDigest,
  fromBase64Url,
  isStrictPublicKey,
  MAX_CLOCK_LEAD_MS,
  parseTime,
  recordSignedBytes,
  sha256,
  verifyEd25519,
} from '../../protocol/index.ts';
import type { AgentDetails, StoredOperation } from '../api/answers.ts';
import { numberText } from '../lib/locale.ts';
import { comparison, hexOf, type Step, withoutWork } from './step.ts';

type Key = AgentDetails['keys'][number];

/** The payload's canonical form and its digest. */
export function payloadStep({ eor, disclosures = [] }: StoredOperation): Step {
  const about = { id: 'payload', title: 'Payload hash', rule: 'protocol §3' };
  if (eor.payload === undefined) {
    return withoutWork(about, 'not_checked', 'The payload is withheld: its digest is signed, its content is not here.');
  }
  const canonical = canonicalBytes(eor.payload);
  if (disclosures.length > 0) {
    const { digests, fit } = fitDisclosures(eor.payload, disclosures);
    if (!fit) {
      const operands = digests.map((value, index) => ({ label: `digest of ${disclosures[index]?.[1]}`, value }));
      const sentence = 'A member that is shown is not one whose digest the agent signed.';
      return { ...about, outcome: 'fail', sentence, operands };
    }
  }
  return comparison(
    about,
    { label: 'SHA-256', value: formatDigest(sha256(canonical)) },
    { label: 'payload_hash', value: eor.payload_hash },
    [{ label: 'JCS(payload)', value: canonicalize(eor.payload) }],
    {
      pass:
        disclosures.length > 0
          ? 'The payload is the one whose digest the agent signed, and each member that is shown has its digest in it.'
          : 'The payload is the one whose digest the agent signed.',
      fail: 'The payload is not the one that the agent signed.',
    },
  );
}

/** The agent's signature over the canonical form of the 13 signed members. */
export function signatureStep({ eor }: StoredOperation, keys: readonly Key[] | null): Step {
  const about = { id: 'signature', title: "Agent's signature", rule: 'protocol §2 and §3' };
  const key = keys?.find(({ kid }) => kid === eor.agent_pubkey_kid);
  if (key === undefined) {
    const why =
      keys === null
        ? 'The agent is deleted: its keys are in an export.'
        : `The agent has no key ${eor.agent_pubkey_kid}.`;
    return withoutWork(about, 'cannot_check', why);
  }
  const message = recordSignedBytes(eor);
  const publicKey = fromBase64Url(key.public_key, 32);
  const signature = fromBase64Url(eor.signature, 64);
  const holds = verifyEd25519({ publicKey, message, signature });
  return {
    ...about,
    outcome: holds ? 'pass' : 'fail',
    sentence: holds
      ? `Signed by the key ${key.kid} of ${eor.agent_id}.`
      : 'The signature is not of these bytes by this key.',
    operands: [
      { label: 'JCS(core)', value: decodeUtf8(message) },
      { label: 'Signed bytes', value: hexOf(message) },
      { label: `Key ${key.kid}`, value: hexOf(publicKey) },
      { label: 'Key of prime order', value: isStrictPublicKey(publicKey) ? 'yes' : 'no' },
      { label: 'Signature R', value: hexOf(signature.subarray(0, 32)) },
      { label: 'Signature S', value: hexOf(signature.subarray(32)), bad: !holds },
    ],
  };
}

/** chain_hash from the signed bytes and the signature. */
export function chainHashStep({ eor, ear }: StoredOperation): Step {
  const message = recordSignedBytes(eor);
  const signature = fromBase64Url(eor.signature, 64);
  return comparison(
    { id: 'chain-hash', title: 'Chain hash', rule: 'protocol §3' },
    { label: 'SHA-256', value: chainHash(message, signature) },
    { label: 'chain_hash of receipt', value: ear.chain_hash },
    [{ label: 'Signed bytes, signature', value: hexOf(message) + hexOf(signature) }],
    { pass: 'The receipt names the chain hash of this very record.', fail: 'The receipt names another chain hash.' },
  );
}

/** The chain hash of a record as computed here. */
function chainHashOf({ eor }: StoredOperation): string {
  return chainHash(recordSignedBytes(eor), fromBase64Url(eor.signature, 64));
}

/** A neighbour in the agent's chain: null where there is none, undefined where it could not be read. */
export type Neighbour = StoredOperation | null | undefined;

/**
 * That the record refers to the one before it.
 * @param isExcerpt whether the record before it may be there and only left out
 */
export function previousStep(operation: StoredOperation, previous: Neighbour, isExcerpt: boolean): Step {
  const about = { id: 'previous', title: 'Link to the previous record', rule: 'protocol §3' };
  if (previous === undefined) return withoutWork(about, 'cannot_check', 'The previous record could not be read.');
  if (previous === null && isExcerpt && operation.eor.prev_chain_hash !== null) {
    return withoutWork(about, 'cannot_check', 'The record before it is not in the file.');
  }
  return comparison(
    about,
    {
      label: previous === null ? 'No previous record' : `Chain hash of ${previous.ear.seq_no}`,
      value: previous === null ? 'null' : chainHashOf(previous),
    },
    { label: 'prev_chain_hash', value: operation.eor.prev_chain_hash ?? 'null' },
    previous === null ? [] : [{ label: 'Previous operation', value: previous.ear.operation_id }],
    {
      pass:
        previous === null ? "It is the first of the agent's chain, and says so." : 'It refers to the record before it.',
      fail: 'The chain is broken before this record.',
    },
  );
}

/** That the next record refers to this one. */
export function nextStep(operation: StoredOperation, next: Neighbour, isExcerpt: boolean): Step {
  const about = { id: 'next', title: 'Link from the next record', rule: 'protocol §3' };
  if (next === undefined) return withoutWork(about, 'cannot_check', 'The next record could not be read.');
  if (next === null) {
    const sentence = isExcerpt ? 'The file has none after it.' : "It is the newest of the agent's chain.";
    return { ...about, outcome: 'not_applicable', sentence, operands: [] };
  }
  return comparison(
    about,
    { label: 'Chain hash of this one', value: chainHashOf(operation) },
    { label: `prev_chain_hash of ${next.ear.seq_no}`, value: next.eor.prev_chain_hash ?? 'null' },
    [{ label: 'Next operation', value: next.ear.operation_id }],
    { pass: 'The next record refers to this one.', fail: 'The chain is broken after this record.' },
  );
}

function inSeconds(ms: number): string {
  return `${numberText(ms / 1000)} s`;
}

/** That the record came within its time. */
export function timeStep({ eor, ear }: StoredOperation): Step {
  const issued = parseTime(eor.issued_at);
  const received = parseTime(ear.server_received_at);
  const isInTime = received <= issued + eor.ttl_ms && issued <= received + MAX_CLOCK_LEAD_MS;
  return {
    id: 'time',
    title: 'Received in time',
    rule: 'protocol §4',
    outcome: isInTime ? 'pass' : 'fail',
    sentence: isInTime
      ? `Received ${inSeconds(received - issued)} after it was issued; ${inSeconds(eor.ttl_ms)} were allowed.`
      : 'Received outside the time that the record allows.',
    operands: [
      { label: 'issued_at', value: eor.issued_at },
      { label: 'ttl_ms', value: String(eor.ttl_ms) },
      { label: 'server_received_at', value: ear.server_received_at, bad: !isInTime },
    ],
  };
}
