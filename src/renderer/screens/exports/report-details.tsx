import { LIMITS } from '../../../contract/index.ts';
import { pagesOf } from '../../lib/report-pages.ts';
import { Seen } from '../../ui/seen.tsx';
import { count } from '../../ui/time.tsx';
import { REPORT_DETAILS } from './texts.ts';

interface ReportDetailsProps {
  readonly details: boolean;
  /** How many records the export will hold, where that is known; `more` where there are more than were counted. */
  readonly preview: { readonly records: number; readonly more_records: boolean } | undefined;
  readonly onChange: (details: boolean) => void;
}

/** What printing every record comes to. */
function pagesText({ records, more_records: more }: NonNullable<ReportDetailsProps['preview']>): string {
  const { from, to } = pagesOf(records);
  return more
    ? REPORT_DETAILS.atLeast(count(records), count(from))
    : REPORT_DETAILS.pages(count(records), count(from), count(to));
}

/** Whether a PDF report is a summary or prints every record. Few records are printed in any case: then there is no choice. */
export function ReportDetails({ details, preview, onChange }: ReportDetailsProps) {
  const isFew = preview !== undefined && !preview.more_records && preview.records <= LIMITS.detailedRecords;
  if (isFew) return <p className="muted">{REPORT_DETAILS.few(count(LIMITS.detailedRecords))}</p>;
  const choices = [
    [false, REPORT_DETAILS.summary, REPORT_DETAILS.summaryHint(count(LIMITS.detailedRecords))],
    [true, REPORT_DETAILS.every, preview === undefined ? REPORT_DETAILS.unknownPages : pagesText(preview)],
  ] as const;
  return (
    <fieldset className="field">
      <legend>{REPORT_DETAILS.title}</legend>
      {choices.map(([value, name, what]) => (
        <label key={name} className="choice">
          <input type="radio" name="details" checked={details === value} onChange={() => onChange(value)} />
          <span>
            <strong>
              <Seen text={name} />
            </strong>{' '}
            <span className="muted">{what}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
