/** The data of test/vectors, typed; text imports, so that they reach a browser as well as Node. */

import type { Bundle } from '../../src/cli/qualify/bundle.ts';
import type {
  AdminEvent,
  Agent,
  AttestedAgentKey,
  BundleOrg,
  Epoch,
  FindingCode,
  Json,
  OperationRecord,
  Receipt,
  ServiceKey,
  Verdict,
} from '../../src/protocol/index.ts';
import agentText from '../vectors/bundle-agent.json?raw';
import disclosedText from '../vectors/bundle-disclosures.json?raw';
import earlierText from '../vectors/bundle-earlier.json?raw';
import emptyText from '../vectors/bundle-empty-range.json?raw';
import rangeText from '../vectors/bundle-range.json?raw';
import redactedText from '../vectors/bundle-redacted.json?raw';
import wholeText from '../vectors/bundle-whole.json?raw';
import withheldText from '../vectors/bundle-withheld.json?raw';
import witnessedBundleText from '../vectors/bundle-witnessed.json?raw';
import canonicalText from '../vectors/canonical.json?raw';
import checkpointText from '../vectors/checkpoint.txt?raw';
import checkpointBetweenText from '../vectors/checkpoint-between.txt?raw';
import checkpointBeyondText from '../vectors/checkpoint-beyond.txt?raw';
import checkpointEarlierText from '../vectors/checkpoint-earlier.txt?raw';
import checkpointKeptText from '../vectors/checkpoint-kept.txt?raw';
import checkpointKeptOtherText from '../vectors/checkpoint-kept-other.txt?raw';
import checkpointOtherLogText from '../vectors/checkpoint-other-log.txt?raw';
import checkpointStrangerText from '../vectors/checkpoint-stranger.txt?raw';
import checkpointWitnessedText from '../vectors/checkpoint-witnessed.txt?raw';
import checkpointWrongText from '../vectors/checkpoint-wrong.txt?raw';
import checkpointWrongBetweenText from '../vectors/checkpoint-wrong-between.txt?raw';
import checkpointsText from '../vectors/checkpoints.json?raw';
import consistencyText from '../vectors/consistency.txt?raw';
import consistencyWrongText from '../vectors/consistency-wrong.txt?raw';
import disclosuresText from '../vectors/disclosures.json?raw';
import ed25519Text from '../vectors/ed25519.json?raw';
import ledgerText from '../vectors/ledger.json?raw';
import merkleText from '../vectors/merkle.json?raw';
import proofDisclosuresText from '../vectors/proof-disclosures.json?raw';
import proofOneText from '../vectors/proof-one.json?raw';
import tlogProofText from '../vectors/proof-one.tlog-proof?raw';
import proofSomeText from '../vectors/proof-some.json?raw';
import receiptsText from '../vectors/receipts.jsonl?raw';
import recordProofsText from '../vectors/record-proofs.json?raw';
import witnessedText from '../vectors/witnessed.json?raw';

export type { Bundle };

interface CanonicalVector {
  readonly name: string;
  readonly input: string;
  readonly canonical?: string;
  readonly error?: true;
}

interface WitnessPolicyText {
  readonly threshold: number;
  readonly organizations: readonly { readonly name: string; readonly keys: readonly string[] }[];
}

interface Ed25519Vector {
  readonly name: string;
  readonly public_key: string;
  readonly message: string;
  readonly signature: string;
  readonly valid: boolean;
}

interface MerkleVectors {
  readonly leaves: readonly string[];
  readonly roots: { readonly [size: string]: string };
  readonly inclusion: readonly { readonly index: number; readonly size: number; readonly path: readonly string[] }[];
}

/** A disclosure on its way to its digest (protocol F42). */
export interface DisclosureSteps {
  readonly disclosure: readonly [salt: string, value: Json];
  readonly canonical: string;
  readonly base64url: string;
  readonly digest: string;
}

interface DisclosureVectors {
  readonly rfc_9901: readonly (Pick<DisclosureSteps, 'base64url' | 'digest'> &
    Partial<DisclosureSteps> & { readonly source: string })[];
  /** What a report says of bundle-disclosures.json. */
  readonly expected: {
    readonly counts: Readonly<Record<string, number>>;
    readonly reason: string;
    readonly withheld: { readonly runs: readonly object[]; readonly joined: number };
  };
  readonly service_keys: readonly { readonly key: ServiceKey }[];
  readonly payloads: readonly {
    readonly seq_no: number;
    readonly payload: { readonly [member: string]: Json };
    readonly members: { readonly [name: string]: DisclosureSteps };
    /** Names of members. */
    readonly never_handed_over: readonly string[];
    readonly withheld_from_the_bundle: readonly string[];
  }[];
}

