// The proxy of the Agent Client Protocol before a process: what passes, what waits, what is refused.
import { describe, expect, it } from 'vitest';
import { ACP } from '../../../src/recorder/acp/acp-protocol.ts';
import { Proxied } from '../mcp/proxied.ts';

const BLOCKED = { allowed: false, reason: 'not recorded', operation_ids: [] };

const line = (message: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
const prompt = (id: number): string =>
  line({ id, method: 'session/prompt', params: { sessionId: 's1', prompt: [{ type: 'text', text: 'hi' }] } });

/** An agent that asks its client for something at its first line, and repeats every further line on standard output as a notification. */
const agentThatSends = (...messages: readonly string[]): string => `
  import { createInterface } from 'node:readline';
  let first = true;
  createInterface({ input: process.stdin }).on('line', (line) => {
    if (first) process.stdout.write(${JSON.stringify(messages.join(''))});
    else process.stdout.write(JSON.stringify({ jsonrpc: '2.0', method: '_heard', params: { line } }) + '\\n');
    first = false;
  });
`;

const write = line({ id: 'w1', method: 'fs/write_text_file', params: { sessionId: 's1', path: '/a', content: 'b' } });

function answersOf(proxied: Proxied): { id?: unknown; method?: string; params?: { line: string }; error?: object }[] {
  return proxied.answers
    .split('\n')
    .filter(Boolean)
    .map((text) => JSON.parse(text));
}

describe('a proxy of ACP over stdio', () => {
  it('forwards both sides byte for byte, whatever they send', async () => {
    const proxied = new Proxied({ protocol: ACP }).script('process.stdin.pipe(process.stdout)');
    const bytes = Buffer.concat([
      Buffer.from(`${prompt(1)}garbage {]\r\n\r\n\n`),
      Buffer.from([0xff, 0xfe, 0x00, 0x0a]),
      Buffer.from('{"jsonrpc":"2.0","id":9,"result":{}}\rthe rest'),
    ]);
    for (let at = 0; at < bytes.length; at += 7) proxied.input.write(bytes.subarray(at, at + 7));
    proxied.input.end();
    await proxied.end;
    expect(Buffer.concat(proxied.received)).toEqual(bytes);
    const notes = proxied.recorder.lines.filter((one) => one.startsWith('note acp.not_understood'));
    for (const side of ['client', 'agent'])
      expect(notes).toContain(`note acp.not_understood: from the ${side}, 11 bytes`);
  });

  it('has the recorder hold what an agent asks for before the client sees it', async () => {
    const proxied = new Proxied({ protocol: ACP });
    const steps: string[] = [];
    proxied.recorder.verdict = (seen) => {
      if (seen.some((event) => event.kind === 'call')) steps.push('recorded');
      return { allowed: true, reason: null, operation_ids: [] };
    };
    proxied.output.on('data', () => steps.push('shown'));
    proxied.script(agentThatSends(write));
    proxied.input.write(prompt(1));
    await expect.poll(() => steps).toEqual(['recorded', 'shown']);
    proxied.input.end();
    await proxied.end;
  });

  it('answers the agent itself where the recorder refuses, and the client never sees the request', async () => {
    const proxied = new Proxied({ protocol: ACP });
    proxied.recorder.verdict = (seen) =>
      seen.some((event) => event.kind === 'call') ? BLOCKED : { allowed: true, reason: null, operation_ids: [] };
    proxied.script(agentThatSends(write));
    proxied.input.write(prompt(1));
    await expect.poll(() => answersOf(proxied).length).toBe(1);
    proxied.input.end();
    await proxied.end;
    const [heard] = answersOf(proxied);
    expect(heard?.method).toBe('_heard');
    expect(JSON.parse(heard?.params?.line ?? '')).toEqual({
      jsonrpc: '2.0',
      id: 'w1',
      error: { code: -32001, message: 'not recorded' },
    });
    expect(proxied.recorder.lines.slice(0, 3)).toEqual([
      'told',
      'started fs/write_text_file {"path":"/a","content":"b"}',
      'refused fs/write_text_file blocked',
    ]);
  });

  it('lets nothing that it cannot read pass from either side where unrecorded actions are blocked', async () => {
    const proxied = new Proxied({ protocol: ACP });
    proxied.recorder.unrecorded = BLOCKED;
    const unread = ['{"jsonrpc":"2.0","id":"x","Method":"fs/write_text_file"}\n', '{"a":1} {"b":2}\n', 'text\n'];
    proxied.script(agentThatSends(...unread, line({ method: '_last' })));
    proxied.input.write(line({ id: 1, method: '_begin' }));
    await expect.poll(() => answersOf(proxied).length).toBe(4);
    for (const one of unread) proxied.input.write(one);
    await expect.poll(() => answersOf(proxied).length).toBe(7);
    proxied.input.end();
    await proxied.end;
    const heard = answersOf(proxied).flatMap(({ params }) =>
      params?.line === undefined ? [] : [JSON.parse(params.line)],
    );
    const refused = { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'not recorded' } };
    expect(heard).toEqual([refused, refused, refused]);
    expect(answersOf(proxied).filter(({ error }) => error !== undefined)).toEqual([refused, refused, refused]);
  });

  it('refuses a prompt that cannot be recorded, so that no turn begins', async () => {
    const proxied = new Proxied({ protocol: ACP });
    proxied.recorder.verdict = () => BLOCKED;
    proxied.script('process.stdin.pipe(process.stdout)');
    proxied.input.end(prompt(4));
    await proxied.end;
    expect(answersOf(proxied)).toEqual([{ jsonrpc: '2.0', id: 4, error: { code: -32001, message: 'not recorded' } }]);
    expect(proxied.recorder.lines).toContain('note acp.turn_refused');
  });

  it('puts no answer between the two halves of a line', async () => {
    const proxied = new Proxied({ protocol: ACP });
    proxied.recorder.unrecorded = BLOCKED;
    proxied.script(`
      import { createInterface } from 'node:readline';
      let n = 0;
      const [one, two] = ['{"jsonrpc":"2.0","method":"_a"}', ' \\n'];
      createInterface({ input: process.stdin }).on('line', () => {
        n++;
        if (n === 1) process.stdout.write(one + '\\r');
        else process.stdout.write(two, () => process.exit(0));
      });
    `);
    proxied.input.write(line({ id: 1, method: '_first' }));
    await expect.poll(() => proxied.answers).toBe('{"jsonrpc":"2.0","method":"_a"}\r');
    proxied.input.write('unread\n');
    proxied.input.write(line({ id: 2, method: '_second' }));
    await proxied.end;
    const [first, second] = proxied.answers.split('\n');
    expect(first).toBe('{"jsonrpc":"2.0","method":"_a"}\r ');
    expect(JSON.parse(second ?? '')).toMatchObject({ id: null, error: { message: 'not recorded' } });
  });
});
