import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { SCREENS } from '../../../api/index.ts';
import { type ChosenReportJudgement, clockNote, fingerprintGroups } from '../../../protocol/index.ts';
import { sessionQuery } from '../../api/query.ts';
import { Form } from '../../components/form.tsx';
import { Mark } from '../../components/mark.tsx';
import { Screen } from '../../components/screen.tsx';
import { fill } from '../../lib/fill.ts';
import { VERDICT_OUTCOMES } from '../../report/report.tsx';
import { CHOSEN_REPORT_PANEL } from '../../report/texts.ts';
import { WindowReport } from '../../report/window-report.tsx';
import { TextField } from '../../ui/field.tsx';
import { FileField } from '../../ui/file-field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Time } from '../../ui/time.tsx';
import { useVerification } from '../../verification/use-verification.ts';
import { VERIFY_SCREEN } from './texts.ts';
import { readTrustEntries } from './trust-entries.ts';

const SIGNED: Readonly<Record<ChosenReportJudgement['report']['signature'], string>> = {
  none: CHOSEN_REPORT_PANEL.signedByNobody,
  valid: CHOSEN_REPORT_PANEL.signedByKey,
  invalid: CHOSEN_REPORT_PANEL.signatureInvalid,
};

/** What a report of chosen records says of itself; whether its records are proven stands below. */
function ChosenReportPanel({ judgement }: { readonly judgement: ChosenReportJudgement }) {
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

/** Receipts are lines, one a record; bundles, reports and proofs are not. */
const isOfReceipts = (name: string): boolean => /\.jsonl$/i.test(name);

/** Verifies a bundle or a proof of records in this window, for anybody: nothing is sent, and no account is needed. */
export function VerifyScreen() {
  const { verification, start, stop } = useVerification();
  const { data: session } = useQuery(sessionQuery);
  const [bundle, setBundle] = useState<File | null>(null);
  const [isSeveral, setSeveral] = useState(false);
  // Those that were chosen with the bundle, and others.
  const [receiptsWith, setReceiptsWith] = useState<readonly File[]>([]);
  const [otherReceipts, setOtherReceipts] = useState<readonly File[]>([]);
  const [kids, setKids] = useState('');
  const choose = (files: readonly File[]): void => {
    const bundles = files.filter(({ name }) => !isOfReceipts(name));
    setSeveral(bundles.length > 1);
    setBundle(bundles.length === 1 ? (bundles[0] ?? null) : null);
    setReceiptsWith(files.filter(({ name }) => isOfReceipts(name)));
  };
  const submit = (): void => {
    if (bundle === null) return;
    start({ bundle, receipts: [...receiptsWith, ...otherReceipts], trustedKids: readTrustEntries(kids) });
  };
  return (
    <Screen
      name={SCREENS.verify.label}
      title={SCREENS.verify.label}
      actions={
        session === null ? (
          <Link to="/dashboard" className="button">
            {VERIFY_SCREEN.backToStart}
          </Link>
        ) : (
          <Link to="/cases/new" className="button">
            {SCREENS.importCase.label}
          </Link>
        )
      }
    >
      <div className="stack">
        <Form className="drop" act={submit}>
          <p>
            {fill(VERIFY_SCREEN.explained, {
              file: <strong>{VERIFY_SCREEN.staysHere}</strong>,
              verified: <em>{VERIFY_SCREEN.verified}</em>,
            })}
          </p>
          <div className="cluster">
            <FileField
              label={VERIFY_SCREEN.fileLabel}
              accept=".csbundle,.csproof,.json,.gz,.pdf,.html,.jsonl"
              onFiles={choose}
              isFilter
            />
            <FileField label={VERIFY_SCREEN.receiptsLabel} accept=".jsonl" onFiles={setOtherReceipts} />
          </div>
          {isSeveral && (
            <p className="field-error" role="alert">
              {VERIFY_SCREEN.several}
            </p>
          )}
          {receiptsWith.length > 0 && <p className="muted">{VERIFY_SCREEN.withReceipts(receiptsWith.length)}</p>}
          <TextField
            label={VERIFY_SCREEN.trustedLabel}
            hint={VERIFY_SCREEN.trustedHint}
            size={74}
            spellCheck={false}
            value={kids}
            onChange={setKids}
          />
          <div className="cluster">
            <button
              type="submit"
              className="button-primary"
              disabled={bundle === null || verification.state === 'running'}
            >
              {VERIFY_SCREEN.verify}
            </button>
            {verification.state === 'running' && (
              <button type="button" onClick={stop}>
                {VERIFY_SCREEN.cancel}
              </button>
            )}
          </div>
          {verification.state === 'running' && (
            <div className="field" role="status">
              <progress
                aria-label={VERIFY_SCREEN.progress}
                {...(bundle === null ? {} : { max: bundle.size, value: Math.min(verification.bytes, bundle.size) })}
              />
              <span className="muted number">{VERIFY_SCREEN.records(verification.records)}</span>
            </div>
          )}
        </Form>
        {verification.state === 'unreadable' && (
          <p className="field-error" role="alert">
            <Seen text={verification.message} />
          </p>
        )}
        {verification.state === 'done' && (
          <>
            {verification.chosen !== null && <ChosenReportPanel judgement={verification.chosen} />}
            <WindowReport report={verification.report} pages={verification.pages} file={verification.file} />
          </>
        )}
      </div>
    </Screen>
  );
}
