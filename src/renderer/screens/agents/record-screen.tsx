import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { pace } from '../../api/polling.ts';
import { agentsQuery } from '../../api/queries.ts';
import { Screen } from '../../components/screen.tsx';
import { Panel } from '../../ui/panel.tsx';
import { FirstOperation } from './first-operation.tsx';
import { InstallLine } from './install-line.tsx';
import { integrationName } from './integration-names.ts';
import { ProgramChoice } from './program-choice.tsx';
import { type RecordedProgram, WITHOUT_HOOKS } from './recorded-programs.ts';

const route = getRouteApi('/record-program');

/** From a program that people run to its first countersigned tool call: the program, one line, and waiting for what comes. */
export function RecordScreen() {
  const { program } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Screen
      name="Record a program"
      title={
        <>
          <Link to="/agents" search={{}} className="crumb">
            Agents
          </Link>{' '}
          <span className="crumb">/</span> Record a program
        </>
      }
    >
      <div className="beside">
        <div className="stack">
          <Panel title="1 · Program">
            <ProgramChoice
              chosen={program}
              onChoose={(chosen) => void navigate({ search: { program: chosen }, replace: true })}
            />
            <p className="note">
              An agent that is your own program signs by itself: <Link to="/register-agent">register it</Link>, and
              paste a few lines into it.
            </p>
          </Panel>
          {program !== undefined && (
            <Panel title="2 · One line">
              <InstallLine key={program} program={program} />
            </Panel>
          )}
        </div>
        {program !== undefined && (
          <div className="beside-stays">
            <Panel title="3 · First call">
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
    ...agentsQuery,
    refetchInterval: ({ state }) =>
      pace(state, newest(state.data?.agents, program, since) === undefined ? 2000 : false),
  });
  const agent = newest(data?.agents, program, since);
  if (agent !== undefined) return <FirstOperation agentId={agent.agent_id} />;
  return (
    <div className="stack">
      <p className="waiting" role="status">
        Waiting for {integrationName(program)} to be registered…
      </p>
      <p className="muted note">
        The line registers an agent with a key made on the machine where it runs.{' '}
        {WITHOUT_HOOKS.has(program)
          ? 'What it records first appears here by itself.'
          : `Then use ${integrationName(program)} as you always do: its first tool call appears here by itself.`}
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
