import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { MemberRow } from '../../api/answers.ts';
import { call } from '../../api/call.ts';
import { roleWords } from '../../api/permission.ts';
import { sessionQuery } from '../../api/queries.ts';
import { refreshSession } from '../../api/session.ts';
import { Confirm } from '../../components/confirm.tsx';
import { FormEnd } from '../../components/form-end.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Seen } from '../../ui/seen.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { toast } from '../../ui/toasts.tsx';
import { ROLE_MAY, rankProblem, roleOptions } from './roles.ts';

interface MemberActionsProps {
  readonly member: MemberRow;
  /** All members: an organization keeps its last owner. */
  readonly members: readonly MemberRow[];
}

/** What can be done about a member: another role, and the end of the membership. */
export function MemberActions({ member, members }: MemberActionsProps) {
  const [over, setOver] = useState<'role' | 'remove' | null>(null);
  const { data: session } = useQuery(sessionQuery);
  const isOneself = session?.id === member.user_id;
  const problem = rankProblem(member, session?.role ?? null, members);
  const close = (): void => setOver(null);
  return (
    <span className="member-actions">
      <PermittedButton
        call="changeRole"
        reason={problem}
        aria-label={`Change the role of ${member.display_name}`}
        onClick={() => setOver('role')}
      >
        Role…
      </PermittedButton>
      <PermittedButton
        // Everybody may leave; removing others needs the role that changing them needs.
        call={isOneself ? 'removeMember' : 'changeRole'}
        reason={problem}
        aria-label={isOneself ? 'Leave the organization' : `Remove ${member.display_name}`}
        onClick={() => setOver('remove')}
      >
        {isOneself ? 'Leave…' : 'Remove…'}
      </PermittedButton>
      <ChangeRole key={member.role} member={member} open={over === 'role'} onClose={close} />
      <Remove member={member} isOneself={isOneself} open={over === 'remove'} onClose={close} />
    </span>
  );
}

interface OverProps {
  readonly member: MemberRow;
  readonly open: boolean;
  readonly onClose: () => void;
}

function ChangeRole({ member, open, onClose }: OverProps) {
  const [role, setRole] = useState(member.role);
  const { data: session } = useQuery(sessionQuery);
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: () => call('changeRole', { params: { user_id: member.user_id }, body: { role } }),
    onSuccess: async () => {
      toast(`${member.display_name} is ${roleWords(role)} now.`);
      onClose();
      // It may have been one's own.
      await client.invalidateQueries();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <Dialog open={open} onClose={onClose} title={`Role of ${member.display_name}`}>
      <form className="stack" onSubmit={submit}>
        <SelectField
          label="Role"
          options={roleOptions(session?.role ?? null)}
          value={role}
          onChange={setRole}
          hint={`${roleWords(role)}: ${ROLE_MAY[role]}.`}
        />
        <p className="muted">
          It works at once, for the member's tokens too.
          {session?.id === member.user_id && ' It is your own role: you cannot give yourself back what you give up.'}
        </p>
        <FormEnd error={change.error} onClose={onClose}>
          <button type="submit" className="button-primary" disabled={change.isPending || role === member.role}>
            Change
          </button>
        </FormEnd>
      </form>
    </Dialog>
  );
}

function Remove({ member, isOneself, open, onClose }: OverProps & { readonly isOneself: boolean }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={isOneself ? 'Leave the organization' : `Remove ${member.display_name}`}
      verb={isOneself ? 'Leave' : 'Remove'}
      isDestructive
      act={async () => {
        await call('removeMember', { params: { user_id: member.user_id } });
        toast(isOneself ? 'You have left the organization.' : `${member.display_name} is removed.`);
        if (isOneself) return refreshSession();
        await navigate({ to: '/people', search: {} });
        await client.invalidateQueries();
      }}
    >
      <ul className="bullets">
        <li>
          {isOneself ? 'You lose' : <Seen text={member.display_name} />} {isOneself ? '' : 'loses '}access at once. API
          tokens and assignments to agents end.
        </li>
        <li>The account stays, without organization. An invitation lets {isOneself ? 'you' : 'the person'} back in.</li>
        <li>What was done stays in the administrative log. Agents, and what they did, stay as they are.</li>
      </ul>
    </Confirm>
  );
}
