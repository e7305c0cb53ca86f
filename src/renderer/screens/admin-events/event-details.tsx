import { getRouteApi } from '@tanstack/react-router';
import type { Json } from '../../../protocol/index.ts';
import { visibleText } from '../../../protocol/index.ts';
import type { AdminEvent } from '../../api/administration-queries.ts';
import { Hash } from '../../components/hash.tsx';
import { Mark } from '../../components/mark.tsx';
import { JsonTree } from '../../ui/json-tree.tsx';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Time } from '../../ui/time.tsx';
import { EventTarget } from './event-target.tsx';

const route = getRouteApi('/admin-events');

/** The chosen event below the list: its members, and how it hangs together with the one before. */
export function EventDetails({ event, isBroken }: { readonly event: AdminEvent; readonly isBroken: boolean }) {
  const navigate = route.useNavigate();
  return (
    <section className="split" aria-label={visibleText(`Event ${event.action}`)}>
      <ScrollArea className="" label="Members">
        <div className="split-title">
          <span className="ellipsis">
            <Seen text={event.action} />
          </span>
          {isBroken ? <Mark outcome="fail" word="Broken" /> : <Mark outcome="pass" word="Holds" />}
          <span className="push cluster">
            <button
              type="button"
              className="button-small"
              aria-label="Close the details"
              onClick={() => void navigate({ search: (before) => ({ ...before, selected: undefined }), replace: true })}
            >
              ×
            </button>
          </span>
        </div>
        <dl className="facts detail">
          <dt>When</dt>
          <dd>
            <Time value={event.created_at} />
          </dd>
          <dt>Actor</dt>
          <dd>
            <Hash value={event.actor} what="actor" />
          </dd>
          <dt>Target</dt>
          <dd>
            {event.target_type} <EventTarget event={event} />
          </dd>
          <dt>event_id</dt>
          <dd>
            <Hash value={event.event_id} what="event_id" />
          </dd>
          <dt>prev_event_hash</dt>
          <dd>
            {event.prev_event_hash === null ? (
              <span className="muted">none: the first event</span>
            ) : (
              <Hash value={event.prev_event_hash} what="prev_event_hash" />
            )}
          </dd>
          <dt>event_hash</dt>
          <dd>
            <Hash value={event.event_hash} what="event_hash" />
          </dd>
        </dl>
      </ScrollArea>
      <ScrollArea className="" label="Details">
        <div className="split-title">Details</div>
        <div className="detail">
          <JsonTree value={event.details as Json} />
        </div>
      </ScrollArea>
    </section>
  );
}
