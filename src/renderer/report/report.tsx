import { type ReactNode, useRef } from 'react';
import {
  CHECK_TITLES,
  CHECKS,
  completenessClaims,
  describeCounts,
  RECORD_PROOF_TYPE,
  timeClaims,
  type VerificationReport,
} from '../../protocol/index.ts';
import { KeyFingerprint, OrganizationLabel } from '../components/fingerprint.tsx';
import { Mark } from '../components/mark.tsx';
import { fill } from '../lib/fill.ts';
import { showPlace } from '../lib/show-place.ts';
import { FactList } from '../ui/fact-list.tsx';
import { Panel } from '../ui/panel.tsx';
import { Seen } from '../ui/seen.tsx';
import { count } from '../ui/time.tsx';
import { ClaimPanel } from './claims.tsx';
import { DamagePanel } from './damage-panel.tsx';
import { Findings } from './findings.tsx';
import { REPORT } from './texts.ts';
import { type Overruled, VerdictHero } from './verdict-hero.tsx';

/** Why several checks were not made, where it is one and the same reason, such as a file that ends too early; else null. */
function sharedReason(checks: VerificationReport['checks']): string | null {
  const open = CHECKS.map((name) => checks[name]).filter(({ status }) => status === 'not_checked');
  const reasons = open.flatMap(({ reason }) => (reason === null ? [] : [reason]));
  return reasons.find((reason, n) => reasons.indexOf(reason) !== n) ?? null;
}

export const VERDICT_OUTCOMES: Readonly<Record<VerificationReport['verdict'], 'pass' | 'fail' | 'cannot_check'>> = {
  verified: 'pass',
  failed: 'fail',
  incomplete: 'cannot_check',
};

interface ReportProps {
  readonly report: VerificationReport;
  /** Whether the organization's name may be taken for that of the home organization, where the service has said so. */
  readonly resemblesHome?: boolean;
  readonly actions: ReactNode;
  /** Where the verdict on the bundle alone is not the last word. */
  readonly overruled?: Overruled | undefined;
  /** What is to be decided first: below the verdict. */
  readonly lead?: ReactNode;
  /** What can be decided once the findings were read: below them. */
  readonly tail?: ReactNode;
  /** What else is known of the first finding: above the summary. */
  readonly headline?: ReactNode;
  /** Whether the records are at hand, so that findings lead to them. */
  readonly isBrowsable?: boolean;
}

/** What a verification found: the verdict, each check, which records stay proven, each finding. */
export function Report({
  report,
  resemblesHome = false,
  actions,
  overruled,
  lead,
  tail,
  headline,
  isBrowsable = false,
}: ReportProps) {
  const { checks, findings } = report;
  const place = useRef<HTMLDivElement>(null);
  const outcome = VERDICT_OUTCOMES[report.verdict];
  const shared = sharedReason(checks);
  return (
    <div className="stack">
      <VerdictHero
        report={report}
        outcome={outcome}
        showFindings={findings.length === 0 ? null : () => showPlace(place.current)}
        actions={actions}
        overruled={overruled}
        headline={headline}
      />
      {lead}
      <Panel title={REPORT.checks} flush>
        {shared !== null && (
          <p className="panel-body">
            <Seen text={shared} />
          </p>
        )}
        <ul className="checks" aria-label={REPORT.checks}>
          {CHECKS.map((name) => (
            <li key={name}>
              <Mark outcome={checks[name].status} />
              <strong>{CHECK_TITLES[name]}</strong>
              <span className="muted">
                {checks[name].reason !== null && checks[name].reason === shared
                  ? REPORT.notReached
                  : [describeCounts(checks[name]), checks[name].reason].filter(Boolean).join('; ')}
              </span>
            </li>
          ))}
        </ul>
      </Panel>
      <ClaimPanel title={REPORT.completeness} claims={completenessClaims(report)} />
      <ClaimPanel title={REPORT.saidTimes} claims={timeClaims(report)} />
      <DamagePanel damage={report.damage} isTrusted={report.issuer.pinned} isBrowsable={isBrowsable} />
      {findings.length > 0 && (
        <div ref={place} className="shown-place" tabIndex={-1}>
          <Panel title={REPORT.findings(count(findings.length))} flush>
            <Findings findings={findings} isBrowsable={isBrowsable} />
          </Panel>
        </div>
      )}
      {tail}
      <BundleFacts report={report} resemblesHome={resemblesHome} />
    </div>
  );
}

function BundleFacts({
  report: { bundle, issuer },
  resemblesHome,
}: Required<Pick<ReportProps, 'report' | 'resemblesHome'>>) {
  const isProof = bundle.format === RECORD_PROOF_TYPE;
  return (
    <Panel title={isProof ? REPORT.proofRecords : REPORT.bundle}>
      <FactList
        of={{
          [REPORT.organization]: (
            <>
              <OrganizationLabel orgId={bundle.org_id} name={bundle.org_name} resemblesHome={resemblesHome} />{' '}
              <span className="muted code">{bundle.org_id}</span>
            </>
          ),
          [REPORT.issuer]: issuer.kid === null ? '–' : <KeyFingerprint kid={issuer.kid} />,
          [REPORT.records]: (
            <span className="number">
              {fill(REPORT.counted, {
                records: count(bundle.records),
                firstSeqNo: bundle.first_seq_no !== null && `, ${bundle.first_seq_no} – ${bundle.last_seq_no}`,
                redacted: count(bundle.redacted),
              })}
            </span>
          ),
          [REPORT.made]: !isProof && (bundle.created_at ?? '–'),
        }}
      />
    </Panel>
  );
}
