import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api/call.ts';
import { agentChanged } from '../../api/query-client.ts';
import { askBefore } from '../../components/confirm.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { toast } from '../../ui/toasts.tsx';
import { DELETE_AGENT } from './texts.ts';

/** Deletes an agent for good, after its name was typed. */
export function DeleteAgent({ agentId }: { readonly agentId: string }) {
  const navigate = useNavigate();
  return (
    <PermittedButton
      call="deleteAgent"
      className="button-grave"
      onClick={() =>
        askBefore({
          title: DELETE_AGENT.title(agentId),
          verb: DELETE_AGENT.deleteAgentPermanently,
          isDestructive: true,
          word: { label: DELETE_AGENT.typeId, text: agentId },
          act: async () => {
            await call('deleteAgent', { params: { agent_id: agentId } });
            toast(DELETE_AGENT.deleted(agentId));
            await navigate({ to: '/agents', search: {} });
            await agentChanged();
          },
          children: (
            <ul className="bullets">
              <li>{DELETE_AGENT.effect}</li>
              <li>{DELETE_AGENT.recordsStay}</li>
              <li>{DELETE_AGENT.idStays}</li>
              <li>{DELETE_AGENT.freezeInstead}</li>
            </ul>
          ),
        })
      }
    >
      {DELETE_AGENT.deleteAgent}
    </PermittedButton>
  );
}
