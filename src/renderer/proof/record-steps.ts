import {
  canonicalBytes,
  canonicalize,
  chainHash,
  decodeUtf8,
  disclosureDigest,
  disclosuresFit,
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
import { RECORD_STEPS, RULES } from './texts.ts';

type Key = AgentDetails['keys'][number];

/** The payload's canonical form and its digest. */
export function payloadStep({ eor, disclosures = {} }: StoredOperation): Step {
  const about = { id: 'payload', title: RECORD_STEPS.payloadHash, rule: RULES.payloadHash };
  if (eor.payload === undefined) {
    return withoutWork(about, 'not_checked', RECORD_STEPS.withheld);
  }
  const canonical = canonicalBytes(eor.payload);
  const shown = Object.entries(disclosures);
  if (!disclosuresFit(eor.payload, disclosures)) {
    const operands = shown.map(([name, disclosure]) => ({
      label: RECORD_STEPS.digestOf(name),
      value: disclosureDigest(disclosure),
    }));
    return { ...about, outcome: 'fail', sentence: RECORD_STEPS.disclosureForeign, operands };
  }
  return comparison(
    about,
    { label: RECORD_STEPS.sha256, value: formatDigest(sha256(canonical)) },
    { label: 'payload_hash', value: eor.payload_hash },
    [{ label: RECORD_STEPS.payloadBytes, value: canonicalize(eor.payload) }],
    {
      pass: shown.length > 0 ? RECORD_STEPS.payloadAndMembersMatch : RECORD_STEPS.payloadMatches,
      fail: RECORD_STEPS.payloadDiffers,
    },
  );
}

/** The agent's signature over the canonical form of the 13 signed members. */
export function signatureStep({ eor }: StoredOperation, keys: readonly Key[] | null): Step {
  const about = { id: 'signature', title: RECORD_STEPS.agentSignature, rule: RULES.agentSignature };
  const key = keys?.find(({ kid }) => kid === eor.agent_pubkey_kid);
  if (key === undefined) {
    const why = keys === null ? RECORD_STEPS.agentDeleted : RECORD_STEPS.keyUnknown(eor.agent_pubkey_kid);
    return withoutWork(about, 'cannot_check', why);
  }
  const message = recordSignedBytes(eor);
  const publicKey = fromBase64Url(key.public_key, 32);
  const signature = fromBase64Url(eor.signature, 64);
  const holds = verifyEd25519({ publicKey, message, signature });
  return {
    ...about,
    outcome: holds ? 'pass' : 'fail',
    sentence: holds ? RECORD_STEPS.signedBy(key.kid, eor.agent_id) : RECORD_STEPS.signatureInvalid,
    operands: [
      { label: RECORD_STEPS.coreBytes, value: decodeUtf8(message) },
      { label: RECORD_STEPS.signedBytes, value: hexOf(message) },
      { label: RECORD_STEPS.key(key.kid), value: hexOf(publicKey) },
      { label: RECORD_STEPS.primeOrder, value: isStrictPublicKey(publicKey) ? 'yes' : 'no' },
      { label: RECORD_STEPS.signatureR, value: hexOf(signature.subarray(0, 32)) },
      { label: RECORD_STEPS.signatureS, value: hexOf(signature.subarray(32)), bad: !holds },
    ],
  };
}

/** chain_hash from the signed bytes and the signature. */
export function chainHashStep({ eor, ear }: StoredOperation): Step {
  const message = recordSignedBytes(eor);
  const signature = fromBase64Url(eor.signature, 64);
  return comparison(
    { id: 'chain-hash', title: RECORD_STEPS.chainHash, rule: RULES.chainHash },
    { label: RECORD_STEPS.sha256, value: chainHash(message, signature) },
    { label: RECORD_STEPS.statedHash, value: ear.chain_hash },
    [{ label: RECORD_STEPS.signedAndSignature, value: hexOf(message) + hexOf(signature) }],
    { pass: RECORD_STEPS.hashMatches, fail: RECORD_STEPS.hashDiffers },
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
  const about = { id: 'previous', title: RECORD_STEPS.linkToPrevious, rule: RULES.link };
  if (previous === undefined) return withoutWork(about, 'cannot_check', RECORD_STEPS.previousUnread);
  if (previous === null && isExcerpt && operation.eor.prev_chain_hash !== null) {
    return withoutWork(about, 'cannot_check', RECORD_STEPS.previousNotInFile);
  }
  return comparison(
    about,
    {
      label: previous === null ? RECORD_STEPS.noPrevious : RECORD_STEPS.hashOf(previous.ear.seq_no),
      value: previous === null ? 'null' : chainHashOf(previous),
    },
    { label: 'prev_chain_hash', value: operation.eor.prev_chain_hash ?? 'null' },
    previous === null ? [] : [{ label: RECORD_STEPS.previousOperation, value: previous.ear.operation_id }],
    {
      pass: previous === null ? RECORD_STEPS.isFirst : RECORD_STEPS.refersToPrevious,
      fail: RECORD_STEPS.brokenBefore,
    },
  );
}

/** That the next record refers to this one. */
export function nextStep(operation: StoredOperation, next: Neighbour, isExcerpt: boolean): Step {
  const about = { id: 'next', title: RECORD_STEPS.linkFromNext, rule: RULES.link };
  if (next === undefined) return withoutWork(about, 'cannot_check', RECORD_STEPS.nextUnread);
  if (next === null) {
    const sentence = isExcerpt ? RECORD_STEPS.noneAfter : RECORD_STEPS.isNewest;
    return { ...about, outcome: 'not_applicable', sentence, operands: [] };
  }
  return comparison(
    about,
    { label: RECORD_STEPS.hashOfThis, value: chainHashOf(operation) },
    { label: RECORD_STEPS.previousHashOf(next.ear.seq_no), value: next.eor.prev_chain_hash ?? 'null' },
    [{ label: RECORD_STEPS.nextOperation, value: next.ear.operation_id }],
    { pass: RECORD_STEPS.nextRefers, fail: RECORD_STEPS.brokenAfter },
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
    title: RECORD_STEPS.inTime,
    rule: RULES.inTime,
    outcome: isInTime ? 'pass' : 'fail',
    sentence: isInTime
      ? RECORD_STEPS.received(inSeconds(received - issued), inSeconds(eor.ttl_ms))
      : RECORD_STEPS.outsideTime,
    operands: [
      { label: 'issued_at', value: eor.issued_at },
      { label: 'ttl_ms', value: String(eor.ttl_ms) },
      { label: 'server_received_at', value: ear.server_received_at, bad: !isInTime },
    ],
  };
}
