import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactNumber } from '../../../src/protocol/index.ts';
import { LineSplitter } from '../../../src/recorder/mcp/lines.ts';
import { MCP } from '../../../src/recorder/mcp/mcp-protocol.ts';
import { readMessages } from '../../../src/recorder/mcp/message.ts';
import { EventReader } from '../../../src/recorder/mcp/sse.ts';
import { runs } from '../../support/extent.ts';

/** Cuts bytes where `cuts` say. */
function chunks(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end));
}

describe('lines', () => {
  it('are the stream, byte for byte, however it is cut', () => {
    const text = fc
      .array(fc.constantFrom('a', 'bc', 'abcdefgh', '\n', '\r\n', 'defghijklmnop'))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.array(fc.nat()), (stream, cuts) => {
        const splitter = new LineSplitter(8);
        const parts = [
          ...chunks(Buffer.from(stream), cuts).flatMap((chunk) => [...splitter.push(chunk)]),
          ...splitter.end(),
        ];
        expect(Buffer.concat(parts.map(({ bytes }) => bytes)).toString()).toBe(stream);
        const expected = stream.match(/[^\n]*\n|[^\n]+$/g) ?? [];
        const lines = parts.flatMap((part) => (part.kind === 'line' ? [part.bytes.toString()] : []));
        expect(lines).toEqual(expected.filter((line) => line.length <= 8));
        const long = parts.flatMap((part) =>
          part.kind === 'long' ? [[part.received.sha256, part.received.size]] : [],
        );
        const digests = expected.filter((line) => line.length > 8);
        expect(long).toEqual(digests.map((line) => [createHash('sha256').update(line).digest('hex'), line.length]));
      }),
      runs(),
    );
  });
});

describe('a line that is longer than is kept', () => {
  it('is withheld but for its beginning until all of it is there, also where it comes at once', () => {
    const splitter = new LineSplitter(8);
    const line = Buffer.from(`{"a":"${'x'.repeat(2 << 20)}"}`);
    const pieces = Buffer.concat([...splitter.push(line)].map(({ bytes }) => bytes));
    expect(pieces.equals(line.subarray(0, -1))).toBe(true);
    expect([...splitter.push(Buffer.from('\n'))].map(({ kind, bytes }) => [kind, String(bytes)])).toEqual([
      ['long', '}\n'],
    ]);
  });
});

describe('server-sent events', () => {
  const stream =
    'event: endpoint\ndata: /m\n\n: comment\r\ndata:one\r\ndata: twö\r\n\r\nid: 3\n\nretry: 1\rdata\r\rdata: cut off';
  const events = [
    { type: 'endpoint', data: '/m' },
    { type: 'message', data: 'one\ntwö' },
    { type: 'message', data: '' },
  ];

  it('are read however the stream is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.nat()), (cuts) => {
        const reader = new EventReader(100);
        const read = chunks(Buffer.from(stream), cuts).flatMap((chunk) => [...reader.push(chunk)]);
        expect(read.map(({ type, data }) => ({ type, data: String(data.json) }))).toEqual(events);
      }),
      runs(),
    );
  });

  it('keep the names in data that is too long', () => {
    const reader = new EventReader(10);
    const [data, name] = ['x'.repeat(500_000), '"id":7'];
    const long = `data: {"result":\ndata: "${data}",\ndata:${name}}\n\n`;
    const read = chunks(Buffer.from(`${long}data: ok\n\n`), [3, 20, 40, 100_000]).flatMap((chunk) => [
      ...reader.push(chunk),
    ]);
    expect(read.map(({ data: { size, leftOut } }) => [size, leftOut.length])).toEqual([
      [data.length + name.length + 16, 1],
      [2, 0],
    ]);
    expect(JSON.parse(String(read[0]?.data.json))).toMatchObject({ id: 7 });
  });

  it('withhold the last byte of a long line that means something', () => {
    const splitter = new LineSplitter(8);
    const parts = ['{"long line":1', '} ', ' ', '\n'].flatMap((text) => [...splitter.push(Buffer.from(text))]);
    expect(parts.map(({ kind, bytes }) => [kind, String(bytes)])).toEqual([
      ['piece', '{"long line":'],
      ['piece', '1'],
      ['long', '}  \n'],
    ]);
  });
});

describe('messages', () => {
  it('are read where they have to be mended first, and say so', () => {
    const odd = Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":1,"result":{"a":1,"a":"\\ud800","n":1e999,"b":"'),
      Buffer.from([0xff, 0x22, 0x7d, 0x7d]),
    ]);
    expect(readMessages(odd, MCP.acts)).toEqual({
      messages: [
        { kind: 'response', id: 1, result: { a: '\ufffd', n: new ExactNumber('1e999'), b: '\ufffd' }, error: null },
      ],
      batch: false,
      others: 0,
      foreign: false,
      mended: true,
    });
  });

  it('are cut where they nest too deep to be recorded', () => {
    const deep = `{"jsonrpc":"2.0","id":1,"result":{"d":${'['.repeat(240)}${']'.repeat(240)}}}`;
    const read = readMessages(Buffer.from(deep), MCP.acts);
    expect(read?.mended).toBe(true);
    expect(JSON.stringify(read?.messages[0]).match(/\[/g)?.length).toBeLessThan(200);
    expect(readMessages(Buffer.from(`${'['.repeat(100_000)}${']'.repeat(100_000)}`), MCP.acts)?.messages ?? []).toEqual(
      [],
    );
  });
});
