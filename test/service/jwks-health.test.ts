import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { fromBase64Url, isStrictPublicKey, thumbprint } from '../../src/protocol/index.ts';
import { send } from '../support/client.ts';
import { TestService } from '../support/service.ts';

const service = await TestService.start();

describe('GET /.well-known/countersign/jwks.json', () => {
  it('publishes the service key, named by its thumbprint (RFC 7638), and nothing secret', async () => {
    const { keys } = await service.client().ok('jwks');
    expect(keys).toEqual([
      { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', x: expect.any(String), kid: service.kid },
    ]);
    const publicKey = fromBase64Url(keys[0]?.x ?? '', 32);
    expect(thumbprint(publicKey)).toBe(service.kid);
    expect(isStrictPublicKey(publicKey)).toBe(true);
  });

  it('publishes the same key after a restart', async () => {
    const before = await service.client().ok('jwks');
    await service.restart();
    expect(await service.client().ok('jwks')).toEqual(before);
  });
});

describe('GET /v1/health', () => {
  it('tells that the service is there, and its version', async () => {
    expect(await service.client().ok('health')).toEqual({ status: 'ok', version: packageJson.version });
  });

  it('answers HEAD without a body', async () => {
    const answer = await send(service.url, { method: 'HEAD', path: '/v1/health' });
    expect(answer.status).toBe(200);
    expect(answer.bytes).toHaveLength(0);
  });
});
