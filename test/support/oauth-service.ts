import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { SetUp } from '../../src/service/administration/set-up.ts';
import type { ServiceContext } from '../../src/service/context.ts';
import { createApp } from '../../src/service/http/app.ts';
import type { Handlers } from '../../src/service/http/handler.ts';
import { listen } from '../../src/service/http/listen.ts';
import { RateLimit } from '../../src/service/http/rate-limit.ts';
import { Callers } from '../../src/service/identity/callers.ts';
import { oauthRoutes } from '../../src/service/identity/oauth/routes.ts';
import { identityRoutes } from '../../src/service/identity/routes.ts';
import { SignInLimits } from '../../src/service/identity/sign-in-limits.ts';
import { withDefaults } from '../../src/service/settings.ts';
import type { Settings } from '../../src/service/settings-type.ts';
import { openStore, type Store } from '../../src/service/store/open.ts';
import { Writer } from '../../src/service/store/writer.ts';
import { WorkstationSessions } from '../../src/service/workstation/sessions.ts';
import type { GithubProvider } from './github-provider.ts';
import type { OidcProvider } from './oidc-provider.ts';

/** The part of the service that accounts need, over real HTTP. */
export interface OauthService {
  readonly url: string;
  readonly store: Store;
  /** Everything that was logged. */
  readonly log: string[];
  close(): Promise<void>;
}

export async function startOauthService(
  given: Partial<Settings>,
  { now = Date.now, signUpIsOpen = true }: { now?: () => number; signUpIsOpen?: boolean } = {},
): Promise<OauthService> {
  const folder = mkdtempSync(join(tmpdir(), 'oauth-'));
  const settings = withDefaults({ dataDir: folder, port: 0, ...given });
  const store = openStore(join(folder, 'ledger.sqlite'));
  const log: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line: string) => void log.push(line) });
  let url = '';
  const writer = new Writer(store);
  const parts = {
    ...{ settings, store, writer, now, signUpIsOpen },
    callers: new Callers(store, writer, (error) => logger.error(error)),
    signInLimits: new SignInLimits(Date.now),
    signUpLimit: new RateLimit(() => null),
    setUp: new SetUp({ store, path: join(folder, 'set-up-code.json'), onError: (error) => logger.error(error) }),
    workstations: new WorkstationSessions(now),
    origin: () => settings.publicUrl ?? url,
  };
  const context = parts as unknown as ServiceContext;
  const handlers = { ...identityRoutes(context), ...oauthRoutes(context) };
  const server = await listen(settings, createApp(context, handlers as unknown as Handlers, logger).callback());
  ({ url } = server);
  const close = async (): Promise<void> => {
    await server.close();
    store.close();
    rmSync(folder, { recursive: true });
  };
  return { url, store, log, close };
}

/** The settings of a service that knows the local providers. */
export function providerSettings(google: OidcProvider, github: GithubProvider): Partial<Settings> {
  return {
    googleIssuer: google.issuer,
    googleClientId: google.codes.client.id,
    googleClientSecret: google.codes.client.secret,
    githubUrl: github.url,
    githubApiUrl: github.apiUrl,
    githubClientId: github.codes.client.id,
    githubClientSecret: github.codes.client.secret,
  };
}

/** Tells the providers where they send browsers back to. */
export function register(service: Pick<OauthService, 'url'>, google: OidcProvider, github: GithubProvider): void {
  google.codes.client.redirectUri = `${service.url}/api/auth/callback/google`;
  github.codes.client.redirectUri = `${service.url}/api/auth/callback/github`;
}
