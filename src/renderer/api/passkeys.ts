import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type { AnswerOf, PasskeyUse } from '../../api/index.ts';
import { call } from './call.ts';
import { PASSKEYS } from './texts.ts';

/* The browser's half of passkeys (WebAuthn Level 3 §5.1). The library is loaded when somebody uses one. */

const webauthn = () => import('@simplewebauthn/browser');

/** Whether this page could use passkeys at all: browsers tie these to a domain, and an IP address is not a domain. */
export function canUsePasskeys(): boolean {
  return 'PublicKeyCredential' in window && !/^(\d+(\.\d+){3}|\[.*\])$/.test(window.location.hostname);
}

/** Where the same page could: on this machine under another name; null where that is not known here. */
export function addressForPasskeys(): string | null {
  const url = new URL(window.location.href);
  if (!/^(127(\.\d+){3}|\[::1\])$/.test(url.hostname)) return null;
  url.hostname = 'localhost';
  return url.origin;
}

/** What authenticators and people do is told in words of ours. */
export class PasskeyFailed extends Error {
  override readonly name = 'PasskeyFailed';
}

function explained(error: unknown): never {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError') throw new PasskeyFailed(PASSKEYS.cancelled);
  if (name === 'InvalidStateError') throw new PasskeyFailed(PASSKEYS.registered);
  throw error;
}

/** The account of whoever is signed in gets a passkey. @throws CallFailed, PasskeyFailed */
export async function addPasskey(name: string, use: PasskeyUse): Promise<void> {
  const { options } = await call('passkeyCreation', { body: {} });
  const { startRegistration } = await webauthn();
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const response = await startRegistration({ optionsJSON }).catch(explained);
  await call('addPasskey', { body: { name, use, response } });
}

async function signed({ options }: AnswerOf<'passkeyOptions'>) {
  const { startAuthentication } = await webauthn();
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return startAuthentication({ optionsJSON }).catch(explained);
}

/** Signs in by a passkey: alone, or as the step that a password waits for. @throws CallFailed, PasskeyFailed */
export async function signInByPasskey(step?: string): Promise<void> {
  const asked = step === undefined ? {} : { step };
  const response = await signed(await call('passkeyOptions', { body: asked }));
  await call('passkeySignIn', { body: { ...asked, response } });
}

/** Confirms who is signed in. @throws CallFailed, PasskeyFailed */
export async function confirmByPasskey(): Promise<void> {
  const response = await signed(await call('freshOptions', { body: {} }));
  await call('fresh', { body: { response } });
}
