import { type HostCrypto, StrictVerifier } from '../crypto.ts';
import type { ServiceKey } from '../statements/service-key.ts';
import { type ContradictionKind, contradictionBetween } from '../verify/contradiction.ts';
import {
  type EquivocationProof,
  makeEquivocationProof,
  verifyEquivocationProof,
} from '../verify/equivocation-proof.ts';
import { FindingLog } from '../verify/finding-log.ts';
import { Issuer } from '../verify/issuer.ts';
import { LedgerOrder } from '../verify/ledger-order.ts';
import { type NamedSource, readOtherBundle } from '../verify/other-bundle.ts';
import type { Verdict } from '../verify/report.ts';
import type { SignedStatement } from '../verify/signed-statement.ts';
import { compareDirectories } from '../verify/two-directories.ts';
import type { Branch, Divergence } from './branch.ts';
import { type Held, type HeldProblem, holdFile, type KnownKeys } from './held-file.ts';
import { bringsKeys, type HeldKind, kindOfHeld, statementsOf } from './kinds-of-files.ts';

/** More lines than these are not told apart: time and memory are for each of them. */
const MAX_BRANCHES = 32;

/** A line of a ledger, and who has it. */
export interface BranchReport {
  /** From 1. */
  readonly branch: number;
  readonly files: readonly { readonly name: string; readonly kind: HeldKind }[];
  /** The highest number that any of its files says anything about. */
  readonly reach: number;
}

/** Two lines of one ledger, of which only one can be true. */
export interface Fork {
  readonly branches: readonly [number, number];
  /** The highest number up to which files of both show the same; null where none does. */
  readonly last_common: number | null;
  /** The lowest number about which they say different things; null where that is about none, such as keys. */
  readonly first_different: number | null;
  /** What the two statements in `proof` are about; null where no two statements alone prove it. */
  readonly kind: ContradictionKind | null;
  readonly proof: EquivocationProof | null;
}

/** Two files that follow from one administrative log, and call somebody differently (protocol V114). */
export interface DifferentNames {
  readonly files: readonly [string, string];
  readonly agent_id: string | null;
  readonly names: readonly [string, string];
}

export interface LedgerForks {
  readonly org_id: string;
  readonly issuer: { readonly kids: readonly string[]; readonly trusted: boolean };
  readonly branches: readonly BranchReport[];
  /** Files that end before the lines part, or that both have: they fit each of these. */
  readonly shared: readonly { readonly name: string; readonly branches: readonly number[] }[];
  readonly forks: readonly Fork[];
  /** Lines that have nothing in common and do not contradict each other: nothing was compared. */
  readonly apart: readonly (readonly [number, number])[];
  readonly names: readonly DifferentNames[];
}

export interface ForksReport {
  readonly type: 'countersign.forks.v1';
  readonly verdict: Verdict;
  readonly files: number;
  readonly ledgers: readonly LedgerForks[];
  readonly problems: readonly HeldProblem[];
}

interface Line {
  readonly branch: Branch;
  readonly files: { readonly name: string; readonly kind: HeldKind }[];
}

/** The files of one organization that one service signed. */
interface Ledger {
  readonly orgId: string;
  readonly kids: Set<string>;
  readonly keys: Map<string, ServiceKey>;
  readonly lines: Line[];
  readonly shared: { readonly name: string; readonly part: Branch }[];
  /** By administrative log: the first file, and what it calls people. */
  readonly names: Map<string, { readonly file: string; readonly digest: string }>;
  readonly differing: [string, string][];
  tooMany: number;
}

/** Puts what a file says where it belongs: to a line that it shares something with and does not contradict, or by itself. */
function place(ledger: Ledger, { name, kind }: Held, part: Branch): void {
  const compared = ledger.lines.map((line) => ({ line, ...part.compare(line.branch) }));
  const fitting = compared.filter(({ same, divergences }) => same > 0 && divergences.length === 0);
  const [best, ...others] = fitting.toSorted((a, b) => b.same - a.same);
  if (best === undefined) {
    if (ledger.lines.length >= MAX_BRANCHES) ledger.tooMany++;
    else ledger.lines.push({ branch: part, files: [{ name, kind }] });
    return;
  }
  const rivals = others.filter(({ line }) => !line.branch.isFreeFor(best.line.branch));
  if (rivals.length > 0) {
    ledger.shared.push({ name, part });
    return;
  }
  // What had nothing in common is tied together by this file.
  for (const { line } of others) {
    best.line.branch.take(line.branch);
    best.line.files.push(...line.files);
    ledger.lines.splice(ledger.lines.indexOf(line), 1);
  }
  best.line.branch.take(part);
  best.line.files.push({ name, kind });
}

