import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { pace } from '../../api/freshness.ts';
import { q } from '../../api/query.ts';
import { Screen } from '../../components/screen.tsx';
import { fill } from '../../lib/fill.ts';
import { Panel } from '../../ui/panel.tsx';
import { FirstOperation } from './first-operation.tsx';
import { InstallLine } from './install-line.tsx';
import { integrationName } from './integration-names.ts';
import { ProgramChoice } from './program-choice.tsx';
import { type RecordedProgram, WITHOUT_HOOKS } from './recorded-programs.ts';
import { RECORD_SCREEN } from './texts.ts';

const route = getRouteApi('/record-program');

/** From a program that people run to its first countersigned tool call: the program, one line, and waiting for what comes. */
export function RecordScreen() {
  const { program } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Screen
      name={RECORD_SCREEN.recordProgram}
      title={fill(RECORD_SCREEN.crumbs, {
        agents: (
          <Link to="/agents" search={{}} className="crumb">
            {RECORD_SCREEN.agents}
          </Link>
        ),
        slash: <span className="crumb">/</span>,
      })}
    >
      <div className="beside">
        <div className="stack">
          <Panel title={RECORD_SCREEN.programStep}>
            <ProgramChoice
              chosen={program}
              onChoose={(chosen) => void navigate({ search: { program: chosen }, replace: true })}
            />
            <p className="note">
              {fill(RECORD_SCREEN.ownProgram, { link: <Link to="/register-agent">{RECORD_SCREEN.registerLink}</Link> })}
            </p>
          </Panel>
          {program !== undefined && (
            <Panel title={RECORD_SCREEN.commandStep}>
              <InstallLine key={program} program={program} />
            </Panel>
          )}
        </div>
        {program !== undefined && (
          <div className="beside-stays">
            <Panel title={RECORD_SCREEN.firstCallStep}>
              <FirstCall key={program} program={program} />
            </Panel>
          </div>
        )}
      </div>
    </Screen>
  );
}

/** Waits for the agent that the line registers, and then for its first operation. */
function FirstCall({ program }: { readonly program: RecordedProgram }) {
  const [since] = useState(() => Date.now());
  const { data } = useQuery({
    ...q('listAgents'),
    refetchInterval: ({ state }) =>
      pace(state, newest(state.data?.agents, program, since) === undefined ? 2000 : false),
  });
  const agent = newest(data?.agents, program, since);
  if (agent !== undefined) return <FirstOperation agentId={agent.agent_id} />;
  return (
    <div className="stack">
      <p className="waiting" role="status">
        {fill(RECORD_SCREEN.waiting, { program: integrationName(program) })}
      </p>
      <p className="muted note">
        {fill(RECORD_SCREEN.waitingHint, {
          next: WITHOUT_HOOKS.has(program)
            ? RECORD_SCREEN.firstRecorded
            : RECORD_SCREEN.thenUse(integrationName(program)),
        })}
      </p>
    </div>
  );
}

interface Registered {
  readonly agent_id: string;
  readonly integration_type: string;
  readonly created_at: number;
}

/** The newest agent of the program, if it was registered while this screen was open. The clocks of both may differ by a minute. */
function newest(
  agents: readonly Registered[] | undefined,
  program: RecordedProgram,
  since: number,
): Registered | undefined {
  return agents
    ?.filter(({ integration_type, created_at }) => integration_type === program && created_at > since - 60_000)
    .toSorted((a, b) => b.created_at - a.created_at)[0];
}
