import { type ArchiveState, type Case, type CaseProgress, UNDECIDED_REFUSALS } from '../../api/index.ts';
import { formatTime, type PagesCheck, withPages } from '../../protocol/index.ts';
import type { CaseFile } from './case-file.ts';
import { isUnsigned } from './collection/unsigned.ts';
import { FIRST_ITEM } from './items/items-table.ts';

/** Of a case that was imported before its pages were looked at. */
const NOT_COMPARED = { status: 'not_comparable', reason: 'options_missing', version: null } as const;

/** What was found about the pages of the file that a case was made of; null where it has none. */
export function pagesOf({ report, kind, pages }: Pick<CaseFile, 'report' | 'kind' | 'pages'>): CaseFile['pages'] {
  return report !== null && kind === 'report-pdf' ? (pages ?? NOT_COMPARED) : null;
}

/**
 * A case as callers see it.
 * @param ownKids the keys of this service
 * @param isLikeHome whether the name of the case's organization may be taken for the home organization's
 */
export function caseView(
  about: CaseFile,
  progress: CaseProgress | null,
  ownKids: ReadonlySet<string>,
  isLikeHome: boolean,
): Case {
  const {
    version: _,
    verified_with: __,
    history: ___,
    items,
    origin,
    org_id,
    created_at,
    verified_at,
    report,
    pages: _____,
    ...rest
  } = about;
  return {
    ...rest,
    items: items.count + 1,
    origin: originView(origin),
    scope: org_id === null ? 'workstation' : 'organization',
    created_at: formatTime(created_at),
    verifying: about.state === 'ready' && progress !== null,
    progress: about.state === 'importing' || about.state === 'ready' ? progress : null,
    verified_at: verified_at === null ? null : formatTime(verified_at),
    ...caseVerdict({ ...about, pages: pagesOf(about) }),
    reading_items: about.state === 'ready' && isIndexDue(about),
    contradicting_items: [...items.contradicting],
    checking_items: about.state === 'ready' && items.unchecked > 0,
    unchecked_items: items.unchecked,
    report,
    pages: pagesOf(about),
    own_issuer: report?.issuer.linked.some((kid) => ownKids.has(kid)) === true,
    resembles_home: isLikeHome,
  };
}

/** Whether items were added or removed whose contents the index of the case is to have. */
export function isIndexDue({ items, found }: Pick<CaseFile, 'items' | 'found' | 'kind'>): boolean {
  return JSON.stringify(items.found) !== JSON.stringify((found?.items ?? []).filter((itemNo) => itemNo !== FIRST_ITEM));
}

/** What the verdict on a case follows from. */
export interface JudgedCase {
  /** On its file; null before. */
  readonly report: Pick<NonNullable<CaseFile['report']>, 'verdict'> | null;
  readonly kind: CaseFile['kind'];
  /** When its file was checked; null before. */
  readonly verified_at: CaseFile['verified_at'];
  /** What was found about the pages of the file; null where it has none. */
  readonly pages: PagesCheck | null;
  readonly items: Pick<CaseFile['items'], 'contradicting' | 'unchecked'>;
  readonly archive?: CaseFile['archive'];
}

/** An archive is verified where each of its runs was, when it was accepted, and none is refused. */
function archiveVerdict({ runs, refused }: ArchiveState): Pick<Case, 'verdict' | 'verdict_code'> {
  if (refused.some(({ code }) => !UNDECIDED_REFUSALS.has(code)))
    return { verdict: 'failed', verdict_code: 'RUNS_REFUSED' };
  if (refused.length > 0) return { verdict: 'incomplete', verdict_code: 'RUNS_UNDECIDED' };
  return { verdict: runs === 0 ? null : 'verified', verdict_code: null };
}

/**
 * The verdict on a case: that of its file and the pages of that, unless an item contradicts the file. Then it is failed, as it is where `countersign verify`
 * is given the two together. While items are not verified any of them may contradict: nothing but a failure is said before.
 */
export function caseVerdict(judged: JudgedCase): Pick<Case, 'verdict' | 'verdict_code'> {
  const { report, pages, items, archive = null } = judged;
  if (archive !== null) return archiveVerdict(archive);
  // Whatever the other items are: what the case is about nobody signed.
  if (report === null && isUnsigned(judged.kind) && judged.verified_at !== null) {
    return { verdict: 'incomplete', verdict_code: 'NOT_SIGNED' };
  }
  if (report === null) return { verdict: null, verdict_code: null };
  if (items.contradicting.length > 0) return { verdict: 'failed', verdict_code: 'ITEM_CONTRADICTS' };
  const bundle = { verdict: report.verdict, summary: '' };
  const { verdict } = withPages(bundle, pages);
  if (items.unchecked > 0 && verdict !== 'failed') return { verdict: null, verdict_code: 'ITEMS_UNCHECKED' };
  if (verdict !== report.verdict) {
    return { verdict, verdict_code: verdict === 'failed' ? 'PAGES_DIFFER' : 'PAGES_NOT_COMPARED' };
  }
  const code = { verified: null, failed: 'EVIDENCE_FAILED', incomplete: 'EVIDENCE_INCOMPLETE' } as const;
  return { verdict, verdict_code: code[verdict] };
}

function originView(origin: CaseFile['origin']): Case['origin'] {
  if (origin === null) return null;
  const { stated, ...rest } = origin;
  return { ...rest, reproduced: stated.reproduced };
}
