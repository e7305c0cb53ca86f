import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call, sentenceOf } from '../../api/call.ts';
import { invalidate } from '../../api/query-client.ts';
import { FormEnd } from '../../components/form-end.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Seen } from '../../ui/seen.tsx';
import { toast } from '../../ui/toasts.tsx';
import { TRUST_KEY } from './texts.ts';
import { EMPTY_DRAFT, type TrustDraft, trustBody, trustProblem } from './trust-draft.ts';
import { TrustFields } from './trust-fields.tsx';

/** Trusts a key by its fingerprint, its key set file or its QR code. What it changes is said aloud. */
export function TrustKey({ onClose }: { readonly onClose: () => void }) {
  const [draft, setDraft] = useState<TrustDraft>(EMPTY_DRAFT);
  const [problem, setProblem] = useState<string | null>(null);
  const trust = useMutation({
    mutationFn: () => call('addTrust', { body: trustBody(draft) }),
    onSuccess: async ({ keys, changed }) => {
      await invalidate('listTrust');
      if (changed.length > 0) return;
      toast(keys.length === 1 ? TRUST_KEY.oneTrusted : TRUST_KEY.manyTrusted(TRUST_KEY.keys(keys.length)));
      onClose();
    },
    onError: (error) => setProblem(sentenceOf(error)),
  });
  const change = (made: Partial<TrustDraft>): void => {
    setProblem(null);
    setDraft((before) => ({ ...before, ...made }));
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const found = trustProblem(draft);
    setProblem(found);
    if (found === null) trust.mutate();
  };
  return (
    <Dialog open onClose={onClose} title={TRUST_KEY.title} className="dialog-wide">
      {trust.data === undefined ? (
        <form className="stack" onSubmit={submit} noValidate>
          <TrustFields draft={draft} onChange={change} onProblem={setProblem} />
          <TextField
            label={TRUST_KEY.nameOptional}
            dir="auto"
            maxLength={256}
            value={draft.name}
            onChange={(name) => change({ name })}
          />
          <FormEnd error={problem} onClose={onClose}>
            <button type="submit" className="button-primary" disabled={trust.isPending}>
              {draft.way === 'jwks' && (draft.keySet?.kids.length ?? 1) > 1
                ? TRUST_KEY.submitSeveral
                : TRUST_KEY.submit}
            </button>
          </FormEnd>
        </form>
      ) : (
        <div className="stack" role="alert">
          <p>{TRUST_KEY.trustedWithWarning}</p>
          {trust.data.changed.map(({ org_id: id, message }) => (
            <p key={id} className="field-error">
              <Seen text={message} />
            </p>
          ))}
          <button type="button" onClick={onClose}>
            {TRUST_KEY.close}
          </button>
        </div>
      )}
    </Dialog>
  );
}
