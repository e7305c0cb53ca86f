import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Annotation, LIMITS } from '../../../api/index.ts';
import type { JsonObject } from '../../../protocol/index.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { pages } from '../../api/query.ts';
import { dataOf, usePages } from '../../api/use-pages.ts';
import { fill } from '../../lib/fill.ts';
import { AreaField } from '../../ui/area-field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { Answer } from '../answer.tsx';
import { Form } from '../form.tsx';
import { Mark } from '../mark.tsx';
import { NextPage } from '../next-page.tsx';
import { Refusal } from '../permitted.tsx';
import { Person } from '../person.tsx';
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
    : fill(TEXTS.savedBy, { time, person: <Person email={updated_by} /> });
}

function Note({ kept, isSaving, refusal, save }: NoteProps) {
  const stored = kept?.note ?? '';
  const [typed, setTyped] = useState(stored);
  const isChanged = typed !== stored;
  const submit = (): void => {
    save(typed);
  };
  return (
    <Form className="stack note" act={submit}>
      <AreaField
        label={TEXTS.noteLabel}
        rows={3}
        maxLength={LIMITS.note}
        readOnly={refusal !== null}
        value={typed}
        onChange={setTyped}
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

/** One thing that was written about a record. */
interface AnnotationAct {
  readonly at: string;
  readonly by: string | null;
  readonly action: string;
  readonly details: JsonObject;
}

type Row = { readonly entry_no: number; readonly entry: AnnotationAct | null };

/** Who wrote what about a record, newest first; nothing of it is ever changed or taken out. */
function AnnotationHistory({ operationId }: { readonly operationId: string }) {
  const { caseId } = useLedger();
  const query = useInfiniteQuery(
    pages(caseId === null ? 'annotationLog' : 'custody', {
      ...(caseId === null ? {} : { params: { case_id: caseId } }),
      query: { limit: 20, operation_id: operationId },
    }),
  );
  const { rows } = usePages(query, dataOf<Row>);
  return (
    <Panel title={TEXTS.history} flush>
      <Answer query={query} what={TEXTS.theHistory}>
        {({ pages: found }) => (
          <>
            {found.some(({ damage }) => damage.length > 0) && (
              <p className="panel-body">
                <Mark outcome="fail" word={TEXTS.logDamaged} />
              </p>
            )}
            <Table heads={TEXTS.historyHeads}>
              {rows.map((row) => (
                <Act key={row.entry_no} row={row} />
              ))}
            </Table>
            <NextPage query={query} />
          </>
        )}
      </Answer>
    </Panel>
  );
}

function Act({ row: { entry } }: { readonly row: Row }) {
  if (entry === null) {
    return (
      <tr>
        <td colSpan={4}>
          <Mark outcome="fail" word={TEXTS.unreadable} />
        </td>
      </tr>
    );
  }
  const { at, by, action, details } = entry;
  return (
    <tr>
      <td>
        <Time value={at} />
      </td>
      <td>{by === null ? <span className="muted">{TEXTS.workstation}</span> : <Person email={by} />}</td>
      <td>{actText(action, details)}</td>
      <td className="wraps">
        <Seen text={action === 'look.mark' ? String(details['item_id']) : stateText(details)} />
      </td>
    </tr>
  );
}

function actText(action: string, { seen }: JsonObject): string {
  if (action === 'look.mark') return seen === false ? TEXTS.lookTakenBack : TEXTS.acts['look.mark'];
  return action === 'annotation.remove' ? TEXTS.acts['annotation.remove'] : TEXTS.acts['annotation.set'];
}

/** What the record had from then on, on one line. */
function stateText({ tags, note, bookmarked }: JsonObject): string {
  const parts = [
    ...(bookmarked === true ? [TEXTS.bookmarked] : []),
    ...(Array.isArray(tags) && tags.length > 0 ? [`${TEXTS.tags}: ${tags.join(', ')}`] : []),
    ...(typeof note === 'string' && note !== '' ? [`${TEXTS.noteLabel}: ${note}`] : []),
  ];
  return parts.length === 0 ? '–' : parts.join(' · ');
}
