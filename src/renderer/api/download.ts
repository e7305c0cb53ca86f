import type { RouteName } from '../../api/index.ts';
import { addressOf, type CallInput, call } from './call.ts';

/**
 * Has the browser save what a route answers with as a file, whatever its size. A browser sends none of this page's headers
 * when it goes to a file, so it goes there with a ticket.
 * @throws CallFailed
 */
export async function download(name: RouteName, input: CallInput = {}): Promise<void> {
  const { path } = await call('createDownloadTicket', { body: { path: addressOf(name, input).slice(1) } });
  const link = document.createElement('a');
  link.href = `.${path}`;
  link.download = '';
  link.click();
}
