import {
  CHECK_TITLES,
  CHECKS,
  describeCounts,
  describePlace,
  type VerificationReport,
} from '../../../protocol/index.ts';
import { Hash } from '../../components/hash.tsx';
import { Mark } from '../../components/mark.tsx';
import { Panel } from '../../components/panel.tsx';
import { count } from '../../components/time.tsx';
import type { Outcome } from '../../proof/outcome.ts';
import { saveFile } from '../../service/save-file.ts';

const OUTCOMES: Readonly<Record<VerificationReport['verdict'], Outcome>> = {
  verified: 'pass',
  failed: 'fail',
  incomplete: 'cannot_check',
};
const SHOWN_FINDINGS = 200;

/** What a verification found: the verdict, each check, each finding. */
export function Report({ report, file }: { readonly report: VerificationReport; readonly file: string }) {
  const { verdict, summary, bundle, issuer, checks, findings } = report;
  const outcome = OUTCOMES[verdict];
  return (
    <div className="stack">
      <section className={`verdict verdict-${outcome}`} role="status">
        <Mark outcome={outcome} word="" />
        <div>
          <h2>Verdict: {verdict}</h2>
          <p>{summary}</p>
        </div>
        <button
          type="button"
          className="push"
          onClick={() => saveFile(`${file}.report.json`, `${JSON.stringify(report, null, 2)}\n`, 'application/json')}
        >
          Save the report
        </button>
      </section>
      <Panel title="Checks" flush>
        <ul className="checks" aria-label="Checks">
          {CHECKS.map((name) => (
            <li key={name}>
              <Mark outcome={checks[name].status} />
              <strong>{CHECK_TITLES[name]}</strong>
              <span className="muted">
                {[describeCounts(checks[name]), checks[name].reason].filter(Boolean).join('. ')}
              </span>
            </li>
          ))}
        </ul>
      </Panel>
      {findings.length > 0 && (
        <Panel title={`Findings (${count(findings.length)})`} flush>
          <ul className="findings" aria-label="Findings">
            {findings.slice(0, SHOWN_FINDINGS).map((finding) => (
              <li key={finding.id}>
                <span>
                  <strong className="code">{finding.code}</strong> {finding.message}
                </span>
                <span className="muted">
                  {describePlace(finding.where)}
                  {finding.caused_by !== undefined && ` · follows from finding ${finding.caused_by}`}
                </span>
                {finding.expected !== undefined && <span className="code">expected {finding.expected}</span>}
                {finding.actual !== undefined && <span className="code">actual {finding.actual}</span>}
              </li>
            ))}
            {findings.length > SHOWN_FINDINGS && (
              <li className="muted">… {count(findings.length - SHOWN_FINDINGS)} more: save the report</li>
            )}
          </ul>
        </Panel>
      )}
      <Panel title="Bundle">
        <dl className="facts">
          <dt>Organization</dt>
          <dd>
            <bdi>{bundle.org_name}</bdi> <span className="muted code">{bundle.org_id}</span>
          </dd>
          <dt>Issuer</dt>
          <dd>{issuer.kid === null ? '–' : <Hash value={issuer.kid} what="fingerprint" />}</dd>
          <dt>Records</dt>
          <dd className="number">
            {count(bundle.records)}
            {bundle.first_seq_no !== null && `, ${bundle.first_seq_no} – ${bundle.last_seq_no}`};{' '}
            {count(bundle.redacted)} without payload
          </dd>
          <dt>Made</dt>
          <dd>{bundle.created_at ?? '–'}</dd>
        </dl>
      </Panel>
    </div>
  );
}
