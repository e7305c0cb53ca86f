import { useQuery } from '@tanstack/react-query';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import { CHOSEN_REPORT_TEXT } from '../../../protocol/index.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { useRefusal } from '../../api/permission.ts';
import { keyBelow } from '../../api/query.ts';
import { stampOf } from '../../api/rows-file.ts';
import { saveBlob } from '../../api/save-file.ts';
import { signReport } from '../../decisions/sign-report.ts';
import {
  type ChosenRecord,
  commented,
  MAX_CHOSEN,
  moved,
  type ReportWords,
  reportRequest,
  withNotes,
} from '../../lib/report-draft.ts';
import { AreaField } from '../../ui/area-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Seen } from '../../ui/seen.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { count } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { Form } from '../form.tsx';
import { ReportSigning, useReportSigner } from './report-signing.tsx';
import { REPORT_DIALOG, REPORT_SIGNING } from './texts.ts';

const FORMATS = [
  { value: 'pdf', label: REPORT_DIALOG.pdf },
  { value: 'html', label: REPORT_DIALOG.html },
] as const;

/** Notes that come at once. */
const NOTES = 200;

interface ReportDialogProps {
  readonly given: readonly ChosenRecord[];
  readonly title: string;
  readonly onClose: () => void;
}

/** Orders and comments chosen records, and has a report made of them. */
export function ReportDialog({ given, title, onClose }: ReportDialogProps) {
  const ledger = useLedger();
  const { q, call: ask } = ledger;
  const [words, setWords] = useState<ReportWords>({ title, question: '', examiner: '', format: 'pdf', details: false });
  const [records, setRecords] = useState(given);
  const canReadNotes = useRefusal(ledger.routeOf('liveAnnotations')) === null;
  const { data: notes } = useQuery({
    queryKey: keyBelow(q('liveAnnotations'), 'notes'),
    enabled: canReadNotes,
    queryFn: async ({ signal }) => {
      const noteOf = new Map<string, string>();
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await ask('liveAnnotations', { query: { limit: NOTES, cursor }, signal });
        for (const { operation_id, note } of page.data) if (note !== '') noteOf.set(operation_id, note);
        cursor = page.nextCursor;
      }
      return noteOf;
    },
  });
  const fromNotes = notes === undefined ? records : withNotes(records, notes);
  const noted = fromNotes.filter((record, n) => record !== records[n]).length;
  const signer = useReportSigner();
  const [wantsSigned, setWantsSigned] = useState(true);
  const make = async (): Promise<void> => {
    const request = reportRequest(words, records);
    const operations = new Map(records.map(({ seqNo, operationId }) => [seqNo, operationId]));
    const isSigned = wantsSigned && signer.person !== null && signer.kid != null;
    const signed = isSigned ? { signed: await signReport(signer.person, ledger, request, operations) } : {};
    const body = { ...request, ...signed };
    const file = await ledger.fetchFile('reportOfRecords', { body });
    saveBlob(`countersign-report-${stampOf(new Date().toISOString())}.${words.format}`, file);
    toast(REPORT_SIGNING.saved(isSigned, records.length));
    onClose();
  };
  const change = (part: Partial<ReportWords>): void => setWords((before) => ({ ...before, ...part }));
  const tooMany = records.length > MAX_CHOSEN ? REPORT_DIALOG.atMost(count(MAX_CHOSEN)) : null;
  return (
    <Dialog open onClose={onClose} title={REPORT_DIALOG.reportOf(records.length)} className="dialog-wide">
      <Form
        act={make}
        verb={REPORT_DIALOG.save}
        busyVerb={REPORT_DIALOG.making}
        isBlocked={signer.kid === undefined || records.length === 0 || tooMany !== null}
        problem={tooMany}
        onClose={onClose}
      >
        <TextField
          label={REPORT_DIALOG.title}
          required
          maxLength={CHOSEN_REPORT_TEXT.title}
          value={words.title}
          onChange={(value) => change({ title: value })}
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
        <SelectField
          label={REPORT_DIALOG.file}
          options={FORMATS}
          value={words.format}
          onChange={(format) => change({ format })}
          hint={REPORT_DIALOG.fileHint}
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
        <ChosenRecords records={records} onChange={setRecords} />
        {noted > 0 && (
          <p>
            <button type="button" className="button-small" onClick={() => setRecords(fromNotes)}>
              {REPORT_DIALOG.noteComments(noted)}
            </button>{' '}
            <span className="muted">{REPORT_DIALOG.notesHint}</span>
          </p>
        )}
        <ReportSigning signer={signer} isOn={wantsSigned} onChange={setWantsSigned} />
      </Form>
    </Dialog>
  );
}

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
              <span className="chosen-text">
                <b>{REPORT_DIALOG.number(count(seqNo))}</b> <Seen text={text} />
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
