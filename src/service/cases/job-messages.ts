import type {
  Case,
  CaseCoherence,
  CaseFailureCode,
  CaseFileCode,
  ComparisonResult,
  CustodyDamage,
  ErrorCode,
  FoundSummary,
  ReportComparison,
} from '../../api/index.ts';
import type {
  CancelSignal,
  CarriedFiles,
  CaseSignature,
  ExaminerSignature,
  HostCrypto,
  PagesCheck,
  VerificationReport,
  VerifiedFiles,
} from '../../protocol/index.ts';
import type { CaseStanding, ChosenRequest, ReportAnnotation } from '../../reports/pdf/index.ts';
import type { ComparedReport } from './items/compare-reports.ts';
import type { ItemFile } from './items/item-file.ts';
import type { Stated } from './items/items-table.ts';
import type { ItemJudgement } from './items/judge-item.ts';
import type { OpenedCase, Opener } from './sealed/open-case-file.ts';
import type { SealedContents, SealedFile } from './sealed/write-case-file.ts';
import type { StoredFile } from './stored-file.ts';

export interface StoredReceipts {
  /** How findings call it. */
  readonly name: string;
  readonly path: string;
}

/** With what something is verified, as `verified_with` keeps it (protocol V188). */
type Trust = readonly string[];

/** Verifies a bundle. */
export interface VerifyTask {
  readonly kind: 'verify';
  readonly file: StoredFile;
  readonly receipts: readonly StoredReceipts[];
  readonly trust: Trust;
  readonly reportPath: string;
  readonly coherencePath: string;
  /** The file as the first item of its case. */
  readonly item: ItemFile;
  /** Whether the case has others: checkpoints among them are given where witnesses are demanded. */
  readonly hasItems: boolean;
}

/** Makes the index of a case, with what was found in its items, in a separate folder. */
export interface IndexTask {
  readonly kind: 'index';
  readonly file: StoredFile;
  readonly found: readonly NumberedItem[];
  readonly folder: string;
  /** The folder of the case, where its reading rules are. */
  readonly caseFolder: string;
}

/** An item and its number. */
export type NumberedItem = ItemFile & { readonly itemNo: number };

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
  readonly trust: Trust;
}

/** What both files about a case are made of. */
interface ReportTask {
  readonly reportPath: string;
  readonly outPath: string;
  readonly annotations: readonly ReportAnnotation[];
  readonly pages: PagesCheck | null;
  readonly trust: Trust;
  /** Where coherence was checked and applies. */
  readonly coherencePath: string | null;
}

export interface PdfTask extends ReportTask {
  readonly kind: 'pdf';
  readonly file: StoredFile;
  readonly receiptFiles: number;
  readonly otherFiles: number;
  readonly details: boolean | undefined;
  /** On the case as a whole. */
  readonly standing: Omit<CaseStanding, 'coherence'>;
}

export interface JsonTask extends ReportTask {
  readonly kind: 'json';
  /** On the case as a whole. */
  readonly standing: Pick<Case, 'verdict' | 'verdict_code' | 'contradicting_items' | 'unchecked_items'>;
  readonly files: VerifiedFiles;
}

/** A report of chosen records: of a case's file, or of an organization's own ledger. */
export interface ChosenTask {
  readonly kind: 'chosen';
  readonly of:
    | { readonly file: StoredFile }
    | { readonly ledgerPath: string; readonly orgId: string; readonly carried: CarriedFiles };
  readonly request: Omit<ChosenRequest, 'signer'>;
  /** `json` for the data alone, `proof` for the proof alone. */
  readonly format: 'pdf' | 'html' | 'json' | 'proof';
  /** The examiner's signature of the data with this digest; null for a report that nobody signs. */
  readonly signed: { readonly digest: string; readonly signature: ExaminerSignature } | null;
  readonly details: boolean | undefined;
  readonly outPath: string;
}

/** Verifies items of a case, one after the other. */
export interface JudgeTask {
  readonly kind: 'judge';
  readonly items: readonly ItemToJudge[];
  readonly first: StoredFile;
  /** All items of the case but the first. */
  readonly others: readonly ItemFile[];
  readonly maxBytes: number;
  readonly trust: Trust;
}

export interface ItemToJudge {
  readonly item_no: number;
  readonly file: ItemFile;
  /** Where the judgement is written, whole or not at all. */
  readonly outPath: string;
  /** What a case file said of it; null where it came otherwise. */
  readonly stated: Pick<Stated, 'verified_with' | 'judgement_sha256'> | null;
}

/** What came of an item. */
export interface JudgedItem {
  readonly item_no: number;
  readonly judgement: Omit<ItemJudgement, 'text'>;
  /** Of the judgement as it was written; null where none was. */
  readonly sha256: string | null;
  readonly reproduced: boolean | null;
  /** What nobody foresaw: for the log of the service. */
  readonly unexpected?: string;
}

/** Verifies the first item of a case once more as a case file says that it was verified. */
export interface ReproduceTask {
  readonly kind: 'reproduce';
  readonly file: StoredFile;
  readonly receipts: readonly StoredReceipts[];
  readonly trust: Trust;
  /** The file as the first item of its case. */
  readonly item: ItemFile;
  /** Whether the case has others: checkpoints among them are given where witnesses are demanded. */
  readonly hasItems: boolean;
}

/** Holds two reports of chosen records against each other. */
export interface CompareReportsTask {
  readonly kind: 'compare-reports';
  readonly one: ComparedReport;
  readonly other: ComparedReport;
  readonly trust: Trust;
}

/** The manifest of the file that a case is moved as; and the file, where it is to be written. */
export interface SealTask {
  readonly kind: 'seal';
  readonly contents: SealedContents;
  /** A separate folder, removed by whoever asked. */
  readonly scratch: string;
  readonly write: {
    readonly outPath: string;
    readonly manifestSha256: string | null;
    readonly seal: CaseSignature | null;
  } | null;
}

/** Opens a case file into the folder of a new case. */
export interface OpenTask {
  readonly kind: 'open';
  readonly path: string;
  readonly folder: string;
  readonly examiner: Opener;
  readonly fileSha256: string;
}

export type JobTask =
  | VerifyTask
  | IndexTask
  | CompareTask
  | PdfTask
  | JsonTask
  | ChosenTask
  | JudgeTask
  | ReproduceTask
  | CompareReportsTask
  | SealTask
  | OpenTask;

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
  /** Without its findings and its map of the damage, which may be large: they are on the disk. Null of a file that nobody signed. */
  readonly report: VerificationReport | null;
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
  | { readonly kind: 'indexed'; readonly found: FoundSummary | null }
  | { readonly kind: 'compared'; readonly result: ComparisonResult }
  | { readonly kind: 'written' }
  | { readonly kind: 'judged'; readonly items: readonly JudgedItem[] }
  | { readonly kind: 'reproduced'; readonly sha256: string }
  | { readonly kind: 'reports-compared'; readonly result: ReportComparison }
  | {
      readonly kind: 'sealed';
      readonly manifest: string;
      readonly manifestSha256: string;
      /** Of the log and what is held against it, as whoever opens the file will find it. */
      readonly damage: readonly CustodyDamage[];
      readonly file: SealedFile | null;
    }
  | { readonly kind: 'opened'; readonly opened: OpenedCase };

/** Why there is no result: the file is at fault, a file that a case is moved as, or the request; or the disk is full. */
export type JobRefusal = { readonly message: string } & (
  | { readonly of: 'case'; readonly code: CaseFailureCode }
  | { readonly of: 'case-file'; readonly code: CaseFileCode }
  | { readonly of: 'request'; readonly code: ErrorCode }
);
