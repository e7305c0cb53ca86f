import type { CaseItem } from '../../../api/index.ts';
import { formatTime } from '../../../protocol/index.ts';
import type { CaseFile } from '../case-file.ts';
import { pagesOf } from '../case-view.ts';
import { type FirstItem, statedView } from './item-views.ts';
import { FIRST_ITEM } from './items-table.ts';
import { itemWithPages } from './judge-item.ts';

/** The file that a case was made of, as an item of it. */
export function firstItem(about: CaseFile): FirstItem {
  const verdict = about.report?.verdict ?? null;
  const code = { verified: null, failed: 'EVIDENCE_FAILED', incomplete: 'EVIDENCE_INCOMPLETE' } as const;
  const { kind } = about;
  const found: Pick<CaseItem, 'verdict' | 'code' | 'summary'> = {
    verdict,
    code: verdict === null ? null : code[verdict],
    summary: about.report?.summary ?? '',
  };
  return {
    item_no: FIRST_ITEM,
    name: about.file_name,
    kind: kind === 'bundle-gzip' || kind === 'report-pdf' ? kind : 'bundle',
    bytes: about.bytes,
    sha256: about.sha256,
    added_at: formatTime(about.created_at),
    added_by: about.created_by,
    ...itemWithPages(found, pagesOf(about), about.file_name),
    signed_by: null,
    verified_at: about.verified_at === null ? null : formatTime(about.verified_at),
    stated: about.origin === null ? null : statedView(about.origin.stated),
  };
}
