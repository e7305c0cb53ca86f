import { queryOptions } from '@tanstack/react-query';
import type { AnswerOf } from '../../contract/index.ts';
import { call } from './call.ts';
import { KEYS } from './keys.ts';

/* What the account screen asks for. */

export type SessionRow = AnswerOf<'listSessions'>['sessions'][number];
export type Passkey = AnswerOf<'account'>['passkeys'][number];

export const accountQuery = queryOptions({
  queryKey: KEYS.account,
  queryFn: ({ signal }) => call('account', { signal }),
});

/** The person's own agent, whose records their decisions are. */
export const deciderQuery = queryOptions({
  queryKey: KEYS.decider,
  queryFn: ({ signal }) => call('decisionAgent', { signal }),
});

export const sessionsQuery = queryOptions({
  queryKey: KEYS.accountSessions,
  queryFn: ({ signal }) => call('listSessions', { signal }),
});
