import { Fragment } from 'react';
import { visibleText } from '../../protocol/index.ts';
import { type AgentShape, agentLook } from '../lib/agent-look.ts';
import { Seen } from '../ui/seen.tsx';

/** On a grid of 12. */
const PATHS: Readonly<Record<AgentShape, string>> = {
  disc: 'M6 1a5 5 0 100 10A5 5 0 006 1z',
  square: 'M1.500 1.500h9v9h-9z',
  triangle: 'M6 1l5.300 9.700H.700z',
  diamond: 'M6 .500L11.500 6 6 11.500.500 6z',
  ring: 'M6 .800a5.200 5.200 0 100 10.400A5.200 5.200 0 006 .800zM6 3.400a2.600 2.600 0 110 5.200 2.600 2.600 0 010-5.200z',
  cross: 'M4 .800h4V4h3.200v4H8v3.200H4V8H.800V4H4z',
  hexagon: 'M3.300 1.200h5.400L11.500 6l-2.800 4.800H3.300L.500 6z',
  halves: 'M1 1h4.200v10H1zM6.800 1H11v10H6.800z',
};

/** The mark of an agent: seen by eyes alone, since its name stands next to it. */
export function AgentMark({ agentId }: { readonly agentId: string }) {
  const { colour, shape } = agentLook(agentId);
  return (
    <svg className={`agent-mark agent-mark-${colour}`} viewBox="0 0 12 12" aria-hidden="true" focusable="false">
      <path d={PATHS[shape]} fill="currentColor" fillRule="evenodd" />
    </svg>
  );
}

/** An agent by its mark and name. */
export function AgentName({ agentId }: { readonly agentId: string }) {
  return (
    <span className="agent-name">
      <AgentMark agentId={agentId} />
      <Seen className="ellipsis" text={agentId} title={visibleText(agentId)} />
    </span>
  );
}

/** Agents by their marks and names, on one line: where there is no room for all, each name is cut, and none loses its mark. */
export function AgentNames({ agents }: { readonly agents: readonly string[] }) {
  return (
    <span className="agent-names" title={visibleText(agents.join(', '))}>
      {agents.map((agentId, n) => (
        <Fragment key={agentId}>
          {n > 0 && <span className="visually-hidden">, </span>}
          <AgentName agentId={agentId} />
        </Fragment>
      ))}
    </span>
  );
}
