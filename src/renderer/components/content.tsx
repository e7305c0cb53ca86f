import { type Json, openedText } from '../../protocol/index.ts';
import type { Step } from '../api/answers.ts';
import { fill } from '../lib/fill.ts';
import { sizeText } from '../lib/size.ts';
import { JsonTree } from '../ui/json-tree.tsx';
import { LongText } from '../ui/long-text.tsx';
import { Seen } from '../ui/seen.tsx';
import { CopyButton, ShortHash } from './hash.tsx';
import { CONTENT } from './texts.ts';

/** What went into an action or came out of it, as far as it is shown. */
export type Shown = NonNullable<Step['input']>;

interface ContentProps {
  readonly label: string;
  readonly content: Shown;
}

/** What went into an action or came out of it: JSON as a tree, a text as such, anything else by its digest. */
export function Content({ label, content }: ContentProps) {
  const { value, cut, digest, media_type: type, bytes } = content;
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const isAbsent = value === null && digest !== null;
  return (
    <section className="content" aria-label={label}>
      <div className="content-head">
        <h3>{label}</h3>
        {type !== null && (
          <span className="muted">
            <Seen text={type} />
          </span>
        )}
        {bytes !== null && <span className="muted number">{sizeText(bytes)}</span>}
        {cut && <span className="muted">{CONTENT.inPart}</span>}
        {!isAbsent && <CopyButton text={text} what={label.toLowerCase()} />}
      </div>
      {isAbsent ? (
        <p className="muted">{fill(CONTENT.onlyDigest, { digest: <ShortHash value={digest} /> })}</p>
      ) : typeof value === 'string' && openedText(value) === null ? (
        <p className={value === '' ? 'content-text muted' : 'content-text'}>
          {value === '' ? CONTENT.empty : <LongText text={value} />}
        </p>
      ) : (
        <JsonTree value={value as Json} openTo={2} />
      )}
    </section>
  );
}
