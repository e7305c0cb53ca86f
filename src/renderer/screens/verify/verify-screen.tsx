import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { SCREENS } from '../../../api/index.ts';
import { sessionQuery } from '../../api/query.ts';
import { Form } from '../../components/form.tsx';
import { Screen } from '../../components/screen.tsx';
import { fill } from '../../lib/fill.ts';
import { ChosenReportPanel } from '../../report/chosen-report-panel.tsx';
import { WindowReport } from '../../report/window-report.tsx';
import { TextField } from '../../ui/field.tsx';
import { FileField } from '../../ui/file-field.tsx';
import { Seen } from '../../ui/seen.tsx';
import { useVerification } from '../../verification/use-verification.ts';
import { VERIFY_SCREEN } from './texts.ts';
import { readTrustEntries } from './trust-entries.ts';

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
