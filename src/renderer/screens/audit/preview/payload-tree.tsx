import { useCallback, useState } from 'react';
import type { Field, Hit, Range, ReadPayload } from '../../../../actions/index.ts';
import { visibleText } from '../../../../protocol/index.ts';
import { type DrawName, type DrawScalar, JsonTree, Scalar } from '../../../ui/json-tree.tsx';
import { Seen } from '../../../ui/seen.tsx';
import { count } from '../../../ui/time.tsx';
import { MAX_TERM_VALUE, pointerField, valueTerm } from '../terms.ts';
import { useValueMenu } from '../value-menu.tsx';
import type { FoundIn } from './hits.ts';
import { markedParts } from './marked-parts.ts';
import { MARKED_TEXT, PAYLOAD_TREE } from './texts.ts';

interface MarkedTextProps {
  readonly text: string;
  /** What to mark; null for all of it. */
  readonly ranges: readonly Range[] | null;
}

/** A text that somebody else chose with what the search found in it; of a long one what is around that. */
function MarkedText({ text, ranges }: MarkedTextProps) {
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

interface PayloadTreeProps {
  readonly read: ReadPayload;
  readonly found: FoundIn;
}

type Value = string | number | boolean | null;

/** A payload to unfold: texts that are JSON opened, what the search found marked, each value with its menu. */
export function PayloadTree({ read, found }: PayloadTreeProps) {
  const draw = useCallback<DrawScalar>(
    (pointer, value) => {
      const hit = found.values.get(pointer);
      return (
        <>
          {hit === undefined ? <Scalar value={value} /> : <Found value={value} hit={hit} />}
          <ValueButton pointer={pointer} value={value} />
        </>
      );
    },
    [found],
  );
  const drawName = useCallback<DrawName>(
    (pointer, name) => {
      const hit = found.names.get(pointer);
      return hit === undefined ? null : <MarkedText text={name} ranges={hit.ranges} />;
    },
    [found],
  );
  return <JsonTree value={read.shown} openTo={5} draw={draw} drawName={drawName} />;
}

/** A value with what was found in it; a text in quotes, as in the rest of the tree. */
function Found({ value, hit }: { readonly value: Value; readonly hit: Hit }) {
  const marked = <MarkedText text={String(value)} ranges={hit.ranges} />;
  if (typeof value !== 'string') return <span className="scalar">{marked}</span>;
  return value.includes('\n') ? <span className="text-lines">{marked}</span> : <>"{marked}"</>;
}

/** Names of members that a pointer leads along, as people say them: `arguments.user_id`. */
function nameOf(field: Field): string {
  return field.of === 'payload' ? field.path.join('.') : field.name;
}

function ValueButton({ pointer, value }: { readonly pointer: string; readonly value: Value }) {
  const openMenu = useValueMenu();
  const field = pointerField(pointer);
  const label = nameOf(field);
  const text = String(value);
  return (
    <button
      type="button"
      className="value-button"
      aria-haspopup="menu"
      aria-label={visibleText(PAYLOAD_TREE.filterBy(label))}
      title={PAYLOAD_TREE.filterOrCopy}
      onClick={({ currentTarget }) => {
        const term = text.length > MAX_TERM_VALUE || text === '' ? null : valueTerm(field, value);
        openMenu(currentTarget, [{ label, text, term }], currentTarget);
      }}
    >
      ⋯
    </button>
  );
}
