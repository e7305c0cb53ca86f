/** A witness of a service under test: its folder, and the command that answers for it by HTTPS. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WitnessFolder } from '../../src/node/witness/index.ts';
import { parseServiceKeys, utf8 } from '../../src/protocol/index.ts';
import { atEnd } from './cleanup.ts';
import { temporaryFolder } from './folders.ts';
import { CommandProcess } from './processes.ts';
import type { Account, TestService } from './service.ts';
import type { Certificate } from './tls.ts';

export class TestWitness {
  readonly dir: string;
  readonly #folder: WitnessFolder;

  constructor(name: string) {
    this.dir = temporaryFolder();
    this.#folder = WitnessFolder.open(this.dir, name);
    atEnd(() => this.#folder.close());
  }

  /** As `countersign witness keys` prints them. */
  get keys(): string {
    return this.#folder.vkeys.map((vkey) => `${vkey}\n`).join('');
  }

  /** Answers a request by file. */
  async answer(service: TestService, { client }: Account, request: string): Promise<string> {
    const serviceKeys = parseServiceKeys(utf8(await textOf(client.call('serviceKeysFile'))));
    const answer = await this.#folder.answer(utf8(request), { trustedKids: [service.kid], serviceKeys, now: Date.now });
    if (answer.status !== 200) throw new Error(`refused: ${answer.status} ${answer.message}`);
    return answer.lines;
  }

  /** The command, on a port, for the log of a service; by HTTP where there is no certificate. */
  async serve(
    service: TestService,
    { client }: Account,
    certificate: Certificate | null,
    port = '0',
  ): Promise<CommandProcess> {
    const at = (name: string): string => join(this.dir, name);
    writeFileSync(at('service.keys'), await textOf(client.call('serviceKeysFile')));
    const tls = certificate === null ? [] : ['--tls-cert', at('cert.pem'), '--tls-key', at('key.pem')];
    writeFileSync(at('cert.pem'), certificate?.cert ?? '');
    writeFileSync(at('key.pem'), certificate?.key ?? '');
    const log = ['--keys', at('service.keys'), '--trust', service.kid, '--no-trust-store'];
    return new CommandProcess(['witness', 'serve', '--dir', this.dir, '--port', port, ...tls, ...log]);
  }
}

/** The text of an answer that is one. */
export async function textOf(
  called: Promise<{ readonly status: number; readonly bytes: Uint8Array }>,
): Promise<string> {
  const { status, bytes } = await called;
  const text = new TextDecoder().decode(bytes);
  if (status !== 200) throw new Error(`${status}: ${text}`);
  return text;
}
