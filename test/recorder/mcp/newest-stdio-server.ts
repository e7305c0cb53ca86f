import { appendFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { newestServer } from './newest-server.ts';

/** The process of a server over stdio: arguments 1 and 2 are files for the bytes that came in and went out. */
const [, , came = '', went = ''] = process.argv;
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
serveStdio(newestServer, { transport: new StdioServerTransport(input, output) });
