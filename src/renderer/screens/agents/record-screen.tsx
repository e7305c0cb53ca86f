import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { integrationOf, isExperimental, PROGRAMS, RECORDED_PROGRAMS } from '../../../api/index.ts';
import { call } from '../../api/call.ts';
import { pace } from '../../api/freshness.ts';
import { useRefusal } from '../../api/permission.ts';
import { q } from '../../api/query.ts';
import { serviceAddress } from '../../api/service-address.ts';
import { FormError } from '../../components/form.tsx';
import { copyText } from '../../components/hash.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { fill } from '../../lib/fill.ts';
import { Panel } from '../../ui/panel.tsx';
import { TextBlock } from '../../ui/text-block.tsx';
import { Time } from '../../ui/time.tsx';
import { FirstOperation } from './first-operation.tsx';
import { integrationName } from './integration-names.ts';
import { INSTALL_LINE, PROGRAM_CHOICE, RECORD_SCREEN, RECORDED_PROGRAMS_TEXTS } from './texts.ts';

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
      <div className="panels has-side">
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
          next: !Object.hasOwn(PROGRAMS, program)
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
  const type = integrationOf(program);
  // Programs that share a type of integration are told apart by the names that installation gives their agents.
  const isOfProgram = (agent: Registered): boolean =>
    agent.integration_type === type && (type === program || agent.agent_id.startsWith(`${program}-`));
  return agents
    ?.filter((agent) => isOfProgram(agent) && agent.created_at > since - 60_000)
    .toSorted((a, b) => b.created_at - a.created_at)[0];
}

interface ProgramChoiceProps {
  readonly chosen: RecordedProgram | undefined;
  readonly onChoose: (program: RecordedProgram) => void;
}

/** Which program is to be recorded. */
function ProgramChoice({ chosen, onChoose }: ProgramChoiceProps) {
  return (
    <fieldset className="program-choice">
      <legend className="muted">{PROGRAM_CHOICE.question}</legend>
      {RECORDED_PROGRAMS.map((program) => (
        <label
          key={program}
          className={FED_BY[program] === undefined ? 'program choice' : 'program choice program-wide'}
        >
          <input type="radio" name="program" checked={chosen === program} onChange={() => onChoose(program)} />
          <span>
            {integrationName(program)}
            {FED_BY[program] !== undefined && <span className="muted program-note">{FED_BY[program]}</span>}
            {isExperimental(program) && <span className="muted program-note">{PROGRAM_CHOICE.experimental}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** How long the token in the line is good for: long enough to paste it. */
const LIFETIME_SECONDS = 900;

/** The command that installs the recorder for a program, with a token that can register one agent, once. */
function InstallLine({ program }: { readonly program: RecordedProgram }) {
  const label = integrationName(program);
  const refusal = useRefusal('registerAgent');
  const issue = useMutation({
    mutationFn: () =>
      call('createToken', {
        body: { scope: 'enrol', ttl_seconds: LIFETIME_SECONDS, name: INSTALL_LINE.title(label) },
      }),
  });
  const { data } = issue;
  if (data === undefined) {
    return (
      <div className="stack">
        <p className="note">
          {isExperimental(program) && <>{INSTALL_LINE.experimental(label)} </>}
          {INSTALL_LINE.explained(label)}{' '}
          {!Object.hasOwn(PROGRAMS, program)
            ? INSTALL_LINE.otherEnd
            : fill(INSTALL_LINE.programEnd, {
                label,
                command: <span className="code">countersign record uninstall {program}</span>,
              })}
        </p>
        <div className="cluster">
          <PermittedButton
            call="createToken"
            className="button-primary"
            reason={refusal}
            disabled={issue.isPending}
            onClick={() => issue.mutate()}
          >
            {INSTALL_LINE.createCommand}
          </PermittedButton>
        </div>
        <FormError error={issue.error} />
      </div>
    );
  }
  const line = `npx countersign record install ${program} --service ${serviceAddress()} --token ${data.token}`;
  return (
    <div className="stack">
      <p className="note">{INSTALL_LINE.whereToPaste}</p>
      <TextBlock label={INSTALL_LINE.command} text={line} />
      <div className="cluster">
        <button type="button" className="button-primary" onClick={() => void copyText(line, INSTALL_LINE.command)}>
          {INSTALL_LINE.copy}
        </button>
        <button type="button" onClick={() => issue.reset()}>
          {INSTALL_LINE.another}
        </button>
      </div>
      <p className="muted note">
        {fill(INSTALL_LINE.tokenExplained, {
          expiresAt:
            data.expires_at === null ? INSTALL_LINE.youRevoke : <Time value={data.expires_at * 1000} hasZone />,
        })}
      </p>
    </div>
  );
}

/** What the recorder can be installed for. */
type RecordedProgram = (typeof RECORDED_PROGRAMS)[number];

/** How what such a program does comes in. */
const FED_BY: Partial<Readonly<Record<RecordedProgram, string>>> = {
  enterprise: RECORDED_PROGRAMS_TEXTS.otlp,
  gui: RECORDED_PROGRAMS_TEXTS.desktop,
  other: RECORDED_PROGRAMS_TEXTS.script,
};
