import { describe, expect, it } from 'vitest';
import {
  FINDING_CHECK,
  type FindingCode,
  formatTime,
  orgFingerprint,
  type VerificationReport,
  type VerifyOptions,
} from '../../src/protocol/index.ts';
import {
  later,
  makeBundle,
  ORG_ID,
  only,
  otherDigest,
  otherSignature,
  type Plan,
  START,
  serviceKid,
  uuid,
  writeBundle,
} from '../support/bundle-maker.ts';
import { at } from '../support/bytes.ts';
import {
  type Case,
  dishonestCases,
  extra,
  honest,
  ONE_AGENT,
  RANGE,
  tampered,
  textOf,
  WHOLE,
  withContents,
  withRecord,
  withRecords,
} from '../support/dishonest.ts';
import { edits } from '../support/edits.ts';
import { ONE_OF } from '../support/extent.ts';
import { remembering } from '../support/hosts.ts';
import { hostCrypto } from '../support/signing.ts';
import type { Bundle } from '../support/vectors.ts';
import { named, rootCauses, verifyFile } from '../support/verifying.ts';

const options: VerifyOptions = { crypto: remembering(hostCrypto), trustedKids: [serviceKid(0)] };

const cases: readonly Case[] = [
  ...dishonestCases,
  {
    code: 'SEQUENCE_GAP',
    what: 'the newest epoch and its records left out, where the range goes on to the making of the bundle',
    made: {
      ...withContents(({ records, epochs }) => ({ records: records.slice(0, 5), epochs: epochs.slice(0, 2) })),
      manifest: (manifest) => ({ ...manifest, created_at: formatTime(START + 30_000) }),
    },
  },
];

/** Whom an edit of one value points to: the innermost rule that names the beginning of its path. */
const EDITED: readonly (readonly [string, FindingCode])[] = [
  ['format', 'UNSUPPORTED_VERSION'],
  ['service_keys', 'SERVICE_KEY_INVALID'],
  ['service_keys.*.algorithm', 'MALFORMED'],
  ['org.org_id', 'MALFORMED'],
  ['org.name', 'DIRECTORY_MISMATCH'],
  ['agents', 'MANIFEST_MISMATCH'],
  ['agents.*.status', 'DIRECTORY_MISMATCH'],
  ['agents.*.display_name', 'DIRECTORY_MISMATCH'],
  ['agents.*.responsible_entity', 'DIRECTORY_MISMATCH'],
  ['agents.*.integration_type', 'DIRECTORY_MISMATCH'],
  ['agents.*.created_at', 'DIRECTORY_MISMATCH'],
  ['agents.*.agent_id', 'KEY_ATTESTATION_INVALID'],
  ['agents.*.org_id', 'MALFORMED'],
  ['agents.*.keys', 'KEY_ATTESTATION_INVALID'],
  ['agents.*.keys.*.algorithm', 'MALFORMED'],
  ['agents.*.keys.*.status', 'MALFORMED'],
  ['epochs', 'EPOCH_SIGNATURE_INVALID'],
  ...['before', 'after'].flatMap((side): (readonly [string, FindingCode])[] => [
    [`edges.${side}`, 'MALFORMED'],
    ...['ear', 'eor'].map((part) => [`edges.${side}.${part}`, 'EDGE_INVALID'] as const),
    [`edges.${side}.gap`, 'LOG_ROOT_MISMATCH'] as const,
    [`edges.${side}.eor.op_version`, 'MALFORMED'],
  ]),
  ['edges.rest', 'LOG_ROOT_MISMATCH'],
  ['edges.head', 'EPOCH_SIGNATURE_INVALID'],
  ['edges.head.hash_alg', 'MALFORMED'],
  ['epochs.*.hash_alg', 'MALFORMED'],
  ['admin_events', 'ADMIN_CHAIN_BROKEN'],
  ['records.*.eor', 'SIGNATURE_INVALID'],
  ['records.*.eor.op_version', 'MALFORMED'],
  ['records.*.eor.agent_id', 'KEY_UNKNOWN'],
  ['records.*.eor.agent_pubkey_kid', 'KEY_UNKNOWN'],
  ['records.*.eor.payload', 'PAYLOAD_HASH_MISMATCH'],
  ['records.*.ear', 'RECEIPT_SIGNATURE_INVALID'],
  ['records.*.gap', 'LOG_ROOT_MISMATCH'],
  // The last of the epochs once more: it counts by its hash, and its signature is looked at where the epochs stand.
  ['edges.head.signature_by_service', 'MANIFEST_MISMATCH'],
  ['manifest', 'MANIFEST_SIGNATURE_INVALID'],
  ['manifest.type', 'MALFORMED'],
  ['manifest.agent_head', 'MALFORMED'],
  ['manifest.agent_head.seq_no', 'MANIFEST_SIGNATURE_INVALID'],
  ['manifest.agent_head.chain_hash', 'MANIFEST_SIGNATURE_INVALID'],
  ['manifest_signature', 'MANIFEST_SIGNATURE_INVALID'],
];

