/** Changes of salted payloads and of the disclosures next to them (protocol §3), in place. */
import {
  type Disclosure,
  disclosureDigest,
  isSalted,
  ProtocolError,
  sha256,
  toBase64Url,
} from '../../../src/protocol/index.ts';
import { otherDigest } from '../bundle-maker.ts';
import type { Change } from './changes.ts';
import type { Draw } from './draw.ts';
import { type Branch, branchesOf, copyOf, isBranch, type Tree } from './tree.ts';
import { anything, boundary, nested } from './values.ts';

/** The digest of what may be no disclosure at all; undefined where it has no canonical form. */
export function digestOf(disclosure: Tree): string | undefined {
  try {
    return disclosureDigest(disclosure as unknown as Disclosure);
  } catch (error) {
    if (error instanceof ProtocolError) return undefined;
    throw error;
  }
}

const listOf = (value: Tree | undefined): Tree[] => (Array.isArray(value) ? value : []);
const recordsOf = (root: Tree): Branch[] => (isBranch(root) ? branchesOf(root['records']) : []);
const payloadOf = ({ eor }: Branch): Tree | undefined => (isBranch(eor) ? eor['payload'] : undefined);
const disclosuresOf = ({ disclosures }: Branch): Tree[] => listOf(disclosures);

function digestsOf(record: Branch): Tree[] {
  const payload = payloadOf(record);
  return isBranch(payload) ? listOf(payload['_sd']) : [];
}

const isShowing = (record: Branch): boolean => disclosuresOf(record).length > 0;
const hasDigests = (record: Branch): boolean => digestsOf(record).length > 0;

function saltOf(draw: Draw, length = 16): string {
  return toBase64Url(Uint8Array.from({ length }, () => draw.below(256)));
}

function oddSalt(draw: Draw): Tree {
  const salt = saltOf(draw, draw.pick([0, 1, 15, 16, 17, 18, 32, 63, 64, 65]));
  return draw.pick<Tree>([salt, salt, salt, `${salt}=`, `${salt.slice(0, -1)}B`, `${salt}A`, `${salt}\n`, null, 16]);
}

function oddName(draw: Draw): Tree {
  return draw.pick<Tree>([
    ...['_sd', 'profile', '...', '', '__proto__', '_sd_alg', ' ', 'é', 'e\u0301', '\ud800', 'toString'],
    ...['x'.repeat(256), 'x'.repeat(257), '😀'.repeat(256), '😀'.repeat(257), null, 5, ['name']],
  ]);
}

/** Sorts digests and disclosures again, or leaves one of the two as it is. */
function order(record: Branch, draw: Draw): void {
  if (draw.chance(85)) digestsOf(record).sort();
  if (draw.chance(85)) disclosuresOf(record).sort((a, b) => ((digestOf(a) ?? '') < (digestOf(b) ?? '') ? -1 : 1));
}

/** Changes one disclosure, and mostly has the payload name the changed one. */
const alter: Change = (root, draw) => {
  const records = recordsOf(root).filter(isShowing);
  if (records.length === 0) return 'no disclosure to alter';
  const record = draw.pick(records);
  const list = disclosuresOf(record);
  const index = draw.below(list.length);
  const before = digestOf(list[index] ?? null);
  const changed = copyOf(list[index] ?? null);
  const part = draw.pick(['salt', 'name', 'name of another', 'value', 'value', 'depth', 'length', 'kind']);
  if (Array.isArray(changed)) {
    if (part === 'salt') changed[0] = oddSalt(draw);
    else if (part === 'name') changed[1] = oddName(draw);
    else if (part === 'name of another') changed[1] = listOf(draw.pick(list))[1] ?? 'n';
    else if (part === 'value') changed[2] = draw.chance(50) ? anything(draw) : boundary(changed[2] ?? null, draw);
    else if (part === 'depth') changed[2] = nested(draw);
    else if (part === 'length') changed.length = draw.pick([0, 1, 2, 2]);
  }
  if (part === 'length' && Array.isArray(changed) && draw.chance(40)) changed.push(1, 2, 3);
  list[index] = part === 'kind' ? anything(draw) : changed;
  const after = digestOf(list[index] ?? null);
  const digests = digestsOf(record);
  const place = digests.indexOf(before ?? '');
  const follows = place >= 0 && after !== undefined && draw.chance(65);
  if (follows) {
    digests[place] = after;
    order(record, draw);
  }
  return `another ${part} of a disclosure${follows ? ', and its digest' : ''}`;
};

