import type { Histogram } from '../api/answers.ts';
import { LedgerLink } from '../api/ledger/places.tsx';
import type { AuditSearch } from '../lib/search-params.ts';
import { count } from '../ui/time.tsx';
import { AgentName } from './agent-mark.tsx';
import { agentParts } from './histogram-parts.ts';
import { HISTOGRAM } from './texts.ts';

interface ChartLegendProps {
  readonly counts: Histogram;
  /** What the chart counts, for the list of all agents. */
  readonly search: AuditSearch;
}

/** Which agents the parts of a chart's bars are of, and how many others there are; nothing where bars have no parts. */
export function ChartLegend({ counts, search }: ChartLegendProps) {
  const parts = agentParts(counts);
  const others = counts.agents?.others ?? 0;
  if (parts.length === 0) return null;
  return (
    <ul className="chart-legend" aria-label={HISTOGRAM.legend}>
      {parts.map(({ name }) => (
        <li key={name}>
          <AgentName agentId={name} />
        </li>
      ))}
      {others > 0 && (
        <li className="chart-others">
          {HISTOGRAM.others(count(others))}{' '}
          <LedgerLink to="/search" search={{ ...search, by: ['agent'] }}>
            {HISTOGRAM.viewAll}
          </LedgerLink>
        </li>
      )}
    </ul>
  );
}
