import { useQuery } from '@tanstack/react-query';
import type { StoredOperation } from '../../api/answers.ts';
import { recordFindingsQuery } from '../../api/case-queries.ts';
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
  const findings = useQuery(recordFindingsQuery(caseId, ear.operation_id, ear.seq_no));
  if (findings.data === undefined || findings.data.length === 0) return null;
  return (
    <Panel title={RECORD_IN_CASE.titleCounted(count(findings.data.length))} flush>
      <Findings findings={findings.data} isBrowsable={false} />
    </Panel>
  );
}
