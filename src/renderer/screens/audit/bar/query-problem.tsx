import type { QueryError } from '../../../../actions/index.ts';
import { fill } from '../../../lib/fill.ts';
import { Seen } from '../../../ui/seen.tsx';
import { QUERY_PROBLEM } from './texts.ts';

interface QueryProblemProps {
  readonly id: string;
  readonly text: string;
  readonly error: QueryError;
  /** Marks the place in the query. */
  readonly show: () => void;
}

/** So much of the query is repeated on each side of the place. */
const AROUND = 32;

/** Why a query cannot be read: where, what, and what would do. */
export function QueryProblem({ id, text, error: { message, at, end, expected }, show }: QueryProblemProps) {
  const from = Math.max(0, at - AROUND);
  const to = Math.min(text.length, Math.max(end, at) + AROUND);
  const meant = text.slice(at, end);
  return (
    <div id={id} className="query-problem" role="alert">
      <p>
        <Seen text={message} lines />{' '}
        {expected.length > 0 && (
          <span className="muted">
            {fill(QUERY_PROBLEM.expected, {
              expected: expected.slice(0, 4).map((form, n) => (
                <span key={form}>
                  {n > 0 && ', '}
                  <span className="code">{form}</span>
                </span>
              )),
            })}
          </span>
        )}
      </p>
      <button type="button" className="query-place code" title={QUERY_PROBLEM.goToPlace} onClick={show}>
        {from > 0 && '…'}
        <Seen text={text.slice(from, at)} lines />
        <mark className="query-wrong">{meant === '' ? '▏' : <Seen text={meant} lines />}</mark>
        <Seen text={text.slice(Math.max(end, at), to)} lines />
        {to < text.length && '…'}
      </button>
    </div>
  );
}
