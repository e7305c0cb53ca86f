import {
  canonicalBytes,
  isPagesCheck,
  isStatedTrust,
  isTrustEntry,
  type Json,
  namesKey,
  type PagesCheck,
  parseJsonBytes,
  parseTrustEntry,
  type VerificationReport,
} from '../../protocol/index.ts';
import { type CaseStanding, isCaseStanding, isCount } from './standing.ts';
import type { ReportAnnotation, ReportMaker } from './subject.ts';

/** What the verification that a report tells of was made with. */
export interface MadeWith {
  /** Trust entries, and the policy where witnesses were demanded (protocol V188). */
  readonly trustedKeys: readonly string[];
  /** How many files of kept receipts, and how many other bundles and checkpoints, were compared with. They are not in the report. */
  readonly receiptFiles: number;
  readonly otherFiles: number;
}

/** Everything but the bundle itself that the bytes of a report depend on, as it is attached to the report. */
export interface ReportRecipe extends MadeWith {
  readonly version: string;
  readonly maker: ReportMaker;
  readonly details: boolean;
  /** Names of further files that are attached. */
  readonly attachments: readonly string[];
  /** SHA-256 of the fonts that were given; they are not in the report. */
  readonly fonts: readonly string[];
  readonly annotations: readonly ReportAnnotation[];
  /** What was found about the pages of the file that was verified; null where that was no PDF. */
  readonly pages: PagesCheck | null;
  /** What is known of the case that the bundle is in; null where it is in none. */
  readonly standing: CaseStanding | null;
  /** What compressed the streams of the file: another build of zlib gives other bytes for the same pages. */
  readonly deflate: string;
}

const TYPE = 'countersign.report-options.v1';

/** This runtime's compression, as a recipe names it. */
export function deflateName(): string {
  return `zlib ${process.versions.zlib} ${process.arch}`;
}

/**
 * The trusted keys that a report depends on. Of one that trusts its issuer only those that the bundle names: whom else its
 * maker trusts is nobody's business. One that does not trust its issuer lists all of them on its pages.
 */
export function keysThatMatter({ issuer }: VerificationReport, trusted: readonly string[]): string[] {
  if (!issuer.pinned) return [...trusted];
  return trusted.filter(
    (entry) => !isTrustEntry(entry) || issuer.service_keys.some(({ kid }) => namesKey(parseTrustEntry(entry), kid)),
  );
}

/** A recipe as the attached file. */
export function recipeBytes({ trustedKeys, receiptFiles, otherFiles, standing, ...rest }: ReportRecipe): Uint8Array {
  const value = {
    type: TYPE,
    ...rest,
    trusted_keys: trustedKeys,
    receipt_files: receiptFiles,
    other_files: otherFiles,
    // Left out where there is none, as in reports that were made before cases had it.
    ...(standing !== null && { standing }),
  };
  return canonicalBytes(value as unknown as Json);
}

/**
 * Reads the attached file back. Whoever sent the report wrote it: it says how to make pages to compare with, and a lie in
 * it makes pages that differ.
 * @returns null where it is not one
 */
export function parseRecipe(bytes: Uint8Array): ReportRecipe | null {
  let value: unknown;
  try {
    value = parseJsonBytes(bytes);
  } catch {
    return null;
  }
  const found = Object(value) as Record<string, unknown>;
  const { version, maker, deflate, attachments, annotations, fonts } = found;
  const trustedKeys = found['trusted_keys'];
  const pages = found['pages'] ?? null;
  const standing = found['standing'] ?? null;
  // Reports that were made before there was a choice show everything.
  const details = found['details'] ?? true;
  const [receiptFiles, otherFiles] = [found['receipt_files'], found['other_files']];
  if (found['type'] !== TYPE || typeof version !== 'string' || typeof deflate !== 'string') return null;
  if (maker !== 'reader' && maker !== 'issuer') return null;
  if (typeof details !== 'boolean') return null;
  if (
    !isTexts(fonts) ||
    !isTexts(trustedKeys) ||
    !isStatedTrust(trustedKeys) ||
    !isTexts(attachments) ||
    !isAnnotations(annotations)
  )
    return null;
  if (pages !== null && !isPagesCheck(pages)) return null;
  if (standing !== null && !isCaseStanding(standing)) return null;
  if (!isCount(receiptFiles) || !isCount(otherFiles)) return null;
  const statements = { annotations, pages, standing };
  return {
    version,
    maker,
    details,
    deflate,
    attachments,
    fonts,
    ...statements,
    trustedKeys,
    receiptFiles,
    otherFiles,
  };
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isAnnotations(value: unknown): value is ReportAnnotation[] {
  return (
    Array.isArray(value) &&
    value.every((item) => {
      const { operation_id, tags, note } = Object(item) as Record<string, unknown>;
      return typeof operation_id === 'string' && isTexts(tags) && typeof note === 'string';
    })
  );
}
