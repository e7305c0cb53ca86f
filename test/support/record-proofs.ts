/** Proofs of records for tests: honest ones, and such as were changed. */
import {
  canonicalBytes,
  type Json,
  makeRecordProof,
  type RecordProof,
  recordProofBytes,
  type VerificationReport,
  type VerifyRecordProofOptions,
  verifyRecordProof,
} from '../../src/protocol/index.ts';
import { makeBundle, type Plan } from './bundle-maker.ts';
import { sourceOf } from './verifying.ts';

/** The proof of some records of a bundle that is made by a plan. */
export async function proofOf(plan: Plan, ...seqNos: readonly number[]): Promise<RecordProof> {
  return makeRecordProof(sourceOf(makeBundle(plan).text), seqNos);
}

/** A proof as somebody else writes it, whatever its parts are. */
export function bytesOf(proof: RecordProof | Json): Uint8Array {
  return canonicalBytes(proof as Json);
}

export function verifyProof(
  proof: RecordProof | Uint8Array | string,
  options: VerifyRecordProofOptions = {},
): Promise<VerificationReport> {
  const isFile = typeof proof === 'string' || proof instanceof Uint8Array;
  return verifyRecordProof(sourceOf(isFile ? proof : recordProofBytes(proof)), options);
}

/** What is put at a place of a value, or taken out of it where nothing is (test/vectors/record-proofs.json). */
export interface ChangeAt {
  readonly path: readonly (string | number)[];
  readonly value?: Json;
}

/** The same value with a change. */
export function changedAt(value: Json, { path: [step, ...rest], ...change }: ChangeAt): Json {
  if (step === undefined) return change.value ?? null;
  const copy = structuredClone(value) as { [name: string | number]: Json };
  if (rest.length > 0) copy[step] = changedAt(copy[step] as Json, { path: rest, ...change });
  else if (change.value === undefined) delete copy[step];
  else copy[step] = change.value;
  return copy as Json;
}
