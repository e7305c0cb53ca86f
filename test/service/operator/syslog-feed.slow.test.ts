// docs/export-formats.md, "As a feed": the service sends its records to a syslog server over TLS, in order, and again where it was not taken.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import type { AnswerOf } from '../../../src/api/index.ts';
import type { Json } from '../../../src/protocol/index.ts';
import { type ArchiveHost, archiveHost } from '../../support/archive.ts';
import { atEnd } from '../../support/cleanup.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { registerAgent, submitNext, type TestService } from '../../support/service.ts';
import { makeCertificate } from '../../support/tls.ts';
import { until } from '../../support/until.ts';

const { cert, key } = makeCertificate();
const ca = join(temporaryFolder(), 'ca.pem');
writeFileSync(ca, cert);

/** The messages in some bytes (RFC 5425 §4.3), and what is left of one that is not whole. */
function messagesIn(bytes: Buffer): { readonly messages: readonly string[]; readonly rest: Buffer } {
  const messages: string[] = [];
  for (let rest = bytes; ; ) {
    const space = rest.indexOf(' ');
    const length = Number(rest.subarray(0, space).toString('latin1'));
    if (space < 1 || rest.length < space + 1 + length) return { messages, rest };
    messages.push(rest.subarray(space + 1, space + 1 + length).toString('utf8'));
    rest = rest.subarray(space + 1 + length);
  }
}

interface Message {
  readonly head: string;
  readonly of: { readonly seq_no: number; readonly operation_id: string; readonly payload: string | null };
}

function messageOf(text: string): Message {
  const [, head = '', json = ''] = /^(.*? - )\ufeff(\{.*\})$/su.exec(text) ?? [];
  return { head, of: JSON.parse(json) as Message['of'] };
}

/** A syslog server, which takes what comes, or what `take` lets it. */
class Receiver {
  readonly received: Message[] = [];
  readonly #server: Server;
  connections = 0;
  /** What becomes of a connection instead of being read. */
  instead: ((socket: TLSSocket) => void) | null = null;
  /** What the last connection lies on. */
  raw: Socket | null = null;

  constructor(options: { readonly requestCert?: boolean } = {}) {
    this.#server = createServer(
      {
        cert,
        key,
        ca: cert,
        requestCert: options.requestCert ?? false,
        rejectUnauthorized: options.requestCert ?? false,
      },
      (socket) => {
        socket.on('error', () => undefined);
        this.connections++;
        if (this.instead !== null) return this.instead(socket);
        let unread: Buffer = Buffer.alloc(0);
        socket.on('data', (bytes) => {
          const { messages, rest } = messagesIn(Buffer.concat([unread, bytes]));
          unread = rest;
          this.received.push(...messages.map(messageOf));
        });
      },
    );
    this.#server.on('connection', (raw) => {
      this.raw = raw;
    });
    atEnd(() => void this.#server.close());
  }

  async listen(port = 0): Promise<number> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  get numbers(): number[] {
    return this.received.map(({ of }) => of.seq_no);
  }
}

async function healthSays(service: TestService, detail: RegExp) {
  const client = service.client();
  return until(`health to say ${detail}`, async () => {
    const { body } = await client.call('deepHealth', {});
    const part = (body as AnswerOf<'deepHealth'>).checks.syslog;
    return detail.test(part.detail) ? part : undefined;
  });
}

/** @returns its operation id */
async function submit({ service, account, signer }: ArchiveHost, payload: { readonly [member: string]: Json }) {
  // Its port is another one after each start.
  const client = service.client(account.client.token);
  return (await submitNext({ ...account, client }, signer, { payload })).operation_id;
}

