import { z } from 'zod';
import { LOOK_KINDS } from '../../api/index.ts';
import { rangeParams } from './workspace-range.ts';

/* What the addresses of the investigation's screens may hold. Whatever is not as it should be is left out. */

/** A router reads a number or `true` in an address as such: an identifier of digits is a text all the same. */
const text = z
  .union([z.string(), z.number(), z.boolean()])
  .transform(String)
  .pipe(z.string().min(1))
  .optional()
  .catch(undefined);

export const SESSION_ORDERS = ['newest', 'oldest', 'longest'] as const;

/** The list of sessions and what it is filtered by; or one session, and the step that is looked at. */
export const sessionsSearch = z.object({
  ...rangeParams,
  query: text,
  order: z.enum(SESSION_ORDERS).optional().catch(undefined),
  session: text,
  /** With a session: the one that it is compared with. */
  with: text,
  /** The operation_id of a record of the step. */
  step: text,
});
export type SessionsSearch = z.infer<typeof sessionsSearch>;

/** The list of entities, of one kind and with a text in their names; or one of them. */
export const entitiesSearch = z.object({
  ...rangeParams,
  kind: text,
  contains: text,
  /** With a kind: the one whose page is shown. */
  id: text,
  order: z.enum(['newest', 'oldest']).optional().catch(undefined),
});
export type EntitiesSearch = z.infer<typeof entitiesSearch>;

/** What needs a look, of one kind. */
export const needsLookSearch = z.object({ ...rangeParams, kind: z.enum(LOOK_KINDS).optional().catch(undefined) });
export type NeedsLookSearch = z.infer<typeof needsLookSearch>;

/** What left, by a part of the destination, by agent, and whether something was sent there. */
export const whatLeftSearch = z.object({
  ...rangeParams,
  contains: text,
  agentId: text,
  show: z.enum(['sent', 'asked']).optional().catch(undefined),
});
export type WhatLeftSearch = z.infer<typeof whatLeftSearch>;

/** Two operations that are compared, by their operation_id. */
export const differenceSearch = z.object({ left: text, right: text });
export type DifferenceSearch = z.infer<typeof differenceSearch>;
