import { openApiDocument } from '../../contract/index.ts';
import type { ServiceContext } from '../context.ts';
import type { Handlers } from '../http/handler.ts';
import { jwks } from '../keys/service-keys.ts';
import { examineHealth } from './deep-health.ts';

export function healthRoutes(context: ServiceContext): Pick<Handlers, 'jwks' | 'openApi' | 'health' | 'deepHealth'> {
  const { store, version } = context;
  let description: ReturnType<typeof openApiDocument> | null = null;
  return {
    openApi: () => {
      // Made when somebody asks for it: of all that a start would do, it takes longest.
      description ??= openApiDocument(version);
      return { body: description };
    },
    jwks: () => ({ body: jwks(store) }),
    // Cheap on purpose: no database, so that a probe every second costs nothing.
    health: () => ({ body: { status: 'ok', version } }),
    deepHealth: async () => {
      const body = await examineHealth(context);
      return body.status === 'ok' ? { body } : { body, status: 503 };
    },
  };
}