/** Shows fewer members, none, or the member `disclosures` in another form. */
const hide: Change = (root, draw) => {
  const records = recordsOf(root).filter(isShowing);
  if (records.length === 0) return 'no disclosure to hide';
  const record = draw.pick(records);
  const how = draw.pick(['one', 'one', 'all', 'all but the array', 'payload', 'payload and all', 'of all records']);
  if (how === 'one') disclosuresOf(record).splice(draw.below(disclosuresOf(record).length), 1);
  if (how === 'all but the array') record['disclosures'] = draw.pick<Tree>([[], {}, null, '']);
  if (how.startsWith('payload') && isBranch(record['eor'])) delete record['eor']['payload'];
  if (how === 'all' || how === 'payload and all' || (how === 'one' && !isShowing(record))) delete record['disclosures'];
  if (how === 'of all records') for (const one of records) delete one['disclosures'];
  return `hide disclosures: ${how}`;
};

/** Moves or copies disclosures, within a record or into another one: salted, plain or withheld. */
const rearrange: Change = (root, draw) => {
  const records = recordsOf(root);
  const showing = records.filter(isShowing);
  if (showing.length === 0) return 'no disclosure to move';
  const [from, to] = [draw.pick(showing), draw.pick(draw.chance(40) ? showing : records)];
  const list = disclosuresOf(from);
  const index = draw.below(list.length);
  const item = copyOf(list[index] ?? null);
  const how = draw.pick(['repeat', 'reverse', 'swap', 'copy to another', 'move to another', 'exchange all', 'many']);
  if (how === 'repeat') list.splice(draw.chance(50) ? index : list.length, 0, item);
  else if (how === 'reverse') list.reverse();
  else if (how === 'swap') list.push(...list.splice(0, 1));
  else if (how === 'exchange all') {
    const theirs = to['disclosures'];
    to['disclosures'] = list;
    if (theirs === undefined) delete from['disclosures'];
    else from['disclosures'] = theirs;
  } else if (how === 'many') fill(from, draw);
  else {
    to['disclosures'] = [...disclosuresOf(to), item];
    if (how === 'move to another') list.splice(index, 1);
    if (list.length === 0) delete from['disclosures'];
    if (draw.chance(50)) order(to, draw);
  }
  return `disclosures: ${how}`;
};

/** Up to the most members that a payload may have, or one more. */
function fill(record: Branch, draw: Draw): void {
  const [payload, most] = [payloadOf(record), draw.pick([255, 256, 257])];
  const [list, digests] = [disclosuresOf(record), digestsOf(record)];
  if (!isBranch(payload)) return;
  const isShown = draw.chance(60);
  for (let number = 0; digests.length < most; number++) {
    const disclosure: Tree = [saltOf(draw), `filled ${number}`, number];
    if (isShown) list.push(disclosure);
    digests.push(digestOf(disclosure) ?? '');
  }
  order(record, draw);
}

