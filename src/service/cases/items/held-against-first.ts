import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { heldTimes } from '../../../node/reader/index.ts';
import {
  describeStanding,
  type Finding,
  type HeldStamps,
  MAX_CHECKPOINT_BYTES,
  type NamedSource,
  parseKeptCheckpoint,
  readStampFile,
  TIMES_NOTE,
  timeClaims,
  type VerificationReport,
  verifyBundle,
} from '../../../protocol/index.ts';
import { CaseRefused, caseSource } from '../case-source.ts';
import { checkpointsAmong } from './given-checkpoints.ts';
import type { ItemFile, JudgeMeans } from './item-file.ts';

/** What says something about a ledger and is no evidence of it alone: receipts that agents kept, a checkpoint of the log. */
type Witness = 'receipts' | 'checkpoint';

interface Held {
  readonly verdict: 'verified' | 'failed' | 'incomplete';
  readonly summary: string;
  readonly detail: Pick<VerificationReport, 'findings'> & {
    readonly check: VerificationReport['checks']['reconciliation'];
  };
}

const WORDS = {
  receipts: {
    agrees: 'Every receipt is in the bundle of this case',
    notCompared: 'The receipts could not be held against the bundle of this case',
    contradicts: 'The receipts and the bundle of this case contradict each other.',
  },
  checkpoint: {
    agrees: 'The bundle of this case leads to the root that the checkpoint states',
    notCompared: 'The checkpoint could not be held against the bundle of this case',
    contradicts: 'The checkpoint and the bundle of this case contradict each other.',
  },
} as const;

/**
 * The other checkpoints of a case, each under a name that the judged file cannot have. They are given before the one that is judged, so that two
 * which contradict each other are found at both, each in its own turn (protocol V107).
 */
function besides(file: ItemFile, others: readonly ItemFile[]): Promise<NamedSource[]> {
  const rest = others.filter(({ path }) => path !== file.path);
  return checkpointsAmong(rest, ({ name }) => `${file.name}, given with ${name}`);
}

/** Who of the demanded witnesses stands behind a checkpoint; empty where none are demanded. */
function standingBehind({ witnessed }: VerificationReport, file: string): string {
  const one = witnessed?.checkpoints.find((checkpoint) => checkpoint.file === file);
  return one === undefined || witnessed === undefined ? '' : ` ${describeStanding(one, witnessed)}`;
}

/** @throws CaseRefused FILE_DAMAGED; ProtocolError for what is no checkpoint */
async function refuseDamaged({ path, bytes }: ItemFile): Promise<void> {
  // Before it is read whole: a file of any size may begin as a checkpoint.
  if (bytes > MAX_CHECKPOINT_BYTES) {
    throw new CaseRefused('FILE_DAMAGED', 'is longer than a checkpoint can be');
  }
  parseKeptCheckpoint(await readFile(path));
}

/**
 * Holds an item against the bundle of the case, as `countersign verify` does with `--receipts` and `--checkpoint`; a checkpoint together with
 * all others of the case, since a consistency proof may lead from one to another. What was found at those is said where they are judged.
 * @throws CaseRefused, ProtocolError where it is damaged, and what `signal` throws
 */
export async function holdAgainstFirst(
  file: ItemFile,
  kind: Witness,
  { crypto, signal, trustedKids, witnesses, first, others }: JudgeMeans,
): Promise<Held> {
  if (kind === 'checkpoint') await refuseDamaged(file);
  const given = [{ name: file.name, source: () => createReadStream(file.path) }];
  const report = await verifyBundle(caseSource(first.path, first.kind, first), {
    crypto,
    signal,
    trustedKids,
    ...(kind === 'receipts'
      ? { receipts: given }
      : { ...(witnesses && { witnesses }), checkpoints: [...(await besides(file, others)), ...given] }),
  });
  const findings = report.findings.filter(
    ({ check: one, where }) => one === 'reconciliation' && (kind === 'receipts' || where.file === file.name),
  );
  const check = kind === 'receipts' ? report.checks.reconciliation : checkOfOne(report, findings);
  const isConfirmed = report.issuer.pinned && check.status === 'pass';
  const verdict = check.status === 'fail' ? 'failed' : isConfirmed ? 'verified' : 'incomplete';
  const { agrees, notCompared, contradicts } = WORDS[kind];
  const summary = {
    verified: `${agrees}, under a key that is trusted.`,
    incomplete:
      check.status === 'pass'
        ? `${agrees}, whose issuer is not confirmed.`
        : `${notCompared}: ${check.reason ?? 'nothing to compare'}.`,
    failed: findings.find(({ severity }) => severity === 'error')?.message ?? contradicts,
  } as const;
  const behind = kind === 'checkpoint' ? standingBehind(report, file.name) : '';
  return {
    verdict,
    summary: kind === 'receipts' ? `${summary[verdict]} ${TIMES_NOTE}` : `${summary[verdict]}${behind}`,
    detail: { check, findings },
  };
}

/** What the comparison comes to for one of several checkpoints: a comparison that was made and says nothing of one compared it (protocol V125). */
function checkOfOne(report: VerificationReport, findings: readonly Finding[]): Held['detail']['check'] {
  const { status, counts, reason } = report.checks.reconciliation;
  const wasMade = Object.keys(counts).length > 0;
  if (findings.some(({ severity }) => severity === 'error')) return { status: 'fail', reason: null, counts: {} };
  if (wasMade && findings.length === 0) return { status: 'pass', reason: null, counts: { compared: 1 } };
  const [first] = findings;
  return { status: 'not_checked', reason: first?.message ?? reason ?? status, counts: {} };
}

/**
 * Holds a file of time stamps against the bundle of the case, as `countersign verify` does with `--timestamp`, with the checkpoints and
 * consistency proofs of the case.
 * @throws ProtocolError where it is damaged, and what `signal` throws
 */
export async function holdStamps(
  file: ItemFile,
  { crypto, signal, trustedKids, timeRoots = [], first, others }: JudgeMeans,
): Promise<Omit<Held, 'detail'> & { readonly code: 'CONTRADICTS_BUNDLE' | null; readonly detail: HeldStamps | null }> {
  const bytes = await readFile(file.path);
  readStampFile(bytes);
  const held = await heldTimes(timeRoots, [{ name: file.name, bytes }]);
  const report = await held.verify(verifyBundle, caseSource(first.path, first.kind, first), {
    crypto,
    signal,
    trustedKids,
    checkpoints: [...(await besides(file, others)), ...held.checkpoints],
  });
  const detail = report.times?.stamps.find((one) => one.file === file.name) ?? null;
  const contradiction = report.findings.find(({ where, severity }) => where.file === file.name && severity === 'error');
  const claims = timeClaims({
    ...report,
    times: { stamps: detail === null ? [] : [detail], not_before: [], not_noted: [] },
  });
  const said = claims
    .map(({ text }) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`.replace(/\.\.$/, '.'))
    .join(' ');
  const contradicts = contradiction !== undefined || (detail !== null && detail.late !== null);
  const holds = detail?.verdict === 'verified' && detail.reaches > 0 && report.issuer.pinned;
  return {
    verdict: contradicts || detail?.verdict === 'failed' ? 'failed' : holds ? 'verified' : 'incomplete',
    code: contradicts ? 'CONTRADICTS_BUNDLE' : null,
    summary: contradiction?.message ?? said,
    detail,
  };
}
