import { useQuery } from '@tanstack/react-query';
import type { Grouping } from '../../../actions/index.ts';
import { CHOSEN_REPORT_TEXT } from '../../../protocol/index.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { useRefusal } from '../../api/permission.ts';
import { keyBelow } from '../../api/query.ts';
import { type AskedSums, type ChosenRecord, type ReportWords, withNotes } from '../../lib/report-draft.ts';
import { useTimeZone } from '../../lib/time-zone.ts';
import { AreaField } from '../../ui/area-field.tsx';
import { TextField } from '../../ui/field.tsx';
import { GroupFields } from '../group-fields.tsx';
import { ChosenRecords } from './chosen-records.tsx';
import { REPORT_DIALOG } from './texts.ts';

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
