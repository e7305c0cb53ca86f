import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { MemberRow } from '../../api/answers.ts';
import { call } from '../../api/call.ts';
import { useRefusal } from '../../api/permission.ts';
import { q } from '../../api/query.ts';
import { agentChanged, invalidate } from '../../api/query-client.ts';
import { Answer } from '../../components/answer.tsx';
import { askBefore } from '../../components/confirm.tsx';
import { Form } from '../../components/form.tsx';
import { PermittedButton, Refusal } from '../../components/permitted.tsx';
import { fill } from '../../lib/fill.ts';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { ACTIONS, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { ASSIGNMENTS } from './texts.ts';

/** Which members look after an agent. */
export function Assignments({ agentId }: { readonly agentId: string }) {
  const refusal = useRefusal('listAssignments');
  return (
    <Panel title={ASSIGNMENTS.contacts} flush={refusal === null}>
      {refusal === null ? <Assigned agentId={agentId} /> : <Refusal>{refusal}</Refusal>}
    </Panel>
  );
}

function Assigned({ agentId }: { readonly agentId: string }) {
  const assignments = useQuery(q('listAssignments', { params: { agent_id: agentId } }));
  const members = useQuery(q('listMembers'));
  const nameOf = (userId: string): string =>
    members.data?.members.find((member) => member.user_id === userId)?.display_name ?? userId;
  const askToRemove = (leaving: string): void =>
    askBefore({
      title: ASSIGNMENTS.removeTitle(agentId),
      verb: ASSIGNMENTS.removeContact,
      act: async () => {
        await call('unassign', { params: { agent_id: agentId, user_id: leaving } });
        toast(ASSIGNMENTS.removed(nameOf(leaving), agentId));
        await assignmentsChanged();
      },
      children: <p>{fill(ASSIGNMENTS.consequence, { person: <Seen text={nameOf(leaving)} /> })}</p>,
    });
  return (
    <Answer query={assignments} what={ASSIGNMENTS.assignments}>
      {(answer) => (
        <>
          {answer.assignments.length === 0 ? (
            <p className="loading">{ASSIGNMENTS.none}</p>
          ) : (
            <Table heads={[ASSIGNMENTS.member, ASSIGNMENTS.sinceUtc, ASSIGNMENTS.assignedBy, ACTIONS]}>
              {answer.assignments.map(({ user_id: userId, assigned_at: since, assigned_by: by }) => (
                <tr key={userId}>
                  <td>
                    <Link to="/people/$userId" params={{ userId }}>
                      <Seen text={nameOf(userId)} />
                    </Link>
                  </td>
                  <td>
                    <Time value={since} />
                  </td>
                  <td>
                    <Seen text={nameOf(by)} />
                  </td>
                  <td className="row-actions">
                    <PermittedButton
                      call="unassign"
                      aria-label={ASSIGNMENTS.removeNamed(nameOf(userId))}
                      onClick={() => askToRemove(userId)}
                    >
                      {ASSIGNMENTS.remove}
                    </PermittedButton>
                  </td>
                </tr>
              ))}
            </Table>
          )}
          <Assign
            agentId={agentId}
            free={(members.data?.members ?? []).filter(
              ({ user_id: userId }) => !answer.assignments.some((assignment) => assignment.user_id === userId),
            )}
          />
        </>
      )}
    </Answer>
  );
}

function Assign({ agentId, free }: { readonly agentId: string; readonly free: readonly MemberRow[] }) {
  const [chosen, setChosen] = useState('');
  const userId = free.some((member) => member.user_id === chosen) ? chosen : '';
  const assign = async (): Promise<void> => {
    await call('assign', { params: { agent_id: agentId }, body: { user_id: userId } });
    setChosen('');
    toast(ASSIGNMENTS.added);
    await assignmentsChanged();
  };
  return (
    <Form className="panel-foot" label={ASSIGNMENTS.add} act={assign}>
      {(isBusy, failure) => (
        <>
          <SelectField
            label={ASSIGNMENTS.member}
            value={userId}
            onChange={setChosen}
            options={[
              { value: '', label: free.length === 0 ? ASSIGNMENTS.nobodyLeft : ASSIGNMENTS.chooseMember },
              ...free.map((member) => ({ value: member.user_id, label: `${member.display_name} (${member.email})` })),
            ]}
          />
          <PermittedButton call="assign" type="submit" disabled={userId === '' || isBusy}>
            {ASSIGNMENTS.add}
          </PermittedButton>
          {failure}
        </>
      )}
    </Form>
  );
}

/** Assignments stand with the agent, and with the member. */
async function assignmentsChanged(): Promise<void> {
  await Promise.all([agentChanged(), invalidate('listMembers', 'memberAgents')]);
}
