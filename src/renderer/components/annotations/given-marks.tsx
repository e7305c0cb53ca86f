import type { LedgerRow } from '../../api/ledger/ledger.ts';
import { Icon } from '../../ui/icons.tsx';
import { Seen } from '../../ui/seen.tsx';
import { ANNOTATION_TEXTS as TEXTS } from './texts.ts';

/** Bookmark and tags of a row, before what it says. */
export function GivenMarks({ row: { tags = [], bookmarked = false } }: { readonly row: LedgerRow }) {
  return (
    <>
      {bookmarked && (
        <span className="bookmark" title={TEXTS.bookmarked}>
          <Icon name="bookmark" />
          <span className="visually-hidden">{TEXTS.bookmarked}</span>
        </span>
      )}
      {tags.map((tag) => (
        <span key={tag} className="tag">
          <Seen text={tag} />
        </span>
      ))}
    </>
  );
}
