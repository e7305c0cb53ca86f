import type { Verdict } from './report.ts';

/** What holding the pages of a PDF report against the bundle that is attached to it came to (protocol R52). */
export interface PagesCheck {
  readonly status: 'match' | 'differ' | 'not_comparable';
  /** Null but for `not_comparable`. */
  readonly reason: PagesReason | null;
  /** The version that the report says it was made by; null where it does not say. */
  readonly version: string | null;
}

/** What another program did to a report around the data in it: its bytes are then not those that were written. */
const FILE_CHANGES = ['end_changed', 'byte_order_mark', 'line_ends', 'rewritten'] as const;
export type FileChange = (typeof FILE_CHANGES)[number];

/** Why the pages of a report could not be made again. */
export const PAGES_REASONS = [
  ...FILE_CHANGES,
  'options_missing',
  'other_version',
  'other_files',
  'other_options',
  'other_runtime',
  'too_large',
  'not_here',
] as const;
export type PagesReason = (typeof PAGES_REASONS)[number];

/** Whether a value out of a file is one. */
export function isPagesCheck(value: unknown): value is PagesCheck {
  const { status, version, reason } = Object(value) as Record<string, unknown>;
  if (version !== null && typeof version !== 'string') return false;
  if (status === 'not_comparable') return (PAGES_REASONS as readonly unknown[]).includes(reason);
  return (status === 'match' || status === 'differ') && reason === null;
}

/**
 * The verdict on a file whose data were verified: people read its pages, and nothing but making them again proves those. Where
 * that was not possible the file is at best `incomplete`, for its maker chose the version and the options that prevent it.
 * @param found what was found about the data inside
 * @param pages null where the data stand by themselves
 */
export function withPages<T extends { readonly verdict: string | null; readonly summary: string }>(
  found: T,
  pages: PagesCheck | null,
): T {
  if (pages === null || pages.status === 'match') return found;
  if (pages.status === 'differ') {
    const summary = `The pages of this file are not those of the data inside it: do not read them. ${found.summary}`;
    return { ...found, verdict: 'failed' satisfies Verdict, summary };
  }
  if (found.verdict !== ('verified' satisfies Verdict)) return found;
  const summary = `Only the data inside this file are proven; its pages were not compared, since ${reasonOf(pages)}. ${found.summary}`;
  return { ...found, verdict: 'incomplete' satisfies Verdict, summary };
}

/** Why pages could not be compared, and the version that made them. */
function reasonOf({ reason, version }: PagesCheck): string {
  const by = version === null ? '' : ` (version ${version})`;
  return `${REASONS[reason ?? 'options_missing']}${by}`;
}

const REASONS: Readonly<Record<PagesReason, string>> = {
  end_changed: 'something was added or taken away at its end',
  byte_order_mark: 'another program put a byte order mark at its beginning',
  line_ends: 'another program changed the ends of its lines',
  rewritten: 'another program saved the file again, such as a browser, a viewer or an optimizer',
  options_missing: 'the file does not contain the options it was made with',
  other_version: 'another version made it',
  other_files: 'it was made with receipts, other bundles or fonts that are not attached',
  other_options: 'it has attachments that this version does not make',
  other_runtime: 'it was made on another platform, which compresses pages in another way',
  too_large: 'the bundle is too large for a report',
  not_here: 'this window cannot render a report; import the file as a case, or use the command line',
};

/** A heading and a sentence about the pages of a PDF: the same on screens, in reports and on the command line. */
export function describePages(check: PagesCheck): { readonly title: string; readonly text: string } {
  if (check.status === 'match') {
    return {
      title: 'The pages of this PDF match its bundle',
      text:
        'The pages match what this version renders from the attached bundle, byte for byte. A verdict printed on them ' +
        'is the one of whoever made the PDF, with the keys they trusted; the verdict here is yours.',
    };
  }
  if (check.status === 'differ') {
    return {
      title: 'The pages of this PDF differ: do not read them',
      text:
        'The file was changed after it was made: its bytes are not what this version renders from the attached bundle. ' +
        'Everything else said here is about the bundle alone. Read the records here, or save a new report.',
    };
  }
  return {
    title: 'The pages of this PDF are not verified',
    text:
      `They cannot be compared with the attached bundle: ${reasonOf(check)}. Everything else said here is ` +
      'about the bundle alone. Read the records here, or save a new report.',
  };
}

/** The same about the pages of a report of chosen records, in a PDF or as HTML, and the data inside it. */
export function describeReportPages(check: PagesCheck): { readonly title: string; readonly text: string } {
  if (check.status === 'match') {
    return {
      title: 'The pages of this report match its data',
      text:
        'They are what this version makes of the data inside the file, byte for byte. A verdict printed on them is the one of ' +
        'whoever made the report, with the keys they trusted; the verdict here is yours.',
    };
  }
  if (check.status === 'differ') {
    return {
      title: 'The pages of this report differ: do not read them',
      text:
        'The file was changed after it was made: its bytes are not what this version makes of the data inside it. Everything ' +
        'else said here is about the data alone.',
    };
  }
  return {
    title: 'The pages of this report were not compared',
    text: `They cannot be compared with the data: ${reasonOf(check)}. Everything else said here is about the data alone.`,
  };
}
