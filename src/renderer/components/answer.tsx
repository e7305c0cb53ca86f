import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CallFailed, sentenceOf } from '../api/call.ts';
import { useConnection } from './use-connection.ts';

interface Props<T> {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error'> & { readonly refetch: () => unknown };
  /** What is being loaded, as it continues "Loading …". */
  readonly what: string;
  readonly children: (value: T) => ReactNode;
}

/** Shows an answer of the service, or that it is on its way, or why it is missing with a way to ask again. */
export function Answer<T>({ query, what, children }: Props<T>) {
  const { isCut } = useConnection();
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null) return <Failure error={query.error} retry={() => void query.refetch()} />;
  return (
    <p className="loading" role="status">
      {isCut ? `Not loaded yet: ${what}.` : `Loading ${what}…`}
    </p>
  );
}

export function Failure({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const isForbidden = error instanceof CallFailed && error.code === 'FORBIDDEN';
  return (
    <div className="failure" role="alert">
      <p>{isForbidden ? 'Your role does not include this.' : sentenceOf(error)}</p>
      {error instanceof CallFailed && error.requestId !== null && (
        <p className="muted">
          In the log of the service as <span className="code">{error.requestId}</span>
        </p>
      )}
      {retry !== undefined && !isForbidden && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}
