import { existsSync } from 'node:fs';
import { fingerprintGroups } from '../../protocol/index.ts';
import {
  addKeys,
  findKey,
  organizationsOf,
  readKid,
  removeKey,
  type Sighting,
  TrustError,
  type TrustedKey,
  type TrustStore,
  type TrustStoreFile,
} from '../../trust/index.ts';
import { type Command, EXIT, type ParsedArgs, UsageError } from '../command.ts';
import { printable, printableName } from '../printable.ts';
import { qrLines } from '../qr-lines.ts';
import type { Terminal } from '../terminal.ts';
import { readKeySetFile, STORE_OPTION, storeFile } from '../trust.ts';

const ADDED_BY: Record<TrustedKey['added_by'], string> = { kid: 'its kid', jwks: 'a key set file', qr: 'a QR code' };

function groups(kid: string): string {
  return fingerprintGroups(kid).join(' ');
}

function when(sighting: Sighting | null): string {
  return sighting === null ? 'never' : `${sighting.at}, ${sighting.bundle}`;
}

function kidOf(text: string): string {
  const kid = readKid(text);
  if (kid === null) throw new UsageError(`${text}: is not a kid (43 characters)`);
  return kid;
}

async function add(text: string, args: ParsedArgs, file: TrustStoreFile, terminal: Terminal): Promise<void> {
  const kid = readKid(text);
  if (kid === null && !existsSync(text)) {
    throw new UsageError(`${text}: is neither a kid, nor the text of a QR code (43 characters), nor a key set file`);
  }
  if (kid === null && args.on('qr')) throw new UsageError('--qr goes with the text of a QR code, not with a file');
  const keys = kid === null ? await readKeySetFile(text) : [{ kid, public_key: null }];
  const by = kid === null ? 'jwks' : args.on('qr') ? 'qr' : 'kid';
  const adding = { label: args.text('label') ?? null, at: new Date().toISOString(), by } as const;
  await file.update((store) => ({ store: addKeys(store, keys, adding) }));
  for (const key of keys) terminal.line(`trusted  ${groups(key.kid)}`);
  terminal.line(`Compare it with what the issuer told you another way. Kept in ${file.path}`);
}

function describe(entry: TrustedKey, store: TrustStore, terminal: Terminal): void {
  terminal.line(terminal.style('bold', groups(entry.kid)));
  terminal.line(`  kid           ${entry.kid}`);
  if (entry.public_key !== null) terminal.line(`  public key    ${entry.public_key}`);
  if (entry.label !== null) terminal.line(`  label         ${printableName(entry.label)}`);
  for (const { org_id, name } of organizationsOf(store, entry.kid)) {
    terminal.line(`  organization  ${printableName(name)} (${printable(org_id)})`);
  }
  terminal.line(`  added         ${entry.added_at}, by ${ADDED_BY[entry.added_by]}`);
  terminal.line(`  first seen    ${when(entry.first_seen)}`);
  terminal.line(`  verified on   ${when(entry.verified_on)}`);
}

function list(store: TrustStore, args: ParsedArgs, terminal: Terminal): void {
  if (args.on('json')) {
    terminal.line(JSON.stringify(store, null, 2));
    return;
  }
  if (store.trusted.length === 0) terminal.line('You trust no key yet: countersign trust add KID');
  for (const entry of store.trusted) describe(entry, store, terminal);
  const trusted = new Set(store.trusted.map(({ kid }) => kid));
  const strangers = store.seen.filter(({ keys }) => keys.every(({ kid }) => !trusted.has(kid)));
  if (strangers.length > 0) terminal.line('\nSeen, not trusted:');
  for (const { org_id, org_name, keys } of strangers) {
    terminal.line(`  ${printableName(org_name)} (${printable(org_id)})`);
    for (const { kid, first_seen, last_seen } of keys) {
      terminal.line(`    ${groups(kid)}, first on ${first_seen.at}, last on ${last_seen.at}`);
    }
  }
}

async function show(kid: string, store: TrustStore, args: ParsedArgs, terminal: Terminal): Promise<void> {
  const entry = findKey(store, kid);
  if (args.on('json')) {
    terminal.line(JSON.stringify({ ...entry, organizations: organizationsOf(store, kid) }, null, 2));
    return;
  }
  describe(entry, store, terminal);
  // Loaded only now: reports bring a PDF library, which takes its time.
  const { qrCode } = await import('../../report/index.ts');
  terminal.line();
  for (const line of qrLines(qrCode(kid))) terminal.line(`  ${line}`);
}

async function run(args: ParsedArgs, terminal: Terminal): Promise<number> {
  const [action, ...rest] = args.positionals;
  const file = storeFile(args);
  if (file === null) throw new UsageError('COUNTERSIGN_TRUST_STORE is empty: name a trust store with --trust-store');
  // People paste a kid in its groups, quoted or not.
  const text = rest.join(' ');
  if (action !== 'list' && text === '')
    throw new UsageError('trust add KID|JWKS-FILE|QR-TEXT, list, show KID or remove KID');
  switch (action) {
    case 'add':
      await add(text, args, file, terminal);
      break;
    case 'list':
      if (text !== '') throw new UsageError('trust list takes no key');
      list(await file.read(), args, terminal);
      break;
    case 'show':
      await show(kidOf(text), await file.read(), args, terminal);
      break;
    case 'remove':
      await file.update((store) => ({ store: removeKey(store, kidOf(text)) }));
      terminal.line(`no longer trusted  ${groups(kidOf(text))}`);
      break;
    default:
      throw new UsageError(`trust ${printable(action ?? '')}: there is no such action; add, list, show or remove`);
  }
  return EXIT.ok;
}

/** Whom this user trusts, and since when. */
export const trust: Command = {
  name: 'trust',
  usage: 'add KID|JWKS-FILE|QR-TEXT [--label TEXT] [--qr] | list [--json] | show KID [--json] | remove KID',
  summary: 'Keep the issuer keys that you trust, for verify, report and qualify.',
  options: [
    { flag: 'label', value: 'TEXT', help: 'a name of your own for the key' },
    { flag: 'qr', help: 'the kid was read from a QR code, such as the one on the first page of a report' },
    { flag: 'json', help: 'print what is kept as JSON' },
    STORE_OPTION,
  ],
  notes: [
    'The key should come to you by another way than the bundle: a call, a printed page.',
    'The store is COUNTERSIGN_TRUST_STORE, or countersign/trust.json in your folder for settings. Exit code: 0, or 2.',
  ],
  expected: [TrustError],
  run,
};
