import { useId, useState } from 'react';
import { type Annotation, LIMITS } from '../../../contract/index.ts';
import { fill } from '../../lib/fill.ts';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Time } from '../../ui/time.tsx';
import { Answer } from '../answer.tsx';
import { Form } from '../form.tsx';
import { Refusal } from '../permitted.tsx';
import { AnnotationHistory } from './annotation-history.tsx';
import { TagEditor } from './tag-editor.tsx';
import { ANNOTATION_TEXTS as TEXTS } from './texts.ts';
import { useAnnotation } from './use-annotation.ts';

/** What people wrote about a record of this ledger, and who wrote it when. */
export function AnnotationPanel({ operationId }: { readonly operationId: string }) {
  const { annotation, change, refusal, canRead } = useAnnotation(operationId);
  if (!canRead) return null;
  return (
    <>
      <Panel title={TEXTS.panel} actions={<span className="muted">{TEXTS.notEvidence}</span>}>
        <div className="stack">
          <TagEditor operationId={operationId} />
          <Answer query={annotation} what={TEXTS.theNote}>
            {(kept) => (
              <Note
                key={kept?.updated_at ?? ''}
                kept={kept}
                isSaving={change.isPending}
                refusal={refusal}
                save={(note) => change.mutate({ note })}
              />
            )}
          </Answer>
        </div>
      </Panel>
      {annotation.data != null && <AnnotationHistory operationId={operationId} />}
    </>
  );
}

interface NoteProps {
  readonly kept: Pick<Annotation, 'note' | 'updated_at' | 'updated_by'> | null;
  readonly isSaving: boolean;
  /** Why the note may not be changed. */
  readonly refusal: string | null;
  readonly save: (note: string) => void;
}

function Saved({ kept: { updated_at, updated_by } }: { readonly kept: NonNullable<NoteProps['kept']> }) {
  const time = <Time value={updated_at} hasZone />;
  return updated_by === null
    ? fill(TEXTS.saved, { time })
    : fill(TEXTS.savedBy, { time, person: <Seen text={updated_by} /> });
}

function Note({ kept, isSaving, refusal, save }: NoteProps) {
  const id = useId();
  const stored = kept?.note ?? '';
  const [typed, setTyped] = useState(stored);
  const isChanged = typed !== stored;
  const submit = (): void => {
    save(typed);
  };
  return (
    <Form className="field note" act={submit}>
      <label htmlFor={id}>{TEXTS.noteLabel}</label>
      <textarea
        id={id}
        rows={3}
        maxLength={LIMITS.note}
        readOnly={refusal !== null}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {refusal !== null && <Refusal>{refusal}</Refusal>}
      <div className="cluster">
        <button type="submit" disabled={!isChanged || isSaving || refusal !== null}>
          {TEXTS.saveNote}
        </button>
        <span className="muted" role="status">
          {isChanged ? TEXTS.notSaved : kept !== null && <Saved kept={kept} />}
        </span>
      </div>
    </Form>
  );
}
