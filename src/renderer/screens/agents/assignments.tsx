import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { MemberRow } from '../../api/answers.ts';
import { call } from '../../api/call.ts';
import { KEYS } from '../../api/keys.ts';
import { useRefusal } from '../../api/permission.ts';
import { assignmentsQuery, membersQuery } from '../../api/queries.ts';
import { Answer } from '../../components/answer.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { FormError } from '../../components/form-end.tsx';
import { PermittedButton, Refusal } from '../../components/permitted.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { ACTIONS, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useAgentChanged } from './use-agent-changed.ts';

/** Which members look after an agent. */
export function Assignments({ agentId }: { readonly agentId: string }) {
  const refusal = useRefusal('listAssignments');
  return (
    <Panel title="Looked after by" flush={refusal === null}>
      {refusal === null ? <Assigned agentId={agentId} /> : <Refusal>{refusal}</Refusal>}
    </Panel>
  );
}

function Assigned({ agentId }: { readonly agentId: string }) {
  const assignments = useQuery(assignmentsQuery(agentId));
  const members = useQuery(membersQuery);
  const [leaving, setLeaving] = useState<string | null>(null);
  const changed = useAssignmentsChanged();
  const nameOf = (userId: string): string =>
    members.data?.members.find((member) => member.user_id === userId)?.display_name ?? userId;
  return (
    <Answer query={assignments} what="the assignments">
      {(answer) => (
        <>
          {answer.assignments.length === 0 ? (
            <p className="loading">Nobody yet. An assignment says who to ask; it gives no rights.</p>
          ) : (
            <Table heads={['Member', 'Since (UTC)', 'Assigned by', ACTIONS]}>
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
                      aria-label={`Remove ${nameOf(userId)}`}
                      onClick={() => setLeaving(userId)}
                    >
                      Remove…
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
          <Confirm
            open={leaving !== null}
            onClose={() => setLeaving(null)}
            title={`Remove an assignment of ${agentId}`}
            verb="Remove"
            act={async () => {
              await call('unassign', { params: { agent_id: agentId, user_id: leaving ?? '' } });
              toast(`${nameOf(leaving ?? '')} no longer looks after ${agentId}.`);
              await changed();
            }}
          >
            <p>
              <Seen text={nameOf(leaving ?? '')} /> no longer looks after this agent. Role and account stay as they are,
              and that there was an assignment stays in the administrative log.
            </p>
          </Confirm>
        </>
      )}
    </Answer>
  );
}

function Assign({ agentId, free }: { readonly agentId: string; readonly free: readonly MemberRow[] }) {
  const [chosen, setChosen] = useState('');
  const changed = useAssignmentsChanged();
  const userId = free.some((member) => member.user_id === chosen) ? chosen : '';
  const assign = useMutation({
    mutationFn: () => call('assign', { params: { agent_id: agentId }, body: { user_id: userId } }),
    onSuccess: async () => {
      setChosen('');
      toast('Assigned.');
      await changed();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    assign.mutate();
  };
  return (
    <form className="panel-foot" onSubmit={submit} aria-label="Assign">
      <SelectField
        label="Member"
        value={userId}
        onChange={setChosen}
        options={[
          { value: '', label: free.length === 0 ? 'Everybody is assigned' : 'Choose a member' },
          ...free.map((member) => ({ value: member.user_id, label: `${member.display_name} (${member.email})` })),
        ]}
      />
      <PermittedButton call="assign" type="submit" disabled={userId === '' || assign.isPending}>
        Assign
      </PermittedButton>
      <FormError error={assign.error} />
    </form>
  );
}

/** Assignments stand with the agent, and with the member. */
function useAssignmentsChanged(): () => Promise<void> {
  const client = useQueryClient();
  const agentChanged = useAgentChanged();
  return async () => {
    await Promise.all([agentChanged(), client.invalidateQueries({ queryKey: KEYS.members })]);
  };
}
