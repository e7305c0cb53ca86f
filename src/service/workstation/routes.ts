import type { ServiceContext } from '../context.ts';
import { ServiceError } from '../errors.ts';
import type { Handlers } from '../http/handler.ts';

export function workstationRoutes({
  workstations,
}: Pick<ServiceContext, 'workstations'>): Pick<Handlers, 'workstation' | 'enterWorkstation'> {
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
  };
}
