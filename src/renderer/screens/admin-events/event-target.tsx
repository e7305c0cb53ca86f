import { Link } from '@tanstack/react-router';
import { visibleText } from '../../../protocol/index.ts';
import type { AdminEvent } from '../../api/answers.ts';
import { AgentName } from '../../components/agent-mark.tsx';
import { fill } from '../../lib/fill.ts';
import { Seen } from '../../ui/seen.tsx';
import { EVENT_TARGET } from './texts.ts';

/** What an event was about, as a way to it where there is a screen for it. */
export function EventTarget({ event }: { readonly event: AdminEvent }) {
  const { target_type: type, target_id: id } = event;
  const text = <Seen text={id} />;
  const shown = visibleText(id);
  switch (type) {
    case 'agent':
      return (
        <Link to="/agents/$agentId" params={{ agentId: id }} title={shown}>
          <AgentName agentId={id} />
        </Link>
      );
    case 'operation':
      return (
        <Link to="/operations/$operationId" params={{ operationId: id }} title={shown}>
          {text}
        </Link>
      );
    case 'webhook':
      return (
        <Link to="/webhooks" search={{ webhook: id }} title={shown}>
          {text}
        </Link>
      );
    case 'token':
      return (
        <Link to="/tokens" title={shown}>
          {text}
        </Link>
      );
    case 'service_key':
      return (
        <Link to="/settings" search={{ section: 'keys' }} title={shown}>
          {text}
        </Link>
      );
    case 'backup':
      return (
        <Link to="/settings" search={{ section: 'backups' }} title={shown}>
          {text}
        </Link>
      );
    case 'settings':
      return (
        <Link to="/settings" search={{}} title={shown}>
          {text}
        </Link>
      );
    default:
      if (event.action === 'epoch.close')
        return (
          <Link to="/epochs">
            {fill(EVENT_TARGET.epochEpochno, { epochNo: <Seen text={String(event.details['epoch_no'])} /> })}
          </Link>
        );
      return <span title={shown}>{text}</span>;
  }
}
