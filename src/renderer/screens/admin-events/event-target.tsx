import { Link } from '@tanstack/react-router';
import type { AdminEvent } from '../../service/administration-queries.ts';

/** What an event was about, as a way to it where there is a screen for it. */
export function EventTarget({ event }: { readonly event: AdminEvent }) {
  const { target_type: type, target_id: id } = event;
  const text = <bdi>{id}</bdi>;
  switch (type) {
    case 'agent':
      return (
        <Link to="/agents/$agentId" params={{ agentId: id }} title={id}>
          {text}
        </Link>
      );
    case 'operation':
      return (
        <Link to="/operations/$operationId" params={{ operationId: id }} title={id}>
          {text}
        </Link>
      );
    case 'webhook':
      return (
        <Link to="/webhooks" search={{ webhook: id }} title={id}>
          {text}
        </Link>
      );
    case 'token':
      return (
        <Link to="/tokens" title={id}>
          {text}
        </Link>
      );
    case 'service_key':
      return (
        <Link to="/settings" search={{ section: 'keys' }} title={id}>
          {text}
        </Link>
      );
    case 'backup':
      return (
        <Link to="/settings" search={{ section: 'backups' }} title={id}>
          {text}
        </Link>
      );
    case 'settings':
      return (
        <Link to="/settings" search={{}} title={id}>
          {text}
        </Link>
      );
    default:
      if (event.action === 'epoch.close') return <Link to="/epochs">epoch {String(event.details['epoch_no'])}</Link>;
      return <span title={id}>{text}</span>;
  }
}
