// docs/shared-log.md, Agents and recorders: a library that knows the addresses of all nodes finds the active one, and no record is lost or twice.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Agent, generateKeyPair, ServiceClient } from '../../src/agent/index.ts';
import { freePort } from '../../src/cli/shared/postgres-pair.ts';
import { atEnd } from '../support/cleanup.ts';
import { Client } from '../support/client.ts';
import { temporaryFolder } from '../support/folders.ts';
import { serveLocally } from '../support/local-server.ts';
import { CommandProcess } from '../support/processes.ts';
import { installAgent, openRecorder, sent } from '../support/recorder.ts';
import { bundleOf, verifyWith } from '../support/service.ts';
import { pairOfFolders } from '../support/shared-nodes.ts';
import { noteSeen } from '../support/stand-in-pipeline.ts';
import { until } from '../support/until.ts';

const RECORDS = 30;

const PYTHON = `
import json, sys
from countersign import Agent, Operation
given = json.load(open(sys.argv[1]))
count = given.pop("count")
with Agent(**given) as agent:
    for n in range(count):
        agent.submit(Operation("test.step", f"step/{n}", "count", {"n": n}))
        print(n, flush=True)
`;

async function twoNodes() {
  const folders = await pairOfFolders();
  const start = async (name: 'a' | 'b') => {
    const port = await freePort();
    const own = ['--data-dir', folders[name], '--port', String(port), '--node', name, '--shared-log', folders.log];
    const process = new CommandProcess([
      'serve',
      ...own,
      '--rate-limit',
      'off',
      '--log-level',
      'silent',
      '--recorder',
      'off',
    ]);
    return { process, url: `http://127.0.0.1:${port}` };
  };
  const is = ({ process: { stdout } }: { process: CommandProcess }, role: string): boolean =>
    [...stdout.matchAll(/^node \S+ is (active|standby), at/gm)].at(-1)?.[1] === role;
  const active = await start('a');
  await until('the first to be active', () => is(active, 'active'));
  const standby = await start('b');
  await until('the second to be a standby', () => is(standby, 'standby'));
  const { token = '' } = folders.owner.client;
  const { publicKey, privateKey } = generateKeyPair();
  const keys = [{ kid: 'key-1', public_key: publicKey, algorithm: 'ed25519' }];
  const receiptsFile = join(temporaryFolder(), 'receipts.jsonl');
  const agent = { agentId: 'agent-1', orgId: folders.owner.orgId, kid: 'key-1', privateKey, receiptsFile, token };
  // By the standby, which names the active node.
  const several = `${standby.url}, ${active.url}/`;
  await new ServiceClient({ serviceUrl: several, token }).post('/v1/agents/register', { agent_id: 'agent-1', keys });
  const [kid = ''] = (await new Client(active.url).ok('jwks')).keys.map((key) => key.kid);
  const owner = { ...folders.owner, client: new Client(standby.url, token) };
  const judge = async (file = receiptsFile): Promise<void> => {
    const receipts = readFileSync(file);
    expect(receipts.toString('utf8').trim().split('\n')).toHaveLength(RECORDS);
    const report = await verifyWith(kid, await bundleOf(owner), [{ name: 'receipts', source: () => [receipts] }]);
    expect(report).toMatchObject({ verdict: 'verified', findings: [], bundle: { records: RECORDS } });
  };
  const ownerAtActive = { ...owner, client: new Client(active.url, token) };
  return { active, standby, several, kid, agent, ownerAtActive, judge };
}

describe('an agent with the addresses of two nodes, of which the active one is killed', () => {
  it('has each record in the ledger once, with its receipt', async () => {
    const { active, several, kid, agent, judge } = await twoNodes();
    const library = new Agent({ ...agent, serviceUrl: several, serviceKid: kid });
    const operation = (n: number) => ({
      operationType: 'test.step',
      subject: `step/${n}`,
      action: 'count',
      payload: { n },
    });
    const sent = Array.from({ length: RECORDS }, (_, n) => library.submit(operation(n)));
    await sent[RECORDS / 2];
    await active.process.kill('SIGKILL');
    await Promise.all(sent);
    await library.close();
    await judge();
  }, 180_000);

  it('has them so in Python too', async () => {
    const { active, several, kid, agent, judge } = await twoNodes();
    const file = join(temporaryFolder(), 'given.json');
    const { agentId: agent_id, orgId: org_id, privateKey: private_key, receiptsFile: receipts_file, ...rest } = agent;
    const own = {
      agent_id,
      org_id,
      private_key,
      receipts_file,
      service_url: several,
      service_kid: kid,
      count: RECORDS,
    };
    writeFileSync(file, JSON.stringify({ ...rest, ...own }));
    const child = spawn('python3', ['-c', PYTHON, file], {
      env: { ...process.env, PYTHONPATH: fileURLToPath(new URL('../../python/src', import.meta.url)) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let lines = 0;
    child.stdout.on('data', (bytes: Buffer) => {
      lines += bytes.toString('utf8').split('\n').length - 1;
    });
    const errors = text(child.stderr);
    const ended = new Promise((resolve) => child.once('close', resolve));
    await until('half of them', () => lines >= RECORDS / 2);
    await active.process.kill('SIGKILL');
    expect(await ended, await errors).toBe(0);
    await judge();
  }, 180_000);
});

describe('a recorder with the addresses of two nodes, of which the active one is killed', () => {
  it('delivers what it recorded, once each, with its receipts', async () => {
    const { active, several, kid, ownerAtActive, judge } = await twoNodes();
    const { home, agent } = await installAgent(ownerAtActive, kid, { service_url: several });
    const recorder = openRecorder(home);
    for (let n = 0; n < RECORDS; n++) {
      if (n === RECORDS / 2) {
        await sent(recorder);
        await active.process.kill('SIGKILL');
      }
      await recorder.take('codex', [noteSeen(`event-${n}`)]);
    }
    await sent(recorder);
    await recorder.close();
    await judge(join(home.receipts, `${agent.agent_id}.jsonl`));
  }, 180_000);
});

describe('a node that names another address as the active one', () => {
  it('leads no token there', async () => {
    const asked: string[] = [];
    const other = await serveLocally((request) => {
      asked.push(request.headers.authorization ?? '');
      return { status: 200, body: {} };
    });
    const elsewhere = `http://127.0.0.1:${other.port}`;
    const standby = await serveLocally(() => {
      const error = { code: 'NOT_ACTIVE', message: 'a standby', active: elsewhere, request_id: 'x' };
      return { status: 503, body: { error } };
    });
    atEnd(() => Promise.all([other.close(), standby.close()]));
    const node = `http://127.0.0.1:${standby.port}`;
    const client = new ServiceClient({ serviceUrl: node, token: 'secret', retryForMs: 200 });
    await expect(client.get('/v1/agents')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const both = new ServiceClient({ serviceUrl: `${node},${elsewhere}`, token: 'secret', retryForMs: 200 });
    expect(asked).toEqual([]);
    expect(await both.get('/v1/agents')).toEqual({});
    expect(asked).toEqual(['Bearer secret']);
  });
});
