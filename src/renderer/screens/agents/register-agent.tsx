import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { toast } from '../../app/toasts.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { call, sentenceOf } from '../../service/call.ts';

const EMPTY = { agent_id: '', display_name: '', responsible_entity: '', kid: 'key-1', public_key: '' };

/** Registers an agent with its first key. */
export function RegisterAgent({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const [form, setForm] = useState(EMPTY);
  const client = useQueryClient();
  const navigate = useNavigate();
  const register = useMutation({
    mutationFn: ({ kid, public_key, agent_id, display_name, responsible_entity }: typeof EMPTY) =>
      call('registerAgent', {
        body: {
          agent_id,
          ...(display_name === '' ? {} : { display_name }),
          ...(responsible_entity === '' ? {} : { responsible_entity }),
          keys: [{ kid, public_key: public_key.trim(), algorithm: 'ed25519' }],
        },
      }),
    onSuccess: async ({ agent }) => {
      toast(`${agent.agent_id} is registered.`);
      setForm(EMPTY);
      onClose();
      await client.invalidateQueries({ queryKey: ['agents'] });
      await navigate({ to: '/agents/$agentId', params: { agentId: agent.agent_id } });
    },
  });
  const set = (member: keyof typeof EMPTY) => (value: string) => setForm((before) => ({ ...before, [member]: value }));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    register.mutate(form);
  };
  return (
    <Dialog open={open} onClose={onClose} title="Register an agent">
      <form className="stack" onSubmit={submit}>
        <TextField
          label="Agent"
          required
          hint="Its identifier for ever: letters, digits and . _ : @ -"
          value={form.agent_id}
          onChange={set('agent_id')}
        />
        <TextField label="Name (optional)" value={form.display_name} onChange={set('display_name')} />
        <TextField
          label="Responsible person or team (optional)"
          value={form.responsible_entity}
          onChange={set('responsible_entity')}
        />
        <TextField label="Name of the key" required value={form.kid} onChange={set('kid')} />
        <TextField
          label="Public key"
          required
          hint="Ed25519, as countersign keygen prints it; base64, hexadecimal and PEM are read too."
          value={form.public_key}
          onChange={set('public_key')}
        />
        {register.error !== null && (
          <p className="field-error" role="alert">
            {sentenceOf(register.error)}
          </p>
        )}
        <div className="cluster">
          <button type="submit" className="button-primary" disabled={register.isPending}>
            Register
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
