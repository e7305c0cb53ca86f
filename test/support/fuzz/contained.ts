/** Reports of chosen records as HTML, as PDF and as their data alone; and bundles inside a PDF, or compressed. */
import { gzipSync } from 'node:zlib';
import { CHOSEN_REPORT_TYPE } from '../../../src/protocol/chosen-report/chosen-report.ts';
import {
  canonicalBytes,
  formatDigest,
  type Json,
  publicKeyOf,
  sha256,
  thumbprint,
  toBase64Url,
  utf8,
} from '../../../src/protocol/index.ts';
import { ATTACHED_BUNDLE, ATTACHED_REPORT, beginHtmlReport } from '../../../src/reports/reading/index.ts';
import { serviceSeed } from '../bundle-maker.ts';
import { pdfWith } from '../reports.ts';
import type { Family } from './bases.ts';
import { BUNDLE_CHANGES } from './changes.ts';
import { DISCLOSURE_CHANGES } from './disclosures.ts';
import type { Draw } from './draw.ts';
import { signedBy } from './keys.ts';
import { canonicalText } from './proofs.ts';
import { whereItCan } from './reseal.ts';
import { changedBytes, textOf } from './text.ts';
import { type Branch, branchesOf, copyOf, isBranch, type Tree } from './tree.ts';
import type { ReaderName } from './verifier-process.ts';

/** A file with something inside that is verified, and who reads such files. */
export interface Contained {
  readonly how: string;
  readonly file: Uint8Array;
  readonly readers: readonly ReaderName[];
  /** Whether nothing was changed but what is inside. */
  readonly isHonest: boolean;
  /** Whether what unpacks it finds it damaged, or what it unpacks to is not what was packed: which of the two is the reader's choice (protocol V12). */
  readonly isDamagedArchive?: boolean;
}

const READERS = ['protocol', 'single-file', 'page'] as const;

/** The key that reports are signed with: of nobody whom a ledger knows. */
const EXAMINER = publicKeyOf(serviceSeed(9));

/** A report of all records of a proof, whatever was done to that before. */
function reportOf(proof: Tree, family: Family, draw: Draw): Branch {
  const records = isBranch(proof) ? branchesOf(proof['records']) : [];
  const numbers = records.flatMap(({ ear }) => (isBranch(ear) ? [ear['seq_no'] ?? null] : []));
  const entries = numbers.map((seq_no) => (draw.chance(30) ? { seq_no, comment: 'Is 12 < 13?' } : { seq_no }));
  return {
    type: CHOSEN_REPORT_TYPE,
    title: 'What was found',
    question: '',
    examiner: draw.pick<Tree>(['Ada', null]),
    made_at: '2026-11-23T10:00:00.000Z',
    taken_from: draw.pick<Tree>([null, { sha256: `sha256:${'0'.repeat(64)}`, size: 1000 }]),
    trusted_keys: [...family.kids],
    entries,
    proof: copyOf(proof),
    digest: '',
  };
}

/** Makes the digest of a report fit again, and its signature, by the key that the report names or by the examiner's. */
function sealReport(report: Tree, levels: readonly string[]): void {
  if (!isBranch(report)) return;
  whereItCan(() => {
    const { digest: _, signature: __, ...content } = report;
    if (levels.includes('digest')) report['digest'] = formatDigest(sha256(canonicalBytes(content as Json)));
    if (!levels.includes('signature')) return;
    const { signature: ___, ...signed } = report;
    const public_key = toBase64Url(EXAMINER);
    const value = signedBy(public_key, canonicalBytes(signed as Json)) ?? '';
    report['signature'] = { algorithm: 'ed25519', kid: thumbprint(EXAMINER), public_key, value };
  });
}

const LEVELS: readonly (readonly [weight: number, levels: readonly string[]])[] = [
  [30, []],
  [20, ['digest']],
  [50, ['digest', 'signature']],
];

/** @param proof of records, which may have been changed itself */
export async function changedReport(
  proof: Tree,
  family: Family,
  draw: Draw,
  others: readonly Tree[],
): Promise<Contained> {
  const report = reportOf(proof, family, draw);
  sealReport(report, draw.pick([['digest'], ['digest', 'signature']]));
  const done: string[] = [];
  for (let left = draw.pick([0, 0, 1, 1, 2]); left > 0; left--) {
    done.push(
      draw.weighted(draw.chance(family.salted ? 30 : 4) ? DISCLOSURE_CHANGES : BUNDLE_CHANGES)(report, draw, others),
    );
  }
  const levels = done.length === 0 ? [] : draw.weighted(LEVELS);
  sealReport(report, levels);
  const form = draw.pick(['HTML', 'PDF', 'data']);
  const text = canonicalText(report);
  const file = await inForm(form, text.toWellFormed());
  const isCut = draw.chance(20);
  return {
    how: `${form} of a report: ${done.join('; ') || 'nothing'}; signed: ${levels.join(' ') || 'nothing'}${isCut ? '; bytes' : ''}`,
    file: isCut ? changedBytes(file, draw) : file,
    readers: form === 'HTML' ? [...READERS, 'python'] : READERS,
    isHonest: done.length === 0 && !isCut,
  };
}

async function inForm(form: string, text: string): Promise<Uint8Array> {
  if (form === 'HTML') return utf8(`${beginHtmlReport(text, '1.0.0')}</head>\n<body></body>\n</html>\n`);
  return form === 'PDF' ? pdfWith(utf8(text), [{ name: ATTACHED_REPORT }]) : utf8(text);
}

/** @param bundle or proof of records, which may have been changed */
export async function packed(bundle: Tree, draw: Draw): Promise<Contained> {
  const form = draw.pick(['PDF', 'gzip']);
  const bytes = utf8(textOf(bundle).toWellFormed());
  const file = form === 'gzip' ? gzipSync(bytes) : await pdfWith(bytes, [{ name: ATTACHED_BUNDLE }]);
  const isCut = draw.chance(40);
  return {
    how: `${form}${isCut ? '; bytes' : ''}`,
    file: isCut ? changedBytes(file, draw) : file,
    // How much of a damaged archive is read before its end tells depends on the host: what is inside may be found damaged first.
    readers: isCut && form === 'PDF' ? ['protocol', 'single-file'] : READERS,
    isHonest: !isCut,
    isDamagedArchive: isCut && form === 'gzip',
  };
}
