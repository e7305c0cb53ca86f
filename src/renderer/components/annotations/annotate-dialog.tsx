import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LIMITS } from '../../../api/index.ts';
import { visibleText } from '../../../protocol/index.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { AreaField } from '../../ui/area-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Seen } from '../../ui/seen.tsx';
import { toast } from '../../ui/toasts.tsx';
import { Form } from '../form.tsx';
import { TagInput } from './tag-input.tsx';
import { ANNOTATION_TEXTS as TEXTS } from './texts.ts';
import { type ChangeOfMany, useAnnotateMany } from './use-annotation.ts';

/** A record that is written about. */
export interface AnnotatedRow {
  readonly operation_id: string;
  readonly tags?: readonly string[] | undefined;
}

interface AnnotateDialogProps {
  readonly rows: readonly AnnotatedRow[];
  readonly onClose: () => void;
}

/** Tags, a note and a bookmark for several records at once. */
export function AnnotateDialog({ rows, onClose }: AnnotateDialogProps) {
  const { q } = useLedger();
  const { data } = useQuery(q('liveAnnotations', { query: { limit: 1 } }));
  const known = data?.tags ?? [];
  const [added, setAdded] = useState<readonly string[]>([]);
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const [note, setNote] = useState('');
  const [bookmarked, setBookmarked] = useState(false);
  const annotate = useAnnotateMany();
  const present = [...new Set(rows.flatMap(({ tags = [] }) => tags))].toSorted();
  const change: ChangeOfMany = {
    ...(added.length > 0 && { add_tags: added }),
    ...(removed.length > 0 && { remove_tags: removed }),
    ...(note.trim() !== '' && { add_note: note.trim() }),
    ...(bookmarked && { bookmarked }),
  };
  const save = async (): Promise<void> => {
    toast(TEXTS.changed(await annotate.mutateAsync({ ids: rows.map(({ operation_id }) => operation_id), change })));
    onClose();
  };
  return (
    <Dialog open onClose={onClose} title={TEXTS.annotateTitle(rows.length)}>
      <Form act={save} verb={TEXTS.save} isBlocked={Object.keys(change).length === 0} onClose={onClose}>
        <div className="field">
          <span className="chosen-title">{TEXTS.tags}</span>
          <ul className="tags" aria-label={TEXTS.addToAll}>
            {added.map((tag) => (
              <li key={tag} className="chip">
                <Seen text={tag} />
                <button
                  type="button"
                  aria-label={visibleText(TEXTS.doNotAdd(tag))}
                  onClick={() => setAdded(added.filter((other) => other !== tag))}
                >
                  ×
                </button>
              </li>
            ))}
            {added.length < LIMITS.tagsPerRecord && (
              <li className="cluster">
                <TagInput known={known} onAdd={(tag) => setAdded([...new Set([...added, tag])])} />
              </li>
            )}
          </ul>
        </div>
        {present.length > 0 && (
          <fieldset className="field">
            <legend>{TEXTS.tagsOfSome}</legend>
            {present.map((tag) => (
              <label key={tag} className="cluster">
                <input
                  type="checkbox"
                  checked={!removed.includes(tag)}
                  onChange={(event) =>
                    setRemoved(
                      event.currentTarget.checked ? removed.filter((other) => other !== tag) : [...removed, tag],
                    )
                  }
                />
                <Seen text={tag} />
              </label>
            ))}
          </fieldset>
        )}
        <AreaField
          label={TEXTS.noteToAll}
          hint={TEXTS.noteToAllHint}
          rows={3}
          maxLength={LIMITS.note}
          value={note}
          onChange={setNote}
        />
        <label className="cluster">
          <input
            type="checkbox"
            checked={bookmarked}
            onChange={(event) => setBookmarked(event.currentTarget.checked)}
          />
          {TEXTS.bookmarkAll}
        </label>
      </Form>
    </Dialog>
  );
}