function ledgerOf(ledgers: Ledger[], { orgId, kids, keys }: Held): Ledger {
  const same = ledgers.filter((one) => one.orgId === orgId && [...kids].some((kid) => one.kids.has(kid)));
  const [first, ...others] = same;
  const ledger: Ledger = first ?? {
    orgId,
    kids: new Set(),
    keys: new Map(),
    lines: [],
    shared: [],
    names: new Map(),
    differing: [],
    tooMany: 0,
  };
  if (first === undefined) ledgers.push(ledger);
  for (const other of others) {
    for (const kid of other.kids) ledger.kids.add(kid);
    for (const [kid, key] of other.keys) ledger.keys.set(kid, key);
    ledger.lines.push(...other.lines);
    ledger.shared.push(...other.shared);
    ledger.differing.push(...other.differing);
    for (const [log, one] of other.names) ledger.names.set(log, one);
    ledgers.splice(ledgers.indexOf(other), 1);
  }
  for (const kid of kids) ledger.kids.add(kid);
  for (const key of keys) if (!ledger.keys.has(key.kid)) ledger.keys.set(key.kid, key);
  return ledger;
}

function noteNames(ledger: Ledger, { name, names }: Held): void {
  if (names === null) return;
  const there = ledger.names.get(names.log);
  if (there === undefined) ledger.names.set(names.log, { file: name, digest: names.digest });
  else if (there.digest !== names.digest) ledger.differing.push([there.file, name]);
}

export interface ForksMeans {
  readonly crypto: HostCrypto;
  /** Trust entries. */
  readonly trustedKids: readonly string[];
}

/** Looks for what stands at a place in a file that has it. */
async function statementAt(
  files: readonly NamedSource[],
  { divergence, branch }: { readonly divergence: Divergence; readonly branch: Branch },
  { crypto }: ForksMeans,
): Promise<SignedStatement | null> {
  const kept = branch.checkpoints.find((statement) => branch.says(statement, divergence, crypto.sha256));
  if (kept !== undefined) return kept;
  for (const file of files) {
    for await (const statement of statementsOf(file, crypto)) {
      if (branch.says(statement, divergence, crypto.sha256)) return statement;
    }
  }
  return null;
}

class Search {
  readonly #sources: ReadonlyMap<string, NamedSource>;
  readonly #means: ForksMeans;

  constructor(files: readonly NamedSource[], means: ForksMeans) {
    this.#sources = new Map(files.map((file) => [file.name, file]));
    this.#means = means;
  }

  #filesOf({ files }: Line): NamedSource[] {
    return files.flatMap(({ name }) => this.#sources.get(name) ?? []);
  }

