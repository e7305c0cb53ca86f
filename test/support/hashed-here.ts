import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/** What this thread, which is also that of a service under test, hashes meanwhile: the inputs, a character a byte. What threads hash is not among it. */
export async function hashedHere(act: () => Promise<unknown>): Promise<readonly string[]> {
  const { hash } = crypto;
  const inputs: string[] = [];
  const noting = new Proxy(hash, {
    apply: (target, self, given: Parameters<typeof hash>) => {
      const [, data] = given;
      const bytes = typeof data === 'string' ? Buffer.from(data) : data;
      inputs.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'));
      return Reflect.apply(target, self, given) as unknown;
    },
  });
  crypto.hash = noting;
  syncBuiltinESMExports();
  try {
    await act();
  } finally {
    crypto.hash = hash;
    syncBuiltinESMExports();
  }
  return inputs;
}
