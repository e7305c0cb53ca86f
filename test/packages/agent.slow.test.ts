// @countersign/agent as its user has it: packed, installed into an empty folder without a registry, and run as the README
// says against a real service, in each Node that it is for.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { packageFolder } from '../../scripts/support/packages.ts';
import { temporaryFolder } from '../support/folders.ts';
import {
  exampleIn,
  FOREIGN,
  filesOf,
  type InstalledPackage,
  installPackage,
  NODE_VERSIONS,
  NODES,
  RESOLUTIONS,
  runNode,
  typeErrors,
  underNode,
} from '../support/packages.ts';
import { bundleOf, TestService, verifyWith } from '../support/service.ts';

const EXAMPLE = 'first-operation.mjs';
const SESSION_EXAMPLE = 'session.mjs';
const readme = readFileSync(join(packageFolder('agent'), 'README.md'), 'utf8');
let installed: InstalledPackage;
let service: TestService;

beforeAll(async () => {
  [installed, service] = await Promise.all([installPackage('agent'), TestService.start()]);
  for (const file of [EXAMPLE, SESSION_EXAMPLE]) writeFileSync(join(installed.folder, file), exampleIn(readme, file));
});

describe('the package', () => {
  it('holds modules, types, README and licence, and nothing else', () => {
    const foreign = installed.listed.filter((path) => !/^dist\/(agent|protocol)\/.*\.(js|d\.ts)$/.test(path));
    expect(foreign.filter((path) => path.endsWith('.js') || !path.startsWith('dist/'))).toEqual([
      'LICENSE',
      'README.md',
      'dist/actions/profile/coherence/report.js',
      'dist/actions/profile/content-digest.js',
      'dist/actions/profile/light.js',
      'dist/actions/profile/profile-name.js',
      'dist/api/errors/error-codes.js',
      'dist/api/errors/index.js',
      'dist/node/durable-file.js',
      'dist/node/fastest-ed25519.js',
      'dist/node/file-pieces.js',
      'dist/node/light.js',
      'dist/node/native-ed25519.js',
      'dist/node/node-crypto.js',
      'dist/node/node-http.js',
      'dist/node/openssl-ed25519.js',
      'dist/node/recorder-folder.js',
      'dist/node/resources.js',
      'dist/node/serial.js',
      'dist/node/sodium-ed25519.js',
      'package.json',
    ]);
  });

  it('has nothing of the desktop, the service, or the folder it was built in', () => {
    for (const [path, text] of filesOf(installed, 'agent')) {
      for (const word of FOREIGN) if (path.startsWith('dist/')) expect(text, path).not.toContain(word);
    }
  });
});

describe.each(NODE_VERSIONS)('Node %i', (major) => {
  const node = NODES.get(major);

  it.skipIf(node === undefined)(`runs the README's examples, the first twice, ${underNode(major)}`, async () => {
    const owner = major === NODE_VERSIONS[0] ? await service.signUp() : await service.signUpGuest();
    const folder = temporaryFolder();
    const environment = { SERVICE: service.url, TOKEN: owner.client.token ?? '', ORG: owner.orgId };
    for (const seqNo of [1, 2]) {
      const { code, stdout, stderr } = await runNode(
        node ?? '',
        [join(installed.folder, EXAMPLE)],
        folder,
        environment,
      );
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(new RegExp(`^accepted: seq_no ${seqNo}, sha256:[0-9a-f]{64}\n$`));
    }
    const kept = readFileSync(join(folder, 'billing-bot.receipts.jsonl'), 'utf8');
    const receipts = [{ name: 'kept', source: () => [Buffer.from(kept)] }];
    const report = await verifyWith(service.kid, await bundleOf(owner), receipts);
    expect(report).toMatchObject({ verdict: 'verified', checks: { reconciliation: { status: 'pass' } } });
    expect(kept.trim().split('\n')).toHaveLength(2);
    const program = join(installed.folder, SESSION_EXAMPLE);
    const ended = await runNode(node ?? '', [program], folder, environment);
    expect(ended).toEqual({ code: 0, stdout: 'paid: 9 records\n', stderr: '' });
  });
});

describe('types', () => {
  it.each(RESOLUTIONS)('are found and strict with $moduleResolution', (resolution) => {
    const consumer = (type: string) => `
      import { Agent, AgentError, generateKeyPair, RecordSigner, type Receipt } from '@countersign/agent';
      const { privateKey } = generateKeyPair();
      const names = { orgId: 'o', agentId: 'a', kid: 'k', privateKey };
      const agent = new Agent({ ...names, serviceUrl: 'http://127.0.0.1:1', token: 't' });
      const operation = { operationType: 'a.b', subject: 's', action: 'c', payload: { n: [1, null, 'x'] } };
      export const receipt: Promise<Receipt> = agent.submit(operation);
      export const seqNo: Promise<${type}> = receipt.then(({ seq_no }) => seq_no);
      export const isMissing = (error: unknown) => error instanceof AgentError && error.code === 'UNKNOWN_AGENT';
      export const signed = new RecordSigner(names).sign({ ...operation, operationId: 'id', prevChainHash: null });`;
    const options = { ...resolution, lib: ['ES2022'], types: [] };
    writeFileSync(join(installed.folder, 'consumer.ts'), consumer('number'));
    expect(typeErrors(installed.folder, options)).toBe('');
    writeFileSync(join(installed.folder, 'consumer.ts'), consumer('string'));
    expect(typeErrors(installed.folder, options)).toContain("Type 'number' is not assignable to type 'string'");
  });
});
