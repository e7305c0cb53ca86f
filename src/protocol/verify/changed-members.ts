import { canonicalize, type Json } from '../canonical.ts';
import type { Sha256 } from '../digest.ts';
import { fromBase64Url } from '../encoding.ts';
import { changesOf, differenceOf } from '../json-difference.ts';
import { type Disclosures, disclosuresFit } from '../statements/disclosures.ts';
import type { Receipt } from '../statements/receipt.ts';
import { chainHash, type OperationRecord, payloadHash, recordSignedBytes } from '../statements/record.ts';

/** A member that is not as it was signed. */
export interface ChangedMember {
  readonly in: 'payload' | 'record' | 'receipt';
  /** A JSON Pointer within it, texts that are JSON counting as opened. */
  readonly pointer: string;
  /** What was signed, as JSON, and what is there instead; absent where nothing is there. A long one is cut. */
  readonly expected?: string;
  readonly actual?: string;
}

/** A record with its receipt, wherever it is kept. */
export interface KeptRecord {
  readonly eor: OperationRecord;
  readonly ear: Receipt;
  readonly disclosures?: Disclosures | undefined;
}

/** Whoever changed a record chose how much of it: this much is told. */
const MOST_MEMBERS = 20;
const MOST_CHARACTERS = 200;

function textOf(value: Json | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = canonicalize(value);
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`;
}

function changedIn(part: ChangedMember['in'], actual: Json | undefined, expected: Json | undefined): ChangedMember[] {
  return changesOf(differenceOf(actual, expected)).map(({ pointer, one, other }) => {
    const [is, was] = [textOf(one), textOf(other)];
    return { in: part, pointer, ...(was !== undefined && { expected: was }), ...(is !== undefined && { actual: is }) };
  });
}

function withoutPayload({ payload: _, payload_hash: __, ...members }: OperationRecord): Json {
  return { ...members };
}

function shownMembers(disclosures: Disclosures, alsoIn: Disclosures): Json {
  const names = Object.keys(disclosures).filter((name) => Object.hasOwn(alsoIn, name));
  return Object.fromEntries(names.map((name) => [name, disclosures[name]?.[1] ?? null]));
}

/**
 * What a record has otherwise than a copy of it that was signed. The copy is the one that was countersigned where the chain hash that
 * follows from it is that of the record's receipt, and its payload the signed one where it has the signed hash; that the receipt and
 * the copy are signed is for the caller to know.
 * @returns none where the copy is another one, or where nothing differs that both show
 */
export function changedMembers(record: KeptRecord, copy: KeptRecord, hash: Sha256): ChangedMember[] {
  const { payload, ...core } = copy.eor;
  const follows = chainHash(recordSignedBytes(core), fromBase64Url(core.signature, 64), hash);
  if (follows !== record.ear.chain_hash) return [];
  const isPayload = payload !== undefined && payloadHash(payload, hash) === core.payload_hash;
  const [here, there] = [record.disclosures ?? {}, copy.disclosures ?? {}];
  return [
    ...(isPayload && record.eor.payload !== undefined ? changedIn('payload', record.eor.payload, payload) : []),
    ...(isPayload && disclosuresFit(payload, there, hash)
      ? changedIn('payload', shownMembers(here, there), shownMembers(there, here))
      : []),
    ...changedIn('record', withoutPayload(record.eor), withoutPayload(copy.eor)),
  ].slice(0, MOST_MEMBERS);
}

/** What a receipt has otherwise than one that the service signed for the same operation. */
export function changedInReceipt(receipt: Receipt, signed: Receipt): ChangedMember[] {
  const statementOf = ({ service_signature: _, ...statement }: Receipt): Json => statement;
  return changedIn('receipt', statementOf(receipt), statementOf(signed));
}
