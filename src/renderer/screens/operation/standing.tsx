import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { SCREENS } from '../../../api/index.ts';
import { completenessClaims, reportOfRecord, timeClaims } from '../../../protocol/index.ts';
import type { StoredOperation } from '../../api/answers.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { q, reportOfCase } from '../../api/query.ts';
import { Answer } from '../../components/answer.tsx';
import { ClaimList } from '../../report/claims.tsx';
import { Panel } from '../../ui/panel.tsx';
import { STANDING } from './texts.ts';

/**
 * Who stands behind a record besides the service, and what they say about when it was there. The file of a case, and the checkpoints among its
 * items, say it of all its records; of an archive, and before a record is sealed, nobody is asked.
 */
export function useStanding({ ear, epoch }: StoredOperation) {
  const { caseId } = useLedger();
  const params = { operation_id: ear.operation_id };
  const live = useQuery({ ...q('operationStanding', { params }), enabled: caseId === null && epoch !== null });
  const { data: of } = useQuery({
    ...q('getCase', { params: { case_id: caseId ?? '' } }),
    enabled: caseId !== null,
  });
  const asked = reportOfCase(caseId ?? '', caseId === null ? undefined : of);
  const ofCase = useQuery(asked);
  const report = caseId === null ? live.data?.report : ofCase.data && reportOfRecord(ofCase.data, ear.seq_no);
  const { error, refetch } = caseId === null ? live : ofCase;
  return {
    query: { data: report, error, refetch },
    isAsked: caseId === null ? epoch !== null : asked.enabled,
    isOfService: live.data?.witnesses_of === 'service',
    /** Whether somebody else than the service says when the record was there. */
    isTimed: report !== undefined && timeClaims(report).some(({ status }) => status === 'pass'),
  };
}

export function Standing({ of: { query, isAsked, isOfService } }: { readonly of: ReturnType<typeof useStanding> }) {
  const { caseId } = useLedger();
  if (!isAsked) return null;
  const way = <Link to={SCREENS.witnesses.path}>{SCREENS.witnesses.label}</Link>;
  return (
    <Panel title={STANDING.title} flush actions={caseId === null && way}>
      <Answer query={query} what={STANDING.what}>
        {(report) => {
          const claims = [...completenessClaims(report), ...timeClaims(report)];
          if (claims.length === 0) return <p className="panel-body muted">{STANDING.none}</p>;
          return (
            <>
              <ClaimList label={STANDING.title} claims={claims} />
              {isOfService && <p className="panel-body muted">{STANDING.ofService}</p>}
            </>
          );
        }}
      </Answer>
    </Panel>
  );
}
