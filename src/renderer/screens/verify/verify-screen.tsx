import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { SCREENS } from '../../../contract/index.ts';
import { sessionQuery } from '../../api/queries.ts';
import { Screen } from '../../components/screen.tsx';
import { plural } from '../../lib/plural.ts';
import { ChosenReportPanel } from '../../report/chosen-report-panel.tsx';
import { WindowReport } from '../../report/window-report.tsx';
import { TextField } from '../../ui/field.tsx';
import { FileField } from '../../ui/file-field.tsx';
import { Seen } from '../../ui/seen.tsx';
import { useVerification } from '../../verification/use-verification.ts';
import { readTrustEntries } from './trust-entries.ts';

/** Verifies a bundle or a proof of records in this window, for anybody: nothing is sent, and no account is needed. */
export function VerifyScreen() {
  const { verification, start, stop } = useVerification();
  const { data: session } = useQuery(sessionQuery);
  const [bundle, setBundle] = useState<File | null>(null);
  const [receipts, setReceipts] = useState<File | null>(null);
  const [kids, setKids] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (bundle === null) return;
    start({ bundle, receipts, trustedKids: readTrustEntries(kids) });
  };
  return (
    <Screen
      name={SCREENS.verify.label}
      title={SCREENS.verify.label}
      actions={
        session === null ? (
          <Link to="/dashboard" className="button">
            Back to the start
          </Link>
        ) : (
          <Link to="/cases/new" className="button">
            {SCREENS.importCase.label}
          </Link>
        )
      }
    >
      <div className="stack">
        <form className="drop" onSubmit={submit}>
          <p>
            <strong>The file stays in this window</strong>: it is read here, sent nowhere and stored nowhere. Without
            the fingerprint of the issuer's key, which should have come to you through a separate channel, the verdict
            is never <em>verified</em>: anybody can make a consistent bundle with a key of their own.
          </p>
          <div className="cluster">
            <FileField
              label="Bundle, report or proof"
              accept=".csbundle,.csproof,.json,.gz,.pdf,.html"
              onFile={setBundle}
              isFilter
            />
            <FileField label="Receipts that agents kept (optional)" accept=".jsonl" onFile={setReceipts} />
          </div>
          <TextField
            label="Trusted fingerprints of issuers"
            hint="60 digits, or the kid; several with commas between them. KEY@ORG_ID trusts a key for one organization alone."
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
              Verify
            </button>
            {verification.state === 'running' && (
              <button type="button" onClick={stop}>
                Cancel
              </button>
            )}
          </div>
          {verification.state === 'running' && (
            <div className="field" role="status">
              <progress
                aria-label="Bytes verified"
                {...(bundle === null ? {} : { max: bundle.size, value: Math.min(verification.bytes, bundle.size) })}
              />
              <span className="muted number">{plural(verification.records, 'record')}</span>
            </div>
          )}
        </form>
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
