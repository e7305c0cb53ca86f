import type { AssertionResponse, AttestationResponse } from '../../../../api/index.ts';
import { ServiceError } from '../../../store/base/service-error.ts';
import { eq } from '../../../store/drizzle.ts';
import { users } from '../../../store/schema.ts';
import type { WriteAccess } from '../../../store/write-access.ts';
import { OnceOnly } from '../once-only.ts';
import { findCredential, type NewCredential, notePasskeyUse, passkeysOf, type StoredPasskey } from './passkeys.ts';
import { type RelyingParty, relyingPartyOf } from './relying-party.ts';

/** What a challenge was given out for; it is good for nothing else. */
type ChallengePurpose =
  | { readonly kind: 'add'; readonly userId: string }
  | { readonly kind: 'fresh'; readonly userId: string }
  | { readonly kind: 'alone' }
  | { readonly kind: 'step'; readonly userId: string };

interface Context extends WriteAccess {
  /** How browsers reach the service. */
  readonly origin: () => string;
}

/** Loaded when somebody uses a passkey: most services never have one, and a start must not wait for it. */
const webauthn = () => import('./webauthn.ts');

/** The service's half of adding passkeys and of signing in with them. Each challenge is good once, for one purpose. */
export class Ceremonies {
  readonly #context: Context;
  readonly #challenges: OnceOnly<ChallengePurpose>;
  /** Those that anybody can ask for: however many they are, they push none of the others out. */
  readonly #open: OnceOnly<ChallengePurpose>;
  /** Sign-ins with the right password that wait for a passkey, by the step that names each: whose they are. */
  readonly steps: OnceOnly<string>;

  constructor(context: Context) {
    this.#context = context;
    this.#challenges = new OnceOnly(context.now);
    this.#open = new OnceOnly(context.now);
    this.steps = new OnceOnly(context.now);
  }

  /** The origin whose pages can use passkeys, or null. */
  get origin(): string | null {
    return relyingPartyOf(this.#context.origin())?.origin ?? null;
  }

  /** @throws ServiceError NOT_CONFIGURED */
  get #relyingParty(): RelyingParty {
    const found = relyingPartyOf(this.#context.origin());
    if (found !== null) return found;
    throw new ServiceError('NOT_CONFIGURED', 'passkeys need a domain name: set the public URL of the service');
  }

  async beginToAdd(userId: string) {
    const { store } = this.#context;
    const user = store.db.select().from(users).where(eq(users.userId, userId)).get();
    if (user === undefined) throw new ServiceError('UNAUTHORIZED', 'the user no longer exists');
    const { creationOptions } = await webauthn();
    const challenge = this.#issue({ kind: 'add', userId });
    return creationOptions(this.#relyingParty, user, passkeysOf(store, userId), challenge);
  }

  /** @throws ServiceError UNAUTHORIZED */
  async added(userId: string, response: AttestationResponse): Promise<NewCredential> {
    const { challengeIn, verifyCreation } = await webauthn();
    const challenge = challengeIn(response.response);
    this.#take(challenge, (purpose) => purpose.kind === 'add' && purpose.userId === userId);
    return verifyCreation(this.#relyingParty, response, challenge);
  }

  /** @param purpose for whom a passkey is asked; the authenticator chooses where that is not known yet */
  async beginToSign(purpose: Exclude<ChallengePurpose, { kind: 'add' }>) {
    const { requestOptions } = await webauthn();
    const known = purpose.kind === 'alone' ? [] : passkeysOf(this.#context.store, purpose.userId);
    if (purpose.kind !== 'alone' && known.length === 0) {
      throw new ServiceError('NOT_FOUND', 'the account has no passkey');
    }
    const challenge = purpose.kind === 'alone' ? this.#open.issue(purpose, null) : this.#issue(purpose);
    return requestOptions(this.#relyingParty, known, challenge);
  }

  /** Those of one kind do not push out another: whoever has a stolen session keeps nobody from signing in with it. */
  #issue(purpose: Exclude<ChallengePurpose, { kind: 'alone' }>): string {
    return this.#challenges.issue(purpose, `${purpose.kind} ${purpose.userId}`);
  }

  /**
   * Takes an answer of an authenticator.
   * @param isMeant whether the challenge was given out for this, and the passkey may answer it
   * @returns the passkey that signed
   * @throws ServiceError UNAUTHORIZED
   */
  async signed(
    response: AssertionResponse,
    isMeant: (purpose: ChallengePurpose, passkey: StoredPasskey) => boolean,
  ): Promise<StoredPasskey> {
    const { store, writer, now } = this.#context;
    const { challengeIn, verifyAssertion } = await webauthn();
    const challenge = challengeIn(response.response);
    const passkey = findCredential(store, response.id);
    this.#take(challenge, (purpose) => passkey !== undefined && isMeant(purpose, passkey));
    if (passkey === undefined) throw notMeant();
    const counter = await verifyAssertion(this.#relyingParty, response, challenge, passkey);
    // A crash after it leaves the counter grown and nobody signed in.
    await writer.transact((tx) => notePasskeyUse(tx, passkey.passkeyId, counter, now()));
    return passkey;
  }

  /** Uses a challenge up, whatever comes of it. @throws ServiceError UNAUTHORIZED */
  #take(challenge: string, isMeant: (purpose: ChallengePurpose) => boolean): void {
    const purpose = this.#challenges.take(challenge) ?? this.#open.take(challenge);
    if (purpose === null || !isMeant(purpose)) throw notMeant();
  }
}

function notMeant(): ServiceError {
  return new ServiceError(
    'UNAUTHORIZED',
    'response: the passkey is unknown, or this sign-in has taken too long; begin again',
  );
}
