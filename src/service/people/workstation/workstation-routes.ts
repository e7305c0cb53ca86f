import type { Handlers } from '../../http/handler.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import type { WorkstationSessions } from './workstation-sessions.ts';

interface WorkstationDeps {
  readonly workstations: WorkstationSessions;
}

export function workstationRoutes({ workstations }: WorkstationDeps) {
  return {
    workstation: ({ workstation }) => ({ body: { active: workstation } }),
    enterWorkstation: ({ body, credentials: { page } }) => {
      const workstationToken = workstations.enter(body.code, page);
      if (workstationToken === null) {
        throw new ServiceError(
          'UNAUTHORIZED',
          'this link was used already or is older than ten minutes: start the service again for a new one',
        );
      }
      return { body: { active: true }, workstationToken };
    },
  } satisfies Partial<Handlers>;
}
