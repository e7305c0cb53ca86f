import { plural } from '../../../lib/plural.ts';
import { count } from '../../../ui/time.tsx';

interface ResultFootProps {
  readonly loaded: number;
  /** How many were found; undefined while that is counted. */
  readonly total: number | undefined;
  readonly hasMore: boolean;
  readonly isFetching: boolean;
  /** Searches again; null while nothing new is known. */
  readonly again: (() => void) | null;
  /** Picks all rows that are loaded; null where they are more than are worked with at once. */
  readonly pickAll: (() => void) | null;
  readonly isOldestFirst: boolean;
}

/** How many rows there are, and whether there are newer ones. */
export function ResultFoot({ loaded, total, hasMore, isFetching, again, pickAll, isOldestFirst }: ResultFootProps) {
  const words =
    total === undefined || !hasMore
      ? plural(hasMore ? loaded : (total ?? loaded), 'result')
      : `${count(loaded)} of ${plural(total, 'result')}`;
  return (
    <>
      <span role="status">
        {words}
        {hasMore ? ' loaded' : ''}
      </span>
      {isFetching && <span>Loading…</span>}
      {again !== null && (
        <button type="button" className="button-small" onClick={again}>
          New records: search again
        </button>
      )}
      {pickAll !== null && loaded > 0 && (
        <button type="button" className="button-small" onClick={pickAll}>
          Select all
        </button>
      )}
      <span className="push">
        <kbd>Space</kbd> select · <kbd>m</kbd> filter · {isOldestFirst ? 'oldest' : 'newest'} first
      </span>
    </>
  );
}