describe('records as a feed of syslog messages', () => {
  it('are sent in their order, those from before and those that come, and once where nothing happens', async () => {
    const receiver = new Receiver();
    const port = await receiver.listen();
    const host = await archiveHost();
    const ids = [await submit(host, { n: 1 }), await submit(host, { name: 'Müßigbrodt\nmalformed <13>1 - -' })];
    await host.service.restart({ syslogTo: `localhost:${port}`, syslogCa: ca });
    expect(await healthSays(host.service, /^sent up to record 2; records that wait: 0$/)).toMatchObject({
      status: 'ok',
    });
    ids.push(await submit(host, { n: 3 }));
    await healthSays(host.service, /^sent up to record 3;/);
    expect(receiver.received.map(({ of }) => of.operation_id)).toEqual(ids);
    expect(receiver.received[1]?.of.payload).toContain('malformed <13>1');
    for (const { head } of receiver.received)
      expect(head).toMatch(/^<110>1 \d{4}-\d\d-\d\dT[\d:.]+Z - countersign - \S+ - $/);
    await host.service.restart({ syslogTo: `localhost:${port}`, syslogCa: ca });
    ids.push(await submit(host, { n: 4 }));
    await healthSays(host.service, /^sent up to record 4;/);
    expect(receiver.numbers).toEqual([1, 2, 3, 4]);
  });

  it('are those of the home organization alone', async () => {
    const receiver = new Receiver();
    const port = await receiver.listen();
    const host = await archiveHost({ syslogTo: `localhost:${port}`, syslogCa: ca });
    const guest = await host.service.signUp();
    await submitNext(guest, await registerAgent(guest), { payload: { of: 'a guest' } });
    await submit(host, { of: 'the home organization' });
    await healthSays(host.service, /^sent up to record 1;/);
    expect(receiver.received.map(({ of }) => of.payload)).toEqual(['{"of":"the home organization"}']);
  });

  it('that a receiver did not read to the end are sent again, and none is lost', async () => {
    const receiver = new Receiver();
    const port = await receiver.listen();
    // What it has not read when it ends resets the connection; here always, since a quick one may have read what is there.
    receiver.instead = (socket) => {
      socket.pause();
      void until('the first bytes', () => socket.bytesRead > 0).then(() => receiver.raw?.resetAndDestroy());
    };
    const host = await archiveHost();
    for (let n = 0; n < 40; n++) await submit(host, { n, text: 'x'.repeat(8000) });
    const settings = { syslogTo: `localhost:${port}`, syslogCa: ca };
    await host.service.restart(settings);
    expect(await healthSays(host.service, /SYSLOG_NOT_TAKEN; records that wait: 40$/)).toMatchObject({ status: 'bad' });
    receiver.instead = null;
    await host.service.restart(settings);
    await healthSays(host.service, /^sent up to record 40;/);
    expect(receiver.numbers).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
  });

  it('go to nobody whose certificate is from another authority, or for another name', async () => {
    const receiver = new Receiver();
    const port = await receiver.listen();
    const host = await archiveHost({ syslogTo: `localhost:${port}` });
    await submit(host, { n: 1 });
    expect(await healthSays(host.service, /SYSLOG_UNTRUSTED; .*records that wait: 1$/)).toMatchObject({
      status: 'bad',
    });
    expect(receiver.received).toEqual([]);
  });

  it.each([
    ['no file of authorities', { syslogCa: join(temporaryFolder(), 'none.pem') }, /SYSLOG_SETTINGS/],
    ['nobody who listens', { syslogCa: ca, syslogTo: 'localhost:1' }, /SYSLOG_UNREACHABLE/],
  ])('wait where there is %s', async (_, settings, detail) => {
    const host = await archiveHost({ syslogTo: 'localhost:2', ...settings });
    await submit(host, { n: 1 });
    expect(await healthSays(host.service, detail)).toMatchObject({ status: 'bad' });
  });

  it('are shown to a receiver that asks who sends them', async () => {
    const receiver = new Receiver({ requestCert: true });
    const port = await receiver.listen();
    const [certFile, keyFile] = [join(temporaryFolder(), 'cert.pem'), join(temporaryFolder(), 'key.pem')];
    writeFileSync(certFile, cert);
    writeFileSync(keyFile, key);
    const host = await archiveHost();
    await submit(host, { n: 1 });
    const settings = { syslogTo: `localhost:${port}`, syslogCa: ca };
    await host.service.restart(settings);
    await healthSays(host.service, /SYSLOG_NOT_TAKEN/);
    expect(receiver.received).toEqual([]);
    await host.service.restart({ ...settings, syslogCert: certFile, syslogKey: keyFile });
    await healthSays(host.service, /^sent up to record 1;/);
    expect(receiver.numbers).toEqual([1]);
  });

  it('begin again with the first for another receiver, and for a ledger that is another one', async () => {
    const [one, two] = [new Receiver(), new Receiver()];
    const [first, second] = [await one.listen(), await two.listen()];
    const host = await archiveHost({ syslogTo: `localhost:${first}`, syslogCa: ca });
    await submit(host, { n: 1 });
    await healthSays(host.service, /^sent up to record 1;/);
    await host.service.restart({ syslogTo: `localhost:${second}` });
    await healthSays(host.service, /^sent up to record 1;/);
    expect([one.numbers, two.numbers]).toEqual([[1], [1]]);
  });

  it('end with the service while a receiver takes nothing', async () => {
    const receiver = new Receiver();
    const port = await receiver.listen();
    receiver.instead = (socket) => void socket.pause();
    const host = await archiveHost();
    await submit(host, { n: 1 });
    await host.service.restart({ syslogTo: `localhost:${port}`, syslogCa: ca });
    await until('a connection', () => receiver.connections > 0);
    await host.service.stop();
    expect(receiver.received).toEqual([]);
  });
});
