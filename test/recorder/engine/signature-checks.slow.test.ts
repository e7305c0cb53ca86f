import { expect, it } from 'vitest';
import { nodeCrypto, nodeSigner } from '../../../src/node/index.ts';
import { type SignatureCheck, utf8 } from '../../../src/protocol/index.ts';
import { SignatureChecks } from '../../../src/recorder/engine/signature-checks.ts';

const signer = nodeSigner(new Uint8Array(32).fill(3));

/** Signatures, each seventh of them one of something else. */
function checksOf(count: number): SignatureCheck[] {
  return Array.from({ length: count }, (_, n) => {
    const signature = signer.sign(utf8(`receipt ${n}`));
    return { publicKey: signer.publicKey, message: utf8(n % 7 === 0 ? 'another' : `receipt ${n}`), signature };
  });
}

it.each([0, 1, 63, 64, 200])('answers for %i signatures what one thread alone does', async (count) => {
  const checks = new SignatureChecks();
  const asked = checksOf(count);
  const answers = await checks.verifyEquations(asked);
  expect([...answers]).toEqual(await nodeCrypto.verifyEquations(asked));
  expect(answers.filter((isValid) => !isValid)).toHaveLength(Math.ceil(count / 7));
  await checks.close();
});

it('answers also where its thread ends in between, and afterwards', async () => {
  const checks = new SignatureChecks();
  const asked = checksOf(200);
  const expected = await nodeCrypto.verifyEquations(asked);
  const underWay = checks.verifyEquations(asked);
  await checks.close();
  expect([...(await underWay)]).toEqual(expected);
  expect([...(await checks.verifyEquations(asked))]).toEqual(expected);
  await checks.close();
});
