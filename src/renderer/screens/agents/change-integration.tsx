import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { INTEGRATION_TYPES } from '../../../contract/index.ts';
import { call } from '../../api/call.ts';
import { FormEnd } from '../../components/form-end.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { toast } from '../../ui/toasts.tsx';
import { integrationName, personsOwn } from './integration-names.ts';
import { useAgentChanged } from './use-agent-changed.ts';

type Type = (typeof INTEGRATION_TYPES)[number];

interface ChangeIntegrationProps {
  readonly agentId: string;
  readonly current: string;
}

/** Says through what an agent is integrated. */
export function ChangeIntegration({ agentId, current }: ChangeIntegrationProps) {
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<Type>(INTEGRATION_TYPES.find((type) => type === current) ?? 'other');
  const changed = useAgentChanged();
  const change = useMutation({
    mutationFn: () => call('updateAgent', { params: { agent_id: agentId }, body: { integration_type: chosen } }),
    onSuccess: async ({ agent }) => {
      toast(`${agentId} is integrated through ${integrationName(agent.integration_type)}.`);
      setOpen(false);
      await changed();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <>
      <PermittedButton
        call="updateAgent"
        className="button-small"
        reason={personsOwn(current)}
        aria-label="Change the integration"
        onClick={() => setOpen(true)}
      >
        Change…
      </PermittedButton>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={`Integration of ${agentId}`}>
        <form className="stack" onSubmit={submit}>
          <p>
            It is a note for people; keys and operations stay as they are.
            {current === 'sdk' &&
              ' Once changed, it cannot become an own program (SDK) again: that is for registration alone.'}
          </p>
          <SelectField
            label="Integration"
            options={INTEGRATION_TYPES.map((value) => ({ value, label: integrationName(value) }))}
            value={chosen}
            onChange={setChosen}
          />
          <FormEnd error={change.error} onClose={() => setOpen(false)}>
            <button type="submit" className="button-primary" disabled={change.isPending || chosen === current}>
              Change
            </button>
          </FormEnd>
        </form>
      </Dialog>
    </>
  );
}
