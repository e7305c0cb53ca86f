import { codePointName, hiddenCharacterTitle, scriptWarning, type TextForm, textParts } from '../../protocol/index.ts';
import { linePieces } from '../lib/line-pieces.ts';
import { SEEN } from './texts.ts';

interface SeenProps extends TextForm {
  readonly text: string;
  /** What the place is called for styles. */
  readonly className?: string | undefined;
  readonly title?: string | undefined;
  /** The direction, where it is not that of the first letter. */
  readonly dir?: 'ltr';
  /** Whether it is a line made of names and values, each of which keeps its direction to itself. */
  readonly isJoined?: boolean;
}

/**
 * A text that somebody else chose, as every screen shows one: set off from the direction of the text around it, with each
 * character that is not seen by its number. A name whose letters may not be what they seem to be says so.
 */
export function Seen({ text, lines = false, className, title, dir, isJoined = false }: SeenProps) {
  const warning = lines ? null : scriptWarning(text);
  let offset = 0;
  return (
    <bdi className={className} title={title} dir={isJoined ? 'ltr' : dir}>
      {textParts(text, { lines }).map((part) => {
        const key = offset;
        offset += part.text.length;
        if (part.kind === 'shown') return isJoined ? <Joined key={key} line={part.text} /> : part.text;
        return (
          <span key={key} className="unseen" title={hiddenCharacterTitle(part.text)}>
            {codePointName(part.text)}
          </span>
        );
      })}
      {warning !== null && (
        <span className="unseen script-warning" title={SEEN.careful(warning)}>
          {SEEN.mixed}
        </span>
      )}
    </bdi>
  );
}

function Joined({ line }: { readonly line: string }) {
  let offset = 0;
  return linePieces(line).map(({ text, isTurned }) => {
    const key = offset;
    offset += text.length;
    return isTurned ? <bdi key={key}>{text}</bdi> : text;
  });
}
