import { AgentName } from './agent-mark.tsx';
import type { HistogramPart } from './histogram-parts.ts';
import { HISTOGRAM } from './texts.ts';

/** Which agents the parts of a chart's bars are of; nothing where bars have no parts. */
export function ChartLegend({ parts }: { readonly parts: readonly HistogramPart[] }) {
  if (parts.length === 0) return null;
  return (
    <ul className="chart-legend" aria-label={HISTOGRAM.legend}>
      {parts.map(({ name }) => (
        <li key={name}>
          <AgentName agentId={name} />
        </li>
      ))}
    </ul>
  );
}
