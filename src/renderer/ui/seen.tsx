import {
  codePointName,
  directionPieces,
  hiddenCharacterTitle,
  scriptWarning,
  type TextForm,
  textParts,
} from '../../protocol/text/index.ts';
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
 * A text that somebody else chose, as every screen shows one: set off from the direction of the text around it, each part that is read
 * from right to left by itself, with each character that is not seen by its number. A name whose letters may not be what they seem to be says so.
 */
export function Seen({ text, lines = false, className, title, dir, isJoined = false }: SeenProps) {
  const warning = lines ? null : scriptWarning(text);
  const pieces = directionPieces(text, { isJoined });
  const isMixed = pieces.length > 1;
  let offset = 0;
  return (
    <bdi className={className} title={title} dir={isJoined || isMixed ? 'ltr' : dir}>
      {textParts(text, { lines }).map((part) => {
        const key = offset;
        offset += part.text.length;
        if (part.kind === 'shown')
          return isMixed ? <Pieces key={key} text={part.text} isJoined={isJoined} /> : part.text;
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

function Pieces({ text: whole, isJoined }: { readonly text: string; readonly isJoined: boolean }) {
  let offset = 0;
  return directionPieces(whole, { isJoined }).map(({ text, isTurned }) => {
    const key = offset;
    offset += text.length;
    return isTurned ? <bdi key={key}>{text}</bdi> : text;
  });
}
