import { describe, expect, it } from 'vitest';
import {
  adminEventHash,
  agentKeySignedBytes,
  canonicalize,
  chainHash,
  decodeUtf8,
  directoryDigest,
  epochHash,
  epochSignedBytes,
  formatDigest,
  fromBase64Url,
  fromHex,
  gapBetween,
  HashListDigest,
  manifestSignedBytes,
  merkleRoot,
  parseDigest,
  parseReceipt,
  parseStoredRecord,
  payloadHash,
  publicKeyOf,
  receiptLeafHash,
  receiptSignedBytes,
  recordCore,
  recordSignedBytes,
  serviceKeySignedBytes,
  sha256,
  signEd25519,
  thumbprint,
  toBase64Url,
  utf8,
  verifyEd25519,
} from '../../src/protocol/index.ts';
import { at } from '../support/bytes.ts';
import {
  type Bundle,
  bundleTexts,
  earlierBundleText,
  emptyBundleText,
  keptReceipts,
  ledger,
  vectorBundle,
} from '../support/vectors.ts';

const serviceSeeds = new Map(ledger.service_keys.map(({ key, seed_hex }) => [key.kid, fromHex(seed_hex, 32)]));
const agentSeeds = new Map(
  ledger.agent_keys.map(({ key, seed_hex }) => [`${key.agent_id} ${key.kid}`, fromHex(seed_hex, 32)]),
);

function signedWith(seeds: ReadonlyMap<string, Uint8Array>, name: string, message: Uint8Array): string {
  const seed = seeds.get(name);
  if (seed === undefined) throw new RangeError(`no seed of ${name}`);
  const signature = signEd25519(seed, message);
  expect(verifyEd25519({ publicKey: publicKeyOf(seed), message, signature })).toBe(true);
  return toBase64Url(signature);
}

describe('protocol F31: operation records', () => {
  it.each(ledger.operations)('record $seq_no, every value of it', (operation) => {
    const { eor } = operation;
    expect(parseStoredRecord(eor)).toBe(eor);
    expect(canonicalize(eor.payload)).toBe(operation.payload_canonical);
    expect(payloadHash(eor.payload)).toBe(eor.payload_hash);
    const signed = recordSignedBytes(eor);
    expect(decodeUtf8(signed)).toBe(operation.signed_bytes_utf8);
    expect(signedWith(agentSeeds, `${eor.agent_id} ${eor.agent_pubkey_kid}`, signed)).toBe(operation.signature);
    expect(chainHash(signed, fromBase64Url(operation.signature, 64))).toBe(operation.chain_hash);
  });

  it('link each record to the one before it of the same agent', () => {
    const heads = new Map<string, string>();
    for (const { eor, chain_hash } of ledger.operations) {
      expect(eor.prev_chain_hash).toBe(heads.get(eor.agent_id) ?? null);
      heads.set(eor.agent_id, chain_hash);
    }
  });

  it('sign thirteen members, and a payload only through its hash', () => {
    const { eor } = at(ledger.operations, 0);
    const { payload, ...withheld } = eor;
    expect(Object.keys(recordCore(eor))).toHaveLength(13);
    expect(payload).toBeDefined();
    expect(recordSignedBytes(withheld)).toEqual(recordSignedBytes(eor));
    const others = { ...eor, payload: {}, signature: '' };
    expect(recordSignedBytes(others)).toEqual(recordSignedBytes(eor));
  });
});

describe('protocol F61: receipts', () => {
  it.each(ledger.operations)('receipt $seq_no, every value of it', (operation) => {
    const { ear } = operation;
    expect(parseReceipt(ear)).toBe(ear);
    expect(ear.chain_hash).toBe(operation.chain_hash);
    const signed = receiptSignedBytes(ear);
    expect(decodeUtf8(signed)).toBe(operation.receipt_statement_utf8);
    expect(signedWith(serviceSeeds, ear.service_kid, signed)).toBe(ear.service_signature);
    expect(formatDigest(receiptLeafHash(signed))).toBe(operation.leaf_hash);
    expect(receiptLeafHash(signed)).toEqual(sha256(utf8(`\u0000${operation.receipt_statement_utf8}`)));
  });

  it('that agents kept are the same', () => {
    const bySeqNo = new Map(ledger.operations.map(({ ear }) => [ear.seq_no, ear]));
    const lines = keptReceipts.trim().split('\n');
    expect(lines.length).toBeGreaterThan(10);
    for (const line of lines) {
      const receipt = parseReceipt(JSON.parse(line));
      expect(receipt).toEqual(bySeqNo.get(receipt.seq_no));
    }
  });
});

