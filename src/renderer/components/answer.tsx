import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CallFailed, sentenceOf } from '../api/call.ts';
import { fill } from '../lib/fill.ts';
import { ANSWER } from './texts.ts';
import { type Stop, Waiting } from './waiting.tsx';

interface Props<T> {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error'> & { readonly refetch: () => unknown };
  /** What is being loaded, as it continues "Loading …". */
  readonly what: string;
  /** Of a question that may take long. */
  readonly stop?: Stop;
  readonly children: (value: T) => ReactNode;
}

/** Shows an answer of the service, or that it is on its way, or why it is missing with a way to ask again. */
export function Answer<T>({ query, what, stop, children }: Props<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null) return <Failure error={query.error} retry={() => void query.refetch()} />;
  return <Waiting what={what} stop={stop} retry={() => void query.refetch()} />;
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
