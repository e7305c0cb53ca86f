import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import {
  MAX_CHECKPOINT_BYTES,
  parseKeptCheckpoint,
  type VerificationReport,
  verifyBundle,
} from '../../../protocol/index.ts';
import { CaseRefused, caseSource } from '../case-source.ts';
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
 * Whether a file begins as a checkpoint of a log of this protocol (protocol F84), with its origin alone on a line, or as a consistency
 * proof that leads to one.
 */
export function beginsAsCheckpoint(head: Buffer): boolean {
  const proof = /(?:old [1-9][0-9]{0,15}\r?\n(?:[A-Za-z0-9+/]{43}=\r?\n){0,63}\r?\n)?/.source;
  const origin = /countersign\.v1\/[A-Za-z0-9_-]{43}\r?\n/.source;
  return new RegExp(`^(?:\xef\xbb\xbf)?${proof}${origin}`).test(head.toString('latin1'));
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
 * Holds an item against the bundle of the case, as `countersign verify` does with `--receipts` and `--checkpoint`.
 * @throws CaseRefused, ProtocolError where it is damaged, and what `signal` throws
 */
export async function holdAgainstFirst(
  file: ItemFile,
  kind: Witness,
  { crypto, signal, trustedKids, first }: JudgeMeans,
): Promise<Held> {
  if (kind === 'checkpoint') await refuseDamaged(file);
  const given = [{ name: file.name, source: () => createReadStream(file.path) }];
  const report = await verifyBundle(caseSource(first.path, first.kind, first), {
    ...{ crypto, signal, trustedKids },
    ...(kind === 'receipts' ? { receipts: given } : { checkpoints: given }),
  });
  const check = report.checks.reconciliation;
  const findings = report.findings.filter(({ check: one }) => one === 'reconciliation');
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
  return { verdict, summary: summary[verdict], detail: { check, findings } };
}
