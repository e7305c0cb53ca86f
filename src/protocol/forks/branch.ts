import { equalBytes } from '../bytes.ts';
import { formatDigest, parseDigest, type Sha256, sha256 } from '../digest.ts';
import { consistencyRoots } from '../merkle/consistency.ts';
import type { Checkpoint } from '../statements/checkpoint.ts';
import type { ConsistencyLink } from '../statements/consistency-proof.ts';
import { epochHash, epochSignedBytes } from '../statements/epoch.ts';
import { type Receipt, receiptSignedBytes } from '../statements/receipt.ts';
import { seenIn } from '../statements/seen-note.ts';
import { logsStatedBy, numberInLog } from '../verify/contradiction.ts';
import { checkpointOf, factsOf, type SignedStatement } from '../verify/signed-statement.ts';

/** Of a digest this much is kept: two that agree in it are taken for one. */
const BYTES = 16;
/** Numbers of one piece: few, for whoever makes a file chooses how far its numbers lie apart. */
const PIECE = 32;

interface Difference {
  /** The lowest number under which the two have different digests. */
  readonly at: number;
  /** The highest number below it under which both have the same; null where there is none. */
  readonly last: number | null;
}

/** Digests by number, 16 bytes each: a ledger of a million records takes 16 MB. */
class DigestsByNumber {
  readonly #pieces = new Map<number, { readonly bytes: Uint8Array; readonly has: Uint8Array }>();
  size = 0;

  /** @returns false where another digest is under the number, which stays */
  put(number: number, digest: Uint8Array): boolean {
    const kept = digest.subarray(0, BYTES);
    const there = this.get(number);
    if (there !== null) return equalBytes(there, kept);
    const key = Math.floor(number / PIECE);
    let piece = this.#pieces.get(key);
    if (piece === undefined) {
      piece = { bytes: new Uint8Array(PIECE * BYTES), has: new Uint8Array(PIECE) };
      this.#pieces.set(key, piece);
    }
    piece.bytes.set(kept, (number % PIECE) * BYTES);
    piece.has[number % PIECE] = 1;
    this.size++;
    return true;
  }

  get(number: number): Uint8Array | null {
    const piece = this.#pieces.get(Math.floor(number / PIECE));
    const place = number % PIECE;
    return piece?.has[place] === 1 ? piece.bytes.subarray(place * BYTES, (place + 1) * BYTES) : null;
  }

