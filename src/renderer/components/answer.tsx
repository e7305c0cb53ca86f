import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CallFailed, sentenceOf } from '../api/call.ts';
import { fill } from '../lib/fill.ts';
import { ANSWER } from './texts.ts';
import { useConnection } from './use-connection.ts';

interface Props<T> {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error'> & { readonly refetch: () => unknown };
  /** What is being loaded, as it continues "Loading …". */
  readonly what: string;
  /** Of a question that may take long: ends it, and whether it is under way. */
  readonly stop?: { readonly act: () => void; readonly isAsked: boolean };
  readonly children: (value: T) => ReactNode;
}

/** Shows an answer of the service, or that it is on its way, or why it is missing with a way to ask again. */
export function Answer<T>({ query, what, stop, children }: Props<T>) {
  const { isCut } = useConnection();
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null) return <Failure error={query.error} retry={() => void query.refetch()} />;
  const isStopped = stop?.isAsked === false;
  return (
    <>
      <p className="loading" role="status">
        {isCut || isStopped ? ANSWER.notLoaded(what) : ANSWER.loading(what)}
      </p>
      {stop !== undefined && (
        <button type="button" onClick={isStopped ? () => void query.refetch() : stop.act}>
          {isStopped ? ANSWER.tryAgain : ANSWER.stop}
        </button>
      )}
    </>
  );
}

export function Failure({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const isForbidden = error instanceof CallFailed && error.code === 'FORBIDDEN';
  return (
    <div className="failure" role="alert">
      <p>{isForbidden ? ANSWER.notInRole : sentenceOf(error)}</p>
      {error instanceof CallFailed && error.requestId !== null && (
        <p className="muted">
          {fill(ANSWER.inServiceLog, { requestId: <span className="code">{error.requestId}</span> })}
        </p>
      )}
      {retry !== undefined && !isForbidden && (
        <button type="button" onClick={retry}>
          {ANSWER.tryAgain}
        </button>
      )}
    </div>
  );
}
