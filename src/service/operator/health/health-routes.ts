import { setImmediate as nextTurn } from 'node:timers/promises';
import { openApiSteps } from '../../../api/index.ts';
import { serviceChallengeSignedBytes, toBase64Url } from '../../../protocol/index.ts';
import type { Handlers } from '../../http/handler.ts';
import { jwks } from '../../ledger/keys/service-keys.ts';
import { needHome } from '../../people/organizations/home.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { examineHealth } from './deep-health.ts';
import { type MetricsDeps, metricsText } from './metrics.ts';

/** The description of the interface as it is sent: one text for all who ask, whom nobody knows, and made between other requests. */
async function describeInterface(version: string): Promise<Buffer> {
  const steps = openApiSteps(version);
  let step = steps.next();
  while (!step.done) {
    await nextTurn();
    step = steps.next();
  }
  return Buffer.from(JSON.stringify(step.value));
}

export function healthRoutes(context: MetricsDeps) {
  const { store, version, key, settings, node } = context;
  let description: Promise<Buffer> | null = null;
  return {
    openApi: async () => {
      // Made when somebody asks for it: of all that a start would do, it takes longest.
      description ??= describeInterface(version);
      return { jsonText: await description };
    },
    jwks: () => ({ body: jwks(store) }),
    serviceChallenge: ({ body: { address, nonce }, reachedAt }) => {
      // Only for where it was reached: somebody who listens elsewhere could pass the question on, and be taken for it.
      const isOwn =
        address === reachedAt() || (settings.publicUrl !== null && address === new URL(settings.publicUrl).origin);
      if (!isOwn) {
        throw new ServiceError('FORBIDDEN', `address: this connection reached the service at ${reachedAt()}`);
      }
      // One key, whatever a rotation does meanwhile.
      const holder = key.ofThisMoment;
      const challenge = { address, nonce, service_kid: holder.kid };
      return { body: { ...challenge, signature: toBase64Url(holder.sign(serviceChallengeSignedBytes(challenge))) } };
    },
    // Cheap on purpose: no database, so that a probe every second costs nothing.
    health: () => {
      if (node === null) return { body: { status: 'ok', version } };
      const { role, active, lag_ms } = node.look();
      const body = { version, node: { role, active, lag_ms } };
      return role === 'standby'
        ? { body: { status: 'standby', ...body }, status: 503 }
        : { body: { status: 'ok', ...body } };
    },
    // Of all ledgers together: none of a guest's business.
    metrics: async ({ caller }) => {
      needHome(store, caller.orgId);
      return { plainText: await metricsText(context) };
    },
    deepHealth: async () => {
      const body = await examineHealth(context);
      return body.status === 'ok' ? { body } : { body, status: 503 };
    },
  } satisfies Partial<Handlers>;
}
