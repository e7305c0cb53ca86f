import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { toast } from '../../app/toasts.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { call, sentenceOf } from '../../service/call.ts';
import { trustQuery } from '../../service/case-queries.ts';

/** Trusts a key by its fingerprint, as it was read out or stands on paper. What it changes is said aloud. */
export function TrustKey({ onClose }: { readonly onClose: () => void }) {
  const [kid, setKid] = useState('');
  const [name, setName] = useState('');
  const client = useQueryClient();
  const trust = useMutation({
    mutationFn: () => call('addTrust', { body: { kid, ...(name.trim() === '' ? {} : { name }) } }),
    onSuccess: async ({ changed }) => {
      await client.invalidateQueries(trustQuery);
      if (changed.length > 0) return;
      toast('The key is trusted.');
      onClose();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    trust.mutate();
  };
  return (
    <Dialog open onClose={onClose} title="Trust a key" className="dialog-wide">
      {trust.data === undefined ? (
        <form className="stack" onSubmit={submit}>
          <TextField
            label="Fingerprint"
            required
            autoComplete="off"
            spellCheck={false}
            className="code"
            hint="43 characters, in groups or not. Have it from whoever runs the service by another way than the bundle."
            value={kid}
            onChange={setKid}
          />
          <TextField label="Name (optional)" dir="auto" maxLength={256} value={name} onChange={setName} />
          {trust.error !== null && (
            <p className="field-error" role="alert">
              {sentenceOf(trust.error)}
            </p>
          )}
          <div className="cluster">
            <button type="submit" className="button-primary" disabled={trust.isPending}>
              Trust it
            </button>
            <button type="button" onClick={onClose}>
              Cancel
            </button>
          </div>
        </form>
      ) : (
        <div className="stack" role="alert">
          <p>The key is trusted. Look at this before you rely on it:</p>
          {trust.data.changed.map(({ org_id: id, message }) => (
            <p key={id} className="field-error">
              <bdi>{message}</bdi>
            </p>
          ))}
          <button type="button" onClick={onClose}>
            Close
          </button>
        </div>
      )}
    </Dialog>
  );
}
