import { MAX_FINDINGS } from '../../../actions/profile/light.ts';
import type { LedgerCoherence } from '../../../api/index.ts';
import type { ContentView } from '../content-index/content-view.ts';
import type { CoherenceRow } from '../content-index/shelf-reader.ts';

type Report = NonNullable<LedgerCoherence['report']>;
type Finding = Report['findings'][number];

function findingOf({ code, severity, seq_no, operation_id, other_seq_no, pointer, message }: CoherenceRow): Finding {
  return {
    code,
    severity,
    where: {
      seq_no,
      operation_id,
      ...(other_seq_no === null ? {} : { other_seq_no }),
      ...(pointer === null ? {} : { pointer }),
    },
    message,
  };
}

/** Whether the records fit together, as the judge has found by now: what a report of a bundle of all of them says. */
export function coherenceOf(view: ContentView): LedgerCoherence {
  const { judgedTo, coherence, findings } = view.reader.judgement(MAX_FINDINGS);
  const pending = Math.max(0, view.source.last() - judgedTo);
  if (coherence === null) return { judged_to: judgedTo, pending, report: null };
  return {
    judged_to: judgedTo,
    pending,
    report: { ...(JSON.parse(coherence) as Report), findings: findings.map(findingOf) },
  };
}
