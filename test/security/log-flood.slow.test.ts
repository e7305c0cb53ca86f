// docs/operations.md, The log: nobody without an account can fill it, or keep the service waiting for it.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startService } from '../../src/service/index.ts';
import { Client, send } from '../support/client.ts';
import { temporaryFolder } from '../support/folders.ts';
import { serve } from '../support/processes.ts';
import { TestService } from '../support/service.ts';

const LONG = `/v1/${'x'.repeat(12_000)}`;

async function flood(url: string, requests: number): Promise<void> {
  for (let sent = 0; sent < requests; sent += 50) {
    await Promise.all(Array.from({ length: 50 }, () => send(url, { path: LONG })));
  }
}

describe('the log', () => {
  it('has no line of a page that asks who is signed in there, but one of a session that nobody has', async () => {
    const lines: string[] = [];
    const given = { dataDir: join(temporaryFolder(), 'data'), port: 0, logLevel: 'warn', trustStore: '' } as const;
    const service = await startService(given, { log: { write: (line: string) => void lines.push(line) } });
    expect((await send(service.url, { path: '/api/auth/session' })).status).toBe(401);
    expect(lines).toEqual([]);
    const headers = { authorization: 'Bearer csn_sess_none' };
    expect((await send(service.url, { path: '/api/auth/session', headers })).status).toBe(401);
    expect((await send(service.url, { path: '/v1/auth/tokens' })).status).toBe(401);
    await service.close();
    expect(lines.map((line) => (JSON.parse(line) as { path: string }).path)).toEqual([
      '/api/auth/session',
      '/v1/auth/tokens',
    ]);
  });

  it('grows by no more than a few lines, cut, and says how many more there were', async () => {
    const lines: string[] = [];
    const dataDir = join(temporaryFolder(), 'data');
    const log = { write: (line: string) => void lines.push(line) };
    const given = { dataDir, port: 0, logLevel: 'warn', trustStore: '', rateLimit: null } as const;
    const service = TestService.over(await startService(given, { log }), dataDir);
    await flood(service.url, 2000);
    await service.stop();
    expect(lines.join('').length).toBeLessThan(100_000);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(1000);
    const refused = lines.map((line) => JSON.parse(line) as { msg: string; code: string; not_written?: number });
    // One for each minute that the flood takes.
    const further = refused.filter(({ msg }) => msg === 'further refusals');
    const written = refused.filter(({ msg }) => msg === 'refused').length;
    expect(new Set(further.map(({ code }) => code))).toEqual(new Set(['NOT_FOUND']));
    expect(further.reduce((sum, { not_written = 0 }) => sum + not_written, written)).toBe(2000);
  });

  it('keeps nobody waiting where nobody reads it, and has its last lines where somebody does', async () => {
    const dataDir = join(temporaryFolder(), 'data');
    const deaf = serve(dataDir, '--log-level', 'info');
    const url = await deaf.listening();
    deaf.stopReadingErrors();
    // Some 64 KiB fit into the pipe, and this is ten times as much.
    for (let n = 0; n < 4000; n += 100) {
      await Promise.all(Array.from({ length: 100 }, () => send(url, { path: '/v1/health' })));
    }
    await new Client(url).ok('health');
    await deaf.kill('SIGKILL');

    const heard = serve(dataDir);
    const again = await heard.listening();
    const { headers } = await send(again, { path: '/v1/nothing' });
    const { stderr } = await heard.kill('SIGTERM');
    expect(stderr).toContain(String(headers['x-request-id']));
  });
});
