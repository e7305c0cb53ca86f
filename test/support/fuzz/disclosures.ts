/** Changes of salted payloads and of the disclosures next to them (protocol F43), in place. */
import {
  canonicalBytes,
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

const recordsOf = (root: Tree): Branch[] => (isBranch(root) ? branchesOf(root['records']) : []);
const payloadOf = ({ eor }: Branch): Tree | undefined => (isBranch(eor) ? eor['payload'] : undefined);
const shownOf = ({ disclosures }: Branch): Branch => (isBranch(disclosures) ? disclosures : {});
const namesOf = (members: Branch): string[] => Object.keys(members);

function digestsOf(record: Branch): Branch {
  const payload = payloadOf(record);
  return isBranch(payload) && isBranch(payload['_sd']) ? payload['_sd'] : {};
}

const isShowing = (record: Branch): boolean => namesOf(shownOf(record)).length > 0;
const hasDigests = (record: Branch): boolean => namesOf(digestsOf(record)).length > 0;

/** Not by assignment: a member may be called __proto__. */
function put(members: Branch, name: string, value: Tree): void {
  Object.defineProperty(members, name, { value, enumerable: true, configurable: true, writable: true });
}

function saltOf(draw: Draw, length = 16): string {
  return toBase64Url(Uint8Array.from({ length }, () => draw.below(256)));
}

function oddSalt(draw: Draw): Tree {
  const salt = saltOf(draw, draw.pick([0, 1, 15, 16, 17, 18, 32, 63, 64, 65]));
  return draw.pick<Tree>([salt, salt, salt, `${salt}=`, `${salt.slice(0, -1)}B`, `${salt}A`, `${salt}\n`, null, 16]);
}

function oddName(draw: Draw): string {
  return draw.pick([
    ...['_sd', 'profile', '...', '', '__proto__', '_sd_alg', ' ', 'é', 'e\u0301', '\ud800', 'toString'],
    ...['x'.repeat(256), 'x'.repeat(257), '😀'.repeat(256), '😀'.repeat(257)],
  ]);
}

/** Changes one disclosure, and mostly has the payload name the changed one. */
const alter: Change = (root, draw) => {
  const records = recordsOf(root).filter(isShowing);
  if (records.length === 0) return 'no disclosure to alter';
  const record = draw.pick(records);
  const [shown, digests] = [shownOf(record), digestsOf(record)];
  const name = draw.pick(namesOf(shown));
  const changed = copyOf(shown[name] ?? null);
  const part = draw.pick(['salt', 'name', 'name of another', 'value', 'value', 'depth', 'length', 'kind']);
  const follows = draw.chance(65);
  let called = name;
  if (part === 'name') called = oddName(draw);
  else if (part === 'name of another') called = draw.pick(namesOf(digests).length > 0 ? namesOf(digests) : [name]);
  else if (Array.isArray(changed)) {
    if (part === 'salt') changed[0] = oddSalt(draw);
    else if (part === 'value') changed[1] = draw.chance(50) ? anything(draw) : boundary(changed[1] ?? null, draw);
    else if (part === 'depth') changed[1] = nested(draw);
    else if (part === 'length') changed.length = draw.pick([0, 1, 1]);
    if (part === 'length' && draw.chance(40)) changed.push(1, 2, 3);
  }
  const after = part === 'kind' ? anything(draw) : changed;
  if (called !== name) delete shown[name];
  put(shown, called, after);
  const digest = digestOf(after);
  if (follows && digest !== undefined) {
    if (called !== name && draw.chance(50)) delete digests[name];
    put(digests, called, digest);
  }
  return `another ${part} of a disclosure${follows ? ', and its digest' : ''}`;
};

/** Shows fewer members, none, or the member `disclosures` in another form. */
const hide: Change = (root, draw) => {
  const records = recordsOf(root).filter(isShowing);
  if (records.length === 0) return 'no disclosure to hide';
  const record = draw.pick(records);
  const shown = shownOf(record);
  const how = draw.pick(['one', 'one', 'all', 'all but the object', 'a list', 'payload', 'payload and all', 'of all']);
  if (how === 'one') delete shown[draw.pick(namesOf(shown))];
  if (how === 'all but the object') record['disclosures'] = draw.pick<Tree>([[], {}, null, '']);
  if (how === 'a list') record['disclosures'] = Object.values(shown);
  if (how.startsWith('payload') && isBranch(record['eor'])) delete record['eor']['payload'];
  if (how === 'all' || how === 'payload and all' || (how === 'one' && !isShowing(record))) delete record['disclosures'];
  if (how === 'of all') for (const one of records) delete one['disclosures'];
  return `hide disclosures: ${how}`;
};

/** Moves or copies disclosures, within a record or into another one: salted, plain or withheld. */
const rearrange: Change = (root, draw) => {
  const records = recordsOf(root);
  const showing = records.filter(isShowing);
  if (showing.length === 0) return 'no disclosure to move';
  const [from, to] = [draw.pick(showing), draw.pick(draw.chance(40) ? showing : records)];
  const shown = shownOf(from);
  const [name, other] = [draw.pick(namesOf(shown)), draw.pick(namesOf(shown))];
  const item = copyOf(shown[name] ?? null);
  const how = draw.pick(['swap', 'copy within', 'copy to another', 'move to another', 'exchange all', 'many']);
  if (how === 'swap') {
    put(shown, name, shown[other] ?? null);
    put(shown, other, item);
  } else if (how === 'copy within') put(shown, other, item);
  else if (how === 'exchange all') {
    const theirs = to['disclosures'];
    to['disclosures'] = shown;
    if (theirs === undefined) delete from['disclosures'];
    else from['disclosures'] = theirs;
  } else if (how === 'many') fill(from, draw);
  else {
    const theirs: Branch = { ...shownOf(to) };
    put(theirs, name, item);
    to['disclosures'] = theirs;
    if (how === 'move to another') delete shown[name];
    if (!isShowing(from)) delete from['disclosures'];
  }
  return `disclosures: ${how}`;
};

/** Up to the most members that a payload may have, or one more. */
function fill(record: Branch, draw: Draw): void {
  const [payload, most] = [payloadOf(record), draw.pick([255, 256, 257])];
  if (!isBranch(payload)) return;
  const [shown, digests] = [shownOf(record), digestsOf(record)];
  const isShown = draw.chance(60);
  for (let number = namesOf(digests).length; number < most; number++) {
    const disclosure: Tree = [saltOf(draw), number];
    if (isShown) put(shown, `filled ${number}`, disclosure);
    put(digests, `filled ${number}`, digestOf(disclosure) ?? '');
  }
}

/** Changes the digests of a payload, or what stands next to them. */
const changePayload: Change = (root, draw) => {
  const records = recordsOf(root).filter(hasDigests);
  if (records.length === 0) return 'no salted payload';
  const record = draw.pick(records);
  const [payload, digests] = [payloadOf(record) as Branch, digestsOf(record)];
  const name = draw.pick(namesOf(digests));
  const digest = String(digests[name]);
  const ways = ['list', 'lists', 'rename', 'repeat', 'drop', 'add', 'spelling', 'fill', 'profile', 'profile', 'member'];
  const how = draw.pick([...ways, 'kind']);
  if (how === 'list') payload['_sd'] = Object.values(digests);
  else if (how === 'lists') put(digests, name, [digest, saltOf(draw, 32)]);
  else if (how === 'rename') {
    delete digests[name];
    put(digests, oddName(draw), digest);
  } else if (how === 'repeat') put(digests, draw.chance(50) ? draw.pick(namesOf(digests)) : 'again', digest);
  else if (how === 'drop') delete digests[name];
  else if (how === 'add') put(digests, 'added', saltOf(draw, draw.pick([31, 32, 32, 32, 33])));
  else if (how === 'spelling') {
    const others: Tree[] = [`${digest}=`, digest.replace(/.$/, 'B'), digest.slice(1), `${digest}A`, null, ' '];
    put(digests, name, draw.pick(others));
  } else if (how === 'fill') fill(record, draw);
  else if (how === 'member') payload[draw.pick(['_sd_alg', 'amount', '', '__proto', '...'])] = 'sha-256';
  else if (how === 'kind') payload['_sd'] = draw.pick<Tree>([{}, null, [], [[]], digest]);
  else payload['profile'] = draw.pick<Tree>(['', 'p', 'x'.repeat(128), '😀'.repeat(128), 'x'.repeat(129), null, 1, {}]);
  return `digests of a payload: ${how}`;
};

/** Uses the salt of one member, or all of its disclosure, for another one, in one record or two. */
const reuse: Change = (root, draw) => {
  const showing = recordsOf(root).filter(isShowing);
  if (showing.length === 0) return 'no salt to reuse';
  const [from, to] = [draw.pick(showing), draw.pick(showing)];
  const [shown, theirs] = [shownOf(from), shownOf(to)];
  const first = shown[draw.pick(namesOf(shown))];
  const name = draw.pick(namesOf(theirs));
  const value = Array.isArray(theirs[name]) ? theirs[name][1] : null;
  const salt = Array.isArray(first) ? first[0] : null;
  const isWhole = draw.chance(40);
  const again = isWhole ? copyOf(first ?? null) : [salt ?? null, value ?? null];
  put(theirs, name, again);
  put(digestsOf(to), name, digestOf(again) ?? '');
  const isHidden = draw.chance(30);
  if (isHidden) delete theirs[name];
  if (!isShowing(to)) delete to['disclosures'];
  return `reuse a ${isWhole ? 'disclosure' : 'salt'}${isHidden ? ', and withhold it' : ''}`;
};

/** Puts salted digests in the place of a plain payload's members. */
const salt: Change = (root, draw) => {
  const plain = recordsOf(root).filter((record) => isBranch(payloadOf(record)) && !hasDigests(record));
  if (plain.length === 0) return 'no plain payload';
  const record = draw.pick(plain);
  const payload = payloadOf(record) as Branch;
  const members: [string, Tree][] = Object.keys(payload).map((name) => [name, payload[name] ?? null]);
  if (members.length === 0 || draw.chance(30)) members.push(['n', draw.below(10)]);
  const drawn = members.map(([name, value]): [string, Tree] => [name, [saltOf(draw, draw.pick([16, 16, 64])), value]]);
  const salted: Branch = { _sd: Object.fromEntries(drawn.map(([name, one]) => [name, digestOf(one) ?? ''])) };
  if (draw.chance(40)) salted['profile'] = 'example.v1';
  (record['eor'] as Branch)['payload'] = salted;
  record['disclosures'] = Object.fromEntries(draw.chance(30) ? drawn.slice(1) : drawn);
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
  [10, reuse],
  [12, salt],
  [5, changeManifest],
];

/** What a manifest says of payloads and disclosures, as far as they have the right form (protocol F142). */
export function shownCounts(root: Branch): Branch {
  const hashes: Uint8Array[] = [];
  let incomplete = 0;
  for (const record of recordsOf(root)) {
    const names = namesOf(shownOf(record));
    const seqNo = isBranch(record['ear']) ? record['ear']['seq_no'] : undefined;
    if (names.length > 0 && names.every((name) => name.isWellFormed())) {
      hashes.push(sha256(canonicalBytes([seqNo ?? null, names.sort()])));
    }
    const payload = payloadOf(record);
    const lacks = isSalted(payload) && Object.keys(payload._sd).some((name) => !names.includes(name));
    if (payload === undefined || lacks) incomplete++;
  }
  const digest = `sha256:${Buffer.from(sha256(Buffer.concat(hashes))).toString('hex')}`;
  return { redacted_count: incomplete, ...(hashes.length === 0 ? {} : { disclosures_digest: digest }) };
}
