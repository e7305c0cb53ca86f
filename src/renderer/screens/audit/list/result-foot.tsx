import { fill } from '../../../lib/fill.ts';
import { count } from '../../../ui/time.tsx';
import { RESULT_FOOT } from './texts.ts';

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
      ? // What was counted may be older than what is listed.
        RESULT_FOOT.results(hasMore ? loaded : Math.max(loaded, total ?? 0))
      : RESULT_FOOT.resultsOf(count(loaded), total);
  return (
    <>
      <span role="status">
        {words}
        {hasMore && ` ${RESULT_FOOT.loaded}`}
      </span>
      {isFetching && <span>{RESULT_FOOT.loading}</span>}
      {again !== null && (
        <button type="button" className="button-small" onClick={again}>
          {RESULT_FOOT.newRecords}
        </button>
      )}
      {pickAll !== null && loaded > 0 && (
        <button type="button" className="button-small" onClick={pickAll}>
          {RESULT_FOOT.selectAll}
        </button>
      )}
      <span className="push">
        {fill(RESULT_FOOT.keys, {
          space: <kbd>{RESULT_FOOT.space}</kbd>,
          arrows: <kbd>m</kbd>,
          order: isOldestFirst ? RESULT_FOOT.oldest : RESULT_FOOT.newest,
        })}
      </span>
    </>
  );
}
