import { existsSync } from 'node:fs';
import {
  addKeys,
  findKey,
  type IssuerKey,
  kidOfDigits,
  organizationsOf,
  readKid,
  removeKey,
  removeOrganization,
  type Sighting,
  TrustError,
  type TrustedKey,
  type TrustStore,
  type TrustStoreFile,
} from '../../node/trust/index.ts';
import { fingerprintDigits, parseTrustEntry, readFingerprintDigits } from '../../protocol/index.ts';
import { type Command, EXIT, type ParsedArgs, UsageError } from '../command.ts';
import { printable, printableName } from '../printable.ts';
import { suggestion } from '../suggestion.ts';
import type { Terminal } from '../terminal.ts';
import { readKeySetFile, readTrustEntry, STORE_OPTION, storeFile } from '../trust.ts';
import { addAnchor, anchorKind, demand, renderAnchors, withoutAnchor } from '../trust-anchors.ts';
import { describeOrganization, describePinner } from '../trust-basis.ts';

/** Dark modules as src/reports/pdf draws them: runs in a row. */
interface Modules {
  readonly size: number;
  readonly dark: readonly (readonly [x: number, y: number, width: number])[];
}

/** The light border that a camera needs around the code (ISO/IEC 18004), in modules. */
const QUIET = 4;

/** Upper and lower module of a character, light ones drawn: terminals are dark as a rule, and the code must not be. */
const HALVES: readonly string[] = ['█', '▀', '▄', ' '];

/** A QR code for a terminal, two rows of modules in each line. */
function qrLines({ size, dark }: Modules): string[] {
  const side = size + 2 * QUIET;
  const isDark = new Set(
    dark.flatMap(([x, y, width]) =>
      Array.from({ length: width }, (_, offset) => (y + QUIET) * side + x + offset + QUIET),
    ),
  );
  return Array.from({ length: Math.ceil(side / 2) }, (_, line) =>
    Array.from({ length: side }, (_, x) => {
      const upper = isDark.has(2 * line * side + x);
      const lower = 2 * line + 1 < side && isDark.has((2 * line + 1) * side + x);
      return HALVES[(upper ? 2 : 0) + (lower ? 1 : 0)] ?? ' ';
    }).join(''),
  );
}

const ADDED_BY: Record<TrustedKey['added_by'], string> = {
  kid: 'its kid',
  digits: 'its digits',
  jwks: 'a key set file',
  qr: 'a QR code',
};

function groups(kid: string): string {
  return fingerprintDigits(kid).join(' ');
}

function when(sighting: Sighting | null): string {
  return sighting === null ? 'never' : `${sighting.at}, ${sighting.bundle}`;
}

/** The kid that somebody named, by itself or by the digits of a key of the store. @throws UsageError, TrustError */
function kidOf(text: string, store: TrustStore): string {
  if (readFingerprintDigits(text) !== null) return kidOfDigits(store, text);
  const kid = readKid(text);
  if (kid === null) throw new UsageError(`${text}: is neither a fingerprint (60 digits) nor a kid (43 characters)`);
  return kid;
}

interface Given {
  readonly keys: (store: TrustStore) => readonly IssuerKey[];
  readonly by: TrustedKey['added_by'];
  /** The organization after the @, if there was one. */
  readonly orgId: string | null;
}

async function readGiven(text: string, args: ParsedArgs): Promise<Given> {
  const entry = readTrustEntry(text);
  if (entry !== null) {
    const { key, orgId } = entry;
    const isDigits = readFingerprintDigits(key) !== null;
    const by = isDigits ? 'digits' : args.on('qr') ? 'qr' : 'kid';
    return { keys: (store) => [{ kid: kidOf(key, store), public_key: null }], by, orgId };
  }
  if (!existsSync(text)) {
    throw new UsageError(
      `${text}: is neither a fingerprint (60 digits), nor a kid (43 characters), nor a key set file`,
    );
  }
  if (args.on('qr')) throw new UsageError('--qr goes with the text of a QR code, not with a file');
  const keys = await readKeySetFile(text);
  return { keys: () => keys, by: 'jwks', orgId: null };
}

