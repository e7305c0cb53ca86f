import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ServiceKey } from '../../api/administration-queries.ts';
import { call } from '../../api/call.ts';
import { Confirm } from '../../components/confirm.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { toast } from '../../ui/toasts.tsx';
import { GUEST } from './guest.ts';

/** So much of the fingerprint is typed to confirm: enough to have looked at it. */
const TYPED = 8;

/** Continues with a new service key, after it was said what follows from that. */
export function RotateKey({ active, isHome }: { readonly active: ServiceKey; readonly isHome: boolean }) {
  const [isAsking, setAsking] = useState(false);
  const client = useQueryClient();
  const rotate = async (): Promise<void> => {
    await call('rotateServiceKey', { body: { kid: active.kid } });
    toast('The service now signs with a new key, which the old one has signed.');
    await client.invalidateQueries();
  };
  const word = active.kid.slice(0, TYPED);
  return (
    <>
      <PermittedButton call="rotateServiceKey" reason={isHome ? null : GUEST} onClick={() => setAsking(true)}>
        Rotate the key…
      </PermittedButton>
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        title="Rotate the service key"
        verb="Rotate the key"
        isDestructive
        word={{ label: `Type ${word}, the beginning of the present fingerprint`, text: word }}
        act={rotate}
      >
        <ul className="bullets">
          <li>
            <strong>From now on</strong> receipts, epochs and exports are signed by the new key. Submissions go on
            meanwhile.
          </li>
          <li>
            <strong>The old key signs the new one.</strong> Whoever trusts the old fingerprint can still verify: new
            bundles carry the signed rotation. Tell your auditors the new fingerprint all the same.
          </li>
          <li>
            <strong>What stays:</strong> every receipt, epoch and bundle that the old key signed verifies as before.
          </li>
          <li>
            <strong>What goes:</strong> the old secret key is removed from this machine, and nothing can be signed with
            it again. Backups made before hold the old secret: where it was stolen, remove those too.
          </li>
          <li>
            <strong>It cannot be undone,</strong> and is recorded in the admin log of every organization on this
            service. Make a backup afterwards: it holds the new key.
          </li>
        </ul>
      </Confirm>
    </>
  );
}
