import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { toast } from '../../app/toasts.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { call, sentenceOf } from '../../service/call.ts';

/** Freezes an agent, or lets it go on, with a reason for the administrative log. */
export function FreezeAgent({ agentId, status }: { readonly agentId: string; readonly status: string }) {
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  const client = useQueryClient();
  const isFrozen = status === 'frozen';
  const verb = isFrozen ? 'Unfreeze' : 'Freeze';
  const change = useMutation({
    mutationFn: () =>
      call(isFrozen ? 'unfreezeAgent' : 'freezeAgent', { params: { agent_id: agentId }, body: { reason } }),
    onSuccess: async () => {
      toast(`${agentId} is ${isFrozen ? 'active again' : 'frozen'}.`);
      setOpen(false);
      setReason('');
      await client.invalidateQueries({ queryKey: ['agents'] });
      await client.invalidateQueries({ queryKey: ['admin-events'] });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {verb}…
      </button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={`${verb} ${agentId}`}>
        <form className="stack" onSubmit={submit}>
          <p>
            {isFrozen
              ? 'Its operations are accepted again.'
              : 'Its new operations are refused until it is unfrozen. What it did stays.'}
          </p>
          <TextField
            label="Reason"
            required
            value={reason}
            onChange={setReason}
            hint="Stands in the administrative log."
          />
          {change.error !== null && (
            <p className="field-error" role="alert">
              {sentenceOf(change.error)}
            </p>
          )}
          <div className="cluster">
            <button type="submit" className="button-primary" disabled={change.isPending}>
              {verb}
            </button>
            <button type="button" onClick={() => setOpen(false)}>
              Cancel
            </button>
          </div>
        </form>
      </Dialog>
    </>
  );
}