async function add(text: string, args: ParsedArgs, file: TrustStoreFile, terminal: Terminal): Promise<void> {
  const { keys, by, orgId } = await readGiven(text, args);
  const orgIds = [...new Set([...(orgId === null ? [] : [orgId]), ...args.list('organization')])];
  if (orgIds.includes('')) throw new UsageError('--organization: name the org_id');
  const pinnedBy = { how: 'command', user_id: null, user_name: null } as const;
  const adding = { label: args.text('label') ?? null, at: new Date().toISOString(), by, pinnedBy };
  const { store, added } = await file.update((before) => {
    const found = keys(before);
    const name = (id: string): string | null => before.seen.find(({ org_id }) => org_id === id)?.org_name ?? null;
    const organizations = orgIds.map((org_id) => ({ org_id, org_name: name(org_id) }));
    return { store: addKeys(before, found, { ...adding, organizations }), added: found };
  });
  for (const { kid } of added) {
    terminal.line(`trusted  ${groups(kid)}`);
    const { organizations } = findKey(store, kid);
    for (const one of organizations) terminal.line(`    for  ${describeOrganization(one)}`);
    if (organizations.length > 0) continue;
    terminal.line(
      '    for  no organization yet: a service may keep the ledgers of several, and bundles stay incomplete',
    );
    terminal.line(`         until you confirm theirs: countersign trust add ${kid}@ORG_ID`);
  }
  terminal.line(
    `Compare each fingerprint with what the issuer told you through a separate channel. Kept in ${file.path}`,
  );
}

async function remove(text: string, file: TrustStoreFile, terminal: Terminal): Promise<void> {
  const { gone } = await file.update((store) => {
    const without = withoutAnchor(store, text);
    return { store: without ?? store, gone: without !== null };
  });
  if (gone) {
    terminal.line(`no longer trusted  ${printable(text)}`);
    return;
  }
  const { key, orgId } = parseTrustEntry(text);
  const { kid } = await file.update((store) => {
    const found = kidOf(key, store);
    return { store: orgId === null ? removeKey(store, found) : removeOrganization(store, found, orgId), kid: found };
  });
  terminal.line(`no longer trusted  ${groups(kid)}${orgId === null ? '' : ` for ${printable(orgId)}`}`);
}

function describe(entry: TrustedKey, store: TrustStore, terminal: Terminal): void {
  terminal.line(terminal.style('bold', groups(entry.kid)));
  terminal.line(`  kid           ${entry.kid}`);
  if (entry.public_key !== null) terminal.line(`  public key    ${entry.public_key}`);
  if (entry.label !== null) terminal.line(`  label         ${printableName(entry.label)}`);
  for (const one of entry.organizations) {
    terminal.line(`  organization  ${describeOrganization(one)}`);
    terminal.line(`                confirmed ${one.added_at}, ${describePinner(one.pinned_by)}`);
  }
  const confirmed = new Set(entry.organizations.map(({ org_id }) => org_id));
  for (const { org_id, name } of organizationsOf(store, entry.kid)) {
    if (confirmed.has(org_id)) continue;
    terminal.line(
      `  also signs    for ${describeOrganization({ org_id, org_name: name })}, which you have not confirmed`,
    );
  }
  terminal.line(
    `  added         ${entry.added_at}, by ${ADDED_BY[entry.added_by]}, ${describePinner(entry.pinned_by)}`,
  );
  terminal.line(`  first seen    ${when(entry.first_seen)}`);
  terminal.line(`  verified on   ${when(entry.verified_on)}`);
}

function list(store: TrustStore, args: ParsedArgs, terminal: Terminal): void {
  if (args.on('json')) {
    terminal.line(JSON.stringify(store, null, 2));
    return;
  }
  if (store.trusted.length === 0) terminal.line('You trust no key yet: countersign trust add KEY@ORG_ID');
  for (const entry of store.trusted) describe(entry, store, terminal);
  const trusted = new Set(store.trusted.map(({ kid }) => kid));
  const strangers = store.seen.filter(({ keys }) => keys.every(({ kid }) => !trusted.has(kid)));
  renderAnchors(store, terminal);
  if (strangers.length > 0) terminal.line('\nSeen, not trusted:');
  for (const { org_id, org_name, keys } of strangers) {
    terminal.line(`  ${describeOrganization({ org_id, org_name })}`);
    for (const { kid, first_seen, last_seen } of keys) {
      terminal.line(`    ${groups(kid)}, first on ${first_seen.at}, last on ${last_seen.at}`);
    }
  }
}

async function show(text: string, store: TrustStore, args: ParsedArgs, terminal: Terminal): Promise<void> {
  const kid = kidOf(text, store);
  const entry = findKey(store, kid);
  if (args.on('json')) {
    terminal.line(JSON.stringify({ ...entry, also_signs_for: organizationsOf(store, kid) }, null, 2));
    return;
  }
  describe(entry, store, terminal);
  // Loaded only now: reports bring a PDF library, which takes its time.
  const { qrCode } = await import('../../reports/pdf/index.ts');
  terminal.line();
  for (const line of qrLines(qrCode(kid))) terminal.line(`  ${line}`);
}

