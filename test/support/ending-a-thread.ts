/** A process with nothing left but a thread that is to end once it has answered. */
import { RequestThread } from '../../src/node/index.ts';
import type { SampleRequest } from './sample-thread.ts';

const url = new URL('./sample-thread.ts', import.meta.url);
const thread = new RequestThread<SampleRequest, unknown, string, string>({ url });
const answered = thread.ask({ kind: 'echo', value: 1 });
await thread.end();
await answered;
process.stdout.write('ended\n');
