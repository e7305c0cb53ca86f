import { printQuery } from '../../../actions/index.ts';
import { LIMITS } from '../../../api/index.ts';
import { visibleText } from '../../../protocol/index.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink } from '../../api/ledger/places.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Seen } from '../../ui/seen.tsx';
import { TagInput } from './tag-input.tsx';
import { ANNOTATION_TEXTS as TEXTS } from './texts.ts';
import { useAnnotation } from './use-annotation.ts';

/** The search for all records with a tag. */
function searchFor(tag: string, caseId: string | null) {
  if (caseId !== null) return { tag };
  return { query: printQuery({ kind: 'equals', field: { of: 'record', name: 'tag' }, value: tag, text: tag }) };
}

/** Bookmark and tags of a record: each tag leads to all records that have it, and can be taken away. */
export function TagEditor({ operationId }: { readonly operationId: string }) {
  const { caseId } = useLedger();
  const { tags, bookmarked, allTags, change, refusal, canRead } = useAnnotation(operationId);
  if (!canRead) return null;
  return (
    <div className="annotation-line">
      <button
        type="button"
        aria-pressed={bookmarked}
        disabled={change.isPending || refusal !== null}
        title={bookmarked ? TEXTS.takeBookmark : undefined}
        onClick={() => change.mutate({ bookmarked: !bookmarked })}
      >
        <Icon name="bookmark" /> {bookmarked ? TEXTS.bookmarked : TEXTS.bookmark}
      </button>
      <ul className="tags" aria-label={TEXTS.tags}>
        {tags.map((tag) => (
          <li key={tag} className="chip">
            <LedgerLink to="/search" search={searchFor(tag, caseId)} className="ellipsis">
              <Seen text={tag} />
            </LedgerLink>
            <button
              type="button"
              aria-label={visibleText(TEXTS.removeTag(tag))}
              disabled={change.isPending || refusal !== null}
              onClick={() => change.mutate({ tags: tags.filter((other) => other !== tag) })}
            >
              ×
            </button>
          </li>
        ))}
        {refusal === null && tags.length < LIMITS.tagsPerRecord && (
          <li className="cluster">
            <TagInput
              known={allTags}
              isBusy={change.isPending}
              onAdd={(tag) => {
                if (!tags.includes(tag)) change.mutate({ tags: [...tags, tag] });
              }}
            />
          </li>
        )}
      </ul>
    </div>
  );
}
