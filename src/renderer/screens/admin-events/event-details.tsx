import { getRouteApi } from '@tanstack/react-router';
import type { Json } from '../../../protocol/index.ts';
import { visibleText } from '../../../protocol/index.ts';
import type { AdminEvent } from '../../api/answers.ts';
import { Hash } from '../../components/hash.tsx';
import { Mark } from '../../components/mark.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { JsonTree } from '../../ui/json-tree.tsx';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Time } from '../../ui/time.tsx';
import { EventTarget } from './event-target.tsx';
import { EVENT_DETAILS } from './texts.ts';

const route = getRouteApi('/admin-events');

/** The chosen event below the list: its members, and how it hangs together with the one before. */
export function EventDetails({ event, isBroken }: { readonly event: AdminEvent; readonly isBroken: boolean }) {
  const navigate = route.useNavigate();
  return (
    <section className="split" aria-label={visibleText(EVENT_DETAILS.eventAction(event.action))}>
      <ScrollArea className="" label={EVENT_DETAILS.members}>
        <div className="split-title">
          <span className="ellipsis">
            <Seen text={event.action} />
          </span>
          {isBroken ? (
            <Mark outcome="fail" word={EVENT_DETAILS.broken} />
          ) : (
            <Mark outcome="pass" word={EVENT_DETAILS.valid} />
          )}
          <span className="push cluster">
            <button
              type="button"
              className="button-small"
              aria-label={EVENT_DETAILS.closeDetails}
              onClick={() => void navigate({ search: (before) => ({ ...before, selected: undefined }), replace: true })}
            >
              ×
            </button>
          </span>
        </div>
        <FactList
          className="facts detail"
          of={{
            [EVENT_DETAILS.when]: <Time value={event.created_at} hasZone />,
            [EVENT_DETAILS.actor]: <Hash value={event.actor} what={EVENT_DETAILS.actorCopied} />,
            [EVENT_DETAILS.target]: (
              <>
                {event.target_type} <EventTarget event={event} />
              </>
            ),
            [EVENT_DETAILS.eventId]: <Hash value={event.event_id} what={EVENT_DETAILS.eventId} />,
            [EVENT_DETAILS.previousHash]:
              event.prev_event_hash === null ? (
                <span className="muted">{EVENT_DETAILS.firstEvent}</span>
              ) : (
                <Hash value={event.prev_event_hash} what={EVENT_DETAILS.previousHash} />
              ),
            [EVENT_DETAILS.eventHash]: <Hash value={event.event_hash} what={EVENT_DETAILS.eventHash} />,
          }}
        />
      </ScrollArea>
      <ScrollArea className="" label={EVENT_DETAILS.details}>
        <div className="split-title">{EVENT_DETAILS.details}</div>
        <div className="detail">
          <JsonTree value={event.details as Json} />
        </div>
      </ScrollArea>
    </section>
  );
}