interface LedgerVectors {
  readonly org: BundleOrg;
  readonly service_keys: readonly {
    readonly seed_hex: string;
    readonly key: ServiceKey;
    readonly statement_utf8: string;
  }[];
  readonly agents: readonly Agent[];
  readonly agent_keys: readonly {
    readonly seed_hex: string;
    readonly key: AttestedAgentKey;
    readonly attestation_statement_utf8: string;
  }[];
  readonly admin_events: readonly { readonly event: AdminEvent; readonly statement_utf8: string }[];
  readonly operations: readonly {
    readonly seq_no: number;
    readonly eor: OperationRecord;
    readonly payload_canonical: string;
    readonly signed_bytes_utf8: string;
    readonly signature: string;
    readonly chain_hash: string;
    readonly ear: Receipt;
    readonly receipt_statement_utf8: string;
    readonly leaf_hash: string;
  }[];
  readonly epochs: readonly { readonly epoch: Epoch; readonly statement_utf8: string; readonly epoch_hash: string }[];
  readonly manifests: readonly {
    readonly file: string;
    readonly directory_utf8: string;
    readonly statement_utf8: string;
    readonly signature: string;
  }[];
}

export const canonicalVectors = JSON.parse(canonicalText) as readonly CanonicalVector[];
export const ed25519Vectors = JSON.parse(ed25519Text) as readonly Ed25519Vector[];
export const merkleVectors = JSON.parse(merkleText) as MerkleVectors;
/** Checkpoints of the vector ledger, and what is said of each with bundle-whole.json, and of some together with bundle-range.json. */
export const checkpointVectors = {
  ...(JSON.parse(checkpointsText) as {
    readonly org_id: string;
    readonly origin: string;
    /** The two service keys as signed-note writes keys. */
    readonly vkeys: readonly string[];
    readonly with_bundle_whole: readonly {
      readonly file: string;
      readonly verdict: Verdict;
      readonly codes: readonly FindingCode[];
    }[];
    readonly with_bundle_range: readonly {
      readonly files: readonly string[];
      readonly verdict: Verdict;
      readonly codes: readonly FindingCode[];
    }[];
  }),
  files: {
    'checkpoint.txt': checkpointText,
    'checkpoint-earlier.txt': checkpointEarlierText,
    'checkpoint-witnessed.txt': checkpointWitnessedText,
    'checkpoint-between.txt': checkpointBetweenText,
    'checkpoint-wrong.txt': checkpointWrongText,
    'checkpoint-wrong-between.txt': checkpointWrongBetweenText,
    'checkpoint-beyond.txt': checkpointBeyondText,
    'checkpoint-stranger.txt': checkpointStrangerText,
    'checkpoint-other-log.txt': checkpointOtherLogText,
    'checkpoint-kept.txt': checkpointKeptText,
    'checkpoint-kept-other.txt': checkpointKeptOtherText,
    'consistency.txt': consistencyText,
    'consistency-wrong.txt': consistencyWrongText,
  } as Readonly<Record<string, string>>,
};
/** Proofs of records, what is done to one of them, and the code that a verifier then names. */
export const recordProofVectors = {
  ...(JSON.parse(recordProofsText) as {
    readonly base: 'proof-some.json';
    readonly damaged: readonly {
      readonly code: FindingCode;
      readonly path: readonly (string | number)[];
      /** Absent where what stands there is taken out. */
      readonly value?: Json;
    }[];
  }),
  files: {
    'proof-one.json': proofOneText,
    'proof-some.json': proofSomeText,
    'proof-disclosures.json': proofDisclosuresText,
  },
  tlogProof: tlogProofText,
} as const;
export const ledger = JSON.parse(ledgerText) as LedgerVectors;
export const keptReceipts = receiptsText;
/** The vector ledger with what witnesses cosigned of it, and how far that reaches to readers with other policies (protocol V184). */
export const witnessVectors = {
  bundle: witnessedBundleText,
  cases: JSON.parse(witnessedText) as readonly {
    readonly policy: WitnessPolicyText;
    readonly verdict: Verdict;
    readonly witnessed: { readonly size: number; readonly until: string | null };
  }[],
};
export const disclosureVectors = JSON.parse(disclosuresText) as DisclosureVectors;

/** Of another organization than the other bundles: its payloads are salted. */
export const disclosedBundleText = disclosedText;
/** Its service key. */
export const disclosedKids: readonly string[] = disclosureVectors.service_keys.map(({ key }) => key.kid);

/** The vector bundles as they stand in their files, by file name. */
export const bundleTexts = {
  'bundle-whole.json': wholeText,
  'bundle-range.json': rangeText,
  'bundle-agent.json': agentText,
  'bundle-redacted.json': redactedText,
  'bundle-withheld.json': withheldText,
} as const;
export type BundleName = keyof typeof bundleTexts;
export const bundleNames = Object.keys(bundleTexts) as readonly BundleName[];

/** The same ledger at an earlier moment, and a range without records. */
export const earlierBundleText = earlierText;
export const emptyBundleText = emptyText;

/** A vector bundle as a value of its own, for a test to change. */
export function vectorBundle(name: BundleName): Bundle {
  return JSON.parse(bundleTexts[name]) as Bundle;
}

/** The kids of the two service keys of the vector ledger, the one before and the one after the rotation. */
export const serviceKids: readonly string[] = ledger.service_keys.map(({ key }) => key.kid);
