/** Bundles of a ledger: as an honest service makes them, or cut, and signed all the same. */

import { type Bundle, type Contents, countsOf, withGaps, writeBundle } from '../../src/cli/qualify/bundle.ts';
import {
  BUNDLE_FORMAT,
  type BundleRecord,
  epochSealing,
  type Manifest,
  manifestSignedBytes,
  merkleRoot,
  type Neighbour,
  parseTime,
  type ReadNode,
} from '../../src/protocol/index.ts';
import { ORG_ID, uuid } from '../support/bundle-maker.ts';
import type { AgentName } from './history.ts';
import { type Ledger, ORG_NAME } from './ledger.ts';
import { instant, type KeyName, keyOf, sha256, signed, time } from './world.ts';

/** What is asked for, and how it is cut. Ticks of the model's clock. */
export interface Request {
  readonly from: number;
  readonly to: number;
  readonly agent: AgentName | null;
  /** When the bundle says that it was made. */
  readonly made: number;
  /** Which of the range's records are shown, by number; all where left out. */
  readonly keep?: (seqNo: number) => boolean;
  /** What stands beside: the neighbours of the range (the honest ones), those of the records that are shown, or nothing. */
  readonly beside?: 'range' | 'shown' | 'nothing';
}

/** A bundle before its manifest counts it and is signed. */
export interface Draft {
  readonly contents: Contents;
  readonly stated: Pick<Manifest, 'created_at' | 'filter' | 'log_head' | 'agent_head'>;
  readonly signer: KeyName;
}

const isOf = (agent: AgentName | null, { ear }: BundleRecord): boolean => agent === null || ear.agent_id === agent;

/** A record of the ledger as what stands beside a range; the gap before it is another matter. */
export function neighbourOf(ledger: Ledger, record: BundleRecord | undefined, withRecord: boolean): Neighbour | null {
  if (record === undefined || epochSealing(ledger.epochs, record.ear.seq_no) === undefined) return null;
  const { payload: _, ...eor } = record.eor;
  return { ear: record.ear, ...(withRecord ? { eor } : {}) };
}

/** The subtrees of a ledger's log. */
export function nodeOf({ leaves }: Ledger): ReadNode {
  return (height, index) => merkleRoot(leaves.slice(index * 2 ** height, (index + 1) * 2 ** height), sha256);
}

export function draftOf(ledger: Ledger, request: Request): Draft {
  const { from, to, agent, made, keep = () => true, beside = 'range' } = request;
  const received = ({ ear }: BundleRecord): number => parseTime(ear.server_received_at);
  const isWithin = (record: BundleRecord): boolean =>
    received(record) >= instant(from) && received(record) < instant(to);
  const shown = ledger.records.filter((record) => isWithin(record) && isOf(agent, record) && keep(record.ear.seq_no));
  const run = agent === null ? shown : ledger.records.filter(isWithin);
  const [first, last] = [run.at(0)?.ear.seq_no ?? 0, run.at(-1)?.ear.seq_no ?? -1];
  const epochs = ledger.epochs.filter(
    (epoch) => shown.length > 0 && epoch.first_seq_no <= last && epoch.last_seq_no >= first,
  );
  const records = shown.map(({ eor, ear }) => ({ eor, ear }));
  const ofAgent = ledger.records.filter((record) => isOf(agent, record));
  const [firstShown, lastShown] = [shown.at(0)?.ear.seq_no, shown.at(-1)?.ear.seq_no];
  const before =
    beside === 'shown' && firstShown !== undefined
      ? ofAgent.findLast(({ ear }) => ear.seq_no < firstShown)
      : ofAgent.findLast((record) => received(record) < instant(from));
  const after =
    beside === 'shown' && lastShown !== undefined
      ? ofAgent.find(({ ear }) => ear.seq_no > lastShown)
      : ofAgent.find((record) => received(record) >= instant(to));
  const head =
    agent === null ? undefined : ofAgent.findLast(({ ear }) => epochSealing(ledger.epochs, ear.seq_no) !== undefined);
  const newest = ledger.epochs.at(-1);
  return {
    contents: withGaps(
      {
        service_keys: ledger.serviceKeys,
        org: { org_id: ORG_ID, name: ORG_NAME },
        agents: ledger.agents.filter(({ agent_id }) => agent === null || agent_id === agent),
        epochs,
        edges: {
          before: beside === 'nothing' ? null : neighbourOf(ledger, before, false),
          after: beside === 'nothing' ? null : neighbourOf(ledger, after, agent !== null),
          rest: [],
          head: newest ?? null,
        },
        admin_events: ledger.events,
        records,
      },
      nodeOf(ledger),
    ),
    stated: {
      created_at: time(made),
      filter: { start_time: time(from), end_time: time(to), agent_id: agent },
      log_head: { seq_no: newest?.last_seq_no ?? 0, epoch_no: newest?.epoch_no ?? 0 },
      agent_head: head === undefined ? null : { seq_no: head.ear.seq_no, chain_hash: head.ear.chain_hash },
    },
    signer: ledger.signer,
  };
}

export interface Signed {
  readonly bundle: Bundle;
  readonly text: string;
}

/** Counts and signs a draft. @param stated members of the manifest that say something else than what the draft holds */
export function signDraft({ contents, stated: given, signer }: Draft, stated: Partial<Manifest> = {}): Signed {
  const manifest: Manifest = {
    type: 'countersign.manifest.v1',
    export_id: uuid('export'),
    org_id: ORG_ID,
    ...given,
    ...countsOf(contents, sha256),
    service_kid: keyOf(signer).thumbprint,
    ...stated,
  };
  return withManifest(contents, manifest, signed(signer, manifestSignedBytes(manifest)));
}

/** A bundle whose manifest is what somebody signed, whatever it is of. */
export function withManifest(contents: Contents, manifest: Manifest, manifest_signature: string): Signed {
  const bundle = { format: BUNDLE_FORMAT, ...contents, manifest, manifest_signature };
  return { bundle, text: writeBundle(bundle) };
}
