import { type KeyboardEvent, useId, useState } from 'react';
import { LIMITS } from '../../../contract/index.ts';
import { visibleText } from '../../../protocol/index.ts';
import { LedgerLink } from '../../api/ledger/places.tsx';
import { Seen } from '../../ui/seen.tsx';
import { useAnnotation } from './use-annotation.ts';

interface TagEditorProps {
  readonly caseId: string;
  readonly operationId: string;
}

/** The tags of a record: each leads to all records that have it, and can be taken away. */
export function TagEditor({ caseId, operationId }: TagEditorProps) {
  const list = useId();
  const [typed, setTyped] = useState('');
  const { tags, allTags, change, refusal } = useAnnotation(caseId, operationId);
  const add = (): void => {
    const tag = typed.trim();
    setTyped('');
    if (tag !== '' && !tags.includes(tag)) change.mutate({ tags: [...tags, tag] });
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    add();
  };
  return (
    <ul className="tags" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag} className="chip">
          <LedgerLink to="/search" search={{ tag }} className="ellipsis">
            <Seen text={tag} />
          </LedgerLink>
          <button
            type="button"
            aria-label={visibleText(`Take the tag ${tag} away`)}
            disabled={change.isPending || refusal !== null}
            onClick={() => change.mutate({ tags: tags.filter((other) => other !== tag) })}
          >
            ×
          </button>
        </li>
      ))}
      {refusal === null && tags.length < LIMITS.tagsPerRecord && (
        <li className="cluster">
          <input
            aria-label="Add a tag"
            placeholder="Add a tag"
            list={list}
            size={18}
            maxLength={LIMITS.tag}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={onKey}
          />
          <datalist id={list}>
            {allTags.map(({ tag }) => (
              <option key={tag} value={tag} />
            ))}
          </datalist>
          <button
            type="button"
            className="button-small"
            disabled={typed.trim() === '' || change.isPending}
            onClick={add}
          >
            Add
          </button>
        </li>
      )}
    </ul>
  );
}
