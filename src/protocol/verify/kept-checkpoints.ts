import type { BundleSource } from '../bundle/document.ts';
import type { CarriedFiles } from '../bundle/edges.ts';
import { concatBytes, utf8 } from '../bytes.ts';
import type { HostCrypto, StrictVerifier } from '../crypto.ts';
import { ProtocolError, unlessRefused } from '../protocol-error.ts';
import {
  type Checkpoint,
  type CheckpointEvidence,
  candidatesOf,
  checkpointOrigin,
  MAX_CHECKPOINT_BYTES,
  type NamedKey,
} from '../statements/checkpoint.ts';
import { type KeptCheckpoint, parseKeptCheckpoint } from '../statements/consistency-proof.ts';
import type { Epoch } from '../statements/epoch.ts';
import type { Manifest } from '../statements/manifest.ts';
import { isStampFile, readStampFile } from '../statements/stamp-file.ts';
import type { ComparisonNotes } from './comparison-notes.ts';
import { answersOf, type SignedLink } from './consistency-links.ts';
import type { FindingLog } from './finding-log.ts';
import type { NamedSource } from './other-bundle.ts';
import type { FindingPlace } from './report.ts';
import { signedEvidence } from './signed-checkpoint.ts';
import { type IsSigned, MESSAGES, type StatementSet } from './statement-set.ts';
import type { AgreeingCheckpoint } from './witnessed.ts';

/** What the bundle says about its log. */
export interface OwnLog {
  readonly manifest: Pick<Manifest, 'org_id'>;
  /** The epochs that end at a size, also the newest of its ledger. */
  readonly endingAt: (size: number) => Iterable<Epoch>;
  /** The roots of the log that the bundle gives, as digests by size. */
  readonly logRoots: ReadonlyMap<number, string>;
  /** The root of the log at a size, as a digest; null where the bundle does not give it, or no signed root covers what it follows from. */
  readonly logRootAt: (size: number) => string | null;
}

const OF_ABSENT_KEY =
  'A service key that you trust, and that the bundle lacks, signed another root of the log at this size.';

/** What a file carries, as if the reader had given each: cosigned checkpoints, and those of time stamps (protocol V187, V189). */
export type CarriedSources = Readonly<Record<keyof CarriedFiles, readonly NamedSource[]>>;

/** The checkpoint in a file of time stamps; any other text as it is. */
function checkpointBytes(text: string): Uint8Array {
  const bytes = utf8(text);
  if (!isStampFile(bytes)) return bytes;
  // What is wrong with it is said where it is read as a checkpoint.
  return unlessRefused(() => utf8(readStampFile(bytes).text), bytes);
}

export function carriedSources(member: string, carried: CarriedFiles | null): CarriedSources {
  const named = (kind: keyof CarriedFiles, read: (text: string) => Uint8Array): NamedSource[] =>
    (carried?.[kind] ?? []).map((text, index) => ({ name: `${member}.${kind}[${index}]`, source: () => [read(text)] }));
  return { cosigned: named('cosigned', utf8), stamped: named('stamped', checkpointBytes) };
}

/** The bytes of a file up to just beyond the bound: a longer one is no checkpoint, whatever follows. */
async function beginningOf(source: BundleSource): Promise<Uint8Array> {
  let bytes: Uint8Array = new Uint8Array(0);
  for await (const chunk of source()) {
    bytes = concatBytes(bytes, chunk.subarray(0, MAX_CHECKPOINT_BYTES + 1 - bytes.length));
    if (bytes.length > MAX_CHECKPOINT_BYTES) break;
  }
  return bytes;
}

type Kept = { readonly where: FindingPlace; readonly file: number } & (
  | KeptCheckpoint
  | { readonly error: ProtocolError }
);

/** A kept checkpoint that the service signed. */
interface SignedCheckpoint extends KeptCheckpoint {
  readonly file: number;
  readonly where: FindingPlace;
  readonly evidence: CheckpointEvidence;
  /** Whether by a key that the reader trusts and named by itself, and that the bundle lacks. */
  readonly isOfAbsentKey: boolean;
}

/** Whose signatures count on a checkpoint. */
interface Signers {
  /** The sound service keys of the bundle, in its order. */
  readonly sound: readonly NamedKey[];
  /** Those that the reader trusts and named by themselves, and that the bundle lacks. */
  readonly absent: readonly NamedKey[];
}

/** Checkpoints that readers kept, and consistency proofs between them (protocol V120), held against a bundle and against each other. */
export class KeptCheckpoints {
  readonly #host: HostCrypto;
  readonly #log: FindingLog;
  readonly #notes: ComparisonNotes;
  readonly #kept: Kept[] = [];
  /** Signed ones whose log begins as that of the records does. */
  readonly agreeing: AgreeingCheckpoint[] = [];

  constructor(host: HostCrypto, log: FindingLog, notes: ComparisonNotes) {
    this.#host = host;
    this.#log = log;
    this.#notes = notes;
  }

