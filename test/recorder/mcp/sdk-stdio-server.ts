import { appendFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { sdkServer } from './sdk-server.ts';

/** The process of a server over stdio: argument 1 is the revision, 2 and 3 are files for the bytes that came in and went out. */
const [, , revision = '', came = '', went = ''] = process.argv;
const [input, output] = [new PassThrough(), new PassThrough()];
process.stdin.on('data', (chunk: Buffer) => {
  appendFileSync(came, chunk);
  input.write(chunk);
});
process.stdin.on('end', () => process.exit(0));
output.on('data', (chunk: Buffer) => {
  appendFileSync(went, chunk);
  process.stdout.write(chunk);
});
await sdkServer(revision).connect(new StdioServerTransport(input, output));
