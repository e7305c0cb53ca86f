import { useQueryClient } from '@tanstack/react-query';
import type { ServiceKey } from '../../api/answers.ts';
import { call } from '../../api/call.ts';
import { askBefore } from '../../components/confirm.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { fill } from '../../lib/fill.ts';
import { toast } from '../../ui/toasts.tsx';
import { GUEST } from './guest.ts';
import { ROTATE_KEY } from './texts.ts';

/** So much of the fingerprint is typed to confirm: enough to have looked at it. */
const TYPED = 8;

/** Continues with a new service key, after it was said what follows from that. */
export function RotateKey({ active, isHome }: { readonly active: ServiceKey; readonly isHome: boolean }) {
  const client = useQueryClient();
  const rotate = async (): Promise<void> => {
    await call('rotateServiceKey', { body: { kid: active.kid } });
    toast(ROTATE_KEY.rotated);
    await client.invalidateQueries();
  };
  const word = active.kid.slice(0, TYPED);
  return (
    <PermittedButton
      call="rotateServiceKey"
      reason={isHome ? null : GUEST}
      onClick={() =>
        askBefore({
          title: ROTATE_KEY.title,
          verb: ROTATE_KEY.confirm,
          isDestructive: true,
          word: { label: ROTATE_KEY.typeBeginning(word), text: word },
          act: rotate,
          children: (
            <ul className="bullets">
              <li>{fill(ROTATE_KEY.fromNow, { when: <strong>{ROTATE_KEY.now}</strong> })}</li>
              <li>{fill(ROTATE_KEY.oldTrust, { effect: <strong>{ROTATE_KEY.oldKeySignsNew}</strong> })}</li>
              <li>{fill(ROTATE_KEY.staysValid, { heading: <strong>{ROTATE_KEY.whatStays}</strong> })}</li>
              <li>{fill(ROTATE_KEY.oldSecret, { heading: <strong>{ROTATE_KEY.whatGoes}</strong> })}</li>
              <li>{fill(ROTATE_KEY.recorded, { heading: <strong>{ROTATE_KEY.final}</strong> })}</li>
            </ul>
          ),
        })
      }
    >
      {ROTATE_KEY.ask}
    </PermittedButton>
  );
}