function causeOfEdit(kind: string): FindingCode {
  const rules = EDITED.filter(([path]) => kind === path || kind.startsWith(`${path}.`));
  const innermost = rules.sort(([a], [b]) => b.length - a.length)[0];
  return innermost?.[1] ?? expect.fail(`no rule for ${kind}`);
}

/** Whether every finding leads back to a root cause: no finding explains itself, on whatever way around. */
function isGrounded({ findings }: VerificationReport): boolean {
  return findings.every((finding) => {
    const seen = new Set<number>();
    for (let cause = finding.caused_by; cause !== undefined; cause = findings[cause - 1]?.caused_by) {
      if (seen.has(cause) || cause === finding.id) return false;
      seen.add(cause);
    }
    return true;
  });
}

/** Codes of a record whose own signatures and hashes do not hold, whatever the cause. */
const BROKEN: readonly FindingCode[] = [
  'SIGNATURE_INVALID',
  'RECEIPT_SIGNATURE_INVALID',
  'PAYLOAD_HASH_MISMATCH',
  'CHAIN_HASH_MISMATCH',
  'RECEIPT_MISMATCH',
  'KEY_UNKNOWN',
];

/** Findings against records that the damage map calls proven all the same. */
function provenThoughBroken({ findings, damage }: VerificationReport): unknown[] {
  return findings.filter(
    ({ code, where: { seq_no, file } }) =>
      BROKEN.includes(code) &&
      seq_no !== undefined &&
      file === undefined &&
      damage.runs.some(
        ({ first_seq_no, last_seq_no, state }) => state === 'proven' && first_seq_no <= seq_no && seq_no <= last_seq_no,
      ),
  );
}

async function reportOf({ receipts, against, ...damage }: Case): Promise<VerificationReport> {
  return verifyFile(textOf(damage), {
    ...options,
    ...(receipts && { receipts: [named('kept', receipts.map((receipt) => `${JSON.stringify(receipt)}\n`).join(''))] }),
    ...(against !== undefined && { against: [named('other', against)] }),
  });
}

