import type { FeedId } from '../base/programs.ts';
import type { SeenCall } from '../seen/seen.ts';
import { Ancestry } from './ancestry.ts';
import { LOG_DIALECTS, SPAN_DIALECTS } from './dialects.ts';
import { feedOfResource } from './feed-of.ts';
import type { OtlpLog, OtlpSpan } from './model.ts';
import { callOfLog, callOfSpan, type RequestFacts, type Unrecordable } from './read-call.ts';
import { joinSameCalls, type PlacedCall } from './same-call.ts';

/** The calls among the items of a request. */
export interface Calls {
  readonly byFeed: ReadonlyMap<FeedId, readonly SeenCall[]>;
  /** Items that are calls and cannot be recorded. */
  readonly unrecordable: Readonly<Record<Unrecordable, number>>;
  /** Items that are no calls. */
  readonly passedOver: number;
}

/** @param feed of the request; null where each resource says whose it is */
export function callsOfSpans(spans: readonly OtlpSpan[], feed: FeedId | null, facts: RequestFacts): Calls {
  const ancestry = new Ancestry(spans);
  return collect(spans, (span) => {
    const dialect = SPAN_DIALECTS.find(({ is }) => is(span));
    if (dialect === undefined) return null;
    const whose = feed ?? feedOfResource(span.origin.resource);
    const parents = ancestry.parents(span);
    const call = callOfSpan(span, dialect, whose, parents, facts);
    return { feed: whose, call, parents: parents.map(({ spanId }) => spanId) };
  });
}

/** @param feed of the request; null where each resource says whose it is */
export function callsOfLogs(logs: readonly OtlpLog[], feed: FeedId | null, facts: RequestFacts): Calls {
  return collect(logs, (log) => {
    const dialect = LOG_DIALECTS.find(({ is }) => is(log));
    if (dialect === undefined) return null;
    const whose = feed ?? feedOfResource(log.origin.resource);
    return { feed: whose, call: callOfLog(log, dialect, whose, facts), parents: [] };
  });
}

interface Found {
  readonly feed: FeedId;
  readonly call: SeenCall | Unrecordable;
  readonly parents: readonly string[];
}

function collect<T>(items: readonly T[], find: (item: T) => Found | null): Calls {
  const placed = new Map<FeedId, PlacedCall[]>();
  const unrecordable = { NO_IDS: 0, NO_TOOL: 0 };
  let passedOver = 0;
  for (const item of items) {
    const found = find(item);
    if (found === null) {
      passedOver++;
    } else if (typeof found.call === 'string') {
      unrecordable[found.call]++;
    } else {
      const ofFeed = placed.get(found.feed) ?? [];
      placed.set(found.feed, ofFeed);
      ofFeed.push({ call: found.call, parents: found.parents });
    }
  }
  const byFeed = new Map([...placed].map(([feed, calls]) => [feed, joinSameCalls(calls)]));
  return { byFeed, unrecordable, passedOver };
}
