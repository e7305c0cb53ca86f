import { useQuery } from '@tanstack/react-query';
import { visibleText } from '../../../protocol/index.ts';
import type { InvitationRow } from '../../api/answers.ts';
import { call } from '../../api/call.ts';
import { roleWords, useRefusal } from '../../api/permission.ts';
import { q } from '../../api/query.ts';
import { invalidate } from '../../api/query-client.ts';
import { Answer } from '../../components/answer.tsx';
import { askBefore } from '../../components/confirm.tsx';
import { PermittedButton, Refusal } from '../../components/permitted.tsx';
import { fill } from '../../lib/fill.ts';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { ACTIONS, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { forgetCodes } from './issued-codes.ts';
import { INVITATIONS } from './texts.ts';

/** Invitations that can still be accepted. */
export function Invitations({ invite }: { readonly invite: () => void }) {
  const refusal = useRefusal('listInvitations');
  return (
    <Panel title={INVITATIONS.invitations} flush={refusal === null}>
      {refusal === null ? <Pending invite={invite} /> : <Refusal>{refusal}</Refusal>}
    </Panel>
  );
}

function Pending({ invite }: { readonly invite: () => void }) {
  const invitations = useQuery(q('listInvitations'));
  const askToRevoke = (leaving: InvitationRow): void =>
    askBefore({
      title: INVITATIONS.title,
      verb: INVITATIONS.verb,
      isDestructive: true,
      act: async () => {
        const id = leaving.invitation_id;
        await call('revokeInvitation', { params: { invitation_id: id } });
        forgetCodes(id);
        toast(INVITATIONS.revoked);
        await invalidate('listInvitations', 'listAdminEvents', 'adminChain');
      },
      children: <p>{fill(INVITATIONS.consequence, { person: <Seen text={leaving.email} /> })}</p>,
    });
  return (
    <Answer query={invitations} what={INVITATIONS.what}>
      {(answer) =>
        answer.invitations.length === 0 ? (
          <p className="loading">
            {INVITATIONS.nobodyInvited}{' '}
            <PermittedButton call="invite" className="button-small" onClick={invite}>
              {INVITATIONS.invitePerson}
            </PermittedButton>
          </p>
        ) : (
          <Table
            heads={[
              INVITATIONS.eMailAddress,
              INVITATIONS.role,
              INVITATIONS.invitedUtc,
              INVITATIONS.expiresUtc,
              ACTIONS,
            ]}
          >
            {answer.invitations.map((invitation) => (
              <tr key={invitation.invitation_id}>
                <td title={visibleText(invitation.email)}>
                  <Seen text={invitation.email} />
                </td>
                <td>{roleWords(invitation.role)}</td>
                <td>
                  <Time value={invitation.created_at} />
                </td>
                <td>
                  <Time value={invitation.expires_at} />
                </td>
                <td className="row-actions">
                  <PermittedButton
                    call="revokeInvitation"
                    aria-label={INVITATIONS.revokeOf(invitation.email)}
                    onClick={() => askToRevoke(invitation)}
                  >
                    {INVITATIONS.revoke}
                  </PermittedButton>
                </td>
              </tr>
            ))}
          </Table>
        )
      }
    </Answer>
  );
}
