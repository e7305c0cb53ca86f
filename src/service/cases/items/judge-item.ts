import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import packageJson from '../../../../package.json' with { type: 'json' };
import type { CaseItem, CaseItemCode, CaseItemKind, CaseItemVerdict } from '../../../api/index.ts';
import { firstBytes } from '../../../node/light.ts';
import { verifyTimed } from '../../../node/reader/index.ts';
import {
  BUNDLE_FORMAT,
  isEquivocationProof,
  isRecordProof,
  judgeChosenReport,
  judgeRetentionCertificate,
  MAX_CERTIFICATE_BYTES,
  MAX_STAMP_FILE_BYTES,
  type PagesCheck,
  ProtocolError,
  parseChosenReport,
  parseEquivocationProof,
  parseJsonBytes,
  parseRetentionCertificate,
  RETENTION_CERTIFICATE,
  STAMP_FILE_TYPE,
  saysCertificate,
  unlessRefused,
  verifyBundle,
  verifyEquivocationProof,
  verifyRecordProof,
  withoutMark,
  withPages,
} from '../../../protocol/index.ts';
import { CaseRefused, caseSource } from '../case-source.ts';
import { judgeFound } from '../collection/judge-found.ts';
import { isUnsigned } from '../collection/unsigned.ts';
import { kindOfFile } from '../file-kind.ts';
import { plainLimit } from '../plain-limit.ts';
import { heldToWitnesses, isCheckpointFile } from './given-checkpoints.ts';
import { holdAgainstFirst, holdStamps } from './held-against-first.ts';
import type { ItemFile, JudgeMeans, ReportSigner } from './item-file.ts';
import { markIn } from './mark-in.ts';

/** What was found about an item. `text` is all of it: the same bytes for the same item, keys and version. */
export interface ItemJudgement {
  readonly kind: CaseItemKind;
  readonly verdict: CaseItemVerdict;
  readonly code: CaseItemCode | null;
  readonly summary: string;
  /** Of a report of chosen records with a signature that verifies. */
  readonly signed_by: ReportSigner | null;
  readonly text: string;
}

type Found = Omit<ItemJudgement, 'text' | 'signed_by'> & {
  readonly detail: unknown;
  readonly signed_by?: ReportSigner | null;
};

/** Enough to tell reports and bundles apart. */
const HEAD_BYTES = 4096;

/** A proof of a contradiction holds two statements and some keys. */
const MAX_PROOF_BYTES = 1024 * 1024;

/** Statements of a certificate that can be wrong whatever bundle it is held against. */
const OWN: ReadonlySet<string> = new Set(['signature', 'sums']);

const ATTACHMENT = 'not verified: attachment';

/**
 * Verifies one item by itself: whatever it is, it is read and never run, and nothing of it is shown.
 * @throws what `signal` throws; and what reading the file fails with
 */
export async function judgeItem(file: ItemFile, means: JudgeMeans): Promise<ItemJudgement> {
  const { detail, signed_by = null, ...found } = await findings(file, means);
  const { kind, verdict, code, summary } = found;
  const text = JSON.stringify({ type: 'countersign.item-judgement.v1', kind, verdict, code, summary, detail });
  return { ...found, signed_by, text };
}

async function findings(file: ItemFile, means: JudgeMeans): Promise<Found> {
  const { signal } = means;
  let kind: CaseItemKind = 'attachment';
  try {
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(file.path) as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      hash.update(chunk);
    }
    if (`sha256:${hash.digest('hex')}` !== file.sha256) {
      return failed(kind, 'BYTES_CHANGED', `${file.name}: the stored bytes are not those that were added`);
    }
    kind = await kindOf(file);
    if (kind === 'attachment' || kind === 'pdf') return attachment(kind);
    return await verify(file, kind, means);
  } catch (error) {
    if (error instanceof CaseRefused) {
      const code = error.code === 'NOT_A_BUNDLE' ? 'FILE_DAMAGED' : error.code;
      return failed(kind, code, `${file.name}: ${error.message}`);
    }
    if (error instanceof ProtocolError) return failed(kind, 'FILE_DAMAGED', `${file.name}: ${error.message}`);
    if (error instanceof Error && error.name === 'ExtractError') {
      return failed(kind, 'FILE_DAMAGED', `${file.name} ${error.message}`);
    }
    throw error;
  }
}

