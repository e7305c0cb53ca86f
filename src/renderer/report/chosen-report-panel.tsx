import { type ChosenReportJudgement, clockNote, fingerprintGroups } from '../../protocol/index.ts';
import { Mark } from '../components/mark.tsx';
import { Panel } from '../ui/panel.tsx';
import { Seen } from '../ui/seen.tsx';
import { Time } from '../ui/time.tsx';
import { VERDICT_OUTCOMES } from './report.tsx';
import { CHOSEN_REPORT_PANEL } from './texts.ts';

const SIGNED: Readonly<Record<ChosenReportJudgement['report']['signature'], string>> = {
  none: CHOSEN_REPORT_PANEL.signedByNobody,
  valid: CHOSEN_REPORT_PANEL.signedByKey,
  invalid: CHOSEN_REPORT_PANEL.signatureInvalid,
};

/** What a report of chosen records says of itself; whether its records are proven stands below. */
export function ChosenReportPanel({ judgement }: { readonly judgement: ChosenReportJudgement }) {
  const { report, problems, verdict, summary } = judgement;
  const { title, made_at, records, digest, signature, examiner_kid: kid, corrected_times: corrected } = report;
  return (
    <Panel
      title={CHOSEN_REPORT_PANEL.title}
      actions={<Mark outcome={VERDICT_OUTCOMES[verdict]} word={CHOSEN_REPORT_PANEL.verdictOf(verdict)} />}
    >
      <div className="stack">
        {problems.map(({ code, message }) => (
          <p key={code} role="alert">
            <Mark outcome="fail" word={code} /> <Seen text={message} />
          </p>
        ))}
        {problems.length === 0 && (
          <p>
            <Seen text={summary} />
          </p>
        )}
        <dl className="facts">
          <dt>{CHOSEN_REPORT_PANEL.reportTitle}</dt>
          <dd>
            <Seen text={title} />
          </dd>
          <dt>{CHOSEN_REPORT_PANEL.made}</dt>
          <dd>
            <Time value={made_at} hasZone />
          </dd>
          <dt>{CHOSEN_REPORT_PANEL.shows}</dt>
          <dd>{CHOSEN_REPORT_PANEL.record(records)}</dd>
          <dt>{CHOSEN_REPORT_PANEL.signedBy}</dt>
          <dd>
            {SIGNED[signature]} {kid !== null && <span className="code">{fingerprintGroups(kid).join(' ')}</span>}
          </dd>
          {corrected.length > 0 && (
            <>
              <dt>{CHOSEN_REPORT_PANEL.clock}</dt>
              {corrected.map(({ seq_no, clock_corrected_at }) => (
                <dd key={seq_no}>{CHOSEN_REPORT_PANEL.noted(seq_no, clockNote(clock_corrected_at))}</dd>
              ))}
            </>
          )}
          <dt>{CHOSEN_REPORT_PANEL.digest}</dt>
          <dd className="code">{digest}</dd>
        </dl>
      </div>
    </Panel>
  );
}
