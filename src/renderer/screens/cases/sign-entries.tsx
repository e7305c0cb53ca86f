import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type AnswerOf, MAX_SIGNED_AT_ONCE } from '../../../api/index.ts';
import { invalidate } from '../../api/query-client.ts';
import { FormError } from '../../components/form.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { cannotMakeKey } from '../../decisions/key-store.ts';
import { type CaseToSign, signEntries } from '../../decisions/sign-case.ts';
import { SIGN_ENTRIES } from './texts.ts';
import { useCaseSigner } from './use-case-signer.ts';

type Row = AnswerOf<'custody'>['data'][number];

/** Acts from before belong to another session: nobody signs those without being asked. */
const OPENED_AT = Date.now();

interface SignEntriesProps extends CaseToSign {
  /** Those that are shown. */
  readonly rows: readonly Row[];
}

/**
 * Has the person who is signed in sign their own entries with the key of this browser: those of this window as they appear, where
 * there is a key; earlier ones and those of API tokens when they say so.
 */
export function SignEntries({ caseId, caseSha256, logId, rows }: SignEntriesProps) {
  const signer = useCaseSigner();
  const tried = useRef(new Set<string>());
  const own = rows
    .filter(({ entry, signable }) => signer !== null && entry?.by === signer.email && signable)
    .slice(0, MAX_SIGNED_AT_ONCE);
  const sign = useMutation({
    mutationFn: async ({ entries, makesKey }: { readonly entries: readonly Row[]; readonly makesKey: boolean }) =>
      signer === null ? null : signEntries(signer, { caseId, caseSha256, logId }, entries, makesKey),
    onSuccess: () => invalidate('custody'),
  });
  const fresh = own.filter(({ entry }) => entry?.via !== 'token' && Date.parse(entry?.at ?? '') >= OPENED_AT);
  const isNew = fresh.some(({ entry_hash }) => !tried.current.has(entry_hash));
  useEffect(() => {
    if (!isNew || sign.isPending) return;
    for (const { entry_hash } of fresh) tried.current.add(entry_hash);
    sign.mutate({ entries: fresh, makesKey: false });
  });
  if (signer === null || own.length === 0) return null;
  return (
    <div className="cluster">
      <PermittedButton
        call="signCustody"
        reason={cannotMakeKey()}
        disabled={sign.isPending}
        onClick={() => sign.mutate({ entries: own, makesKey: true })}
      >
        {SIGN_ENTRIES.sign(own.length)}
      </PermittedButton>
      <FormError error={sign.error} />
    </div>
  );
}
