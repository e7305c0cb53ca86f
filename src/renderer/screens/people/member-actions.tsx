import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { MemberRow } from '../../api/answers.ts';
import { call } from '../../api/call.ts';
import { roleWords } from '../../api/permission.ts';
import { sessionQuery } from '../../api/query.ts';
import { queryClient } from '../../api/query-client.ts';
import { refreshSession } from '../../api/session.ts';
import { askBefore } from '../../components/confirm.tsx';
import { Form } from '../../components/form.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { fill } from '../../lib/fill.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Seen } from '../../ui/seen.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { toast } from '../../ui/toasts.tsx';
import { ROLE_MAY, rankProblem, roleOptions } from './roles.ts';
import { MEMBER_ACTIONS } from './texts.ts';

interface MemberActionsProps {
  readonly member: MemberRow;
  /** All members: an organization keeps its last owner. */
  readonly members: readonly MemberRow[];
}

/** What can be done about a member: another role, and the end of the membership. */
export function MemberActions({ member, members }: MemberActionsProps) {
  const [isChanging, setChanging] = useState(false);
  const navigate = useNavigate();
  const { data: session } = useQuery(sessionQuery);
  const isOneself = session?.id === member.user_id;
  const problem = rankProblem(member, session?.role ?? null, members);
  const askToRemove = (): void =>
    askBefore({
      title: isOneself ? MEMBER_ACTIONS.leaveOrganization : MEMBER_ACTIONS.removeNamed(member.display_name),
      verb: isOneself ? MEMBER_ACTIONS.leaveVerb : MEMBER_ACTIONS.removeVerb,
      isDestructive: true,
      act: async () => {
        await call('removeMember', { params: { user_id: member.user_id } });
        toast(isOneself ? MEMBER_ACTIONS.youLeft : MEMBER_ACTIONS.wasRemoved(member.display_name));
        if (isOneself) return refreshSession();
        await navigate({ to: '/people', search: {} });
        await queryClient.invalidateQueries();
      },
      children: (
        <ul className="bullets">
          <li>
            {isOneself
              ? MEMBER_ACTIONS.youLose
              : fill(MEMBER_ACTIONS.memberLoses, { member: <Seen text={member.display_name} /> })}
          </li>
          <li>
            {fill(MEMBER_ACTIONS.accountStays, { person: isOneself ? MEMBER_ACTIONS.you : MEMBER_ACTIONS.person })}
          </li>
          <li>{MEMBER_ACTIONS.recordsStay}</li>
        </ul>
      ),
    });
  return (
    <span className="member-actions">
      <PermittedButton
        call="changeRole"
        reason={problem}
        aria-label={MEMBER_ACTIONS.changeRoleOf(member.display_name)}
        onClick={() => setChanging(true)}
      >
        {MEMBER_ACTIONS.ask}
      </PermittedButton>
      <PermittedButton
        // Everybody may leave; removing others needs the role that changing them needs.
        call={isOneself ? 'removeMember' : 'changeRole'}
        reason={problem}
        aria-label={isOneself ? MEMBER_ACTIONS.leaveOrganization : MEMBER_ACTIONS.removeNamed(member.display_name)}
        onClick={askToRemove}
      >
        {isOneself ? MEMBER_ACTIONS.leave : MEMBER_ACTIONS.remove}
      </PermittedButton>
      <ChangeRole key={member.role} member={member} open={isChanging} onClose={() => setChanging(false)} />
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
  const change = async (): Promise<void> => {
    await call('changeRole', { params: { user_id: member.user_id }, body: { role } });
    toast(MEMBER_ACTIONS.changed(member.display_name, roleWords(role)));
    onClose();
    // It may have been one's own.
    await queryClient.invalidateQueries();
  };
  return (
    <Dialog open={open} onClose={onClose} title={MEMBER_ACTIONS.roleOf(member.display_name)}>
      <Form act={change} verb={MEMBER_ACTIONS.submit} isBlocked={role === member.role} onClose={onClose}>
        <SelectField
          label={MEMBER_ACTIONS.role}
          options={roleOptions(session?.role ?? null)}
          value={role}
          onChange={setRole}
          hint={`${roleWords(role)}: ${ROLE_MAY[role]}.`}
        />
        <p className="muted">
          {MEMBER_ACTIONS.effect}
          {session?.id === member.user_id && MEMBER_ACTIONS.ownRole}
        </p>
      </Form>
    </Dialog>
  );
}
