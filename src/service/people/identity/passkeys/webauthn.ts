import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { AssertionResponse, AttestationResponse } from '../../../../api/index.ts';
import type { Json } from '../../../../protocol/index.ts';
import { ServiceError } from '../../../store/base/service-error.ts';
import type { NewCredential, StoredPasskey } from './passkeys.ts';
import type { RelyingParty } from './relying-party.ts';

/* The ceremonies of WebAuthn Level 3 (§7.1, §7.2), by a library: loaded when somebody uses a passkey. */

/** EdDSA, ES256 and RS256 (RFC 9053 §2, RFC 8812 §2): what authenticators have. */
const ALGORITHMS = [-8, -7, -257];

type Options = { readonly [member: string]: Json };

function json(options: object): Options {
  return JSON.parse(JSON.stringify(options)) as Options;
}

/** The library's challenge is bytes; ours are issued and looked up as the text that browsers send back. */
function bytesOf(challenge: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(challenge, 'base64url'));
}

function refs(rows: readonly StoredPasskey[]) {
  return rows.map(({ credentialId, transports }) => ({
    id: credentialId,
    transports: JSON.parse(transports) as string[],
  }));
}

/** What a browser is asked for a new passkey: one that can be found without a name, and no word of who made it. */
export async function creationOptions(
  { rpId }: RelyingParty,
  user: { readonly userId: string; readonly email: string; readonly name: string },
  known: readonly StoredPasskey[],
  challenge: string,
): Promise<Options> {
  return json(
    await generateRegistrationOptions({
      rpName: 'Countersign',
      rpID: rpId,
      userName: user.email,
      userDisplayName: user.name,
      userID: new Uint8Array(Buffer.from(user.userId)),
      challenge: bytesOf(challenge),
      attestationType: 'none',
      supportedAlgorithmIDs: ALGORITHMS,
      excludeCredentials: refs(known),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    }),
  );
}

/** @param known the passkeys that may answer; none lets the authenticator choose */
export async function requestOptions(
  { rpId }: RelyingParty,
  known: readonly StoredPasskey[],
  challenge: string,
): Promise<Options> {
  return json(
    await generateAuthenticationOptions({
      rpID: rpId,
      challenge: bytesOf(challenge),
      allowCredentials: refs(known),
      // Whoever finds the authenticator must not be its owner by that alone.
      userVerification: 'required',
    }),
  );
}

function refusal(): ServiceError {
  return new ServiceError('UNAUTHORIZED', 'the passkey did not confirm this sign-in: begin again');
}

/** What a library makes of an answer that is not as it should be is an error of ours. @throws ServiceError UNAUTHORIZED */
async function tried<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch {
    // Its words quote what anybody may have sent.
    throw refusal();
  }
}

/**
 * Neither adding nor using a passkey happens in a frame within another site's page: the browser says so in what is signed (Web
 * Authentication Level 3, section 7.1 step 10 and 7.2 step 14), and the library leaves it to us.
 * @throws ServiceError UNAUTHORIZED
 */
function refuseFramed(data: ClientData): void {
  if (readClientData(data).crossOrigin === true) throw refusal();
}

/** @throws ServiceError UNAUTHORIZED */
export async function verifyCreation(
  { origin, rpId }: RelyingParty,
  response: AttestationResponse,
  challenge: string,
): Promise<NewCredential> {
  refuseFramed(response.response);
  const { verified, registrationInfo } = await tried(() =>
    verifyRegistrationResponse({
      response: response as Parameters<typeof verifyRegistrationResponse>[0]['response'],
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  );
  if (!verified) throw refusal();
  const { id, publicKey, counter } = registrationInfo.credential;
  const transports = JSON.stringify(response.response.transports ?? []);
  return { credentialId: id, publicKey: Buffer.from(publicKey), counter, transports };
}

/** @returns the counter of the authenticator, which must have grown where it counts. @throws ServiceError UNAUTHORIZED */
export async function verifyAssertion(
  { origin, rpId }: RelyingParty,
  response: AssertionResponse,
  challenge: string,
  { credentialId, publicKey, counter, transports }: StoredPasskey,
): Promise<number> {
  refuseFramed(response.response);
  const { verified, authenticationInfo } = await tried(() =>
    verifyAuthenticationResponse({
      response: response as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      credential: {
        id: credentialId,
        publicKey: new Uint8Array(publicKey),
        counter,
        transports: JSON.parse(transports) as string[],
      },
    }),
  );
  if (!verified) throw refusal();
  return authenticationInfo.newCounter;
}

interface ClientData {
  readonly clientDataJSON: string;
}

/** What a browser says of a ceremony, which the authenticator signs. @throws ServiceError UNAUTHORIZED where it is no object */
function readClientData({ clientDataJSON }: ClientData): {
  readonly challenge?: unknown;
  readonly crossOrigin?: unknown;
} {
  try {
    const read: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'));
    if (typeof read === 'object' && read !== null) return read;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw refusal();
}

/** The challenge that a browser answers, as it says itself; what it is worth is looked up. @throws ServiceError UNAUTHORIZED */
export function challengeIn(data: ClientData): string {
  const { challenge } = readClientData(data);
  if (typeof challenge === 'string') return challenge;
  throw refusal();
}
