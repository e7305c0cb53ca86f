import { useState } from 'react';
import { Seen } from './seen.tsx';
import { LONG_TEXT } from './texts.ts';
import { count } from './time.tsx';

/** So much of a text is shown before somebody asks for all of it. */
const SHOWN_CHARACTERS = 320;
const SHOWN_LINES = 8;

/** How much of a text is shown while it is folded; null where it is short enough to be shown whole. */
export function foldAt(text: string): number | null {
  const lines = text.split('\n', SHOWN_LINES + 1);
  const ofLines = lines.length > SHOWN_LINES ? lines.slice(0, SHOWN_LINES).join('\n').length : text.length;
  const at = Math.min(SHOWN_CHARACTERS, ofLines);
  // A fold that hides a few letters would be longer than they are.
  return text.length - at > 60 ? at : null;
}

/** A text that somebody else chose, folded where it is long. */
export function LongText({ text }: { readonly text: string }) {
  const [isOpen, setOpen] = useState(false);
  const at = foldAt(text);
  if (at === null) return <Seen text={text} lines />;
  return (
    <>
      <Seen text={isOpen ? text : text.slice(0, at)} lines />
      {isOpen ? ' ' : '… '}
      <button type="button" className="fold-text" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? LONG_TEXT.showLess : LONG_TEXT.showAll(count(text.length))}
      </button>
    </>
  );
}
