import { useQuery } from '@tanstack/react-query';
import type { StoredOperation } from '../../api/answers.ts';
import { q } from '../../api/query.ts';
import { Findings } from '../../report/findings.tsx';
import { Panel } from '../../ui/panel.tsx';
import { count } from '../../ui/time.tsx';
import { RECORD_IN_CASE } from './texts.ts';

interface RecordInCaseProps {
  readonly caseId: string;
  readonly ear: StoredOperation['ear'];
}

/** What the verification of a case found about a record; nothing where it found nothing. */
export function RecordInCase({ caseId, ear }: RecordInCaseProps) {
  const { data } = useQuery(
    q('caseFindings', { params: { case_id: caseId }, query: { seq_no: ear.seq_no, limit: 200 } }),
  );
  const findings = data?.data ?? [];
  if (findings.length === 0) return null;
  return (
    <Panel title={RECORD_IN_CASE.titleCounted(count(findings.length))} flush>
      <Findings findings={findings} isBrowsable={false} />
    </Panel>
  );
}
