import type { AdminEvent } from '../../../protocol/index.ts';
import type { ChainRow } from '../../api/answers.ts';
import { CHAIN_ITEMS } from './texts.ts';

/** A line of the chain explorer: a record, or something between two of them. */
export type ChainItem =
  | { readonly kind: 'record'; readonly key: string; readonly row: ChainRow; readonly isLinked: boolean }
  | { readonly kind: 'break'; readonly key: string; readonly newer: ChainRow; readonly older: ChainRow }
  | { readonly kind: 'event'; readonly key: string; readonly text: string; readonly at: number };

const SHOWN_ACTIONS: Readonly<Record<string, string>> = {
  'agent.freeze': CHAIN_ITEMS.frozen,
  'agent.unfreeze': CHAIN_ITEMS.unfrozen,
  'agent.revoke_key': CHAIN_ITEMS.keyRevoked,
  'agent.add_key': CHAIN_ITEMS.keyAdded,
};

function textOf({ action, details }: AdminEvent): string {
  const said = [details['kid'], details['reason']].filter((detail) => typeof detail === 'string');
  return [SHOWN_ACTIONS[action] ?? action, ...said].join(': ');
}

/**
 * The lines of a stretch of a chain, newest first: its records, a band wherever a record does not refer to the one
 * below it, and what was done to the agent in between.
 * @param events of this agent, in any order
 */
export function chainItems(rows: readonly ChainRow[], events: readonly AdminEvent[], isNewest: boolean): ChainItem[] {
  const shown = events.filter(({ action }) => action in SHOWN_ACTIONS).sort((a, b) => b.created_at - a.created_at);
  const items: ChainItem[] = [];
  let next = 0;
  const addEventsAfter = (time: number, isShown: boolean): void => {
    for (let event = shown[next]; event !== undefined && event.created_at >= time; event = shown[++next]) {
      if (isShown) items.push({ kind: 'event', key: event.event_id, text: textOf(event), at: event.created_at });
    }
  };
  for (const [n, row] of rows.entries()) {
    // What came after the newest loaded record belongs to it only where that is the newest there is.
    addEventsAfter(Date.parse(row.server_received_at), n > 0 || isNewest);
    const older = rows[n + 1];
    const isLinked = older === undefined || row.prev_chain_hash === older.chain_hash;
    items.push({ kind: 'record', key: row.operation_id, row, isLinked });
    if (!isLinked) items.push({ kind: 'break', key: `break-${row.operation_id}`, newer: row, older });
  }
  return items;
}
