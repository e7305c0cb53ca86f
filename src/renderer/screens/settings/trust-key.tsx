import { useState } from 'react';
import type { AnswerOf } from '../../../contract/index.ts';
import { call } from '../../api/call.ts';
import { invalidate } from '../../api/query-client.ts';
import { Form } from '../../components/form.tsx';
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
  const [changed, setChanged] = useState<AnswerOf<'addTrust'>['changed']>([]);
  const trust = async (): Promise<void> => {
    const found = trustProblem(draft);
    setProblem(found);
    if (found !== null) return;
    const { keys, changed: issuers } = await call('addTrust', { body: trustBody(draft) });
    await invalidate('listTrust');
    setChanged(issuers);
    if (issuers.length > 0) return;
    toast(keys.length === 1 ? TRUST_KEY.oneTrusted : TRUST_KEY.manyTrusted(TRUST_KEY.keys(keys.length)));
    onClose();
  };
  const change = (made: Partial<TrustDraft>): void => {
    setProblem(null);
    setDraft((before) => ({ ...before, ...made }));
  };
  return (
    <Dialog open onClose={onClose} title={TRUST_KEY.title} className="dialog-wide">
      {changed.length === 0 ? (
        <Form
          act={trust}
          verb={
            draft.way === 'jwks' && (draft.keySet?.kids.length ?? 1) > 1 ? TRUST_KEY.submitSeveral : TRUST_KEY.submit
          }
          problem={problem}
          onClose={onClose}
          noValidate
        >
          <TrustFields draft={draft} onChange={change} onProblem={setProblem} />
          <TextField
            label={TRUST_KEY.nameOptional}
            dir="auto"
            maxLength={256}
            value={draft.name}
            onChange={(name) => change({ name })}
          />
        </Form>
      ) : (
        <div className="stack" role="alert">
          <p>{TRUST_KEY.trustedWithWarning}</p>
          {changed.map(({ org_id: id, message }) => (
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
