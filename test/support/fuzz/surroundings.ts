/** What a reader gives beside the bundle: whom to trust, receipts that were kept, other bundles, checkpoints. */
import { fromBase64Url, thumbprint, utf8 } from '../../../src/protocol/index.ts';
import { serviceKid } from '../bundle-maker.ts';
import { type Base, digitsOf, type Family, STRANGERS } from './bases.ts';
import { BUNDLE_CHANGES, PLAIN_CHANGES } from './changes.ts';
import type { Draw } from './draw.ts';
import { keptCheckpoints } from './kept-checkpoints.ts';
import { PUBLIC_KEYS } from './keys.ts';
import { LEVELS, reseal, signAsReceipt } from './reseal.ts';
import { changedText, textOf } from './text.ts';
import { copyOf, isBranch, type Tree, valueAt } from './tree.ts';

export interface Surroundings {
  readonly trust: readonly string[];
  /** `AGENT=KEY` each. */
  readonly trustAgent: readonly string[];
  /** In milliseconds since the Unix epoch. */
  readonly madeNotBefore: number | null;
  readonly receipts: readonly Uint8Array[];
  readonly against: readonly Uint8Array[];
  readonly checkpoints: readonly Uint8Array[];
  /** What was chosen, for whoever reads it. */
  readonly what: string;
}

function trusted(family: Family, draw: Draw): string[] {
  const [first = '', second = first] = family.kids;
  if (draw.chance(75)) return [draw.pick([first, first, second])];
  const kid = draw.pick([first, second]);
  const digits = digitsOf(kid, draw.pick(['', ' ', '-', ' - ']));
  const key = draw.pick([kid, digits]);
  return draw.pick([
    [],
    [`${key}@${family.orgId}`],
    [`${key}@org_other`],
    [`${key}@`],
    [`${key}@org_other`, `${key}@${family.orgId}`],
    [`${key}@${family.orgId}@`],
    [serviceKid(7)],
    [first, second],
    [digits],
  ]);
}

function agentsTrusted(family: Family, bundle: Tree, draw: Draw): string[] {
  if (!draw.chance(7)) return [];
  const own = String(valueAt(bundle, ['agents', 0, 'keys', 0, 'public_key']));
  const agent = draw.pick([...family.agents, String(valueAt(bundle, ['agents', 0, 'agent_id'])), 'agent-9']);
  // What is no encoding of 32 bytes, such as a key with other bits at its end, no command of a verifier takes.
  const isKey =
    Buffer.from(own, 'base64url').length === 32 && Buffer.from(own, 'base64url').toString('base64url') === own;
  const key = draw.pick([isKey ? own : (PUBLIC_KEYS[0] ?? ''), draw.pick(PUBLIC_KEYS)]);
  if (draw.chance(50)) return [`${agent}=${key}`];
  // A key of the list stands for its thumbprint; one that was altered need not be a key.
  return PUBLIC_KEYS.includes(key) ? [`${agent}=${thumbprint(fromBase64Url(key, 32))}`] : [`${agent}=${key}`];
}

const LINES = ['', ' ', 'my notes', '{}', '[]', 'null', '{"seq_no":1}', '\ufeff', '\u0000', '"', '{"ear":{}}'];

/** A receipt that differs in something, signed again or not. */
function otherReceipt(receipt: Tree, draw: Draw, others: readonly Tree[]): Tree {
  const changed = copyOf(receipt);
  if (!isBranch(changed)) return changed;
  if (draw.chance(25)) changed['seq_no'] = Number(changed['seq_no']) + draw.pick([1, -1, 2, 5, 100]);
  else draw.weighted(PLAIN_CHANGES)(changed, draw, others);
  if (draw.chance(75)) signAsReceipt(changed);
  return changed;
}

const UNCHANGED_RECEIPTS: readonly (readonly [weight: number, how: string])[] = [
  [45, 'none'],
  [12, 'all'],
  [10, 'some'],
];

