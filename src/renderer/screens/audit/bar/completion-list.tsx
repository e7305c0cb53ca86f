import { useEffect, useRef } from 'react';
import { Seen } from '../../../ui/seen.tsx';
import { count } from '../../../ui/time.tsx';
import { COMPLETION_LIST } from './texts.ts';
import type { Suggestion } from './use-completions.ts';

interface CompletionListProps {
  readonly id: string;
  readonly suggestions: readonly Suggestion[];
  /** The one that the arrow keys are on; -1 for none. */
  readonly active: number;
  readonly choose: (suggestion: Suggestion) => void;
}

/** What the query can be completed with, below the field. */
export function CompletionList({ id, suggestions, active, choose }: CompletionListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    // The field keeps the focus: a press in the list must not take it away.
    <div
      ref={list}
      id={`${id}-list`}
      className="completions options"
      role="listbox"
      aria-label={COMPLETION_LIST.suggestions}
      tabIndex={-1}
      onMouseDown={(event) => event.preventDefault()}
    >
      {suggestions.map((suggestion, n) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: by key the field chooses it
        <div
          key={`${suggestion.kind} ${suggestion.label}`}
          id={`${id}-${n}`}
          className="completion"
          role="option"
          aria-selected={n === active}
          tabIndex={-1}
          onClick={() => choose(suggestion)}
        >
          <span className="code ellipsis">
            <Seen text={suggestion.label} />
          </span>
          <span className="completion-kind">{suggestion.detail}</span>
          <span className="completion-count number">{suggestion.count === null ? '' : count(suggestion.count)}</span>
        </div>
      ))}
    </div>
  );
}
