import { ServiceError } from '../../base/service-error.ts';
import type { Caller } from '../../http/caller.ts';

/** Some calls are about the session or the account itself. @throws ServiceError FORBIDDEN for an API token */
export function needSession(caller: Caller, what: string): void {
  if (caller.by !== 'session') throw new ServiceError('FORBIDDEN', `${what} needs a session, not an API token`);
}
