import { createHash, randomBytes } from 'node:crypto';
import type { LocalAnswer, LocalRequest } from './local-server.ts';

/** What a provider knows of the service, as it was registered there. */
export interface Client {
  readonly id: string;
  readonly secret: string;
  redirectUri: string;
}

interface Grant {
  readonly challenge: string;
  readonly redirectUri: string;
  readonly nonce: string | null;
}

/** The authorization code flow of a provider (RFC 6749 §4.1, RFC 7636), checked as strictly as providers should. */
export class AuthorizationCodes {
  readonly client: Client;
  /** The error that the person's refusal gives, such as access_denied; null consents. */
  refusal: string | null = null;
  /** Whether a person must follow a link on a page, rather than being sent back at once. */
  interactive = false;
  readonly #grants = new Map<string, Grant>();

  constructor(id: string) {
    this.client = { id, secret: `secret of ${id} ${randomBytes(16).toString('hex')}`, redirectUri: '' };
  }

  authorize({ url }: LocalRequest): LocalAnswer {
    const query = url.searchParams;
    const challenge = query.get('code_challenge') ?? '';
    const redirectUri = query.get('redirect_uri') ?? '';
    const isRight =
      query.get('client_id') === this.client.id &&
      query.get('response_type') === 'code' &&
      query.get('code_challenge_method') === 'S256' &&
      /^[\w-]{43}$/.test(challenge) &&
      redirectUri === this.client.redirectUri;
    // Never sent on to an address that is not registered.
    if (!isRight) return { status: 400, body: 'this is no request of a registered client' };
    const back = new URL(redirectUri);
    back.searchParams.set('state', query.get('state') ?? '');
    if (this.refusal !== null) {
      back.searchParams.set('error', this.refusal);
    } else {
      const code = randomBytes(16).toString('hex');
      this.#grants.set(code, { challenge, redirectUri, nonce: query.get('nonce') });
      back.searchParams.set('code', code);
    }
    if (this.interactive) {
      const href = back.href.replaceAll('&', '&amp;');
      return { status: 200, body: `<!doctype html><title>provider</title><a href="${href}">Allow</a>` };
    }
    return { status: 302, headers: { Location: back.href } };
  }

  /** @returns the grant, once, or the error that the token endpoint answers with */
  redeem({ text, headers }: LocalRequest): Grant | 'invalid_client' | 'invalid_grant' {
    const form = new URLSearchParams(text);
    const basic = /^Basic (.+)$/.exec(headers.authorization ?? '')?.[1];
    const [id, secret] =
      basic === undefined
        ? [form.get('client_id'), form.get('client_secret')]
        : Buffer.from(basic, 'base64').toString('utf8').split(':').map(decodeURIComponent);
    if (id !== this.client.id || secret !== this.client.secret) return 'invalid_client';
    const code = form.get('code') ?? '';
    const grant = this.#grants.get(code);
    this.#grants.delete(code);
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight =
      form.get('grant_type') === 'authorization_code' &&
      grant?.challenge === verifier &&
      grant.redirectUri === form.get('redirect_uri');
    return isRight ? grant : 'invalid_grant';
  }
}
