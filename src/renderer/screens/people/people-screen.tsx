import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { containsFolded } from '../../../actions/index.ts';
import { LIMITS, ROLES, type Role } from '../../../api/index.ts';
import { visibleText } from '../../../protocol/index.ts';
import type { MemberRow } from '../../api/answers.ts';
import { call, sentenceOf } from '../../api/call.ts';
import { roleWords } from '../../api/permission.ts';
import { q, sessionQuery } from '../../api/query.ts';
import { invalidate } from '../../api/query-client.ts';
import { Answer } from '../../components/answer.tsx';
import { FilterInput } from '../../components/filter-input.tsx';
import { Form } from '../../components/form.tsx';
import { Mark } from '../../components/mark.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { ACTIONS, Table } from '../../ui/table.tsx';
import { count, Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { CodesPanel } from './codes-panel.tsx';
import { Invitations } from './invitations.tsx';
import { keepCodes } from './issued-codes.ts';
import { MemberActions } from './member-actions.tsx';
import { ROLE_MAY, roleOptions } from './roles.ts';
import { INVITE_DIALOG, PEOPLE_SCREEN, SEPARATE_DUTIES } from './texts.ts';

const route = getRouteApi('/people');

/** Who belongs to the organization, and who is invited. */
export function PeopleScreen() {
  const members = useQuery(q('listMembers'));
  const [isInviting, setInviting] = useState(false);
  return (
    <Screen
      title={PEOPLE_SCREEN.people}
      name={PEOPLE_SCREEN.people}
      actions={
        <PermittedButton call="invite" className="button-primary" onClick={() => setInviting(true)}>
          {PEOPLE_SCREEN.invitePerson}
        </PermittedButton>
      }
    >
      <div className="stack">
        <CodesPanel />
        <Answer query={members} what={PEOPLE_SCREEN.members}>
          {(answer) => <Members members={answer.members} />}
        </Answer>
        <Invitations invite={() => setInviting(true)} />
        <div className="panels has-side">
          <Ladder />
          <SeparateDuties />
        </div>
      </div>
      <InviteDialog open={isInviting} onClose={() => setInviting(false)} />
    </Screen>
  );
}

function Members({ members }: { readonly members: readonly MemberRow[] }) {
  const { filter = '', role } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: session } = useQuery(sessionQuery);
  const shown = members.filter(
    (member) =>
      (role === undefined || member.role === role) && containsFolded(`${member.display_name} ${member.email}`, filter),
  );
  return (
    <Panel
      title={
        shown.length === members.length
          ? PEOPLE_SCREEN.counted(count(members.length))
          : PEOPLE_SCREEN.membersShown(count(shown.length), count(members.length))
      }
      flush
      actions={
        <>
          <FilterInput
            placeholder={PEOPLE_SCREEN.filter}
            size={28}
            value={filter}
            onChange={(typed) => void navigate({ search: (before) => ({ ...before, filter: typed }), replace: true })}
          />
          <select
            aria-label={PEOPLE_SCREEN.role}
            value={role ?? ''}
            onChange={(event) => {
              const chosen = ROLES.find((one) => one === event.currentTarget.value);
              void navigate({ search: (before) => ({ ...before, role: chosen }), replace: true });
            }}
          >
            <option value="">{PEOPLE_SCREEN.anyRole}</option>
            {ROLES.map((one) => (
              <option key={one} value={one}>
                {roleWords(one)}
              </option>
            ))}
          </select>
        </>
      }
    >
      <Table
        heads={[PEOPLE_SCREEN.name, PEOPLE_SCREEN.eMailAddress, PEOPLE_SCREEN.role, PEOPLE_SCREEN.joinedUtc, ACTIONS]}
      >
        {shown.map((member) => (
          <tr key={member.member_id}>
            <td title={visibleText(member.display_name)}>
              <Link to="/people/$userId" params={{ userId: member.user_id }} data-row>
                <Seen text={member.display_name} />
              </Link>
              {member.user_id === session?.id && <span className="muted"> {PEOPLE_SCREEN.you}</span>}
            </td>
            <td title={visibleText(member.email)}>
              <Seen text={member.email} />
            </td>
            <td>{roleWords(member.role)}</td>
            <td>
              <Time value={member.joined_at} />
            </td>
            <td className="row-actions">
              <MemberActions member={member} members={members} />
            </td>
          </tr>
        ))}
      </Table>
      {shown.length === 0 && <p className="loading">{PEOPLE_SCREEN.noMatch}</p>}
    </Panel>
  );
}

/** What the roles may do. */
function Ladder() {
  return (
    <Panel title={PEOPLE_SCREEN.roles}>
      <dl className="ladder">
        {(Object.entries(ROLE_MAY) as [Role, string][]).map(([role, may]) => (
          <div key={role} className="contents">
            <dt>{roleWords(role)}</dt>
            <dd>{may}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

/** Whether auditors write and investigators search: off, as the ladder of roles has it, or on. */
function SeparateDuties() {
  const organization = useQuery(q('organization'));
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (separate: boolean) => call('changeOrganization', { body: { separate_duties: separate } }),
    onSuccess: async (now) => {
      client.setQueryData(q('organization').queryKey, now);
      toast(now.separate_duties ? SEPARATE_DUTIES.separated : SEPARATE_DUTIES.notSeparated);
      await client.invalidateQueries();
    },
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
  return (
    <Answer query={organization} what={SEPARATE_DUTIES.organization}>
      {({ separate_duties: isOn }) => (
        <Panel
          title={SEPARATE_DUTIES.separationDuties}
          actions={
            <>
              <Mark outcome={isOn ? 'pass' : 'not_checked'} word={isOn ? SEPARATE_DUTIES.on : SEPARATE_DUTIES.off} />
              <PermittedButton
                call="changeOrganization"
                className="button-small"
                disabled={change.isPending}
                onClick={() => change.mutate(!isOn)}
              >
                {isOn ? SEPARATE_DUTIES.stopSeparating : SEPARATE_DUTIES.separateDuties}
              </PermittedButton>
            </>
          }
        >
          <p>{SEPARATE_DUTIES.explained}</p>
        </Panel>
      )}
    </Answer>
  );
}

interface InviteDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Invites somebody; the code then stands on the screen. */
function InviteDialog({ open, onClose }: InviteDialogProps) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('readonly_investigator');
  const { data: session } = useQuery(sessionQuery);
  const invite = async (): Promise<void> => {
    const { invitation, code } = await call('invite', { body: { email, role } });
    keepCodes([{ invitationId: invitation.invitation_id, email: invitation.email, code }]);
    setEmail('');
    onClose();
    await invalidate('listInvitations', 'listAdminEvents', 'adminChain');
  };
  return (
    <Dialog open={open} onClose={onClose} title={INVITE_DIALOG.invitePerson}>
      <Form act={invite} verb={INVITE_DIALOG.submit} call="invite" onClose={onClose}>
        <TextField
          label={INVITE_DIALOG.eMailAddress}
          type="email"
          required
          autoComplete="off"
          maxLength={LIMITS.email}
          value={email}
          onChange={setEmail}
          hint={INVITE_DIALOG.addressHint}
        />
        <SelectField
          label={INVITE_DIALOG.role}
          options={roleOptions(session?.role ?? null)}
          value={role}
          onChange={setRole}
          hint={`${roleWords(role)}: ${ROLE_MAY[role]}.`}
        />
      </Form>
    </Dialog>
  );
}