function keptReceipts(
  family: Family,
  all: readonly Tree[],
  draw: Draw,
  others: readonly Tree[],
  isMain: boolean,
): [string, Uint8Array[]] {
  const how = draw.weighted<string>([
    ...(isMain ? [] : UNCHANGED_RECEIPTS),
    [18, 'altered'],
    [6, 'told otherwise'],
    [4, 'lines'],
    [5, 'bytes'],
  ]);
  if (how === 'none') return [how, []];
  let list = [...all];
  if (how === 'told otherwise') {
    const tellings = [...family.rewritten, ...STRANGERS];
    list = [...draw.pick(tellings)().receipts];
  }
  if (how !== 'all') list = list.filter(() => draw.chance(50));
  if (how === 'altered')
    list = list.map((receipt) => (draw.chance(30) ? otherReceipt(receipt, draw, others) : receipt));
  const lines = list.map((receipt) => JSON.stringify(receipt));
  if (how === 'lines') lines.splice(draw.below(lines.length + 1), 0, draw.pick(LINES), draw.pick(LINES));
  const text = lines.join(draw.pick(['\n', '\n', '\r\n', '\n\n'])) + draw.pick(['', '\n']);
  return [how, [how === 'bytes' ? changedText(text, draw) : utf8(text)]];
}

function otherFile(family: Family, draw: Draw, others: readonly Tree[], isMain: boolean): [string, Uint8Array] {
  const how = draw.weighted<string>([
    ...(isMain ? [] : [[35, 'honest'] as const]),
    [20, 'told otherwise'],
    [20, 'altered'],
    [12, 'altered and signed'],
    [8, 'bytes'],
    [5, 'a stranger'],
  ]);
  const tellings = how === 'told otherwise' && family.rewritten.length > 0 ? family.rewritten : family.honest;
  const base: Base = draw.pick(how === 'a stranger' ? STRANGERS : tellings)();
  if (!how.startsWith('altered')) {
    const text = textOf(base.bundle);
    return [`${how} (${base.name})`, how === 'bytes' ? changedText(text, draw) : utf8(text)];
  }
  const bundle = copyOf(base.bundle);
  const done = draw.weighted(BUNDLE_CHANGES)(bundle, draw, others);
  if (how === 'altered and signed') reseal(bundle, draw.chance(60) ? LEVELS : LEVELS.slice(draw.below(LEVELS.length)));
  return [`${how} (${base.name}: ${done})`, utf8(textOf(bundle).toWellFormed())];
}

function againstFiles(family: Family, draw: Draw, others: readonly Tree[], isMain: boolean): [string, Uint8Array[]] {
  const length = draw.pick(isMain ? [1, 1, 2, 3] : [0, 0, 0, 1, 1, 2]);
  const files = Array.from({ length }, () => otherFile(family, draw, others, isMain));
  return [files.map(([what]) => what).join(', ') || 'none', files.map(([, bytes]) => bytes)];
}

/** What may be changed beside a bundle. */
export type Beside = 'receipts' | 'against' | 'checkpoints';

/** Draws what is given beside a bundle. @param main of which something is given and changed, where it is the main thing */
export function surroundingsOf(
  family: Family,
  bundle: Tree,
  receipts: readonly Tree[],
  draw: Draw,
  others: readonly Tree[],
  main?: Beside,
): Surroundings {
  const [keptHow, kept] = keptReceipts(family, receipts, draw, others, main === 'receipts');
  const [againstHow, against] = againstFiles(family, draw, others, main === 'against');
  const madeAt = Date.parse(String(valueAt(bundle, ['manifest', 'created_at'])));
  const asked = draw.chance(6) && Number.isFinite(madeAt) ? madeAt + draw.pick([0, 1, -1, 1_000_000]) : null;
  const [trust, trustAgent] = [trusted(family, draw), agentsTrusted(family, bundle, draw)];
  const [checkpointsHow, checkpoints] = keptCheckpoints(family, receipts, draw, main === 'checkpoints');
  return {
    trust,
    trustAgent,
    madeNotBefore: asked,
    receipts: kept,
    against,
    checkpoints,
    what: `receipts: ${keptHow}; against: ${againstHow}; checkpoints: ${checkpointsHow}`,
  };
}
