import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { Confirm } from '../../components/confirm.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useAgentChanged } from './use-agent-changed.ts';

/** Deletes an agent for good, after its name was typed. */
export function DeleteAgent({ agentId }: { readonly agentId: string }) {
  const [isOpen, setOpen] = useState(false);
  const changed = useAgentChanged();
  const navigate = useNavigate();
  return (
    <>
      <PermittedButton call="deleteAgent" onClick={() => setOpen(true)}>
        Delete…
      </PermittedButton>
      <Confirm
        open={isOpen}
        onClose={() => setOpen(false)}
        title={`Delete ${agentId}`}
        verb="Delete for good"
        isDestructive
        word={{ label: 'Type the identifier of the agent to confirm', text: agentId }}
        act={async () => {
          await call('deleteAgent', { params: { agent_id: agentId } });
          toast(`${agentId} is deleted.`);
          await navigate({ to: '/agents', search: {} });
          await changed();
        }}
      >
        <ul className="bullets">
          <li>It goes from every list, and its new operations are refused. This cannot be undone.</li>
          <li>What it did stays, with its keys: the operations are in searches and exports, and verify as before.</li>
          <li>Its identifier stays taken: no other agent can ever have it.</li>
          <li>To stop it for a while, freeze it instead.</li>
        </ul>
      </Confirm>
    </>
  );
}