function attachment(kind: 'attachment' | 'pdf'): Found {
  return { kind, verdict: 'not_verified', code: 'ATTACHMENT', summary: ATTACHMENT, detail: null };
}

function failed(kind: CaseItemKind, code: CaseItemCode, summary: string): Found {
  return { kind, verdict: 'failed', code, summary, detail: null };
}

/** What a file is by what is in it. One that was a report or a bundle and is damaged is still called so. */
async function kindOf(file: ItemFile): Promise<CaseItemKind> {
  const { path } = file;
  const head = await firstBytes(path, HEAD_BYTES);
  const kind = await kindOfFile(path);
  if (kind === 'report-pdf') return pdfKind(path, head);
  if (isUnsigned(kind)) return kind;
  const { looksLikeReport, mayBeChosenReport } = await import('./report-marks.ts');
  if (looksLikeReport(head) || (mayBeChosenReport(head) && kind === 'bundle')) return 'record-report';
  if (kind === 'record-proof' || kind === 'receipts') return kind;
  if (kind === 'unknown' && (await isCheckpointFile(path))) return 'checkpoint';
  if (kind === 'bundle-gzip') return (await holdsBundle(file)) ? kind : 'attachment';
  if (kind !== 'bundle') return 'attachment';
  if (file.bytes <= MAX_STAMP_FILE_BYTES && markIn(head, STAMP_FILE_TYPE)) return 'time-stamps';
  if (file.bytes <= MAX_PROOF_BYTES && (await holdsContradiction(path))) return 'contradiction-proof';
  if (file.bytes <= MAX_CERTIFICATE_BYTES && (await holdsCertificate(path))) return 'retention-certificate';
  return markIn(head, BUNDLE_FORMAT) || (await isRecognised(path)) ? 'bundle' : 'attachment';
}

async function pdfKind(path: string, head: Buffer): Promise<CaseItemKind> {
  const { kindOfPdf } = await import('./report-marks.ts');
  return kindOfPdf(path, head);
}

/** Whether a compressed file begins as a bundle, whole or not. */
async function holdsBundle({ path }: ItemFile): Promise<boolean> {
  const source = caseSource(path, 'bundle-gzip', { maxPlainBytes: HEAD_BYTES * 64, acceptsCutOff: true });
  try {
    for await (const chunk of source()) return markIn(Buffer.from(chunk).subarray(0, HEAD_BYTES * 16), BUNDLE_FORMAT);
  } catch (error) {
    if (!(error instanceof CaseRefused)) throw error;
    // Damaged before its beginning could be read: nobody can say that it was no bundle.
    return error.code === 'FILE_DAMAGED';
  }
  return false;
}

async function holdsContradiction(path: string): Promise<boolean> {
  const bytes = withoutMark(await readSmall(path));
  return unlessRefused(() => isEquivocationProof(parseJsonBytes(bytes)), false);
}

/** Looked for as text first: most files of that size are bundles, which are not parsed in one piece. */
async function holdsCertificate(path: string): Promise<boolean> {
  const bytes = withoutMark(await readSmall(path));
  if (!Buffer.from(bytes).includes(RETENTION_CERTIFICATE)) return false;
  return unlessRefused(() => saysCertificate(parseJsonBytes(bytes)), false);
}

