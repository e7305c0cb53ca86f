import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { LIMITS } from '../../../contract/index.ts';
import { visibleText } from '../../../protocol/index.ts';
import type { Annotation, StoredOperation } from '../../api/answers.ts';
import { recordFindingsQuery } from '../../api/case-queries.ts';
import { Answer } from '../../components/answer.tsx';
import { Refusal } from '../../components/permitted.tsx';
import { Findings } from '../../report/findings.tsx';
import { Panel } from '../../ui/panel.tsx';
import { count, timeText } from '../../ui/time.tsx';
import { CustodyPanel } from './custody-panel.tsx';
import { TagEditor } from './tag-editor.tsx';
import { useAnnotation } from './use-annotation.ts';

interface RecordInCaseProps {
  readonly caseId: string;
  readonly ear: StoredOperation['ear'];
}

/** What a record has besides in a case: what the verification found about it, and the investigator's tags and note. */
export function RecordInCase({ caseId, ear }: RecordInCaseProps) {
  const { annotation, change, refusal } = useAnnotation(caseId, ear.operation_id);
  const findings = useQuery(recordFindingsQuery(caseId, ear.operation_id, ear.seq_no));
  return (
    <>
      {findings.data !== undefined && findings.data.length > 0 && (
        <Panel title={`Findings that name this record (${count(findings.data.length)})`} flush>
          <Findings findings={findings.data} isBrowsable={false} />
        </Panel>
      )}
      <Panel title="Your tags and note" actions={<span className="muted">yours, and no part of the evidence</span>}>
        <div className="stack">
          <TagEditor caseId={caseId} operationId={ear.operation_id} />
          <Answer query={annotation} what="the note">
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
      {annotation.data != null && <CustodyPanel caseId={caseId} operationId={ear.operation_id} />}
    </>
  );
}

interface NoteProps {
  readonly kept: Annotation | null;
  readonly isSaving: boolean;
  /** Why the note may not be changed. */
  readonly refusal: string | null;
  readonly save: (note: string) => void;
}

function Note({ kept, isSaving, refusal, save }: NoteProps) {
  const id = useId();
  const stored = kept?.note ?? '';
  const [note, setNote] = useState(stored);
  const isChanged = note !== stored;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save(note);
  };
  return (
    <form className="field note" onSubmit={submit}>
      <label htmlFor={id}>Note</label>
      <textarea
        id={id}
        rows={3}
        maxLength={LIMITS.note}
        readOnly={refusal !== null}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      {refusal !== null && <Refusal>{refusal}</Refusal>}
      <div className="cluster">
        <button type="submit" disabled={!isChanged || isSaving || refusal !== null}>
          Save the note
        </button>
        <span className="muted" role="status">
          {isChanged
            ? 'Not saved yet'
            : kept === null
              ? ''
              : `Saved ${timeText(kept.updated_at)} UTC${kept.updated_by === null ? '' : ` by ${visibleText(kept.updated_by)}`}`}
        </span>
      </div>
    </form>
  );
}
