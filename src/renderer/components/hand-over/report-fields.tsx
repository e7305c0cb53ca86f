import { useQuery } from '@tanstack/react-query';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import type { Grouping } from '../../../actions/index.ts';
import { CHOSEN_REPORT_TEXT } from '../../../protocol/index.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { useRefusal } from '../../api/permission.ts';
import { keyBelow } from '../../api/query.ts';
import {
  type AskedSums,
  type ChosenRecord,
  commented,
  moved,
  type ReportWords,
  withNotes,
} from '../../lib/report-draft.ts';
import { useTimeZone } from '../../lib/time-zone.ts';
import { AreaField } from '../../ui/area-field.tsx';
import { TextField } from '../../ui/field.tsx';
import { Seen } from '../../ui/seen.tsx';
import { GroupFields } from '../group-fields.tsx';
import { REPORT_DIALOG } from './texts.ts';

interface ChosenRecordsProps {
  readonly records: readonly ChosenRecord[];
  readonly onChange: (records: readonly ChosenRecord[]) => void;
}

/** The records in the order of the report: each can be moved, commented and taken out by keyboard. */
function ChosenRecords({ records, onChange }: ChosenRecordsProps) {
  const id = useId();
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const [said, setSaid] = useState('');
  // The browser takes the focus from an element that changes its place.
  const refocus = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (refocus.current === null) return;
    document.getElementById(refocus.current)?.focus();
    refocus.current = null;
  });
  const buttonId = (seqNo: number, what: string): string => `${id}-${seqNo}-${what}`;
  const move = (seqNo: number, by: -1 | 1): void => {
    const next = moved(records, seqNo, by);
    refocus.current = buttonId(seqNo, by < 0 ? 'up' : 'down');
    setSaid(REPORT_DIALOG.movedTo(seqNo, next.findIndex((one) => one.seqNo === seqNo) + 1, next.length));
    onChange(next);
  };
  const remove = (seqNo: number, index: number): void => {
    const neighbour = records[index + 1] ?? records[index - 1];
    if (neighbour !== undefined) refocus.current = buttonId(neighbour.seqNo, 'remove');
    setSaid(REPORT_DIALOG.removed(seqNo));
    onChange(records.filter((one) => one.seqNo !== seqNo));
  };
  return (
    <div className="chosen">
      <p className="chosen-title" id={id}>
        {REPORT_DIALOG.order}
      </p>
      <p className="visually-hidden" role="status">
        {said}
      </p>
      <ol className="chosen-records" aria-labelledby={id}>
        {records.map(({ seqNo, text, comment }, index) => (
          <li key={seqNo}>
            <div className="chosen-record">
              <span className="ellipsis">
                <b>{REPORT_DIALOG.number(seqNo)}</b> <Seen text={text} />
              </span>
              <span className="cluster">
                <button
                  type="button"
                  id={buttonId(seqNo, 'up')}
                  className="button-small"
                  aria-disabled={index === 0}
                  aria-label={REPORT_DIALOG.moveUp(seqNo)}
                  onClick={() => move(seqNo, -1)}
                >
                  ↑
                </button>
                <button
                  type="button"
                  id={buttonId(seqNo, 'down')}
                  className="button-small"
                  aria-disabled={index === records.length - 1}
                  aria-label={REPORT_DIALOG.moveDown(seqNo)}
                  onClick={() => move(seqNo, 1)}
                >
                  ↓
                </button>
                <button
                  type="button"
                  className="button-small"
                  aria-label={REPORT_DIALOG.commentOn(seqNo)}
                  aria-expanded={open.has(seqNo)}
                  onClick={() =>
                    setOpen(
                      (before) =>
                        new Set([...before].filter((one) => one !== seqNo).concat(before.has(seqNo) ? [] : [seqNo])),
                    )
                  }
                >
                  {comment.trim() === '' ? REPORT_DIALOG.comment : REPORT_DIALOG.commentWritten}
                </button>
                <button
                  type="button"
                  id={buttonId(seqNo, 'remove')}
                  className="button-small"
                  aria-label={REPORT_DIALOG.leaveOutNumber(seqNo)}
                  onClick={() => remove(seqNo, index)}
                >
                  {REPORT_DIALOG.leaveOut}
                </button>
              </span>
            </div>
            {open.has(seqNo) && (
              <AreaField
                label={REPORT_DIALOG.commentOn(seqNo)}
                rows={2}
                maxLength={CHOSEN_REPORT_TEXT.comment}
                value={comment}
                onChange={(value) => onChange(commented(records, seqNo, value))}
              />
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Notes that come at once. */
const NOTES = 200;

/** A table of groups and sums in the report, where somebody wants one. */
export function SumsFields({
  sums,
  onChange,
}: {
  readonly sums: AskedSums | undefined;
  readonly onChange: (sums: AskedSums | undefined) => void;
}) {
  const zone = useTimeZone();
  const grouping = sums && { by: sums.by, op: sums.measure.op, of: sums.measure.op === 'count' ? '' : sums.measure.of };
  const asked = ({ by, op, of }: Grouping): AskedSums => ({
    unit: sums?.unit ?? 'actions',
    by,
    measure: op === 'count' ? { op } : { op, of },
    zone: sums?.zone ?? zone,
  });
  return (
    <div className="field">
      <label className="cluster">
        <input
          type="checkbox"
          checked={sums !== undefined}
          onChange={({ currentTarget: { checked } }) =>
            onChange(checked ? asked({ by: ['agent'], op: 'count', of: '' }) : undefined)
          }
        />
        {REPORT_DIALOG.withSums}
      </label>
      {grouping !== undefined && <GroupFields grouping={grouping} change={(next) => onChange(asked(next))} />}
      <small className="muted">{REPORT_DIALOG.sumsHint}</small>
    </div>
  );
}

interface ReportFieldsProps {
  readonly words: ReportWords;
  readonly change: (part: Partial<ReportWords>) => void;
}

/** What its maker says in a report. */
export function ReportFields({ words, change }: ReportFieldsProps) {
  return (
    <>
      <TextField
        label={REPORT_DIALOG.title}
        required
        maxLength={CHOSEN_REPORT_TEXT.title}
        value={words.title}
        onChange={(title) => change({ title })}
      />
      <AreaField
        label={REPORT_DIALOG.question}
        rows={2}
        maxLength={CHOSEN_REPORT_TEXT.question}
        value={words.question}
        onChange={(question) => change({ question })}
      />
      <TextField
        label={REPORT_DIALOG.madeBy}
        maxLength={CHOSEN_REPORT_TEXT.examiner}
        value={words.examiner}
        onChange={(examiner) => change({ examiner })}
      />
      {words.format === 'pdf' && (
        <div className="field">
          <label className="cluster">
            <input
              type="checkbox"
              checked={words.details}
              onChange={(event) => change({ details: event.currentTarget.checked })}
            />
            {REPORT_DIALOG.printAll}
          </label>
          <small className="muted">{REPORT_DIALOG.printAllHint}</small>
        </div>
      )}
    </>
  );
}

interface RecordsOfReportProps {
  readonly records: readonly ChosenRecord[];
  readonly onChange: (records: readonly ChosenRecord[]) => void;
}

/** The records in their order, with comments, which people's notes can become. */
export function RecordsOfReport({ records, onChange }: RecordsOfReportProps) {
  const { q, call, routeOf } = useLedger();
  const canReadNotes = useRefusal(routeOf('liveAnnotations')) === null;
  const { data: notes } = useQuery({
    queryKey: keyBelow(q('liveAnnotations'), 'notes'),
    enabled: canReadNotes,
    queryFn: async ({ signal }) => {
      const noteOf = new Map<string, string>();
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await call('liveAnnotations', { query: { limit: NOTES, cursor }, signal });
        for (const { operation_id, note } of page.data) if (note !== '') noteOf.set(operation_id, note);
        cursor = page.nextCursor;
      }
      return noteOf;
    },
  });
  const fromNotes = notes === undefined ? records : withNotes(records, notes);
  const noted = fromNotes.filter((record, n) => record !== records[n]).length;
  return (
    <>
      <ChosenRecords records={records} onChange={onChange} />
      {noted > 0 && (
        <p>
          <button type="button" className="button-small" onClick={() => onChange(fromNotes)}>
            {REPORT_DIALOG.noteComments(noted)}
          </button>{' '}
          <span className="muted">{REPORT_DIALOG.notesHint}</span>
        </p>
      )}
    </>
  );
}
