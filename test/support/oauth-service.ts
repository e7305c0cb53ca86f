import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { DownloadTickets } from '../../src/service/http/download-tickets.ts';
import type { Handlers } from '../../src/service/http/handler.ts';
import { listen } from '../../src/service/http/listen.ts';
import { RateLimit } from '../../src/service/http/rate-limit.ts';
import { RefusalLog } from '../../src/service/http/refusal-log.ts';
import { RequestFigures } from '../../src/service/http/request-figures.ts';
import { Refusals } from '../../src/service/ledger/admin-log/refusals/refusals.ts';
import { Callers } from '../../src/service/people/identity/callers.ts';
import { identityRoutes } from '../../src/service/people/identity/identity-routes.ts';
import { oauthRoutes } from '../../src/service/people/identity/oauth/oauth-routes.ts';
import { Ceremonies } from '../../src/service/people/identity/passkeys/ceremonies.ts';
import { Passwords } from '../../src/service/people/identity/passwords.ts';
import { SignInLimits } from '../../src/service/people/identity/sign-in-limits.ts';
import { SetUp } from '../../src/service/people/organizations/set-up.ts';
import { WorkstationSessions } from '../../src/service/people/workstation/workstation-sessions.ts';
import { createApp } from '../../src/service/start/app.ts';
import { type OpenStore, openStore } from '../../src/service/store/open.ts';
import { withDefaults } from '../../src/service/store/settings/settings.ts';
import type { Settings } from '../../src/service/store/settings/settings-type.ts';
import { Writer } from '../../src/service/store/writer.ts';
import type { GithubProvider } from './github-provider.ts';
import type { OidcProvider } from './oidc-provider.ts';
import { LEAST_COST } from './password-cost.ts';

/** The part of the service that accounts need, over real HTTP. */
export interface OauthService {
  readonly url: string;
  readonly store: OpenStore;
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
  const origin = (): string => settings.publicUrl ?? url;
  const writer = new Writer(store);
  const stopping = new AbortController();
  const parts = {
    settings,
    store,
    writer,
    now,
    signUpIsOpen,
    passwords: new Passwords(LEAST_COST),
    log: logger,
    refusals: new Refusals({ writer, now }, (error) => logger.error(error)),
    ceremonies: new Ceremonies({ store, writer, now, origin }),
    figures: new RequestFigures(),
    node: null,
    tickets: new DownloadTickets(now),
    stopping: stopping.signal,
    callers: new Callers(store, writer, (error) => logger.error(error)),
    signInLimits: new SignInLimits(Date.now),
    signUpLimit: new RateLimit(() => null),
    onOpened: () => undefined,
    setUp: new SetUp({ store, path: join(folder, 'set-up-code.json'), onError: (error) => logger.error(error) }),
    workstations: new WorkstationSessions(now),
    origin,
  };
  const handlers = { ...identityRoutes(parts), ...oauthRoutes(parts) };
  const app = createApp(parts, handlers as unknown as Handlers, new RefusalLog(logger));
  const server = await listen(settings, app.callback());
  ({ url } = server);
  const close = async (): Promise<void> => {
    await server.close(() => stopping.abort());
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