  /** The sizes that roots are needed at. */
  get sizes(): Set<number> {
    return new Set(
      this.#kept.flatMap((kept) =>
        'checkpoint' in kept ? [kept.checkpoint.size, ...(kept.link === null ? [] : [kept.link.oldSize])] : [],
      ),
    );
  }

  /** Reads one. @throws only what the source itself throws */
  async load({ name, source }: NamedSource, file: number): Promise<void> {
    const where = { file: name };
    const bytes = await beginningOf(source);
    try {
      this.#kept.push({ where, file, ...parseKeptCheckpoint(bytes) });
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      this.#kept.push({ where, file, error });
    }
  }

  async judge(
    own: OwnLog,
    keys: Signers,
    statements: StatementSet,
    { verifier, isSigned }: { readonly verifier: StrictVerifier; readonly isSigned: IsSigned },
  ): Promise<void> {
    const signed = await this.#signed(checkpointOrigin(own.manifest.org_id), keys, verifier);
    const links = signed.flatMap(({ checkpoint, link, where, isOfAbsentKey }) =>
      link === null || isOfAbsentKey ? [] : [{ checkpoint, link, where }],
    );
    for (const one of signed) {
      const { checkpoint, evidence, where, file, isOfAbsentKey } = one;
      await this.#compare(own, one, links, isSigned);
      const reaches = await this.#reach(own, checkpoint, links);
      if (reaches > 0) this.agreeing.push({ checkpoint, file: where.file ?? '', reaches });
      // Where an epoch of the bundle ends there, that was said.
      const [ending] = own.endingAt(checkpoint.size);
      if (!isOfAbsentKey && ending === undefined) await statements.add(evidence, where, file);
    }
  }

  /** Those that the service signed, in the order in which they were given; of all others it is said why they prove nothing. */
  async #signed(origin: string, { sound, absent }: Signers, verifier: StrictVerifier): Promise<SignedCheckpoint[]> {
    const signed: SignedCheckpoint[] = [];
    for (const kept of this.#kept) {
      const { where } = kept;
      if ('error' in kept) this.#notes.unreadable(where, kept.error);
      else if (kept.checkpoint.origin !== origin) this.#notes.ofAnotherOrganization();
      else {
        const isOfAbsentKey = candidatesOf(kept.checkpoint, sound, this.#host.sha256).length === 0;
        const evidence = await signedEvidence(
          kept.checkpoint,
          isOfAbsentKey ? absent : sound,
          verifier,
          this.#host.sha256,
        );
        if (evidence === null) this.#notes.unsigned(where);
        else signed.push({ ...kept, evidence, isOfAbsentKey });
      }
    }
    return signed;
  }

  async #compare(
    own: OwnLog,
    { checkpoint, evidence, where, isOfAbsentKey }: SignedCheckpoint,
    links: readonly SignedLink[],
    isSigned: IsSigned,
  ): Promise<void> {
    const { manifest, endingAt, logRootAt } = own;
    const { size, root: expected } = checkpoint;
    let ending: 'none' | 'same' | 'unsigned' = 'none';
    for (const epoch of endingAt(size)) {
      if (epoch.org_id !== manifest.org_id) continue;
      if (epoch.log_root === expected) {
        if (ending === 'none') ending = 'same';
        continue;
      }
      ending = 'unsigned';
      if (!(await isSigned({ epoch }))) continue;
      this.#notes.compare(where);
      const found = { where: { ...where, epoch_no: epoch.epoch_no, epoch_id: epoch.epoch_id }, expected };
      // No signed rotation links the two keys: both statements together prove nothing to others (protocol V151).
      if (isOfAbsentKey) this.#log.add('CONTRADICTION', { ...found, actual: epoch.log_root, message: OF_ABSENT_KEY });
      else {
        const said = { actual: epoch.log_root, message: MESSAGES.checkpoint, evidence: [evidence, { epoch }] };
        this.#log.add('EQUIVOCATION', { ...found, ...said });
      }
      return;
    }
    if (ending === 'same') {
      this.#notes.compare(where);
      return;
    }
    const actual = ending === 'none' ? logRootAt(size) : null;
    if (ending === 'unsigned') this.#notes.unsigned(where);
    else if (actual === null) await this.#followLinks(own, { checkpoint, where }, links, isSigned);
    else {
      this.#notes.compare(where);
      if (actual === expected) return;
      const message = 'The records do not give the root of the log that the service signed a checkpoint of.';
      this.#log.add('CONTRADICTION', { where, expected, actual, message });
    }
  }

  /**
   * Up to which number the records shown are those below a checkpoint. What an epoch states without the bundle leading there does not
   * count: the service may have signed an epoch over another log than that of the records.
   */
  async #reach({ logRootAt }: OwnLog, checkpoint: Checkpoint, links: readonly SignedLink[]): Promise<number> {
    const { size, root } = checkpoint;
    if (logRootAt(size) === root) return size;
    let reaches = 0;
    for await (const answer of answersOf(checkpoint, links, async (at) => logRootAt(at), this.#host.sha256)) {
      if (answer.shown !== answer.stated) continue;
      const { checkpoint: to, link } = answer.link;
      reaches = Math.max(reaches, to.size === size && to.root === root ? link.oldSize : size);
    }
    return reaches;
  }

  /** A checkpoint of a size at which the bundle has no root: consistency proofs may lead from it to one, or from one to it. */
  async #followLinks(
    { manifest, endingAt, logRootAt }: OwnLog,
    { checkpoint, where }: { readonly checkpoint: Checkpoint; readonly where: FindingPlace },
    links: readonly SignedLink[],
    isSigned: IsSigned,
  ): Promise<void> {
    const known = async (size: number): Promise<string | null> => {
      const root = logRootAt(size);
      if (root !== null) return root;
      for (const epoch of endingAt(size)) {
        if (epoch.org_id === manifest.org_id && (await isSigned({ epoch }))) return epoch.log_root;
      }
      return null;
    };
    for await (const { link, stated, shown } of answersOf(checkpoint, links, known, this.#host.sha256)) {
      if (shown === null) {
        this.#notes.unfit(link.where);
        continue;
      }
      this.#notes.compare(where);
      this.#notes.contributed(link.where);
      if (shown !== stated) {
        const message = 'The service signed a checkpoint of a log that does not begin as another one of it does.';
        this.#log.add('CONTRADICTION', { where, expected: shown, actual: stated, message });
      }
      return;
    }
    this.#notes.outOfScope++;
  }
}
