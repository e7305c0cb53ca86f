import { queryOptions } from '@tanstack/react-query';
import type { AnswerOf } from '../../contract/index.ts';
import { call } from './call.ts';

/* What the account screen asks for. */

export type SessionRow = AnswerOf<'listSessions'>['sessions'][number];
export type Passkey = AnswerOf<'account'>['passkeys'][number];

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => call('account', { signal }),
});

export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: ({ signal }) => call('listSessions', { signal }),
});
