import { existsSync } from 'node:fs';
import {
  addTimeRoots,
  addWitness,
  demandWitnesses,
  type PinnedBy,
  removeTimeRoot,
  removeWitness,
  type TimeRoot,
  type TrustStore,
  type TrustStoreFile,
  witnessesFor,
} from '../node/trust/index.ts';
import { ProtocolError, parseWitnessKey, parseWitnessPolicy, type WitnessPolicy } from '../protocol/index.ts';
import { readSmallFile } from './bundle-file.ts';
import { type ParsedArgs, UsageError } from './command.ts';
import { printable, printableName } from './printable.ts';
import type { Terminal } from './terminal.ts';
import { pinnableRoots } from './time-stamps.ts';
import type { EffectiveTrust } from './trust.ts';
import { describePinner } from './trust-basis.ts';

const MAX_ANCHOR_BYTES = 1024 * 1024;

/** Witness keys, as texts or as files with one in each line. @throws UsageError */
export async function witnessKeysIn(given: readonly string[]): Promise<string[]> {
  const texts: string[] = [];
  for (const one of given) {
    if (one.includes('+') && !existsSync(one)) texts.push(one);
    else {
      const lines = (await readSmallFile(one, MAX_ANCHOR_BYTES)).toString('utf8').split(/\r?\n/);
      texts.push(...lines.filter((line) => line !== ''));
    }
  }
  for (const text of texts) {
    try {
      parseWitnessKey(text);
    } catch (error) {
      throw error instanceof ProtocolError ? new UsageError(`${text.slice(0, 40)}: ${error.message}`) : error;
    }
  }
  return texts;
}

/** A policy as a file (protocol V182). @throws UsageError */
async function readPolicyFile(path: string): Promise<WitnessPolicy> {
  const text = (await readSmallFile(path, MAX_ANCHOR_BYTES)).toString('utf8');
  try {
    return parseWitnessPolicy(JSON.parse(text));
  } catch (error) {
    if (error instanceof ProtocolError) throw new UsageError(`${path}: ${error.message}`);
    if (error instanceof SyntaxError) throw new UsageError(`${path}: is not JSON`);
    throw error;
  }
}

/** Whose cosignatures are demanded: by --witnesses, or else by the trust store; null where by neither. @throws UsageError */
export async function policyOf(args: ParsedArgs, trust: EffectiveTrust): Promise<WitnessPolicy | null> {
  const path = args.text('witnesses');
  return path === undefined ? trust.witnesses : readPolicyFile(path);
}

type Kind = 'witness' | 'root' | null;

