import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useRef } from 'react';
import { fingerprintGroups, thumbprint } from '../../../protocol/index.ts';
import { useRefusal } from '../../api/permission.ts';
import { keyBelow, q, sessionQuery } from '../../api/query.ts';
import { invalidate } from '../../api/query-client.ts';
import { addKey, type Person } from '../../decisions/decide.ts';
import { cannotMakeKey } from '../../decisions/key-store.ts';
import { signingKeyOf } from '../../decisions/signing-key.ts';
import { toast } from '../../ui/toasts.tsx';
import { FormError } from '../form.tsx';
import { CopyButton } from '../hash.tsx';
import { PermittedButton } from '../permitted.tsx';
import { REPORT_SIGNING } from './texts.ts';

/** Who would sign a report, and with which key. */
export interface ReportSigner {
  /** Null where nobody of an organization is signed in. */
  readonly person: Person | null;
  /** Thumbprint of the key; null where this browser has none, undefined while that is not known. */
  readonly kid: string | null | undefined;
  /** Why that cannot be told, where it cannot: such as a browser that keeps nothing. */
  readonly error: unknown;
}

/** The person who is signed in, and the key of theirs in this browser. */
export function useReportSigner(): ReportSigner {
  const { data: session } = useQuery(sessionQuery);
  const isLocked = useRefusal('decisionAgent') !== null;
  const isMember = session != null && session.orgId !== null && !isLocked;
  const person = isMember ? { orgId: session.orgId, userId: session.id } : null;
  const { data: kid, error } = useQuery({
    queryKey: keyBelow(q('decisionAgent'), 'signing', person),
    queryFn: async () => {
      const found = person === null ? null : await signingKeyOf(person);
      return found === null ? null : thumbprint(found.publicKey);
    },
    enabled: person !== null,
  });
  return { person, kid: person === null || error !== null ? null : kid, error };
}

interface ReportSigningProps {
  readonly signer: ReportSigner;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** Whether a report is signed: says before it is made whose key signs what, or why nobody signs it. */
export function ReportSigning({ signer: { person, kid, error }, isOn, onChange }: ReportSigningProps) {
  const id = useId();
  // The button that made the key disappears: the focus moves to the checkbox in its place.
  const hasJustMade = useRef(false);
  if (kid === undefined) return <p className="muted">{REPORT_SIGNING.looking}</p>;
  if (error !== null) {
    return (
      <Unsigned>
        <FormError error={error} />
      </Unsigned>
    );
  }
  if (kid === null)
    return (
      <Unsigned>
        {person === null ? (
          REPORT_SIGNING.nobody
        ) : (
          <NoKey
            person={person}
            onMade={() => {
              hasJustMade.current = true;
            }}
          />
        )}
      </Unsigned>
    );
  return (
    <div className="field">
      <label className="cluster">
        <input
          type="checkbox"
          ref={(box) => {
            if (hasJustMade.current) box?.focus();
            hasJustMade.current = false;
          }}
          checked={isOn}
          aria-describedby={id}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        {REPORT_SIGNING.sign}
      </label>
      <small className="muted" id={id}>
        {isOn ? REPORT_SIGNING.signs : REPORT_SIGNING.leftUnsigned}
      </small>
      {isOn && (
        <span>
          <span className="code">{fingerprintGroups(kid).join(' ')}</span>{' '}
          <CopyButton text={kid} what={REPORT_SIGNING.fingerprint} />
        </span>
      )}
    </div>
  );
}

function Unsigned({ children }: { readonly children: ReactNode }) {
  return (
    <div className="field">
      <strong>{REPORT_SIGNING.unsigned}</strong>
      <small className="muted">{children}</small>
    </div>
  );
}

/** Why there is no key, and the way to one. */
function NoKey({ person, onMade }: { readonly person: Person; readonly onMade: () => void }) {
  const add = useMutation({
    mutationFn: () => addKey(person),
    onSuccess: async () => {
      onMade();
      toast(REPORT_SIGNING.keyMade);
      await invalidate('decisionAgent');
    },
  });
  return (
    <>
      {REPORT_SIGNING.noKey}{' '}
      <PermittedButton
        call="addDecisionKey"
        className="button-small"
        reason={cannotMakeKey()}
        disabled={add.isPending}
        onClick={() => add.mutate()}
      >
        {REPORT_SIGNING.makeKey}
      </PermittedButton>
      <FormError error={add.error} />
    </>
  );
}