/** Changes the digests of a payload, or what stands next to them. */
const changePayload: Change = (root, draw) => {
  const records = recordsOf(root).filter(hasDigests);
  if (records.length === 0) return 'no salted payload';
  const record = draw.pick(records);
  const [payload, digests] = [payloadOf(record) as Branch, digestsOf(record)];
  const index = draw.below(digests.length);
  const digest = String(digests[index]);
  const how = draw.pick([
    'reverse',
    'repeat',
    'drop',
    'add',
    'spelling',
    'fill',
    'profile',
    'profile',
    'member',
    'kind',
  ]);
  if (how === 'reverse') digests.reverse();
  else if (how === 'repeat') digests.splice(index, 0, digest);
  else if (how === 'drop') digests.splice(index, 1);
  else if (how === 'add') digests.push(saltOf(draw, draw.pick([31, 32, 32, 32, 33])));
  else if (how === 'spelling') {
    const other = draw.pick<Tree>([`${digest}=`, digest.replace(/.$/, 'B'), digest.slice(1), `${digest}A`, null, ' ']);
    digests[index] = other;
  } else if (how === 'fill') fill(record, draw);
  else if (how === 'member') payload[draw.pick(['_sd_alg', 'amount', '', '__proto', '...'])] = 'sha-256';
  else if (how === 'kind') payload['_sd'] = draw.pick<Tree>([{}, null, [], [[]], digest]);
  else payload['profile'] = draw.pick<Tree>(['', 'p', 'x'.repeat(128), '😀'.repeat(128), 'x'.repeat(129), null, 1, {}]);
  if (how === 'add' && draw.chance(80)) digests.sort();
  return `digests of a payload: ${how}`;
};

/** Puts salted digests in the place of a plain payload's members. */
const salt: Change = (root, draw) => {
  const plain = recordsOf(root).filter((record) => isBranch(payloadOf(record)) && !hasDigests(record));
  if (plain.length === 0) return 'no plain payload';
  const record = draw.pick(plain);
  const payload = payloadOf(record) as Branch;
  const members: [string, Tree][] = Object.keys(payload).map((name) => [name, payload[name] ?? null]);
  if (members.length === 0 || draw.chance(30)) members.push(['n', draw.below(10)]);
  const disclosures: Tree[] = members.map(([name, value]) => [saltOf(draw, draw.pick([16, 16, 64])), name, value]);
  const isShort = draw.chance(30);
  const salted: Branch = { _sd: disclosures.map((one) => digestOf(one) ?? '').sort() };
  if (draw.chance(40)) salted['profile'] = 'example.v1';
  (record['eor'] as Branch)['payload'] = salted;
  record['disclosures'] = isShort ? disclosures.slice(1) : disclosures;
  order(record, draw);
  if (!isShowing(record)) delete record['disclosures'];
  return `salt a payload of ${members.length} members`;
};

const changeManifest: Change = (root, draw) => {
  const manifest = isBranch(root) ? root['manifest'] : undefined;
  if (!isBranch(manifest)) return 'no manifest';
  const how = draw.pick(['digest', 'no digest', 'count']);
  if (how === 'digest') manifest['disclosures_digest'] = draw.pick<Tree>([otherDigest(), otherDigest(), null, '']);
  else if (how === 'no digest') delete manifest['disclosures_digest'];
  else manifest['redacted_count'] = Number(manifest['redacted_count']) + draw.pick([1, -1]);
  return `manifest: ${how} of what is shown`;
};

export const DISCLOSURE_CHANGES: readonly (readonly [weight: number, change: Change])[] = [
  [30, alter],
  [15, hide],
  [15, rearrange],
  [15, changePayload],
  [12, salt],
  [5, changeManifest],
];

/** What a manifest says of payloads and disclosures, as far as they have the right form (protocol §8). */
export function shownCounts(root: Branch): Branch {
  const raw: Uint8Array[] = [];
  let incomplete = 0;
  for (const record of recordsOf(root)) {
    const shown = disclosuresOf(record).map((disclosure) => digestOf(disclosure) ?? '');
    raw.push(...shown.map((digest) => Buffer.from(digest, 'base64url')));
    const payload = payloadOf(record);
    const lacks = isSalted(payload) && payload._sd.some((digest) => !shown.includes(digest));
    if (payload === undefined || lacks) incomplete++;
  }
  const digest = `sha256:${Buffer.from(sha256(Buffer.concat(raw))).toString('hex')}`;
  return { redacted_count: incomplete, ...(raw.length === 0 ? {} : { disclosures_digest: digest }) };
}
