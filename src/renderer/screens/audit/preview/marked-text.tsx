import { useState } from 'react';
import type { Range } from '../../../../actions/index.ts';
import { Seen } from '../../../ui/seen.tsx';
import { count } from '../../../ui/time.tsx';
import { markedParts } from './marked-parts.ts';
import { MARKED_TEXT } from './texts.ts';

interface MarkedTextProps {
  readonly text: string;
  /** What to mark; null for all of it. */
  readonly ranges: readonly Range[] | null;
}

/** A text that somebody else chose with what the search found in it; of a long one what is around that. */
export function MarkedText({ text, ranges }: MarkedTextProps) {
  const [isOpen, setOpen] = useState(false);
  const { parts, isCut } = markedParts(text, ranges, isOpen);
  return (
    <>
      {parts.map((part) => {
        if (part.kind === 'gap') return <span key={part.at}> … </span>;
        const Part = part.kind === 'hit' ? 'mark' : 'span';
        return (
          <Part key={part.at}>
            <Seen text={part.text} lines />
          </Part>
        );
      })}
      {(isCut || isOpen) && (
        <button type="button" className="fold-text" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? MARKED_TEXT.showLess : MARKED_TEXT.showAll(count(text.length))}
        </button>
      )}
    </>
  );
}
