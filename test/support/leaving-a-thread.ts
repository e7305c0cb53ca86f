/** A process that stops while a thread of it is in a call of SQLite that does not end. */
import { killIfLeft, RequestThread } from '../../src/node/index.ts';

const thread = new RequestThread<'block', never, 'begun'>({ url: new URL('./blocked-reader.ts', import.meta.url) });
const begun = Promise.withResolvers<void>();
thread.ask('block', { onProgress: () => begun.resolve() }).catch(begun.reject);
await begun.promise;
await thread.endWithin(100);
process.stdout.write('all else is closed\n');
killIfLeft();
