// What the service serves, before code that nobody here wrote: golang.org/x/mod/sumdb (docs/decisions/0047-checkpoints.md).
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseCheckpoint, parseKeptCheckpoint, toHex, utf8 } from '../../src/protocol/index.ts';
import { at } from '../support/bytes.ts';
import { temporaryFolder } from '../support/folders.ts';
import { registerAgent, submitNext, TestService } from '../support/service.ts';
import { checkpointVectors, ledger } from '../support/vectors.ts';

/** Where Debian's golang-golang-x-mod-dev puts its source, unless a GOPATH is set. */
const env = { ...process.env, GO111MODULE: 'off', GOPATH: process.env['GOPATH'] ?? '/usr/share/gocode' };
const program = join(temporaryFolder(), 'checkpoint');
const built = spawnSync('go', ['build', '-o', program, fileURLToPath(new URL('checkpoint.go', import.meta.url))], {
  env: { ...env, GOCACHE: temporaryFolder() },
  encoding: 'utf8',
});
const hasGo = built.error === undefined && !/cannot find package/.test(built.stderr);

interface Job {
  readonly vkey: string;
  readonly notes?: readonly string[];
  readonly proofs?: readonly { readonly from: string; readonly to: string; readonly consistency: readonly string[] }[];
  readonly skey?: string;
  readonly texts?: readonly string[];
}

interface Given {
  readonly notes: readonly string[];
  readonly proofs: readonly string[];
  readonly signed: readonly string[];
}

function foreign(job: Job): Given {
  const { status, stdout, stderr } = spawnSync(program, { input: JSON.stringify(job), encoding: 'utf8' });
  if (status !== 0) throw new Error(`the program ended with ${status}: ${stderr}`);
  return JSON.parse(stdout) as Given;
}

const HOLDS = '';

describe.skipIf(!hasGo)(
  "Go's own packages for signed notes and logs (skipped where Go or golang.org/x/mod is missing)",
  () => {
    it('builds', () => {
      expect([built.status, built.stderr]).toEqual([0, '']);
    });

    it('opens the checkpoints that the service serves, and checks its consistency proofs between them', async () => {
      const service = await TestService.start();
      const owner = await service.signUp();
      const signer = await registerAgent(owner);
      const SIZES = [1, 2, 5, 8, 9, 15];
      const notes: string[] = [];
      for (let size = 1; size <= 15; size++) {
        await submitNext(owner, signer);
        if (!SIZES.includes(size)) continue;
        await owner.client.ok('closeEpoch');
        notes.push((await owner.client.call('checkpoint')).bytes.toString('utf8'));
      }
      const { x = '' } = (await owner.client.ok('jwks')).keys[0] ?? {};
      const { origin, signatures } = parseCheckpoint(utf8(at(notes, 0)));
      const type = Buffer.of(1);
      const id = Buffer.from(at(signatures, 0).keyId).toString('hex');
      const vkey = `${origin}+${id}+${Buffer.concat([type, Buffer.from(x, 'base64url')]).toString('base64')}`;

      const proofs: { from: string; to: string; consistency: string[] }[] = [];
      for (const [index, to] of SIZES.entries()) {
        for (const [before, from] of SIZES.slice(0, index + 1).entries()) {
          const query = { from: String(from), to: String(to) };
          const { bytes } = await owner.client.call('consistencyProof', { query });
          const digests = (parseKeptCheckpoint(bytes).link?.path ?? []).map(toHex);
          proofs.push({ from: at(notes, before), to: at(notes, index), consistency: digests });
        }
      }
      const answer = foreign({ vkey, notes, proofs });
      expect(answer.notes).toEqual(notes.map(() => HOLDS));
      expect(answer.proofs).toEqual(proofs.map(() => HOLDS));
      expect(proofs).toHaveLength(21);

      const altered = notes.map((note) => note.replace(/\n\d+\n/, '\n4\n'));
      const shortened = proofs.filter(({ consistency }) => consistency.length > 0);
      const refused = foreign({
        vkey,
        notes: altered,
        proofs: shortened.map((proof) => ({ ...proof, consistency: proof.consistency.slice(1) })),
      });
      expect([...refused.notes, ...refused.proofs].filter((why) => why === HOLDS)).toEqual([]);
    });

    it('opens the vectors, and signs the same bytes with the same key', () => {
      const { files, vkeys } = checkpointVectors;
      const note = files['checkpoint.txt'] ?? '';
      const [name = '', id = ''] = at(vkeys, 1).split('+');
      const seed = Buffer.from(at(ledger.service_keys, 1).seed_hex, 'hex');
      const skey = `PRIVATE+KEY+${name}+${id}+${Buffer.concat([Buffer.of(1), seed]).toString('base64')}`;
      const notes = [note, files['checkpoint-witnessed.txt'] ?? '', files['checkpoint-stranger.txt'] ?? ''];
      const answer = foreign({ vkey: at(vkeys, 1), notes, skey, texts: [parseCheckpoint(utf8(note)).noteText] });
      expect(answer.notes.map((why) => why === HOLDS)).toEqual([true, true, false]);
      expect(answer.signed).toEqual([note]);
    });
  },
);
