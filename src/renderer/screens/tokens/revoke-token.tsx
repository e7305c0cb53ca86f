import { useQueryClient } from '@tanstack/react-query';
import { type TokenRow, tokensQuery } from '../../api/administration-queries.ts';
import { call as callService } from '../../api/call.ts';
import { Confirm } from '../../components/confirm.tsx';
import { Seen } from '../../ui/seen.tsx';
import { toast } from '../../ui/toasts.tsx';
import { tokenLabel } from './token-words.ts';

/** A token that is to be revoked, and by which call: one's own, or another member's. */
export interface Revoking {
  readonly row: TokenRow;
  readonly call: 'revokeToken' | 'revokeOrganizationToken';
}

/** Revokes a token, once it was said what that means for the program that uses it. */
export function RevokeToken({
  revoking,
  onClose,
}: {
  readonly revoking: Revoking | null;
  readonly onClose: () => void;
}) {
  const client = useQueryClient();
  const revoke = async (): Promise<void> => {
    if (revoking === null) return;
    await callService(revoking.call, { params: { token_id: revoking.row.id }, body: {} });
    toast('Token revoked.');
    await client.invalidateQueries(tokensQuery);
  };
  return (
    <Confirm open={revoking !== null} onClose={onClose} title="Revoke token" verb="Revoke" isDestructive act={revoke}>
      <p>
        <strong>
          <Seen text={revoking === null ? '' : tokenLabel(revoking.row)} />
        </strong>{' '}
        stops working at once. The program that uses this token is refused until you give that program another one.
        {revoking?.row.scope === 'full' && ' Tokens that were issued with this token stop working too.'} What was done
        with the token stays; the admin log shows when it was created and revoked.
      </p>
    </Confirm>
  );
}