  /** In ascending order. */
  *[Symbol.iterator](): Generator<readonly [number: number, digest: Uint8Array]> {
    for (const key of [...this.#pieces.keys()].toSorted((a, b) => a - b)) {
      const piece = this.#pieces.get(key);
      for (let place = 0; place < PIECE; place++) {
        if (piece?.has[place] !== 1) continue;
        yield [key * PIECE + place, piece.bytes.subarray(place * BYTES, (place + 1) * BYTES)];
      }
    }
  }

  /** @returns how many numbers both have, and the first under which they differ */
  compare(other: DigestsByNumber): { readonly same: number; readonly difference: Difference | null } {
    let same = 0;
    let last: number | null = null;
    for (const [number, digest] of this) {
      const there = other.get(number);
      if (there === null) continue;
      if (!equalBytes(there, digest)) return { same, difference: { at: number, last } };
      same++;
      last = number;
    }
    return { same, difference: null };
  }
}

/** Names as a bundle has them, and the administrative log that they follow from (protocol V114). */
export interface NamesOfLog {
  readonly log: string;
  readonly digest: string;
}

/** What was said at one place, and up to which number of the log that says something; null where it is about none. */
interface Said {
  readonly value: string;
  readonly at: number | null;
}

/** Enough for one to be among them that two statements prove. */
const MOST_DIVERGENCES = 16;

/** Where two lines of a ledger say different things. */
export interface Divergence {
  /** The place, as placesOf names it; of receipts `seq_no N`. */
  readonly place: string;
  /** The number of the log there; null where it is about no number. */
  readonly at: number | null;
}

export interface Compared {
  /** In how many places both say the same. */
  readonly same: number;
  /** The highest number up to which both have the same log; null where nothing says so. */
  readonly last: number | null;
  /** Where they say different things, by number, those without one last; the first of them. Not each can be proven by two statements. */
  readonly divergences: readonly Divergence[];
}

/** That a ledger has what it signed: whoever is shown it later says the same, or that the ledger ends before it (protocol F90). */
const HELD = 'held';

function heldAs(statement: SignedStatement, hash: Sha256): readonly [place: string, said: Said] {
  const number = numberInLog(statement);
  return [`shown ${number} ${formatDigest(hash(factsOf(statement).signedBytes))}`, { value: HELD, at: number }];
}

/**
 * Of what there can be one statement only, and what it says there. What the table of protocol V107 compares: of two statements that contradict each
 * other, at least one place has two values.
 */
function* saidBy(statement: SignedStatement, hash: Sha256): Generator<readonly [place: string, said: Said]> {
  if ('epoch' in statement) {
    const { epoch } = statement;
    const { epoch_no, first_seq_no, last_seq_no, prev_epoch_hash, log_root } = epoch;
    yield [`epoch ${epoch_no}`, { value: epochHash(epochSignedBytes(epoch), hash), at: last_seq_no }];
    yield [`size ${last_seq_no}`, { value: log_root, at: last_seq_no }];
    if (prev_epoch_hash !== null) yield [`epoch ${epoch_no - 1}`, { value: prev_epoch_hash, at: first_seq_no - 1 }];
    return;
  }
  if ('checkpoint' in statement) {
    for (const { size, root } of logsStatedBy(statement)) yield [`size ${size}`, { value: root, at: size }];
    yield heldAs(statement, hash);
    const seen = seenIn(checkpointOf(statement));
    if (seen === null) return;
    const { number, digest, last } = seen;
    yield [`shown ${number} ${digest}`, { value: last < number ? 'lost' : HELD, at: number }];
    return;
  }
  if ('manifest' in statement) {
    const { admin_log, log_head, filter, clock_corrections, ...of } = statement.manifest;
    const { count, head_hash } = admin_log;
    yield [`events ${count}`, { value: String(head_hash), at: null }];
    const lists = [of.record_count, of.first_seq_no, of.last_seq_no, of.records_digest];
    const list = [filter.agent_id, filter.start_time, filter.end_time, clock_corrections, log_head.seq_no];
    yield [`records of ${JSON.stringify(list)}`, { value: JSON.stringify(lists), at: log_head.seq_no }];
    return;
  }
  const value = formatDigest(hash(factsOf(statement).signedBytes));
  if ('receipt' in statement) {
    yield [`operation ${statement.receipt.operation_id.toLowerCase()}`, { value, at: statement.receipt.seq_no }];
    yield heldAs(statement, hash);
  } else if ('service_key' in statement) {
    const { kid, prev_kid } = statement.service_key;
    yield [`key ${kid}`, { value, at: null }];
    if (prev_kid !== null) yield [`key behind ${prev_kid}`, { value, at: null }];
  } else {
    const { agent_id, kid, public_key, created_at, retired_at } = statement.agent_key;
    const name = JSON.stringify([agent_id, kid]);
    yield [`agent key ${name}`, { value: JSON.stringify([public_key, created_at]), at: null }];
    if (retired_at !== null) yield [`revoked ${name}`, { value: String(retired_at), at: null }];
  }
}

/** One line of a ledger: statements that fit together, of one file or of many, in short. */
export class Branch {
  readonly receipts = new DigestsByNumber();
  readonly #places = new Map<string, Said>();
  /** Ways from a root to a larger one that a checkpoint signs. */
  readonly links: { readonly link: ConsistencyLink; readonly checkpoint: Checkpoint }[] = [];
  /** Checkpoints, which do not name the key that signed them, and are found again here. */
  readonly checkpoints: SignedStatement[] = [];
  /** The highest number that it says anything about. */
  reach = 0;

