// Vitest runs this before every test file in Node. Made ledgers have thousands of signatures; in the browser, where tests of
// the protocol run once more, these are the protocol's own.
import { nativeEd25519 } from '../../src/node/fastest-ed25519.ts';
import { nodeCrypto } from '../../src/node/node-crypto.ts';
import { signWith } from './signing.ts';

const native = nativeEd25519();
signWith({
  publicKey: (seed) => native.signer(seed).publicKey,
  sign: (seed, message) => native.signer(seed).sign(message),
  host: nodeCrypto,
});
