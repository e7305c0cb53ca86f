import type { CaseCoherence, CaseFailureCode, CaseFileKind, ComparisonResult } from '../../contract/index.ts';
import type { CancelSignal, HostCrypto, PagesCheck, VerificationReport, VerifiedFiles } from '../../protocol/index.ts';
import type { ChosenRequest, ReportAnnotation } from '../../report/index.ts';

/** A file as it lies in a case's folder. */
export interface StoredFile {
  readonly path: string;
  readonly kind: CaseFileKind;
  readonly bytes: number;
  readonly maxPlainBytes: number;
}

export interface StoredReceipts {
  /** How findings call it. */
  readonly name: string;
  readonly path: string;
}

/** Verifies a bundle, and makes its index where it is to have one. */
export interface VerifyTask {
  readonly kind: 'verify';
  readonly file: StoredFile;
  readonly receipts: readonly StoredReceipts[];
  readonly trustedKids: readonly string[];
  readonly reportPath: string;
  readonly coherencePath: string;
  /** null where there is an index already. */
  readonly indexPath: string | null;
}

/** One side of a comparison. */
export interface ComparedFile {
  readonly name: string;
  readonly file: StoredFile;
  /** Of a case its index; null where one is to be made at `scratchIndex` first. */
  readonly indexPath: string | null;
}

export interface CompareTask {
  readonly kind: 'compare';
  readonly one: ComparedFile;
  readonly other: ComparedFile;
  readonly scratchIndex: string;
  readonly trustedKids: readonly string[];
}

/** What both files about a case are made of. */
interface ReportTask {
  readonly reportPath: string;
  readonly outPath: string;
  readonly annotations: readonly ReportAnnotation[];
  readonly pages: PagesCheck | null;
  readonly trustedKids: readonly string[];
}

export interface PdfTask extends ReportTask {
  readonly kind: 'pdf';
  readonly file: StoredFile;
  readonly receiptFiles: number;
}

export interface JsonTask extends ReportTask {
  readonly kind: 'json';
  readonly files: VerifiedFiles;
}

/** A report of chosen records: of a case's file, or of an organization's own ledger. */
export interface ChosenTask {
  readonly kind: 'chosen';
  readonly of: { readonly file: StoredFile } | { readonly ledgerPath: string; readonly orgId: string };
  readonly request: Omit<ChosenRequest, 'signer'>;
  readonly format: 'pdf' | 'html';
  readonly details: boolean | undefined;
  readonly outPath: string;
}

export type JobTask = VerifyTask | CompareTask | PdfTask | JsonTask | ChosenTask;

export interface JobProgress {
  readonly phase: 'verifying' | 'indexing' | 'coherence' | 'finishing';
  readonly bytes: number;
  readonly records: number;
}

/** What a job is given by the thread it runs on. */
export interface JobMeans {
  readonly crypto: HostCrypto;
  readonly signal: CancelSignal;
  readonly onProgress: (progress: JobProgress) => void;
}

/** What came of a task. */
export interface VerifyOutcome {
  /** Without its findings and its map of the damage, which may be large: they are on the disk. */
  readonly report: VerificationReport;
  /** SHA-256 of the bundle as plain JSON, with its prefix. */
  readonly plainDigest: string;
  /** What was found about the pages; null where the file is no PDF. */
  readonly pages: PagesCheck | null;
  /** Without its findings, which are on the disk. */
  readonly coherence: CaseCoherence;
}

/** What a job ends with. */
export type JobResult =
  | { readonly kind: 'verified'; readonly outcome: VerifyOutcome }
  | { readonly kind: 'compared'; readonly result: ComparisonResult }
  | { readonly kind: 'written' };

/** Why there is no result, where the file, or the choice of records, is at fault, or the disk is full. */
export interface JobRefusal {
  readonly code: CaseFailureCode | 'RECORDS_REFUSED';
  readonly message: string;
}
