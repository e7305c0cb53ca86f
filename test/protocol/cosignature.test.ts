// Cosignatures of witnesses (protocol F93 to F95).
import { describe, expect, it } from 'vitest';
import {
  cosignatureOf,
  cosignedBytes,
  formatCosignature,
  formatWitnessKey,
  nobleCrypto,
  ProtocolError,
  parseCheckpoint,
  parseWitnessKey,
  publicKeyOf,
  StrictVerifier,
  signEd25519,
  utf8,
  type WitnessKey,
} from '../../src/protocol/index.ts';
import { isMlDsaSignature, mlDsaSigner } from '../../src/protocol/ml-dsa/index.ts';
import { checkpointAt } from '../support/checkpoints.ts';
import { WITNESS_KEYS, WITNESSED } from '../support/foreign-witnesses.ts';

const verifiers = { ed25519: new StrictVerifier(nobleCrypto), mlDsa44: isMlDsaSignature };
const note = checkpointAt(5);
const checkpoint = parseCheckpoint(utf8(note));
const seed = new Uint8Array(32).fill(7);
const signers = {
  ed25519: { publicKey: publicKeyOf(seed), sign: (message: Uint8Array) => signEd25519(seed, message) },
  'ml-dsa-44': mlDsaSigner(seed),
};
const ALGORITHMS = ['ed25519', 'ml-dsa-44'] as const;
type Algorithm = (typeof ALGORITHMS)[number];

const keyOf = (algorithm: Algorithm, name = 'witness.example/w1'): WitnessKey => ({
  name,
  algorithm,
  publicKey: signers[algorithm].publicKey,
});

function lineOf(key: WitnessKey, timestamp: number, over = checkpoint): string {
  return formatCosignature(key, timestamp, signers[key.algorithm].sign(cosignedBytes(over, key, timestamp)));
}

const withLines = (...lines: readonly string[]) =>
  parseCheckpoint(utf8(note + lines.map((line) => `${line}\n`).join('')));
const read = (key: WitnessKey, ...lines: readonly string[]) => cosignatureOf(withLines(...lines), key, verifiers);

describe('protocol F93: the key of a witness', () => {
  it.each(WITNESS_KEYS)('is read and written as other programs do: %.60s', (text) => {
    expect(formatWitnessKey(parseWitnessKey(text))).toBe(text);
  });

  it.each([
    ['of a log, which is no witness', 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'],
    ['with the id of another', WITNESS_KEYS[2].replace('da77ade7', 'da77ade8')],
    ['of another name', WITNESS_KEYS[2].replace('remora', 'remorb')],
    ['with an id in capitals', WITNESS_KEYS[2].replace('da77ade7', 'DA77ADE7')],
    ['without an id', WITNESS_KEYS[2].replace('+da77ade7', '')],
    ['of 31 bytes', 'w+00000000+BAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='],
    ['with white space in the name', WITNESS_KEYS[2].replace('remora', 're mora')],
    ['of small order', formatWitnessKey({ ...keyOf('ed25519'), publicKey: new Uint8Array(32).fill(1, 0, 1) })],
    ['of a name of 256 bytes', formatWitnessKey(keyOf('ed25519', 'w'.repeat(256)))],
  ])('is refused %s', (_, text) => {
    expect(() => parseWitnessKey(text)).toThrow(ProtocolError);
  });
});

describe('protocol F94 and F95: a cosignature', () => {
  it.each(WITNESS_KEYS)('of a public witness holds: %.40s', async (text) => {
    const witnessed = parseCheckpoint(utf8(WITNESSED));
    const found = await cosignatureOf(witnessed, parseWitnessKey(text), verifiers);
    expect(found?.timestamp).toBe(0x6a122120);
    const altered = parseCheckpoint(utf8(WITNESSED.replace('1432088532', '1432088533')));
    expect(await cosignatureOf(altered, parseWitnessKey(text), verifiers)).toBeNull();
  });

  describe.each(ALGORITHMS)('%s', (algorithm) => {
    const key = keyOf(algorithm);
    const line = lineOf(key, 1_700_000_000);

    it('holds with its time, among lines of others', async () => {
      const other = lineOf(keyOf(algorithm, 'witness.example/w2'), 1_700_000_001);
      expect(await read(key, other, line)).toEqual({ timestamp: 1_700_000_000, line });
    });

    it('is the newest of several', async () => {
      const newer = lineOf(key, 1_700_000_009);
      expect(await read(key, line, newer, lineOf(key, 1_700_000_003))).toEqual({
        timestamp: 1_700_000_009,
        line: newer,
      });
    });

    it('says nothing where another line of the key does not hold', async () => {
      const wrong = formatCosignature(key, 1_700_000_001, signers[algorithm].sign(utf8('something else')));
      expect(await read(key, line, wrong)).toBeNull();
    });

    it.each([
      ['another root', checkpointAt(5, new Uint8Array(32).fill(1))],
      ['another size', checkpointAt(6)],
      ['another log', note.replaceAll('countersign.v1/', 'countersign.v1/other')],
    ])('is of no checkpoint with %s', async (_, other) => {
      const elsewhere = lineOf(key, 1_700_000_000, parseCheckpoint(utf8(other)));
      expect(await read(key, elsewhere)).toBeNull();
    });

    it.each([0, 253_402_300_800])('has no time %d', async (timestamp) => {
      expect(await read(key, lineOf(key, timestamp))).toBeNull();
    });

    it('is not that of another time, nor cut, nor longer', async () => {
      const signature = signers[algorithm].sign(cosignedBytes(checkpoint, key, 1_700_000_000));
      expect(await read(key, formatCosignature(key, 1_700_000_001, signature))).toBeNull();
      expect(await read(key, formatCosignature(key, 1_700_000_000, signature.subarray(1)))).toBeNull();
      expect(await read(key, formatCosignature(key, 1_700_000_000, Uint8Array.of(...signature, 0)))).toBeNull();
    });
  });

  it('is null without a line', async () => {
    expect(await read(keyOf('ed25519'))).toBeNull();
  });

  it('has no form in ML-DSA-44 for an origin of 256 bytes', async () => {
    const origin = `countersign.v1/${'x'.repeat(241)}`;
    const long = parseCheckpoint(utf8(note.replaceAll(checkpoint.origin, origin)));
    expect(() => cosignedBytes(long, keyOf('ml-dsa-44'), 1)).toThrow(ProtocolError);
    const line = formatCosignature(keyOf('ml-dsa-44'), 1, new Uint8Array(2420));
    const signed = parseCheckpoint(utf8(`${note.replaceAll(checkpoint.origin, origin)}${line}\n`));
    expect(await cosignatureOf(signed, keyOf('ml-dsa-44'), verifiers)).toBeNull();
  });

  it('commits to the name of the witness in ML-DSA-44', async () => {
    const [one, other] = [keyOf('ml-dsa-44'), keyOf('ml-dsa-44', 'witness.example/w2')];
    const signature = signers['ml-dsa-44'].sign(cosignedBytes(checkpoint, one, 5));
    expect(await read(other, formatCosignature(other, 5, signature))).toBeNull();
  });
});
