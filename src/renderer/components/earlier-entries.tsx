import { EARLIER_ENTRIES } from './texts.ts';

interface EarlierEntriesProps {
  readonly more: () => void;
  readonly hasMore: boolean;
  readonly isFetching: boolean;
}

/** Below a log that is shown newest first: asks for the entries before. */
export function EarlierEntries({ more, hasMore, isFetching }: EarlierEntriesProps) {
  if (!hasMore) return null;
  return (
    <div className="panel-body">
      <button type="button" onClick={more} disabled={isFetching}>
        {EARLIER_ENTRIES.show}
      </button>
    </div>
  );
}
