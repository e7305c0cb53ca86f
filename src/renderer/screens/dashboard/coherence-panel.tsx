import { useQuery } from '@tanstack/react-query';
import { pace } from '../../api/freshness.ts';
import { q } from '../../api/query.ts';
import { Answer } from '../../components/answer.tsx';
import { CoherenceFindings } from '../../report/coherence-findings.tsx';
import { CoherenceBody, findingsIn } from '../../report/coherence-panel.tsx';
import { COHERENCE_PANEL } from '../../report/texts.ts';
import { Panel } from '../../ui/panel.tsx';
import { count } from '../../ui/time.tsx';

/** Whether the recorded actions in the live ledger fit together, in the words that a case of it has; nothing where none is recorded. */
export function CoherencePanel() {
  const live = useQuery({ ...q('coherence'), refetchInterval: ({ state }) => pace(state, 15_000) });
  if (live.data?.report?.status === 'not_applicable') return null;
  return (
    <Panel title={COHERENCE_PANEL.title} flush>
      <Answer query={live} what={COHERENCE_PANEL.what}>
        {({ report, judged_to: judgedTo, pending }) =>
          report === null ? (
            <p className="panel-body muted">{COHERENCE_PANEL.judging(count(judgedTo), count(pending))}</p>
          ) : (
            <CoherenceBody
              summary={report}
              gaps={report.not_checked}
              besides={COHERENCE_PANEL.live(count(judgedTo), pending === 0 ? '' : count(pending))}
            >
              <CoherenceFindings findings={report.findings} total={findingsIn(report.counts)} />
            </CoherenceBody>
          )
        }
      </Answer>
    </Panel>
  );
}