  /** A receipt by its number alone: of a bundle, whose records each have one, the operations would take ten times the memory. */
  putRecord(receipt: Receipt, hash: Sha256): boolean {
    this.reach = Math.max(this.reach, receipt.seq_no);
    return this.receipts.put(receipt.seq_no, hash(receiptSignedBytes(receipt)));
  }

  /** @returns false, and takes nothing, where something else is said there already */
  put(statement: SignedStatement, hash: Sha256 = sha256): boolean {
    const said = [...saidBy(statement, hash)];
    if (said.some(([place, { value }]) => (this.#places.get(place)?.value ?? value) !== value)) return false;
    if ('receipt' in statement) {
      if (!this.putRecord(statement.receipt, hash)) return false;
    }
    for (const [place, one] of said) this.#say(place, one);
    if ('checkpoint' in statement) this.checkpoints.push(statement);
    return true;
  }

  /** Whether a statement says at a place what this line says there. */
  says(statement: SignedStatement, { place }: Divergence, hash: Sha256 = sha256): boolean {
    if ('receipt' in statement && place === `seq_no ${statement.receipt.seq_no}`) {
      const there = this.receipts.get(statement.receipt.seq_no);
      return there !== null && equalBytes(there, hash(factsOf(statement).signedBytes).subarray(0, there.length));
    }
    for (const [one, { value }] of saidBy(statement, hash))
      if (one === place) return this.#places.get(one)?.value === value;
    return false;
  }

  #say(place: string, said: Said): void {
    this.#places.set(place, said);
    this.reach = Math.max(this.reach, said.at ?? 0);
  }

  isFreeFor(other: Branch): boolean {
    return other.compare(this).divergences.length === 0;
  }

  /** Takes all of another one that it does not contradict. */
  take(other: Branch): void {
    for (const [number, digest] of other.receipts) this.receipts.put(number, digest);
    for (const [place, said] of other.#places) this.#say(place, said);
    this.links.push(...other.links);
    this.checkpoints.push(...other.checkpoints);
    this.reach = Math.max(this.reach, other.reach);
  }

  #rootAt(size: number): string | null {
    return this.#places.get(`size ${size}`)?.value ?? null;
  }

  /** Holds this one, which is the smaller as a rule, against another. */
  compare(other: Branch): Compared {
    const { same: equal, difference } = this.receipts.compare(other.receipts);
    let same = equal;
    let last = difference?.last ?? null;
    const found: Divergence[] = difference === null ? [] : [{ place: `seq_no ${difference.at}`, at: difference.at }];
    const differs = (place: string, at: number | null): void => void found.push({ place, at });
    const roots: number[] = [];
    for (const [place, { value, at }] of this.#places) {
      const there = other.#places.get(place);
      if (there === undefined) continue;
      if (there.value !== value) {
        // An operation that has two numbers says so at the lower one.
        differs(place, at === null || there.at === null ? null : Math.min(at, there.at));
        continue;
      }
      same++;
      if (place.startsWith('size ') && at !== null) roots.push(at);
    }
    for (const [own, their] of [
      [this, other],
      [other, this],
    ] as const) {
      for (const { link, checkpoint } of own.links) {
        const root = their.#rootAt(link.oldSize);
        if (root === null) continue;
        const proof = {
          firstSize: link.oldSize,
          secondSize: checkpoint.size,
          path: link.path,
          firstRoot: parseDigest(root),
        };
        const shown = consistencyRoots(proof);
        if (shown === null || formatDigest(shown.second) !== checkpoint.root) continue;
        if (equalBytes(shown.first, proof.firstRoot)) same++;
        else differs(`size ${link.oldSize}`, link.oldSize);
      }
    }
    const behind = ({ at }: Divergence): number => at ?? Number.POSITIVE_INFINITY;
    const divergences = found.toSorted((a, b) => behind(a) - behind(b) || 0).slice(0, MOST_DIVERGENCES);
    const [first] = divergences;
    for (const size of roots) if (first === undefined || size < behind(first)) last = Math.max(last ?? 0, size);
    return { same, last, divergences };
  }
}