async function readSmall(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** A bundle in another spelling than ours, whose format does not stand at its beginning. */
async function isRecognised(path: string): Promise<boolean> {
  const source = () => createReadStream(path, { highWaterMark: 256 * 1024 });
  if (await isRecordProof(source)) return false;
  const report = await verifyBundle(source, { trustedKids: [] });
  return report.recognised;
}

async function verify(file: ItemFile, kind: CaseItemKind, means: JudgeMeans): Promise<Found> {
  const { crypto, signal, trustedKids, witnesses, timeRoots = [] } = means;
  const given = { crypto, signal, trustedKids };
  if (kind === 'record-proof') {
    const proof = () => createReadStream(file.path);
    const report = await verifyTimed(timeRoots, verifyRecordProof, proof, {
      ...given,
      ...(witnesses && { witnesses }),
    });
    return judged(kind, report, report);
  }
  if (kind === 'contradiction-proof') {
    const judgement = await verifyEquivocationProof(parseEquivocationProof(await readSmall(file.path)), given);
    return judged(kind, judgement, judgement);
  }
  if (kind === 'retention-certificate') {
    const { first } = means;
    const against = [{ name: 'the bundle of this case', source: caseSource(first.path, first.kind, first) }];
    const certificate = parseRetentionCertificate(withoutMark(await readSmall(file.path)));
    const judgement = await judgeRetentionCertificate(certificate, { ...given, against });
    const found = judged(kind, judgement, judgement);
    const isOwn = judgement.statements.some(({ state, statement }) => state === 'contradicted' && OWN.has(statement));
    return found.verdict === 'failed' && !isOwn ? { ...found, code: 'CONTRADICTS_BUNDLE' } : found;
  }
  if (isUnsigned(kind)) {
    const found = await judgeFound(file, kind, signal, means.onBytes);
    return { kind, verdict: 'not_verified', code: 'NOT_SIGNED', ...found };
  }
  if (kind === 'record-report') return verifyChosen(file, means);
  if (kind === 'time-stamps') {
    const { code, detail, ...held } = await holdStamps(file, means);
    const found = judged(kind, held, detail);
    return code === null ? found : { ...found, code };
  }
  if (kind === 'receipts' || kind === 'checkpoint') {
    const { detail, ...held } = await holdAgainstFirst(file, kind, means);
    const found = judged(kind, held, detail);
    return held.verdict === 'failed' ? { ...found, code: 'CONTRADICTS_BUNDLE' } : found;
  }
  if (kind !== 'bundle' && kind !== 'bundle-gzip' && kind !== 'report-pdf') throw new Error(`${kind} is no evidence`);
  const maxPlainBytes = plainLimit({ kind, bytes: file.bytes }, means.maxBytes);
  const held = await heldToWitnesses(
    { path: file.path, kind, bytes: file.bytes, maxPlainBytes },
    () => means.others,
    means,
  );
  const source = caseSource(file.path, kind, { maxPlainBytes });
  const report = await verifyTimed(timeRoots, verifyBundle, source, { ...given, ...held });
  if (!report.recognised) throw new CaseRefused('FILE_DAMAGED', report.summary);
  if (kind !== 'report-pdf') return judged(kind, report, report);
  const { comparePages } = await import('../../../reports/pdf/index.ts');
  const pages = await comparePages(file.path, { crypto, signal, version: packageJson.version });
  return itemWithPages(judged(kind, report, { report, pages }), pages, file.name);
}

/** A verdict as that of an item. */
function judged(
  kind: CaseItemKind,
  { verdict, summary }: { readonly verdict: 'verified' | 'failed' | 'incomplete'; readonly summary: string },
  detail: unknown,
): Found {
  const code = { verified: null, failed: 'EVIDENCE_FAILED', incomplete: 'EVIDENCE_INCOMPLETE' } as const;
  return { kind, verdict, code: code[verdict], summary, detail };
}

/** The verdict on an item with pages, and the code for what they change about it. */
export function itemWithPages<T extends Pick<CaseItem, 'verdict' | 'code' | 'summary'>>(
  found: T,
  pages: PagesCheck | null,
  name: string,
): T {
  const whole = withPages(found, pages);
  if (whole === found) return found;
  return {
    ...whole,
    summary: `${name}: ${whole.summary}`,
    code: whole.verdict === 'failed' ? 'PAGES_DIFFER' : 'PAGES_NOT_COMPARED',
  };
}

async function verifyChosen(
  file: ItemFile,
  { crypto, signal, trustedKids, witnesses, timeRoots = [], examiners = [] }: JudgeMeans,
): Promise<Found> {
  const { compareChosenPages, readChosenFile } = await import('../../../reports/pdf/index.ts');
  const data = await readChosenFile(file.path, await firstBytes(file.path, HEAD_BYTES));
  if (data === null) throw new CaseRefused('FILE_DAMAGED', 'is no report of chosen records');
  const report = parseChosenReport(data.data);
  const judgement = await judgeChosenReport(report, {
    crypto,
    signal,
    trustedKids,
    examiners,
    verifyProof: (source, options = {}) => verifyTimed(timeRoots, verifyRecordProof, source, options),
    ...(witnesses && { witnesses }),
  });
  const means = { crypto, signal, version: packageJson.version };
  const pages = await compareChosenPages(file.path, data, report, means);
  const { signature, examiner } = report;
  const signed_by =
    judgement.report.signature !== 'valid' || signature === undefined
      ? null
      : { examiner, kid: signature.kid, public_key: signature.public_key };
  return { ...itemWithPages(judged('record-report', judgement, { judgement, pages }), pages, file.name), signed_by };
}
