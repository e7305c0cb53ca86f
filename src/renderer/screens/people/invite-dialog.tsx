import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LIMITS, type Role } from '../../../contract/index.ts';
import { call } from '../../api/call.ts';
import { roleWords } from '../../api/permission.ts';
import { sessionQuery } from '../../api/query.ts';
import { invalidate } from '../../api/query-client.ts';
import { Form } from '../../components/form.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { keepCodes } from './issued-codes.ts';
import { ROLE_MAY, roleOptions } from './roles.ts';
import { INVITE_DIALOG } from './texts.ts';

interface InviteDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Invites somebody; the code then stands on the screen. */
export function InviteDialog({ open, onClose }: InviteDialogProps) {
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
