import { StampingAuthority } from '../../src/cli/qualify/stamping-authority.ts';
import type { Client } from './client.ts';

export { StampingAuthority };

/** What an authority answers at a time to a request of a service: the body of `addTimeStamp`. */
export async function stampOf(
  client: Client,
  authority: StampingAuthority,
  at = Date.now(),
  query: Readonly<Record<string, string>> = {},
): Promise<{ readonly request: string; readonly answer: string }> {
  const { request } = await client.ok('timeStampRequest', { query });
  return { request, answer: Buffer.from(authority.answer(Buffer.from(request, 'base64'), at)).toString('base64') };
}
