import { call } from '../../api/call.ts';
import { agentChanged } from '../../api/query-client.ts';
import { askBefore } from '../../components/confirm.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { toast } from '../../ui/toasts.tsx';
import { FREEZE_AGENT } from './texts.ts';

/** Freezes an agent, or lets it go on, with a reason for the administrative log. */
export function FreezeAgent({ agentId, status }: { readonly agentId: string; readonly status: string }) {
  const isFrozen = status === 'frozen';
  const verb = isFrozen ? FREEZE_AGENT.unfreezeAgent : FREEZE_AGENT.freezeAgent;
  const route = isFrozen ? 'unfreezeAgent' : 'freezeAgent';
  return (
    <PermittedButton
      call={route}
      onClick={() =>
        askBefore({
          title: `${verb} ${agentId}`,
          verb,
          wantsReason: true,
          act: async (reason) => {
            await call(route, { params: { agent_id: agentId }, body: { reason } });
            toast(FREEZE_AGENT.isNow(agentId, isFrozen ? FREEZE_AGENT.activeAgain : FREEZE_AGENT.frozen));
            await agentChanged();
          },
          children: <p>{isFrozen ? FREEZE_AGENT.accepted : FREEZE_AGENT.refused}</p>,
        })
      }
    >
      {verb}…
    </PermittedButton>
  );
}