  async #prove(
    ledger: Ledger,
    one: Line,
    other: Line,
    places: readonly Divergence[],
  ): Promise<EquivocationProof | null> {
    for (const divergence of places) {
      const a = await statementAt(this.#filesOf(one), { divergence, branch: one.branch }, this.#means);
      const b = a && (await statementAt(this.#filesOf(other), { divergence, branch: other.branch }, this.#means));
      if (a === null || b === null || contradictionBetween(a, b) === null) continue;
      const proof = makeEquivocationProof(a, b, ledger.orgId, [...ledger.keys.values()]);
      const { verdict } = await verifyEquivocationProof(proof, { crypto: this.#means.crypto });
      if (verdict !== 'failed') return proof;
    }
    return null;
  }

  async report(ledger: Ledger): Promise<LedgerForks> {
    const { crypto, trustedKids } = this.#means;
    const { lines } = ledger;
    const issuer = new Issuer(trustedKids, new LedgerOrder());
    await issuer.load([...ledger.keys.values()], ledger.orgId, new StrictVerifier(crypto), new FindingLog());
    const trusted = issuer.list().some((key) => key.trusted && ledger.kids.has(key.kid));
    const forks: Fork[] = [];
    const apart: [number, number][] = [];
    for (const [n, one] of lines.entries()) {
      for (const [m, other] of lines.entries()) {
        if (m <= n) continue;
        const { same, last, divergences } = one.branch.compare(other.branch);
        const [first] = divergences;
        if (first !== undefined) {
          const proof = await this.#prove(ledger, one, other, divergences);
          forks.push({
            branches: [n + 1, m + 1],
            last_common: last,
            first_different: first.at,
            kind: proof?.kind ?? null,
            proof,
          });
        } else if (same === 0) apart.push([n + 1, m + 1]);
      }
    }
    const shared = ledger.shared.map(({ name, part }) => ({
      name,
      branches: lines.flatMap(({ branch }, n) => (branch.isFreeFor(part) ? [n + 1] : [])),
    }));
    return {
      org_id: ledger.orgId,
      issuer: { kids: [...ledger.kids], trusted },
      branches: lines.map(({ branch, files }, n) => ({ branch: n + 1, files, reach: branch.reach })),
      shared,
      forks,
      apart,
      names: (await Promise.all(ledger.differing.map((pair) => this.#names(pair)))).flat(),
    };
  }

  async #names([a, b]: readonly [string, string]): Promise<DifferentNames[]> {
    const [one, other] = await Promise.all(
      [a, b].map(async (name) => {
        const file = this.#sources.get(name);
        return file === undefined
          ? null
          : readOtherBundle(
              file,
              this.#means.crypto.sha256,
              () => {},
              () => {},
            );
      }),
    );
    if (one?.manifest == null || other?.manifest == null) return [];
    return compareDirectories({ ...one, manifest: one.manifest }, { ...other, manifest: other.manifest }).flatMap(
      ({ where, expected, actual }) =>
        expected === undefined || actual === undefined
          ? []
          : [{ files: [a, b], agent_id: where.agent_id ?? null, names: [expected, actual] }],
    );
  }
}

/**
 * Holds any number of files against each other: which of them show one line of a ledger, where lines part, and what proves it
 * (protocol V170 to V177). Reads each file once, and again those that hold a proof.
 * @throws only what a source throws
 */
export async function findForks(files: readonly NamedSource[], means: ForksMeans): Promise<ForksReport> {
  const ledgers: Ledger[] = [];
  const problems: HeldProblem[] = [];
  const kinds = new Map<NamedSource, HeldKind>();
  for (const file of files) kinds.set(file, await kindOfHeld(file.source));
  const withKeys = files.filter((file) => bringsKeys(kinds.get(file) ?? 'bundle'));
  for (const file of [...withKeys, ...files.filter((one) => !withKeys.includes(one))]) {
    const known: KnownKeys[] = ledgers.map(({ orgId, keys }) => ({ orgId, keys: [...keys.values()] }));
    const { held, problems: found } = await holdFile(file, kinds.get(file) ?? 'bundle', known, means.crypto);
    problems.push(...found);
    if (held === null) continue;
    const ledger = ledgerOf(ledgers, held);
    noteNames(ledger, held);
    for (const part of held.parts) place(ledger, held, part);
  }
  const search = new Search(files, means);
  const reports: LedgerForks[] = [];
  for (const ledger of ledgers) {
    reports.push(await search.report(ledger));
    if (ledger.tooMany > 0) problems.push({ file: ledger.orgId, code: 'TOO_MANY_BRANCHES', count: ledger.tooMany });
  }
  const isForked = reports.some(({ forks, names }) => forks.length > 0 || names.length > 0);
  const isWhole = problems.length === 0 && reports.every(({ apart, issuer }) => apart.length === 0 && issuer.trusted);
  return {
    type: 'countersign.forks.v1',
    verdict: isForked ? 'failed' : isWhole && reports.length > 0 ? 'verified' : 'incomplete',
    files: files.length,
    ledgers: reports,
    problems,
  };
}
