/** Checkpoints that a reader gives beside the bundle, and consistency proofs to them: of its log, of another one, or altered. */
import {
  checkpointOrigin,
  consistencyPath,
  formatConsistencyProof,
  formatDigest,
  merkleRoot,
  ProtocolError,
  parseDigest,
  parseReceipt,
  receiptLeafHash,
  receiptSignedBytes,
  utf8,
} from '../../../src/protocol/index.ts';
import { otherDigest } from '../bundle-maker.ts';
import { noted, noteText, signatureLine } from '../checkpoints.ts';
import type { Family } from './bases.ts';
import type { Draw } from './draw.ts';
import { changedText } from './text.ts';
import type { Tree } from './tree.ts';

/** The leaf of a receipt; a step of the making may have left one that is none. */
function leafOf(receipt: Tree): Uint8Array {
  try {
    return receiptLeafHash(receiptSignedBytes(parseReceipt(receipt)));
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return parseDigest(otherDigest('no receipt'));
  }
}

function checkpoint(family: Family, receipts: readonly Tree[], draw: Draw, isMain: boolean): [string, Uint8Array] {
  const how = draw.weighted<string>([
    [isMain ? 20 : 55, 'honest'],
    [15, 'another root'],
    [10, 'told otherwise'],
    [10, 'altered'],
    [5, 'another log'],
    [5, 'a stranger'],
  ]);
  const telling =
    how === 'told otherwise' && family.rewritten.length > 0 ? draw.pick(family.rewritten)().receipts : receipts;
  const size = 1 + draw.below(telling.length + 2);
  const isWrong = how === 'another root' || size > telling.length;
  const root = isWrong
    ? otherDigest(`root ${draw.below(2)}`)
    : formatDigest(merkleRoot(telling.slice(0, size).map(leafOf)));
  const origin = checkpointOrigin(how === 'another log' ? 'org_other' : family.orgId);
  const text = noteText(size, parseDigest(root), origin, draw.chance(10) ? ['an extension'] : []);
  const service = how === 'a stranger' ? 7 : draw.pick([0, 0, 1]);
  const lines = [signatureLine(text, { service, name: origin })];
  if (draw.chance(10)) lines.push(signatureLine(text, { service: 1, name: origin, over: draw.pick([text, 'x']) }));
  const note = noted(text, ...lines);
  const [file, what] = draw.chance(40) ? proofTo(note, size, telling.map(leafOf), draw) : [note, ''];
  return [`${how} at ${size}${what}`, how === 'altered' ? changedText(file, draw) : utf8(file)];
}

/** The checkpoint with the way to it from a smaller size, or from one that is not smaller. */
function proofTo(note: string, size: number, leaves: readonly Uint8Array[], draw: Draw): [string, string] {
  const oldSize = 1 + draw.below(size + 1);
  const node = (height: number, index: number): Uint8Array =>
    merkleRoot(leaves.slice(index * 2 ** height, (index + 1) * 2 ** height));
  const honest = oldSize <= size && size <= leaves.length ? consistencyPath(oldSize, size, node) : [];
  const path = draw.weighted([
    [80, honest],
    [10, honest.slice(1)],
    [10, [...honest, parseDigest(otherDigest('one more'))]],
  ]);
  return [formatConsistencyProof({ oldSize, path }, note), `, from ${oldSize}`];
}

/** Draws some, mostly none; at least one where they are the main thing, as often changed as not. */
export function keptCheckpoints(
  family: Family,
  receipts: readonly Tree[],
  draw: Draw,
  isMain: boolean,
): [string, Uint8Array[]] {
  const length = draw.pick(isMain ? [1, 2, 3, 4] : [0, 0, 0, 1, 1, 2]);
  const files = Array.from({ length }, () => checkpoint(family, receipts, draw, isMain));
  return [files.map(([what]) => what).join(', ') || 'none', files.map(([, bytes]) => bytes)];
}
