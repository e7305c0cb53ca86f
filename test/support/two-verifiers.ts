/** What the verifiers in other languages are held against: the same files, and what both say of each. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { fingerprintDigits, type Json, type Verdict } from '../../src/protocol/index.ts';
import { makeBundle, ORG_ID, serviceKid, writeBundle } from './bundle-maker.ts';
import { at } from './bytes.ts';
import { bitCount, cutAfter, isSameValue, structuralDamages, withBitFlipped } from './damage.ts';
import { edits } from './edits.ts';
import { temporaryFolder } from './folders.ts';
import { bundleTexts, serviceKids } from './vectors.ts';

/** One file for both verifiers. */
export interface Subject {
  readonly what: string;
  readonly file: string | Uint8Array;
  /** Whose key the bundle maker signs with, unless others are named. */
  readonly trusted?: readonly string[];
  readonly receipts?: string | undefined;
}

export const TRUSTED: readonly string[] = [serviceKid(0)];

/** An exit status as a verdict; 2, not readable, is what ours calls failed as well: MALFORMED. */
export const VERDICTS: Readonly<Record<number, Verdict>> = { 0: 'verified', 1: 'failed', 2: 'failed', 3: 'incomplete' };

/** @returns the path of a new file with this content */
export function inFile(content: string | Uint8Array): string {
  const path = join(temporaryFolder(), 'bundle');
  writeFileSync(path, content);
  return path;
}

const programAt = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The command, the verifier in one file and, where Python is, the one in Python, each say verified. */
export function verifiedByAll(kid: string, bundle: Uint8Array): void {
  const hasPython = spawnSync('python3', ['--version']).status === 0;
  const args = [inFile(bundle), '--trust', kid];
  const commands = [
    [process.execPath, programAt('../../bin/countersign.js'), 'verify', ...args],
    [process.execPath, programAt('../../resources/verifier/verify-bundle.mjs'), ...args],
    ...(hasPython ? [['python3', programAt('../interop/verify_bundle.py'), ...args]] : []),
  ];
  for (const [command = '', ...rest] of commands) {
    const { status, stdout, stderr } = spawnSync(command, rest);
    expect([rest[0], status, status === 0 ? '' : `${stdout}${stderr}`]).toEqual([rest[0], 0, '']);
  }
}

const KEY = serviceKid(0);
const DIGITS = fingerprintDigits(KEY).join(' ');

/** Ways to name whom one trusts, and the verdict on a sound bundle of ORG_ID; the second key of it follows by rotation. */
export const TRUST_NAMED: readonly (readonly [what: string, trusted: readonly string[], verdict: Verdict])[] = [
  ['the kid', [KEY], 'verified'],
  ['the kid for this organization', [`${KEY}@${ORG_ID}`], 'verified'],
  ['the kid after a rotation, for this organization', [`${serviceKid(1)}@${ORG_ID}`], 'verified'],
  ['the digits', [DIGITS], 'verified'],
  ['the digits in one run', [DIGITS.replaceAll(' ', '')], 'verified'],
  ['the digits with hyphens, for this organization', [`${DIGITS.replaceAll(' ', '-')}@${ORG_ID}`], 'verified'],
  ['the kid for another organization', [`${KEY}@org_other`], 'incomplete'],
  ['the digits for another organization', [`${DIGITS}@org_other`], 'incomplete'],
  ['the kid for no organization yet', [`${KEY}@`], 'incomplete'],
  ['the kid for an organization whose id only begins like this one', [`${KEY}@${ORG_ID.slice(0, -1)}`], 'incomplete'],
  ['the digits of another key', [fingerprintDigits(serviceKid(7)).join(' ')], 'incomplete'],
  ['the kid for another and then for this one', [`${KEY}@org_other`, `${KEY}@${ORG_ID}`], 'verified'],
];

/** What both say of each, two at a time. */
export async function compareEach<Result>(
  subjects: readonly Subject[],
  compare: (subject: Subject) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = [...subjects];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) results.push(await compare(next));
  };
  await Promise.all([work(), work()]);
  return results;
}

/** Every n-th of a list, so that a sample reaches from its beginning to its end. */
export function sample<T>(list: readonly T[], size: number): T[] {
  return Array.from({ length: size }, (_, index) => at(list, Math.floor(((index + 0.5) * list.length) / size)));
}

/** Copies of a bundle, each damaged in one place: so many of each way. */
export function damagedCopies(many: { edits: number; structural: number; bits: number }): Subject[] {
  const { bundle, text } = makeBundle({ agents: 2, epochs: [1, 2], rotation: true, range: [1, 2] });
  const kinds = edits(bundle).filter(({ kind }, index, all) => all.findIndex((other) => other.kind === kind) === index);
  // The writer writes the format as it is: that one edit is left to the bits.
  const edited = sample(kinds.slice(1), many.edits).map(({ path, bundle: other }) => ({
    what: path,
    file: writeBundle(other),
  }));
  const structural = sample(structuralDamages(bundle as unknown as Json), many.structural)
    .map(({ name, text: damaged }) => ({ what: name, file: damaged() }))
    .filter(({ file }) => !isSameValue(file, text));
  const vector = bundleTexts['bundle-range.json'];
  const bits = Array.from({ length: many.bits }, (_, index) =>
    withBitFlipped(vector, Math.floor(((index + 0.4) * bitCount(vector)) / many.bits)),
  );
  const cuts = [0, 1, 1000, vector.length - 1].map((length) => cutAfter(vector, length));
  return [
    ...edited,
    ...structural,
    ...[...bits, ...cuts].map(({ name, bytes }) => ({
      what: `bundle-range.json, ${name}`,
      file: bytes,
      trusted: serviceKids,
    })),
  ];
}
