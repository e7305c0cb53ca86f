import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

/*
 * A process that hands in calls over the recorder's socket, several events in a request, each request once the one before is answered. It says
 * when it is ready, and begins once its standard input ends:
 *
 *     node bench/support/hand-in.ts SOCKET EVENTS TOGETHER
 */
const [socketPath = '', events = '0', together = '1'] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const session = { id: randomUUID() };
const NOTHING = {
  witness: null,
  sub_agent: null,
  model: null,
  program_version: null,
  cwd: null,
  trace: null,
  extra: null,
};

function seen(at: number): object {
  const observed_at = new Date().toISOString();
  const stage = at % 2 === 0 ? 'proposed' : 'completed';
  const tool = { name: 'Bash', type: 'shell', server: null };
  const said = { kind: 'call', stage, tool, call_id: `call-${at >> 1}`, input: { command: 'git status' }, touched: [] };
  const from = { source: 'hook', event_id: randomUUID(), raw_event: 'Tool', raw_sha256: '0'.repeat(64), observed_at };
  const end = stage === 'completed' ? { outcome: { status: 'ok' }, output: ' M src/index.ts\n' } : {};
  return { ...NOTHING, ...from, session, ...said, ...end };
}

function handIn(body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, agent, method: 'POST', path: '/v1/seen/codex' }, (answer) => {
      answer.resume().once('end', () => {
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`the recorder answered ${answer.statusCode}`));
      });
    });
    sent.once('error', reject).end(body);
  });
}

process.stdout.write('ready\n');
await text(process.stdin);
for (let at = 0; at < Number(events); at += Number(together)) {
  await handIn(JSON.stringify({ seen: Array.from({ length: Number(together) }, (_, next) => seen(at + next)) }));
}
agent.destroy();
