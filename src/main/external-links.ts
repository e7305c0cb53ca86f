import { dialog, shell } from 'electron';

/** Where a link may lead out of the workspace: pages that the documentation names, by their whole origin. */
const ALLOWED: ReadonlySet<string> = new Set([
  'https://www.rfc-editor.org',
  'https://www.apache.org',
  'https://www.standardwebhooks.com',
]);

/** Whether an address may be opened outside. Compared as parsed, and only without a name or password in it. */
export function isAllowedOutside(address: string): boolean {
  if (address.length > 2048 || !URL.canParse(address)) return false;
  const { origin, username, password, protocol } = new URL(address);
  return protocol === 'https:' && username === '' && password === '' && ALLOWED.has(origin);
}

/** The only way out: asks with the whole address, and hands it to the browser of the system. @returns whether it did */
export async function openOutside(address: string): Promise<boolean> {
  if (!isAllowedOutside(address)) return false;
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: 'Open this page in your browser?',
    detail: `${new URL(address).href}\n\nThe page learns that somebody on this machine opened it.`,
    buttons: ['Open', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
  });
  if (response !== 0) return false;
  await shell.openExternal(new URL(address).href);
  return true;
}
