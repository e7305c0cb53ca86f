import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { EARLIER_ENTRIES } from './texts.ts';

interface NextPageProps {
  readonly query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetching' | 'fetchNextPage'>;
  /** What the button says; of a log, which is shown newest first, it need not be said. */
  readonly label?: string;
}

/** Below a list that is asked for a page at a time: asks for the next page, where there is one. */
export function NextPage({
  query: { hasNextPage, isFetching, fetchNextPage },
  label = EARLIER_ENTRIES.show,
}: NextPageProps) {
  if (!hasNextPage) return null;
  return (
    <div className="panel-body">
      <button type="button" onClick={() => void fetchNextPage()} disabled={isFetching}>
        {label}
      </button>
    </div>
  );
}
