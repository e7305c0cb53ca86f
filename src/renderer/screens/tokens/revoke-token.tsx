import type { TokenRow } from '../../api/answers.ts';
import { call as callService } from '../../api/call.ts';
import { invalidate } from '../../api/query-client.ts';
import { Confirm } from '../../components/confirm.tsx';
import { fill } from '../../lib/fill.ts';
import { Seen } from '../../ui/seen.tsx';
import { toast } from '../../ui/toasts.tsx';
import { REVOKE_TOKEN } from './texts.ts';
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
  const revoke = async (): Promise<void> => {
    if (revoking === null) return;
    await callService(revoking.call, { params: { token_id: revoking.row.id }, body: {} });
    toast(REVOKE_TOKEN.tokenRevoked);
    await invalidate('listTokens', 'listOrganizationTokens');
  };
  return (
    <Confirm
      open={revoking !== null}
      onClose={onClose}
      title={REVOKE_TOKEN.revokeToken}
      verb={REVOKE_TOKEN.verb}
      isDestructive
      act={revoke}
    >
      <p>
        {fill(REVOKE_TOKEN.consequence, {
          token: (
            <strong>
              <Seen text={revoking === null ? '' : tokenLabel(revoking.row)} />
            </strong>
          ),
          more: revoking?.row.scope === 'full' && REVOKE_TOKEN.issuedToo,
        })}
      </p>
    </Confirm>
  );
}