describe('protocol V132: every finding, and it alone as the cause', () => {
  it.each([
    ['whole', WHOLE],
    ['range', RANGE],
    ['one agent', ONE_AGENT],
  ])('none in the honest bundle: %s', async (_, plan) => {
    const report = await verifyFile(makeBundle(plan).text, options);
    expect({ verdict: report.verdict, findings: report.findings }).toEqual({ verdict: 'verified', findings: [] });
  });

  it.each<readonly [string, Plan]>([
    [
      'a record received at the last instant of its time to live',
      { record: only(2, (record) => ({ ...record, ttl_ms: 250 })) },
    ],
    [
      'a record issued five minutes after it was received',
      { record: only(2, (record) => ({ ...record, issued_at: later(record.issued_at, 300_250) })) },
    ],
    [
      'a key revoked at the instant of its last record',
      { agentKey: only(0, (key) => ({ ...key, status: 'revoked', retired_at: START + 7000 })) },
    ],
    [
      'a nonce that another agent used',
      { record: only(3, (record) => ({ ...record, nonce: at(honest.bundle.records, 0).eor.nonce })) },
    ],
    [
      'two records received in the same instant',
      { receipt: only(3, (receipt) => ({ ...receipt, server_received_at: formatTime(START + 3000) })) },
    ],
    [
      'an epoch closed in the instant of its last record',
      { epoch: only(1, (epoch) => ({ ...epoch, end_time: formatTime(START + 5000) })) },
    ],
    [
      'a filter that begins with the first record and ends just after the last',
      {
        manifest: (manifest) => ({
          ...manifest,
          filter: { start_time: formatTime(START + 1000), end_time: formatTime(START + 7001), agent_id: null },
        }),
      },
    ],
    [
      'the issued times of an agent going back',
      { record: only(4, (record) => ({ ...record, issued_at: later(record.issued_at, -4000) })) },
    ],
  ])('none where all is just right: %s', async (_, steps) => {
    const report = await verifyFile(makeBundle({ ...WHOLE, ...steps }).text, options);
    expect({ verdict: report.verdict, findings: report.findings }).toEqual({ verdict: 'verified', findings: [] });
  });

  it('has a case for every code', () => {
    // Two are warnings, below. The last one is of a stored ledger: no bundle can have it.
    const codes = new Set<string>([
      ...cases.map(({ code }) => code),
      'ISSUER_NOT_PINNED',
      'ORGANIZATION_NOT_CONFIRMED',
      'STATE_MISMATCH',
      // Warnings, or of what the reader names: below.
      'KEY_SHARED',
      'SALT_REUSED',
      'AGENT_KEY_NOT_TRUSTED',
      'MADE_EARLIER',
      'CLOCK_CORRECTED',
      'NOT_WITNESSED',
      'NOT_COMPARED',
    ]);
    expect([...codes].sort()).toEqual(Object.keys(FINDING_CHECK).sort());
  });

  it.each(cases)('$code: $what', async (damage) => {
    const report = await reportOf(damage);
    expect(report.verdict).toBe('failed');
    expect([...new Set(rootCauses(report))]).toEqual([damage.code]);
    expect(report.finding_counts[damage.code]).toBeGreaterThan(0);
    const root = report.findings.find(({ severity, caused_by }) => severity === 'error' && caused_by === undefined);
    expect(report.summary).toContain(`(${damage.code}).`);
    expect(root && report.checks[root.check].status).toBe('fail');
    expect(isGrounded(report)).toBe(true);
    expect(provenThoughBroken(report)).toEqual([]);
  });

  it.each([
    [0, 'the whole bundle', WHOLE, writeBundle],
    [1, 'the whole bundle on one line', WHOLE, (bundle: Bundle) => JSON.stringify(bundle)],
    [2, 'a range', RANGE, writeBundle],
    [3, "one agent's bundle", ONE_AGENT, writeBundle],
  ])('%i: an edit of any single value of %s', async (first, _, plan, write) => {
    const surprises: string[] = [];
    const { bundle } = makeBundle(plan);
    let edit = first;
    for (const { kind, path, bundle: edited } of edits(bundle)) {
      if (edit++ % ONE_OF !== 0) continue;
      const text = write(edited).replace(/"format":"[^"]*"/, `"format":${JSON.stringify(edited.format)}`);
      const report = await verifyFile(text, options);
      const causes = [...new Set(rootCauses(report))].join(', ');
      if (report.verdict !== 'failed' || causes !== causeOfEdit(kind) || !isGrounded(report)) {
        surprises.push(`${path}: ${report.verdict} for ${causes}, not ${causeOfEdit(kind)}`);
      }
    }
    expect(surprises).toEqual([]);
  });

  it.each<readonly [string, readonly FindingCode[], Plan | string]>([
    [
      'two records altered',
      ['PAYLOAD_HASH_MISMATCH', 'SIGNATURE_INVALID'],
      tampered(({ records, ...rest }) => ({
        ...rest,
        records: records
          .with(1, { ...at(records, 1), eor: { ...at(records, 1).eor, payload: {} } })
          .with(4, { ...at(records, 4), eor: { ...at(records, 4).eor, subject: 'another file' } }),
      })),
    ],
    [
      'a receipt forged, and later a chain broken',
      ['CHAIN_BROKEN', 'RECEIPT_SIGNATURE_INVALID'],
      {
        ...WHOLE,
        signedReceipt: only(0, (receipt) => ({ ...receipt, service_signature: otherSignature() })),
        record: only(4, (record) => ({ ...record, prev_chain_hash: otherDigest() })),
      },
    ],
    [
      'a record left out, and another altered',
      ['PAYLOAD_HASH_MISMATCH', 'SEQUENCE_GAP'],
      {
        ...withRecords((records) => records.toSpliced(3, 1)),
        bundle: (bundle) => ({
          ...bundle,
          records: bundle.records.with(0, {
            ...at(bundle.records, 0),
            eor: { ...at(bundle.records, 0).eor, payload: {} },
          }),
        }),
      },
    ],
    [
      'an agent of another organization, and an unreadable record',
      ['MALFORMED', 'MALFORMED'],
      { ...withRecord(3, extra), agent: only(1, (agent) => ({ ...agent, org_id: 'org_other' })) },
    ],
    [
      'two records altered in a bundle on one line',
      ['PAYLOAD_HASH_MISMATCH', 'SIGNATURE_INVALID'],
      JSON.stringify({
        ...honest.bundle,
        records: honest.bundle.records
          .with(1, { ...at(honest.bundle.records, 1), eor: { ...at(honest.bundle.records, 1).eor, payload: {} } })
          .with(4, { ...at(honest.bundle.records, 4), eor: { ...at(honest.bundle.records, 4).eor, subject: 'other' } }),
      }),
    ],
    [
      'a record removed, and the manifest altered',
      ['MANIFEST_SIGNATURE_INVALID', 'SEQUENCE_GAP'],
      tampered(({ records, manifest, ...rest }) => ({
        ...rest,
        records: records.toSpliced(3, 1),
        manifest: { ...manifest, record_count: manifest.record_count - 1 },
      })),
    ],
    [
      'an agent of another organization, and a record that is not JSON',
      ['MALFORMED', 'MALFORMED'],
      makeBundle({ ...WHOLE, agent: only(1, (agent) => ({ ...agent, org_id: 'org_other' })) }).text.replace(
        '"n":4',
        '"n":04',
      ),
    ],
    [
      'an agent of another organization, and a receipt of another operation',
      ['MALFORMED', 'RECEIPT_MISMATCH'],
      {
        ...WHOLE,
        agent: only(1, (agent) => ({ ...agent, org_id: 'org_other' })),
        receipt: only(3, (receipt) => ({ ...receipt, operation_id: uuid('other') })),
      },
    ],
    [
      "one of an agent's keys forged, records after another was revoked",
      ['KEY_ATTESTATION_INVALID', 'KEY_USED_AFTER_REVOCATION'],
      {
        ...WHOLE,
        agentKey: only(0, (key) => ({ ...key, status: 'revoked', retired_at: START + 6000 })),
        agent: only(0, (agent) => ({
          ...agent,
          keys: [...agent.keys, { ...at(agent.keys, 0), kid: 'k2', attestation: otherSignature() }],
        })),
      },
    ],
    [
      "one agent's key forged, another's records after their key was revoked",
      ['KEY_ATTESTATION_INVALID', 'KEY_USED_AFTER_REVOCATION'],
      {
        ...WHOLE,
        agentKey: only(1, (key) => ({ ...key, status: 'revoked', retired_at: START + 5000 })),
        attestedKey: only(0, (key) => ({ ...key, attestation: otherSignature() })),
      },
    ],
  ])('two causes where there are two: %s', async (_, codes, plan) => {
    const report = await verifyFile(typeof plan === 'string' ? plan : makeBundle(plan).text, options);
    expect([...rootCauses(report)].sort()).toEqual(codes);
    expect(isGrounded(report)).toBe(true);
  });
});

