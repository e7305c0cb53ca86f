import type { Sha256 } from '../../../protocol/index.ts';
import type { ActionFacts } from './facts.ts';
import type { FindingLog } from './finding-log.ts';
import { newRecent, RecentMap, type RecentState } from './recent-map.ts';
import { type Place, placeOf } from './report.ts';

interface Resource {
  /** Its state when it was last touched: null for absent, undefined where that is not known. */
  state: string | null | undefined;
  at: Place | null;
}

const MAX_RESOURCES = 20_000;

export type ResourcesState = RecentState<Resource>;
export const newResources = (): ResourcesState => newRecent();

/** Follows what each agent touched: the state after one action is the state before the next. */
export class Resources {
  readonly #log: FindingLog;
  readonly #resources: RecentMap<Resource>;

  constructor(log: FindingLog, hash: Sha256, state: ResourcesState) {
    this.#log = log;
    this.#resources = new RecentMap(MAX_RESOURCES, hash, state);
  }

  get forgotten(): number {
    return this.#resources.returned;
  }

  /** Takes what an action touched, once for each action. */
  take({ record, action }: ActionFacts): void {
    for (const [i, touched] of action.touched?.entries() ?? []) {
      const { kind, id, within = '', access, before, after } = touched;
      if (before === undefined && after === undefined && access === 'read') continue;
      const key = JSON.stringify([record.agent_id, kind, within, id]);
      const resource = this.#resources.at(key, () => ({ state: undefined, at: null }));
      if (before !== undefined && resource.state !== undefined && resource.at !== null && before !== resource.state) {
        const message = 'The state before this action is not the state after the last one that this agent recorded.';
        const held = { other: resource.at, pointer: `/touched/${i}/before` };
        this.#log.add('RESOURCE_JUMP', 'open', record, message, held);
      }
      resource.state = after === undefined && access === 'read' ? before : after;
      resource.at = placeOf(record);
    }
  }
}
