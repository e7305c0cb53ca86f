import { useState } from 'react';
import { INTEGRATION_TYPES } from '../../../api/index.ts';
import { call } from '../../api/call.ts';
import { agentChanged } from '../../api/query-client.ts';
import { Form } from '../../components/form.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { toast } from '../../ui/toasts.tsx';
import { integrationName, personsOwn } from './integration-names.ts';
import { CHANGE_INTEGRATION } from './texts.ts';

type Type = (typeof INTEGRATION_TYPES)[number];

interface ChangeIntegrationProps {
  readonly agentId: string;
  readonly current: string;
}

/** Says through what an agent is integrated. */
export function ChangeIntegration({ agentId, current }: ChangeIntegrationProps) {
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<Type>(INTEGRATION_TYPES.find((type) => type === current) ?? 'other');
  const change = async (): Promise<void> => {
    const { agent } = await call('updateAgent', { params: { agent_id: agentId }, body: { integration_type: chosen } });
    toast(CHANGE_INTEGRATION.changed(agentId, integrationName(agent.integration_type)));
    setOpen(false);
    await agentChanged();
  };
  return (
    <>
      <PermittedButton
        call="updateAgent"
        className="button-small"
        reason={personsOwn(current)}
        aria-label={CHANGE_INTEGRATION.changeTitle}
        onClick={() => setOpen(true)}
      >
        {CHANGE_INTEGRATION.change}
      </PermittedButton>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={CHANGE_INTEGRATION.dialogTitle(agentId)}>
        <Form
          act={change}
          verb={CHANGE_INTEGRATION.changeIntegration}
          isBlocked={chosen === current}
          onClose={() => setOpen(false)}
        >
          <p>
            {CHANGE_INTEGRATION.noteOnly}
            {current === 'sdk' && CHANGE_INTEGRATION.notBack}
          </p>
          <SelectField
            label={CHANGE_INTEGRATION.integration}
            options={INTEGRATION_TYPES.map((value) => ({ value, label: integrationName(value) }))}
            value={chosen}
            onChange={setChosen}
          />
        </Form>
      </Dialog>
    </>
  );
}
