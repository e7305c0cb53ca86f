import { createHash } from 'node:crypto';
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import type { Provider } from '../../../../api/index.ts';
import type { PageHash } from '../../../http/page-binding.ts';
import { ServiceError } from '../../../store/base/service-error.ts';
import { eq, lte } from '../../../store/drizzle.ts';
import type { WritableStore } from '../../../store/open.ts';
import { oauthStates } from '../../../store/schema.ts';
import type { WriteAccess } from '../../../store/write-access.ts';

/** How long a person has to sign in at the provider, in milliseconds; the flow's cookie lasts as long. */
const STATE_LIFETIME_MS = 600_000;

const SWEEP_INTERVAL_MS = 60_000;

/** A sign-in at a provider between its two halves. `state` is known to nobody but the browser and the provider. */
export interface Flow {
  readonly state: string;
  readonly codeVerifier: string;
  readonly nonce: string;
  readonly callbackUrl: string;
  /** The page that began it, which the session is bound to; null for another client. */
  readonly page: PageHash | null;
  /** Who was signed in where it was begun; null for nobody. */
  readonly signedInAs: string | null;
}

type Begun = Pick<Flow, 'callbackUrl' | 'page' | 'signedInAs'>;

type Row = typeof oauthStates.$inferSelect;

/**
 * The sign-ins in progress. A state has 256 random bits, of which the database has only the SHA-256: what comes back
 * with a state was begun here, and who reads the database can finish nobody's sign-in.
 */
export class States {
  readonly #context: WriteAccess;
  #sweptAt = 0;

  constructor(context: WriteAccess) {
    this.#context = context;
  }

  async begin(provider: Provider, begun: Begun): Promise<Flow> {
    const { writer, now } = this.#context;
    const secrets = { state: randomState(), codeVerifier: randomPKCECodeVerifier(), nonce: randomNonce() };
    const flow = { ...secrets, ...begun };
    const time = now();
    // A crash after it leaves a state that no browser has; it expires, and the sign-in is begun again.
    await writer.transact((store) => {
      this.#sweep(store, time);
      const { codeVerifier, nonce } = flow;
      const expiresAt = time + STATE_LIFETIME_MS;
      store.db
        .insert(oauthStates)
        .values({
          stateHash: hashState(flow.state),
          provider,
          codeVerifier,
          nonce,
          callbackUrl: begun.callbackUrl,
          expiresAt,
          pageHash: begun.page,
          userId: begun.signedInAs,
        })
        .run();
    });
    return flow;
  }

  /** @throws ServiceError UNAUTHORIZED where no sign-in at this provider waits for the state */
  check(provider: Provider, state: string): void {
    const { store } = this.#context;
    this.#usable(
      store.db
        .select()
        .from(oauthStates)
        .where(eq(oauthStates.stateHash, hashState(state)))
        .get(),
      provider,
    );
  }

  /**
   * Takes a state out for good, before anything is done with what came with it: of two callbacks at once, one gets it.
   * @throws ServiceError UNAUTHORIZED
   */
  async take(provider: Provider, state: string): Promise<Flow> {
    const { writer } = this.#context;
    // A crash after it leaves the state used up: the sign-in is begun again.
    const row = await writer.transact((store) =>
      store.db
        .delete(oauthStates)
        .where(eq(oauthStates.stateHash, hashState(state)))
        .returning()
        .get(),
    );
    const { codeVerifier, nonce, callbackUrl, pageHash: page, userId: signedInAs } = this.#usable(row, provider);
    return { state, codeVerifier, nonce, callbackUrl, page, signedInAs };
  }

  #usable(row: Row | undefined, provider: Provider): Row {
    if (row?.provider !== provider) {
      throw new ServiceError('UNAUTHORIZED', 'state: this sign-in is unknown or was used before; begin again');
    }
    if (row.expiresAt <= this.#context.now()) {
      throw new ServiceError('UNAUTHORIZED', 'state: the sign-in has taken too long; begin again');
    }
    return row;
  }

  /** Anybody can begin sign-ins and leave them: what is left of those goes, but not by a search at every beginning. */
  #sweep({ db }: WritableStore, time: number): void {
    if (time < this.#sweptAt + SWEEP_INTERVAL_MS) return;
    this.#sweptAt = time;
    db.delete(oauthStates).where(lte(oauthStates.expiresAt, time)).run();
  }
}

function hashState(state: string): Buffer {
  return createHash('sha256').update(state).digest();
}
