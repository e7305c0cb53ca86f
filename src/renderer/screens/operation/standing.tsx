import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { SCREENS } from '../../../api/index.ts';
import { completenessClaims, reportOfRecord, timeClaims, type VerificationReport } from '../../../protocol/index.ts';
import type { StoredOperation } from '../../api/answers.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { q, reportOfCase } from '../../api/query.ts';
import { Answer } from '../../components/answer.tsx';
import { ClaimList } from '../../report/claims.tsx';
import { Panel } from '../../ui/panel.tsx';
import { STANDING } from './texts.ts';

/** Who stands behind a record besides the service, and what they say about when it was there. */
export function Standing({ operation: { ear, epoch } }: { readonly operation: StoredOperation }) {
  const { caseId } = useLedger();
  if (caseId !== null) return <InCase caseId={caseId} seqNo={ear.seq_no} />;
  return epoch === null ? null : <InLedger operationId={ear.operation_id} />;
}

function InLedger({ operationId }: { readonly operationId: string }) {
  const query = useQuery(q('operationStanding', { params: { operation_id: operationId } }));
  return (
    <Panel title={STANDING.title} flush actions={<Link to={SCREENS.witnesses.path}>{SCREENS.witnesses.label}</Link>}>
      <Answer query={query} what={STANDING.what}>
        {({ report, witnesses_of: whose }) => (
          <Claims report={report}>
            {whose === 'service' && <p className="panel-body muted">{STANDING.ofService}</p>}
          </Claims>
        )}
      </Answer>
    </Panel>
  );
}

/** The file of a case, and the checkpoints among its items, say it of all its records. */
function InCase({ caseId, seqNo }: { readonly caseId: string; readonly seqNo: number }) {
  const { data: of } = useQuery(q('getCase', { params: { case_id: caseId } }));
  const asked = reportOfCase(caseId, of);
  const query = useQuery(asked);
  if (!asked.enabled) return null;
  return (
    <Panel title={STANDING.title} flush>
      <Answer query={query} what={STANDING.what}>
        {(report) => <Claims report={reportOfRecord(report, seqNo)} />}
      </Answer>
    </Panel>
  );
}

function Claims({ report, children }: { readonly report: VerificationReport; readonly children?: ReactNode }) {
  const claims = [...completenessClaims(report), ...timeClaims(report)];
  if (claims.length === 0) return <p className="panel-body muted">{STANDING.none}</p>;
  return (
    <>
      <ClaimList label={STANDING.title} claims={claims} />
      {children}
    </>
  );
}
