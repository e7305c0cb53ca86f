import { randomBytes } from 'node:crypto';
import { AuthorizationCodes } from './authorization-codes.ts';
import { type LocalAnswer, type LocalRequest, serveLocally } from './local-server.ts';

export interface GithubEmail {
  readonly email: string;
  readonly primary: boolean;
  readonly verified: boolean;
}

/** A provider like GitHub on this machine, which a test can make answer wrongly. */
export interface GithubProvider {
  readonly url: string;
  readonly apiUrl: string;
  readonly codes: AuthorizationCodes;
  user: { readonly id: number; readonly login: string; readonly name: string | null };
  emails: readonly GithubEmail[];
  /** Answers in place of the right ones, by path. */
  readonly answers: Map<string, LocalAnswer>;
  /** The paths that were asked for. */
  readonly requests: string[];
  close(): Promise<void>;
}

/** GitHub answers a refused exchange with status 200, and calls the errors by names of its own. */
const REFUSALS = { invalid_client: 'incorrect_client_credentials', invalid_grant: 'bad_verification_code' } as const;

export async function startGithubProvider(): Promise<GithubProvider> {
  const codes = new AuthorizationCodes('github-client');
  const tokens = new Set<string>();

  const withToken = (request: LocalRequest, body: () => unknown): LocalAnswer => {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    return tokens.has(token) ? { status: 200, body: body() } : { status: 401, body: { message: 'Bad credentials' } };
  };

  const endpoints: Record<string, (request: LocalRequest) => LocalAnswer> = {
    '/login/oauth/authorize': (request) => codes.authorize(request),
    '/login/oauth/access_token': (request) => {
      const grant = codes.redeem(request);
      if (typeof grant === 'string') return { status: 200, body: { error: REFUSALS[grant] } };
      const access_token = `gho_${randomBytes(16).toString('hex')}`;
      tokens.add(access_token);
      return { status: 200, body: { access_token, token_type: 'bearer', scope: 'read:user,user:email' } };
    },
    '/api/user': (request) => withToken(request, () => provider.user),
    '/api/user/emails': (request) => withToken(request, () => provider.emails),
  };

  const server = await serveLocally((request) => {
    const { pathname } = request.url;
    provider.requests.push(pathname);
    return provider.answers.get(pathname) ?? endpoints[pathname]?.(request) ?? { status: 404 };
  });
  const url = `http://127.0.0.1:${server.port}`;
  const provider: GithubProvider = {
    url,
    apiUrl: `${url}/api`,
    codes,
    user: { id: 4711, login: 'grace-h', name: 'Grace' },
    emails: [
      { email: 'old@example.org', primary: false, verified: true },
      { email: 'grace@example.org', primary: true, verified: true },
    ],
    answers: new Map(),
    requests: [],
    close: () => server.close(),
  };
  return provider;
}