describe('protocol V23: ISSUER_NOT_PINNED', () => {
  it.each([
    ['no key is pinned', []],
    ['another key is pinned', [serviceKid(7)]],
  ])('is a warning, and the verdict incomplete: %s', async (_, trustedKids) => {
    const report = await verifyFile(honest.text, { ...options, trustedKids });
    expect(report.verdict).toBe('incomplete');
    expect(report.findings.map(({ code, severity }) => ({ code, severity }))).toEqual([
      { code: 'ISSUER_NOT_PINNED', severity: 'warning' },
    ]);
    expect(report.checks.issuer.status).toBe('not_checked');
    expect(report.issuer.pinned).toBe(false);
  });
});

describe('protocol V23: ORGANIZATION_NOT_CONFIRMED', () => {
  const other = makeBundle({ ...WHOLE, orgId: 'org_second' });

  it.each([
    ['the first key', `${serviceKid(0)}@${ORG_ID}`],
    ['the key after a rotation', `${serviceKid(1)}@${ORG_ID}`],
    ['a key that was confirmed for nobody yet', `${serviceKid(0)}@`],
  ])('is a warning, and the verdict incomplete, where another organization comes under %s', async (_, trusted) => {
    const report = await verifyFile(other.text, { ...options, trustedKids: [trusted] });
    expect(report.verdict).toBe('incomplete');
    expect(report.findings).toMatchObject([
      { code: 'ORGANIZATION_NOT_CONFIRMED', severity: 'warning', actual: 'org_second' },
    ]);
    expect(report.findings[0]?.message).toContain(orgFingerprint('org_second'));
    expect(report.checks.issuer.status).toBe('not_checked');
    expect(report.issuer.pinned).toBe(false);
    expect(report.issuer.service_keys.map(({ trusted: isTrusted }) => isTrusted)).toEqual([false, false]);
  });

  it('is not said of a key that nobody trusts for anything', async () => {
    const report = await verifyFile(other.text, { ...options, trustedKids: [`${serviceKid(7)}@org_second`] });
    expect(report.findings.map(({ code }) => code)).toEqual(['ISSUER_NOT_PINNED']);
  });

  it('an entry for no organization does not speak for a bundle whose organization cannot be read', async () => {
    const broken = honest.text.replace(`"org":{"org_id":"${ORG_ID}"`, '"org":{"org_id":""');
    const report = await verifyFile(broken, { ...options, trustedKids: [`${serviceKid(0)}@`] });
    expect(report.verdict).toBe('failed');
    expect(report.issuer.pinned).toBe(false);
  });
});
