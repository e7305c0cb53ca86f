/** The agent of a central node, and the type of its records. */
export const ARCHIVE_AGENT = 'archive';
export const ACCEPTANCE = 'archive.accept';
/** The type of the records that say who reads which ledgers of the archive, from then on. */
export const READERS = 'archive.readers';
/** The tombstone of a run of which payloads were erased: another took its place. */
export const REPLACEMENT = 'archive.replace';
/** The type of the records that say whose rules decide how long payloads stay in the archive, of the decisions, and of what a sweep came to. */
export const KEEPERS = 'archive.keepers';
export const DECISION = 'archive.erase';
export const SWEPT = 'archive.sweep';
/** The type of the records by which a decision is called back, because of a hold. */
export const RECALL = 'archive.recall';

/** One host's ledger of one organization in an archive. */
export interface ArchivedLedger {
  /** The first service key of the host: rotations lead from it to the one that signs now. */
  readonly kid: string;
  readonly orgId: string;
}

/** Epochs by their numbers, both ends among them. */
export interface RunSpan {
  readonly first: number;
  readonly last: number;
}

/** A run by what it is, whichever of several files has it. */
export type RunKey = Omit<RunName, 'second'>;

/** A file of an archive by what its name says: its content is not looked at. */
export interface RunName extends ArchivedLedger, RunSpan {
  /** Number of the newest administrative event that erased a payload of it; null where none did. */
  readonly erased: number | null;
  /** Number of the newest decision of the archive by which a payload of it is withheld; null where none is. */
  readonly decided: number | null;
  /** Of a file with other content than the one that has the name: the beginning of its SHA-256. Null for that one. */
  readonly second: string | null;
}

const ENDING = '.csbundle.json.gz';
const KID = /^[A-Za-z0-9_-]{43}$/;
const FILE =
  /^([1-9]\d{0,14})-([1-9]\d{0,14})(?:\.e([1-9]\d{0,14}))?(?:\.a([1-9]\d{0,14}))?(?:\.second-([0-9a-f]{16}))?$/;

/** A decision of the archive, as the ledger's host reads it. */
const ORDER = /(?:^|\/)withhold-([1-9]\d{0,14})\.json$/;

/** An organization as a folder: nothing of an id leads out of the archive, and no two ids meet where case does not count. */
function folderOf(orgId: string): string {
  const bytes = Array.from(new TextEncoder().encode(orgId), (byte) => {
    const character = String.fromCharCode(byte);
    return /[a-z0-9_-]/.test(character) ? character : `%${byte.toString(16).padStart(2, '0')}`;
  });
  return bytes.join('');
}

/** The folder of a ledger, from the archive's own, with forward slashes. */
export function ledgerPath({ kid, orgId }: ArchivedLedger): string {
  return `${kid}/${folderOf(orgId)}`;
}

/** What tells the files of a run apart, of which a later one hides more. */
export function versionOf({ erased, decided }: Pick<RunName, 'erased' | 'decided'>): string {
  return `${erased === null ? '' : `.e${erased}`}${decided === null ? '' : `.a${decided}`}`;
}

/** Orders the files of a run, those first that hide most. */
export function newestFirst(a: Pick<RunName, 'erased' | 'decided'>, b: Pick<RunName, 'erased' | 'decided'>): number {
  return (b.erased ?? 0) - (a.erased ?? 0) || (b.decided ?? 0) - (a.decided ?? 0);
}

/** Where a decision of the archive is put for the host of a ledger. */
export function orderPath(ledger: ArchivedLedger, decisionNo: number): string {
  return `${ledgerPath(ledger)}/withhold-${decisionNo}.json`;
}

/** The number of the decision that a path is of; null where it is of none. */
export function orderedBy(path: string): number | null {
  const [, decisionNo] = ORDER.exec(path) ?? [];
  return decisionNo === undefined ? null : Number(decisionNo);
}

/** Where a run stands, from the archive's folder. */
export function runPath(name: RunName): string {
  const erased = versionOf(name);
  const second = name.second === null ? '' : `.second-${name.second}`;
  return `${ledgerPath(name)}/${name.first}-${name.last}${erased}${second}${ENDING}`;
}

function numberOf(text: string | undefined): number | null {
  return text === undefined ? null : Number(text);
}

/** What a path within an archive says; null where it is not that of a run. */
export function readRunPath(path: string): RunName | null {
  const [kid = '', folder = '', file = '', ...more] = path.split('/');
  const [, first, last, erased, decided, second] =
    FILE.exec(file.endsWith(ENDING) ? file.slice(0, -ENDING.length) : '') ?? [];
  if (!KID.test(kid) || first === undefined || last === undefined || more.length > 0) return null;
  let orgId: string;
  try {
    orgId = decodeURIComponent(folder);
  } catch {
    return null;
  }
  const span = { first: Number(first), last: Number(last) };
  const numbers = { erased: numberOf(erased), decided: numberOf(decided) };
  const name = { kid, orgId, ...span, ...numbers, second: second ?? null };
  return name.first <= name.last && runPath(name) === path ? name : null;
}
