import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { agentChanged } from '../../api/query-client.ts';
import { Confirm } from '../../components/confirm.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { toast } from '../../ui/toasts.tsx';
import { DELETE_AGENT } from './texts.ts';

/** Deletes an agent for good, after its name was typed. */
export function DeleteAgent({ agentId }: { readonly agentId: string }) {
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  return (
    <>
      <PermittedButton call="deleteAgent" className="button-grave" onClick={() => setOpen(true)}>
        {DELETE_AGENT.deleteAgent}
      </PermittedButton>
      <Confirm
        open={isOpen}
        onClose={() => setOpen(false)}
        title={DELETE_AGENT.title(agentId)}
        verb={DELETE_AGENT.deleteAgentPermanently}
        isDestructive
        word={{ label: DELETE_AGENT.typeId, text: agentId }}
        act={async () => {
          await call('deleteAgent', { params: { agent_id: agentId } });
          toast(DELETE_AGENT.deleted(agentId));
          await navigate({ to: '/agents', search: {} });
          await agentChanged();
        }}
      >
        <ul className="bullets">
          <li>{DELETE_AGENT.effect}</li>
          <li>{DELETE_AGENT.recordsStay}</li>
          <li>{DELETE_AGENT.idStays}</li>
          <li>{DELETE_AGENT.freezeInstead}</li>
        </ul>
      </Confirm>
    </>
  );
}