/** A key, a witness or a root for time, told apart by what they look like. */
async function addAny(
  given: readonly string[],
  args: ParsedArgs,
  file: TrustStoreFile,
  terminal: Terminal,
): Promise<void> {
  const kind = await anchorKind(given[0] ?? '');
  if (args.text('until') !== undefined && kind !== 'root') throw new UsageError('--until goes with a root for time');
  if (kind === null) return add(given.join(' '), args, file, terminal);
  if (args.on('qr')) throw new UsageError('--qr goes with a service key');
  if (kind === 'root' && args.list('organization').length > 0)
    throw new UsageError('--organization goes with a service key or a witness');
  return addAnchor(kind, given, args, file, terminal);
}

async function run(args: ParsedArgs, terminal: Terminal): Promise<number> {
  const [action, ...rest] = args.positionals;
  // People paste a kid in its groups, quoted or not.
  const text = rest.join(' ');
  if (action === undefined) throw new UsageError(`name an action: ${ACTIONS.join(', ')}`);
  if (!ACTIONS.some((known) => known === action)) {
    throw new UsageError(`there is no action "${printable(action)}"${suggestion(action, ACTIONS)}`);
  }
  const file = storeFile(args);
  if (file === null) throw new UsageError('COUNTERSIGN_TRUST_STORE is empty: name a trust store with --trust-store');
  switch (action) {
    case 'add':
      if (text === '') throw new UsageError('name the key to trust: add KEY@ORG_ID, or add JWKS-FILE');
      await addAny(rest, args, file, terminal);
      break;
    case 'witnesses':
      await demand(text, args, file, terminal);
      break;
    case 'list':
      if (text !== '') throw new UsageError('trust list takes no key');
      list(await file.read(), args, terminal);
      break;
    case 'show':
      if (text === '') throw new UsageError('name the key to show: show KEY');
      await show(text, await file.read(), args, terminal);
      break;
    case 'remove':
      if (text === '') throw new UsageError('name the key to remove: remove KEY, or remove KEY@ORG_ID');
      await remove(text, file, terminal);
      break;
  }
  return EXIT.ok;
}

const ACTIONS = ['add', 'list', 'show', 'remove', 'witnesses'] as const;

/** Whom this user trusts, and since when. */
export const trust: Command = {
  name: 'trust',
  synopsis: [
    'add KEY[@ORG_ID]|JWKS-FILE|QR-TEXT [--organization ORG_ID]… [--label TEXT] [--qr]',
    'list [--json]',
    'show KEY [--json]',
    'add VKEY|VKEYS-FILE… [--organization ORG_ID]… [--label NAME]',
    'add CERTIFICATE-FILE [--until TIME]',
    'witnesses NUMBER [--organization ORG_ID]…',
    'remove KEY[@ORG_ID]|NAME[@ORG_ID]|SHA-256',
  ],
  firstArgument: ACTIONS,
  options: [
    {
      flag: 'organization',
      value: 'ORG_ID',
      multiple: true,
      help: 'an organization that the key may sign for, and whose fingerprint you compared too; of a witness, the organization whose ledger it is demanded of',
    },
    { flag: 'label', value: 'TEXT', help: 'your own name for the key; of a witness, the organization that it is of' },
    { flag: 'until', value: 'TIME', help: 'a root certificate is trusted for time until then (RFC 3339)' },
    { flag: 'qr', help: 'the kid was read from a QR code, such as the one on the first page of a report' },
    { flag: 'json', help: 'print the trust store as JSON' },
    STORE_OPTION,
  ],
  notes: [
    'KEY is a fingerprint (60 digits, of a key seen here before) or a kid (43 characters). Get it through a separate channel, such as a call or a printed page.',
    'One service may keep the ledgers of several organizations, so the store keeps pairs of key and organization. A bundle of an organization that you have not confirmed for a key stays incomplete.',
    'VKEY is a key of a witness (countersign witness keys). Once there is one, a bundle is verified only with checkpoints that as many witnesses cosigned as you demand: all of them, or NUMBER. With --organization they are demanded of that ledger, in place of those for every ledger. CERTIFICATE-FILE holds roots of authorities for time stamps, PEM or DER.',
    'The store is the file COUNTERSIGN_TRUST_STORE, or countersign/trust.json in your settings folder.',
  ],
  examples: [
    {
      what: 'Trust a key that you compared, for one organization:',
      args: 'add FjmZIiUrm2r742pcljU-Vy17X__JY-HPTKKZMtj0Ot8@ORG_ID --label "Acme production"',
    },
    { what: 'Trust the keys of a key set file:', args: 'add jwks.json --organization ORG_ID' },
    { what: 'Show which keys you trust, and since when:', args: 'list' },
  ],
  exitCodes: [
    ['0', 'done'],
    ['2', 'the store cannot be read or written, there is no such key, or wrong usage'],
  ],
  expected: [TrustError],
  run,
};
