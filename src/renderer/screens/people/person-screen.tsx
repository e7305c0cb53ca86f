import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { MemberRow } from '../../api/answers.ts';
import { roleWords, useRefusal } from '../../api/permission.ts';
import { q, sessionQuery } from '../../api/query.ts';
import { AgentName } from '../../components/agent-mark.tsx';
import { Answer } from '../../components/answer.tsx';
import { Hash } from '../../components/hash.tsx';
import { StateMark } from '../../components/mark.tsx';
import { Refusal } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { MemberActions } from './member-actions.tsx';
import { PERSON_SCREEN } from './texts.ts';

const route = getRouteApi('/people/$userId');

/** One member, and the agents that they look after. */
export function PersonScreen() {
  const { userId } = route.useParams();
  const members = useQuery(q('listMembers'));
  const member = members.data?.members.find(({ user_id: id }) => id === userId);
  return (
    <Screen
      name={member?.display_name ?? PERSON_SCREEN.member}
      title={
        <>
          <Link to="/people" search={{}} className="crumb">
            {PERSON_SCREEN.people}
          </Link>{' '}
          <span className="crumb">/</span> <Seen text={member?.display_name ?? userId} />
        </>
      }
      actions={member && <MemberActions member={member} members={members.data?.members ?? []} />}
    >
      <Answer query={members} what={PERSON_SCREEN.members}>
        {() =>
          member === undefined ? (
            <p className="failure">{PERSON_SCREEN.noSuchMember}</p>
          ) : (
            <div className="stack">
              <Facts member={member} />
              <Agents member={member} />
            </div>
          )
        }
      </Answer>
    </Screen>
  );
}

function Facts({ member }: { readonly member: MemberRow }) {
  return (
    <Panel title={PERSON_SCREEN.member}>
      <FactList
        of={{
          [PERSON_SCREEN.name]: <Seen text={member.display_name} />,
          [PERSON_SCREEN.eMailAddress]: <Seen text={member.email} />,
          [PERSON_SCREEN.role]: roleWords(member.role),
          [PERSON_SCREEN.joined]: <Time value={member.joined_at} hasZone />,
          [PERSON_SCREEN.userId]: <Hash value={member.user_id} what={PERSON_SCREEN.userId} />,
        }}
      />
    </Panel>
  );
}

/** The agents that a member looks after: one's own for everybody, another's for security admins. */
function Agents({ member }: { readonly member: MemberRow }) {
  const { data: session } = useQuery(sessionQuery);
  const isOneself = session?.id === member.user_id;
  // Another's agents are for whom the assignments of an agent are.
  const refusal = useRefusal('listAssignments');
  const isRefused = !isOneself && refusal !== null;
  return (
    <Panel title={isOneself ? PERSON_SCREEN.yourAgents : PERSON_SCREEN.agents} flush={!isRefused}>
      {isRefused ? <Refusal>{refusal}</Refusal> : <Assigned userId={member.user_id} />}
    </Panel>
  );
}

function Assigned({ userId }: { readonly userId: string }) {
  const agents = useQuery(q('memberAgents', { params: { user_id: userId } }));
  return (
    <Answer query={agents} what={PERSON_SCREEN.what}>
      {(answer) =>
        answer.agents.length === 0 ? (
          <p className="loading">{PERSON_SCREEN.noAgents}</p>
        ) : (
          <Table heads={[PERSON_SCREEN.agent, PERSON_SCREEN.name, PERSON_SCREEN.state, PERSON_SCREEN.registeredUtc]}>
            {answer.agents.map((agent) => (
              <tr key={agent.agent_id}>
                <td>
                  <Link to="/agents/$agentId" params={{ agentId: agent.agent_id }} data-row className="code">
                    <AgentName agentId={agent.agent_id} />
                  </Link>
                </td>
                <td>
                  <Seen text={agent.display_name} />
                </td>
                <td>
                  <StateMark status={agent.status} />
                </td>
                <td>
                  <Time value={agent.created_at} />
                </td>
              </tr>
            ))}
          </Table>
        )
      }
    </Answer>
  );
}
