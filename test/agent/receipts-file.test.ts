import { appendFileSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Agent, AgentError, type AgentOptions } from '../../src/agent/index.ts';
import { parseJson, parseReceipt, type Receipt } from '../../src/protocol/index.ts';
import { temporaryFolder } from '../support/folders.ts';
import { registerAgent, TestService } from '../support/service.ts';
import type { Signer } from '../support/signer.ts';

const folder = temporaryFolder();
let files = 0;
const newFile = (): string => join(folder, `receipts-${files++}.jsonl`);

const service = await TestService.start();
const owner = await service.signUp();

function agentOf(signer: Signer, receiptsFile: string, options: Partial<AgentOptions> = {}): Agent {
  const { orgId, agentId, kid, seed } = signer;
  const token = owner.client.token ?? '';
  return new Agent({ serviceUrl: service.url, token, orgId, agentId, kid, privateKey: seed, receiptsFile, ...options });
}

async function submit(agent: Agent, count = 1): Promise<Receipt[]> {
  const receipts: Receipt[] = [];
  for (let n = 0; n < count; n++) {
    const operation = { operationType: 'a.b', subject: 's', action: 'a', payload: { n } };
    receipts.push(await agent.submit(operation));
  }
  return receipts;
}

/** Every line of the file, read strictly: whoever keeps receipts must be able to show them. */
function receiptsIn(path: string): Receipt[] {
  const text = readFileSync(path, 'utf8');
  expect(text.endsWith('\n')).toBe(true);
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => parseReceipt(parseJson(line)));
}

function codeOf(act: () => unknown): string {
  try {
    act();
    return 'fine';
  } catch (error) {
    if (error instanceof AgentError) return error.code;
    throw error;
  }
}

describe('the receipts file', () => {
  it('has each receipt before submit returns, one a line, for its user alone', async () => {
    const [path, signer] = [newFile(), await registerAgent(owner)];
    const agent = agentOf(signer, path);
    const receipts: Receipt[] = [];
    for (let n = 0; n < 3; n++) {
      receipts.push(...(await submit(agent)));
      expect(receiptsIn(path)).toEqual(receipts);
    }
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await agent.close();
  });

  it('is continued by the next life of the agent', async () => {
    const [path, signer] = [newFile(), await registerAgent(owner)];
    const receipts: Receipt[] = [];
    for (let life = 0; life < 3; life++) {
      const agent = agentOf(signer, path);
      receipts.push(...(await submit(agent, 2)));
      await agent.close();
    }
    expect(receiptsIn(path)).toEqual(receipts);
  });

  it('can be shared by agents', async () => {
    const path = newFile();
    const agents = [agentOf(await registerAgent(owner), path), agentOf(await registerAgent(owner), path)];
    const receipts = (await Promise.all(agents.map((agent) => submit(agent, 5)))).flat();
    const bySeqNo = (a: Receipt, b: Receipt): number => a.seq_no - b.seq_no;
    expect(receiptsIn(path).toSorted(bySeqNo)).toEqual(receipts.toSorted(bySeqNo));
  });

  it('resumes after a close', async () => {
    const path = newFile();
    const agent = agentOf(await registerAgent(owner), path);
    const receipts = await submit(agent);
    await agent.close();
    receipts.push(...(await submit(agent)));
    await agent.close();
    expect(receiptsIn(path)).toEqual(receipts);
  });

  it.each([1, 2, 30, 200])('is whole again after a crash that cut %i bytes off its last line', async (cut) => {
    const [path, signer] = [newFile(), await registerAgent(owner)];
    const receipts = await submit(agentOf(signer, path), 3);
    truncateSync(path, statSync(path).size - cut);
    // Twice: what the first life leaves behind, the second must be able to read.
    for (let life = 0; life < 2; life++) {
      const agent = agentOf(signer, path);
      receipts.push(...(await submit(agent)));
      await agent.close();
    }
    // Only the line break was lost where one byte was cut.
    expect(receiptsIn(path)).toEqual(cut === 1 ? receipts : receipts.toSpliced(2, 1));
  });

  it.each([3, 14])('is whole again also where only the first %i characters of it were written', async (length) => {
    const [path, signer] = [newFile(), await registerAgent(owner)];
    writeFileSync(path, '{"receipt_id":"'.slice(0, length));
    const receipts = await submit(agentOf(signer, path));
    receipts.push(...(await submit(agentOf(signer, path))));
    expect(receiptsIn(path)).toEqual(receipts);
  });

  it('is whole again where several agents share it', async () => {
    const path = newFile();
    writeFileSync(path, '{"receipt_id":"half');
    const agents = [agentOf(await registerAgent(owner), path), agentOf(await registerAgent(owner), path)];
    const receipts = (await Promise.all(agents.map((agent) => submit(agent, 3)))).flat();
    const bySeqNo = (a: Receipt, b: Receipt): number => a.seq_no - b.seq_no;
    expect(receiptsIn(path).toSorted(bySeqNo)).toEqual(receipts.toSorted(bySeqNo));
  });

  it.each<[string, (text: string) => string]>([
    ['text', () => 'my notes\n'],
    ['text without an end of line', () => 'my notes'],
    ['JSON of something else without an end of line', () => '{"a":1}'],
    ['JSON of something else', () => '{"a":1}\n'],
    ['a line that is damaged in the middle', (text) => `${text}{"receipt_id":\n${text}`],
    ['a receipt with a member too many', (text) => text.replace('{', '{"more":1,')],
  ])('is refused at once, and left alone, where it holds %s', async (_, content) => {
    const [path, signer] = [newFile(), await registerAgent(owner)];
    await submit(agentOf(signer, path));
    const text = content(readFileSync(path, 'utf8'));
    writeFileSync(path, text);
    expect(codeOf(() => agentOf(signer, path))).toBe('RECEIPTS_UNUSABLE');
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('passes over empty lines', async () => {
    const [path, signer] = [newFile(), await registerAgent(owner)];
    await submit(agentOf(signer, path));
    appendFileSync(path, '\n\n');
    await submit(agentOf(signer, path));
    expect(
      readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line !== ''),
    ).toHaveLength(2);
  });

  it('that is a folder is refused', async () => {
    const path = newFile();
    mkdirSync(path);
    const signer = await registerAgent(owner);
    expect(codeOf(() => agentOf(signer, path))).toBe('RECEIPTS_UNUSABLE');
  });

  it('that cannot be written makes submit fail: a receipt that is not kept is no receipt', async () => {
    const path = join(folder, 'no such folder', 'receipts.jsonl');
    const agent = agentOf(await registerAgent(owner), path);
    await expect(submit(agent)).rejects.toMatchObject({ code: 'RECEIPTS_UNUSABLE' });
  });
});
