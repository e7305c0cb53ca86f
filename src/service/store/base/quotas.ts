import { ServiceError } from './service-error.ts';

/** How much of something there is, and how much there may be. */
export interface Quota {
  /** What is counted, in the plural: `webhooks`. */
  readonly what: string;
  readonly used: number;
  /** How much comes on top; 1 unless told. */
  readonly more?: number;
  readonly most: number;
  /** What makes room: `delete some`. */
  readonly remedy: string;
}

/** @returns QUOTA_EXCEEDED naming what is full, its limit, and what makes room; null where there is room */
export function quotaRefusal({ what, used, more = 1, most, remedy }: Quota): ServiceError | null {
  if (used + more <= most) return null;
  return new ServiceError('QUOTA_EXCEEDED', `there are ${used} ${what}, and there may be ${most}: ${remedy}`);
}

/** @throws ServiceError what quotaRefusal returns */
export function needRoom(quota: Quota): void {
  const refusal = quotaRefusal(quota);
  if (refusal !== null) throw refusal;
}
