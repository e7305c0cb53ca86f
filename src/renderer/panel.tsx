import { type ReactNode, useId } from 'react';
import type { Loaded } from './use-service.ts';

export function Panel({ title, children }: { title: string; children: ReactNode }) {
  const heading = useId();
  return (
    <section className="panel" aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      {children}
    </section>
  );
}

interface AnswerProps<T> {
  answer: Loaded<T>;
  /** What is being loaded, as it continues "Loading …". */
  what: string;
  reload: () => void;
  children: (value: T) => ReactNode;
}

/** Shows an answer of the service, or that it is on its way, or why it is missing with a way to ask again. */
export function Answer<T>({ answer, what, reload, children }: AnswerProps<T>) {
  if (answer.state === 'ready') return children(answer.value);
  if (answer.state === 'loading') {
    return (
      <p className="muted" role="status">
        Loading {what}…
      </p>
    );
  }
  return (
    <div className="failure" role="alert">
      <p>{answer.reason}</p>
      <button type="button" onClick={reload}>
        Try again
      </button>
    </div>
  );
}
