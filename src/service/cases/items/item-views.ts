import type { CaseItem } from '../../../api/index.ts';
import { formatTime } from '../../../protocol/index.ts';
import type { OpenCase } from '../reads/open-case.ts';
import { listItems, type StoredItem } from './items-table.ts';

/** An item as it is shown, but for what the service knows of the key that signed it. */
export type ItemSeen = Omit<CaseItem, 'signed_by'> & Pick<StoredItem, 'signed_by'>;

/** An item as it is shown: with neither the name under which it is kept nor the keys that it was verified with. */
export function itemView({
  stored_as: _,
  verified_with: __,
  added_at,
  verified_at,
  stated,
  ...item
}: StoredItem): ItemSeen {
  return {
    ...item,
    added_at: formatTime(added_at),
    verified_at: verified_at === null ? null : formatTime(verified_at),
    stated: stated === null ? null : statedView(stated),
  };
}

export function statedView({
  verdict,
  judgement_sha256,
  reproduced,
}: NonNullable<CaseItem['stated']>): NonNullable<CaseItem['stated']> {
  return { verdict, judgement_sha256, reproduced };
}

/** The first item, of which nothing is in the tables, but for the digest of what was found about it. */
export type FirstItem = Omit<ItemSeen, 'judgement_sha256'>;

/** All items of a case, the first one first. */
export function caseItemViews(open: OpenCase, first: FirstItem): ItemSeen[] {
  const judgement_sha256 = first.verdict === null ? null : open.reportSha256;
  return [{ ...first, judgement_sha256 }, ...listItems(open.annotations).map(itemView)];
}
