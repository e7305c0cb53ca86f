/** What is wrong with the address of a webhook as it is typed, in a sentence; null where nothing is, or nothing is there. */
import { ENDPOINT_PROBLEM } from './texts.ts';
export function endpointProblem(typed: string): string | null {
  const text = typed.trim();
  if (text === '') return null;
  // Somebody may still be typing the beginning.
  if ('https://'.startsWith(text.toLowerCase())) return null;
  if (/^http:\/\//i.test(text)) return ENDPOINT_PROBLEM.unencrypted;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:' || !/^https:\/\//i.test(text)) return ENDPOINT_PROBLEM.notAnAddress;
  if (url.username !== '' || url.password !== '') return ENDPOINT_PROBLEM.withAccount;
  return null;
}
