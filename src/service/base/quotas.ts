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

/** @throws ServiceError QUOTA_EXCEEDED naming what is full, its limit, and what makes room */
export function needRoom({ what, used, more = 1, most, remedy }: Quota): void {
  if (used + more <= most) return;
  throw new ServiceError('QUOTA_EXCEEDED', `there are ${used} ${what}, and there may be ${most}: ${remedy}`);
}
