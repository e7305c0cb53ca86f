import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { AuthorizationCodes } from './authorization-codes.ts';
import { type LocalAnswer, type LocalRequest, serveLocally } from './local-server.ts';

export interface OidcPerson {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean | string;
  readonly name?: string;
}

/** An OpenID provider on this machine, which a test can make answer wrongly. */
export interface OidcProvider {
  readonly issuer: string;
  readonly codes: AuthorizationCodes;
  person: OidcPerson;
  /** Claims that replace those of a right ID token; undefined leaves one out. */
  claims: Readonly<Record<string, unknown>>;
  /** With what the ID token is signed. */
  signature: 'own key' | 'other key' | 'none';
  /** Members that replace those of the discovery document. */
  metadata: Readonly<Record<string, unknown>>;
  /** Answers in place of the right ones, by path. */
  readonly answers: Map<string, LocalAnswer>;
  /** The paths that were asked for. */
  readonly requests: string[];
  close(): Promise<void>;
}

const KID = 'key-1';

function base64url(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function signedToken(claims: unknown, key: KeyObject | null): string {
  const signed = `${base64url(key ? { alg: 'RS256', kid: KID } : { alg: 'none' })}.${base64url(claims)}`;
  return `${signed}.${key ? sign('sha256', Buffer.from(signed), key).toString('base64url') : ''}`;
}

/** Made once: RSA keys take a while. */
const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
const other = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** @param hostName how the service and browsers call it; localhost makes it another site than 127.0.0.1 */
export async function startOidcProvider(hostName = '127.0.0.1'): Promise<OidcProvider> {
  const keys = { 'own key': own.privateKey, 'other key': other.privateKey, none: null };
  const codes = new AuthorizationCodes('google-client');

  const endpoints: Record<string, (request: LocalRequest) => LocalAnswer> = {
    '/.well-known/openid-configuration': () => ({
      status: 200,
      body: {
        issuer: provider.issuer,
        authorization_endpoint: `${provider.issuer}/authorize`,
        token_endpoint: `${provider.issuer}/token`,
        jwks_uri: `${provider.issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        code_challenge_methods_supported: ['S256'],
        ...provider.metadata,
      },
    }),
    '/jwks': () => {
      const jwk = own.publicKey.export({ format: 'jwk' });
      return { status: 200, body: { keys: [{ ...jwk, kid: KID, alg: 'RS256', use: 'sig' }] } };
    },
    '/authorize': (request) => codes.authorize(request),
    '/token': (request) => {
      const grant = codes.redeem(request);
      if (grant === 'invalid_client') return { status: 401, body: { error: grant } };
      if (grant === 'invalid_grant') return { status: 400, body: { error: grant } };
      const seconds = Math.floor(Date.now() / 1000);
      const claims = {
        iss: provider.issuer,
        aud: codes.client.id,
        iat: seconds,
        exp: seconds + 300,
        nonce: grant.nonce,
        ...provider.person,
        ...provider.claims,
      };
      const id_token = signedToken(claims, keys[provider.signature]);
      return { status: 200, body: { access_token: 'unused', token_type: 'Bearer', expires_in: 300, id_token } };
    },
  };

  const server = await serveLocally((request) => {
    const { pathname } = request.url;
    provider.requests.push(pathname);
    return provider.answers.get(pathname) ?? endpoints[pathname]?.(request) ?? { status: 404 };
  });
  const provider: OidcProvider = {
    issuer: `http://${hostName}:${server.port}`,
    codes,
    person: { sub: 'g-1', email: 'ada@example.org', email_verified: true, name: 'Ada' },
    claims: {},
    signature: 'own key',
    metadata: {},
    answers: new Map(),
    requests: [],
    close: () => server.close(),
  };
  return provider;
}
