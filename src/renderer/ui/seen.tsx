import { codePointName, hiddenCharacterTitle, scriptWarning, type TextForm, textParts } from '../../protocol/index.ts';
import { SEEN } from './texts.ts';

interface SeenProps extends TextForm {
  readonly text: string;
  /** What the place is called for styles. */
  readonly className?: string | undefined;
  readonly title?: string | undefined;
  /** The direction, where it is not that of the first letter. */
  readonly dir?: 'ltr';
}

/**
 * A text that somebody else chose, as every screen shows one: set off from the direction of the text around it, with each
 * character that is not seen by its number. A name whose letters may not be what they seem to be says so.
 */
export function Seen({ text, lines = false, className, title, dir }: SeenProps) {
  const warning = lines ? null : scriptWarning(text);
  let offset = 0;
  return (
    <bdi className={className} title={title} dir={dir}>
      {textParts(text, { lines }).map((part) => {
        const key = offset;
        offset += part.text.length;
        if (part.kind === 'shown') return part.text;
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
