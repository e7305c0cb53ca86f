import type { Provider } from '../../src/api/index.ts';

/** A sign-in that was begun: where the person is to go, and the cookie the browser got. */
export interface Begun {
  readonly url: URL;
  readonly cookie: string;
  /** The Set-Cookie line itself. */
  readonly setCookie: string;
}

export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** @throws where the answer is no error of the service */
export async function refusalOf(response: Response): Promise<Refusal> {
  const { error } = (await response.json()) as { error: { code: string; message: string } };
  return { status: response.status, code: error.code, message: error.message };
}

export function postSocial(service: string, provider: string, callbackURL = '/'): Promise<Response> {
  const body = JSON.stringify({ provider, callbackURL });
  return fetch(`${service}/api/auth/sign-in/social`, { method: 'POST', body });
}

export async function begin(service: string, provider: Provider, callbackURL = '/'): Promise<Begun> {
  const response = await postSocial(service, provider, callbackURL);
  if (response.status !== 200) throw new Error(`not begun: ${await response.text()}`);
  const answer = (await response.json()) as { url: string; redirect: boolean };
  const [setCookie = ''] = response.headers.getSetCookie();
  return { url: new URL(answer.url), cookie: setCookie.split(';')[0] ?? '', setCookie };
}

/** The person agrees at the provider. @returns where the provider sends the browser back to */
export async function consent({ url }: Begun): Promise<URL> {
  const response = await fetch(url, { redirect: 'manual' });
  const location = response.headers.get('location');
  if (location === null) throw new Error(`the provider does not send back: ${await response.text()}`);
  return new URL(location);
}

export function comeBack(callback: URL | string, headers: Record<string, string>): Promise<Response> {
  return fetch(callback, { redirect: 'manual', headers });
}

/** All of it, as one browser does it. @returns the answer to the callback */
export async function signInAt(service: string, provider: Provider, callbackURL = '/'): Promise<Response> {
  const begun = await begin(service, provider, callbackURL);
  return comeBack(await consent(begun), { Cookie: begun.cookie });
}

/** The session token that an answer sets as cookie. */
export function sessionToken(response: Response): string | null {
  const line = response.headers.getSetCookie().find((cookie) => cookie.startsWith('countersign_session='));
  return line?.slice('countersign_session='.length, line.indexOf(';')) ?? null;
}

export async function whoIs(
  service: string,
  token: string | null,
): Promise<{ id: string; email: string; orgId: string | null }> {
  const response = await fetch(`${service}/api/auth/session`, { headers: { Authorization: `Bearer ${token}` } });
  return (await response.json()) as { id: string; email: string; orgId: string | null };
}
