import { useQueryClient } from '@tanstack/react-query';
import { toast } from '../../app/toasts.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { type TokenRow, tokensQuery } from '../../service/administration-queries.ts';
import { call } from '../../service/call.ts';

/** Revokes a token, after it was said what that means for whoever uses it. */
export function RevokeToken({ token, onClose }: { readonly token: TokenRow | null; readonly onClose: () => void }) {
  const client = useQueryClient();
  const revoke = async (): Promise<void> => {
    if (token === null) return;
    await call('revokeToken', { params: { token_id: token.id }, body: {} });
    toast('The token is revoked.');
    await client.invalidateQueries(tokensQuery);
  };
  return (
    <Confirm
      open={token !== null}
      onClose={onClose}
      title={`Revoke token ${token?.id.slice(0, 8) ?? ''}`}
      verb="Revoke"
      isDestructive
      act={revoke}
    >
      <p>
        It stops working at once, and whatever program uses it is refused until it has another one. What was done with
        it stays, and the administrative log says that it was issued and revoked.
      </p>
    </Confirm>
  );
}