/** What a text or a file names, of what is trusted besides service keys. */
export async function anchorKind(text: string): Promise<Kind> {
  if (!existsSync(text)) return /^[^\s+]+\+[0-9a-f]{8}\+/.test(text) ? 'witness' : null;
  const bytes = await readSmallFile(text, MAX_ANCHOR_BYTES);
  const start = bytes.toString('latin1', 0, MAX_ANCHOR_BYTES).trimStart();
  if (bytes[0] === 0x30 || start.startsWith('-----BEGIN CERTIFICATE-----')) return 'root';
  return /^[^\s+{]+\+[0-9a-f]{8}\+/.test(start) ? 'witness' : null;
}

/** Of every ledger that is not named, or of that of one organization. */
function describeDemand(store: TrustStore, orgId: string | null): string {
  const { threshold, organizations } = witnessesFor(store, orgId);
  const [of, option] =
    orgId === null ? ['', ''] : [` of the ledger of ${printable(orgId)}`, ` --organization ${printable(orgId)}`];
  return `${threshold} of ${organizations.length} witnesses demanded${of}; other numbers: countersign trust witnesses NUMBER${option}`;
}

/** For which ledgers something is said of witnesses: those that --organization names, or with null every one that is not named. */
function ledgersOf(args: ParsedArgs): readonly (string | null)[] {
  const named = [...new Set(args.list('organization'))];
  if (named.includes('')) throw new UsageError('--organization: name the org_id');
  return named.length === 0 ? [null] : named;
}

/** Adds witness keys or roots for time. @throws UsageError, TrustError */
export async function addAnchor(
  kind: Exclude<Kind, null>,
  texts: readonly string[],
  args: ParsedArgs,
  file: TrustStoreFile,
  terminal: Terminal,
): Promise<void> {
  const pinnedBy: PinnedBy = { how: 'command', user_id: null, user_name: null };
  const pinning = { at: new Date().toISOString(), pinnedBy };
  if (kind === 'root') {
    const roots = (await Promise.all(texts.map((text) => pinnableRoots(text, args.text('until') ?? null)))).flat();
    await file.update((store) => ({ store: addTimeRoots(store, roots, pinning) }));
    for (const { subject, sha256 } of roots)
      terminal.line(`trusted for time  ${printableName(subject)}\n  SHA-256         ${sha256}`);
  } else {
    const keys = await witnessKeysIn(texts);
    const name = args.text('label') ?? parseWitnessKey(keys[0] ?? '').name;
    const ledgers = ledgersOf(args);
    const { store } = await file.update((before) => ({
      store: ledgers.reduce((made, orgId) => addWitness(made, { name, keys, orgId }, pinning), before),
    }));
    terminal.line(
      `trusted as a witness  ${printableName(name)}, ${keys.length === 1 ? '1 key' : `${keys.length} keys`}`,
    );
    for (const orgId of ledgers) terminal.line(describeDemand(store, orgId));
  }
  terminal.line(`Compare what you trust with what its owner told you through a separate channel. Kept in ${file.path}`);
}

/** `trust witnesses NUMBER [--organization ORG_ID]…` @throws UsageError, TrustError */
export async function demand(text: string, args: ParsedArgs, file: TrustStoreFile, terminal: Terminal): Promise<void> {
  if (!/^[1-9][0-9]?$/.test(text)) throw new UsageError('name how many witnesses are demanded: witnesses NUMBER');
  const ledgers = ledgersOf(args);
  const { store } = await file.update((before) => ({
    store: ledgers.reduce((made, orgId) => demandWitnesses(made, Number(text), orgId), before),
  }));
  for (const orgId of ledgers) terminal.line(describeDemand(store, orgId));
}

/**
 * The store without the witness that a text names, `NAME` wherever it is demanded or `NAME@ORG_ID`, or without the root with that
 * fingerprint; null where there is nothing of that.
 */
export function withoutAnchor(store: TrustStore, text: string): TrustStore | null {
  const everywhere = [null, ...(store.witnesses_of ?? []).map(({ org_id }) => org_id)];
  const left = everywhere.reduce<TrustStore>((made, orgId) => removeWitness(made, text, orgId) ?? made, store);
  if (left !== store) return left;
  const at = text.lastIndexOf('@');
  const ofLedger = at < 0 ? null : removeWitness(store, text.slice(0, at), text.slice(at + 1));
  return ofLedger ?? removeTimeRoot(store, text);
}

/** What is trusted besides service keys, for people. */
export function renderAnchors(store: TrustStore, terminal: Terminal): void {
  const { witnesses_of: named = [], time_roots: roots = [] } = store;
  for (const orgId of [null, ...named.map(({ org_id }) => org_id)]) renderWitnesses(store, orgId, terminal);
  renderRoots(roots, terminal);
}

function renderWitnesses(store: TrustStore, orgId: string | null, terminal: Terminal): void {
  const { organizations } = witnessesFor(store, orgId);
  if (organizations.length > 0) terminal.line(`\nWitnesses: ${describeDemand(store, orgId)}`);
  for (const { name, keys, added_at, pinned_by } of organizations) {
    terminal.line(terminal.style('bold', printableName(name)));
    for (const key of keys) {
      const { algorithm } = parseWitnessKey(key);
      terminal.line(`  ${algorithm.padEnd(12)}  ${printable(key.length > 100 ? `${key.slice(0, 97)}…` : key)}`);
    }
    terminal.line(`  added         ${added_at}, ${describePinner(pinned_by)}`);
  }
}

function renderRoots(roots: readonly TimeRoot[], terminal: Terminal): void {
  if (roots.length > 0) terminal.line('\nTrusted for time:');
  for (const { subject, sha256, until, added_at, pinned_by } of roots) {
    terminal.line(terminal.style('bold', printableName(subject)));
    terminal.line(`  SHA-256       ${sha256}`);
    if (until !== null) terminal.line(`  until         ${until}`);
    terminal.line(`  added         ${added_at}, ${describePinner(pinned_by)}`);
  }
}
