import type { CaseFileKind, CaseItem, CaseItemKind } from '../../../api/index.ts';
import { formatTime } from '../../../protocol/index.ts';
import type { CaseFile } from '../case-file.ts';
import { pagesOf } from '../case-view.ts';
import { isUnsigned } from '../collection/unsigned.ts';
import { type FirstItem, statedView } from './item-views.ts';
import { FIRST_ITEM } from './items-table.ts';
import { itemWithPages } from './judge-item.ts';

/** What the first item of a case can be. */
export function firstKind(kind: CaseFileKind | CaseItemKind | null) {
  return kind === 'bundle-gzip' || kind === 'report-pdf' || isUnsigned(kind) ? kind : 'bundle';
}

function foundFirst({ report, kind, verified_at, found }: CaseFile): Pick<CaseItem, 'verdict' | 'code' | 'summary'> {
  if (isUnsigned(kind)) {
    if (verified_at === null) return { verdict: null, code: null, summary: '' };
    const { files = 0, transcripts = 0, logs = 0 } = found ?? {};
    const summary = `${files} files: ${transcripts} transcripts, ${logs} logs. Nothing of it was signed when it happened.`;
    return { verdict: 'not_verified', code: 'NOT_SIGNED', summary };
  }
  const verdict = report?.verdict ?? null;
  const code = { verified: null, failed: 'EVIDENCE_FAILED', incomplete: 'EVIDENCE_INCOMPLETE' } as const;
  return { verdict, code: verdict === null ? null : code[verdict], summary: report?.summary ?? '' };
}

/** The file that a case was made of, as an item of it. */
export function firstItem(about: CaseFile): FirstItem {
  return {
    item_no: FIRST_ITEM,
    name: about.file_name,
    kind: firstKind(about.kind),
    bytes: about.bytes,
    sha256: about.sha256,
    added_at: formatTime(about.created_at),
    added_by: about.created_by,
    ...itemWithPages(foundFirst(about), pagesOf(about), about.file_name),
    signed_by: null,
    verified_at: about.verified_at === null ? null : formatTime(about.verified_at),
    stated: about.origin === null ? null : statedView(about.origin.stated),
  };
}
