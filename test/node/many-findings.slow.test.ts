// Protocol V142, in Node alone: a thousand damaged records are a matter of signatures, which take their time in JavaScript.
import { expect, it } from 'vitest';
import { nodeCrypto } from '../../src/node/index.ts';
import { makeBundle, serviceKid } from '../support/bundle-maker.ts';
import { verifyFile } from '../support/verifying.ts';

it('names the records of findings beyond the listed ones in the damage map', async () => {
  const records = 1010;
  const { text } = makeBundle({
    agents: 1,
    epochs: [records],
    bundle: (bundle) => ({
      ...bundle,
      records: bundle.records.map(({ eor, ear }) => ({ eor: { ...eor, payload: {} }, ear })),
    }),
  });
  const { findings, damage } = await verifyFile(text, { crypto: nodeCrypto, trustedKids: [serviceKid(0)] });
  expect(findings.length).toBeLessThan(records);
  expect(damage.runs).toMatchObject([{ first_seq_no: 1, last_seq_no: records, state: 'damaged' }]);
});