describe('protocol F71: epochs', () => {
  it.each(ledger.epochs)('epoch $epoch.epoch_no, every value of it', ({ epoch, statement_utf8, epoch_hash }) => {
    const leaves = ledger.operations
      .filter(({ seq_no }) => seq_no >= epoch.first_seq_no && seq_no <= epoch.last_seq_no)
      .map(({ leaf_hash }) => parseDigest(leaf_hash));
    expect(leaves).toHaveLength(epoch.leaf_count);
    expect(formatDigest(merkleRoot(leaves))).toBe(epoch.root_hash);
    const signed = epochSignedBytes(epoch);
    expect(decodeUtf8(signed)).toBe(statement_utf8);
    expect(signedWith(serviceSeeds, epoch.service_kid, signed)).toBe(epoch.signature_by_service);
    expect(epochHash(signed)).toBe(epoch_hash);
  });

  it('refer to the epoch before by its hash', () => {
    let previous: string | null = null;
    for (const { epoch, epoch_hash } of ledger.epochs) {
      expect(epoch.prev_epoch_hash).toBe(previous);
      previous = epoch_hash;
    }
  });

  it('give the gaps that bundles carry, and the roots of the log', () => {
    const leaves = ledger.operations.map(({ leaf_hash }) => parseDigest(leaf_hash));
    let gaps = 0;
    for (const name of ['bundle-range.json', 'bundle-agent.json', 'bundle-withheld.json'] as const) {
      const { records, epochs, edges } = vectorBundle(name);
      const shown = [edges.before, ...records, edges.after].filter((one) => one !== null);
      let last = 0;
      for (const { ear, gap } of [...shown, { ear: { seq_no: leaves.length + 1 }, gap: edges.rest }]) {
        const node = (height: number, index: number): Uint8Array =>
          merkleRoot(leaves.slice(index * 2 ** height, (index + 1) * 2 ** height));
        expect(gap ?? []).toEqual(gapBetween(last, ear.seq_no, epochs, node));
        gaps += gap?.length ?? 0;
        last = ear.seq_no;
      }
      expect(edges.head).toEqual(ledger.epochs.at(-1)?.epoch);
    }
    for (const { epoch } of ledger.epochs) {
      expect(formatDigest(merkleRoot(leaves.slice(0, epoch.last_seq_no)))).toBe(epoch.log_root);
    }
    expect(gaps).toBeGreaterThan(10);
  });
});

describe('protocol F96, F110 and F111: admin events, agent keys, service keys', () => {
  it.each(ledger.admin_events)('admin event $event.action', ({ event, statement_utf8 }) => {
    expect(adminEventHash(event)).toBe(event.event_hash);
    expect(formatDigest(sha256(utf8(statement_utf8)))).toBe(event.event_hash);
    const { event_hash, ...members } = event;
    expect(canonicalize({ type: 'countersign.admin-event.v1', ...members })).toBe(statement_utf8);
    expect(event_hash).toMatch(/^sha256:/);
  });

  it('admin events form one chain', () => {
    let previous: string | null = null;
    for (const { event } of ledger.admin_events) {
      expect(event.prev_event_hash).toBe(previous);
      previous = event.event_hash;
    }
  });

  it.each(ledger.agent_keys)(
    'attestation of $key.agent_id $key.kid',
    ({ seed_hex, key, attestation_statement_utf8 }) => {
      expect(toBase64Url(publicKeyOf(fromHex(seed_hex, 32)))).toBe(key.public_key);
      const signed = agentKeySignedBytes(ledger.org.org_id, key, key.service_kid);
      expect(decodeUtf8(signed)).toBe(attestation_statement_utf8);
      expect(signedWith(serviceSeeds, key.service_kid, signed)).toBe(key.attestation);
    },
  );

  it.each(ledger.service_keys)('service key $key.kid', ({ seed_hex, key, statement_utf8 }) => {
    const publicKey = publicKeyOf(fromHex(seed_hex, 32));
    expect(toBase64Url(publicKey)).toBe(key.public_key);
    expect(thumbprint(publicKey)).toBe(key.kid);
    const signed = serviceKeySignedBytes(key);
    expect(decodeUtf8(signed)).toBe(statement_utf8);
    expect(signedWith(serviceSeeds, key.kid, signed)).toBe(key.self_signature);
    if (key.prev_kid === null) expect(key.prev_signature).toBeNull();
    else expect(signedWith(serviceSeeds, key.prev_kid, signed)).toBe(key.prev_signature);
  });
});

describe('protocol F140: manifests', () => {
  it.each(ledger.manifests)(
    'manifest of $file, every value of it',
    ({ file, directory_utf8, statement_utf8, signature }) => {
      const texts: Record<string, string> = {
        ...bundleTexts,
        'bundle-earlier.json': earlierBundleText,
        'bundle-empty-range.json': emptyBundleText,
      };
      const bundle = JSON.parse(texts[file] ?? expect.fail(`no bundle ${file}`)) as Bundle;
      const { manifest } = bundle;
      expect(decodeUtf8(manifestSignedBytes(manifest))).toBe(statement_utf8);
      expect(signedWith(serviceSeeds, manifest.service_kid, utf8(statement_utf8))).toBe(signature);
      expect(bundle.manifest_signature).toBe(signature);

      expect(formatDigest(sha256(utf8(directory_utf8)))).toBe(manifest.directory_digest);
      expect(directoryDigest(bundle)).toBe(manifest.directory_digest);
      const digests = { records: new HashListDigest(), epochs: new HashListDigest(), events: new HashListDigest() };
      for (const { ear } of bundle.records) digests.records.add(receiptLeafHash(receiptSignedBytes(ear)));
      for (const epoch of bundle.epochs) digests.epochs.add(epochHash(epochSignedBytes(epoch)));
      for (const event of bundle.admin_events) digests.events.add(event.event_hash);
      expect(digests.records.digest()).toBe(manifest.records_digest);
      expect(digests.epochs.digest()).toBe(manifest.epochs_digest);
      expect(digests.events.digest()).toBe(manifest.admin_events_digest);
      expect(manifest.record_count).toBe(bundle.records.length);
    },
  );
});
