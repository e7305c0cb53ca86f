import { type KeyboardEvent, useId, useState } from 'react';
import { LIMITS } from '../../../api/index.ts';
import { ANNOTATION_TEXTS as TEXTS } from './texts.ts';

interface TagInputProps {
  readonly known: readonly { readonly tag: string }[];
  readonly isBusy?: boolean;
  readonly onAdd: (tag: string) => void;
}

/** A field for one tag more, with those that there are to choose from. */
export function TagInput({ known, isBusy = false, onAdd }: TagInputProps) {
  const list = useId();
  const [typed, setTyped] = useState('');
  const add = (): void => {
    const tag = typed.trim();
    setTyped('');
    if (tag !== '') onAdd(tag);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    add();
  };
  return (
    <>
      <input
        aria-label={TEXTS.addTag}
        placeholder={TEXTS.addTag}
        list={list}
        size={18}
        maxLength={LIMITS.tag}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={onKey}
      />
      <datalist id={list}>
        {known.map(({ tag }) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
      <button type="button" disabled={typed.trim() === '' || isBusy} onClick={add}>
        {TEXTS.addTyped}
      </button>
    </>
  );
}
