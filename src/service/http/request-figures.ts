import type { Context } from 'koa';
import type { ErrorCode, RouteName } from '../../api/index.ts';

/** Upper ends of the counts of durations, in seconds. */
export const BUCKET_ENDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const;

/** What was answered on one route since the start. */
export interface RouteFigures {
  /** How many answers took no longer than the end of the bucket, and longer than the end of the one before. */
  readonly buckets: number[];
  /** In seconds, all together. */
  seconds: number;
  readonly byStatus: Map<number, number>;
}

/** Counts of requests since the start, for whoever watches the service. Owned by the application, and lost with it. */
export class RequestFigures {
  readonly #routes = new Map<RouteName | 'other', RouteFigures>();
  readonly #refused = new Map<ErrorCode, number>();

  get routes(): ReadonlyMap<RouteName | 'other', RouteFigures> {
    return this.#routes;
  }

  get refused(): ReadonlyMap<ErrorCode, number> {
    return this.#refused;
  }

  /**
   * Notes an answer. What led to no route is `other`: there are as many addresses as somebody cares to ask for.
   * @param code why it was refused; null where it was not
   */
  note({ state, status }: Context, milliseconds: number, code: ErrorCode | null): void {
    const route = (state['route'] as RouteName | undefined) ?? 'other';
    let of = this.#routes.get(route);
    if (of === undefined) {
      of = { buckets: BUCKET_ENDS.map(() => 0), seconds: 0, byStatus: new Map() };
      this.#routes.set(route, of);
    }
    const seconds = milliseconds / 1000;
    const bucket = BUCKET_ENDS.findIndex((end) => seconds <= end);
    if (bucket !== -1) of.buckets[bucket] = (of.buckets[bucket] ?? 0) + 1;
    of.seconds += seconds;
    of.byStatus.set(status, (of.byStatus.get(status) ?? 0) + 1);
    if (code !== null) this.#refused.set(code, (this.#refused.get(code) ?? 0) + 1);
  }
}
