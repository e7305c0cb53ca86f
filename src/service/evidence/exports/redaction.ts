import {
  type Disclosure,
  type Disclosures,
  isInRuns,
  isSalted,
  type Json,
  type JsonObject,
  type NumberRun,
  namesOfPointer,
  parseJson,
  type SaltedPayload,
  unlessRefused,
  withheldNames,
} from '../../../protocol/index.ts';
import { readDisclosures } from '../../ledger/operations/disclosures-table.ts';
import type { ExportRow, ShownPayload } from './export-record-text.ts';
import { peopleFinder } from './named-people.ts';

/** Which payloads an export withholds: those of these agents, of these operation types, or that hold a value at a pointer. */
export interface Redaction {
  readonly agent_ids: readonly string[];
  readonly operation_types: readonly string[];
  /**
   * JSON Pointers (RFC 6901) into payloads. A plain payload that has a value there is withheld whole: its hash covers all of
   * it. Of a salted one the member is withheld that holds the value.
   */
  readonly pointers: readonly string[];
  /**
   * People. A plain payload that names one of them is withheld whole. Of a salted one the members are withheld that do, and all of it where
   * a member's name does, which is signed in clear.
   */
  readonly names: readonly string[];
  /** Whether payloads are also withheld of records that name one of them outside the payload. */
  readonly linked: boolean;
  /** Records by their sequence numbers, in ascending order. */
  readonly records?: readonly NumberRun[];
}

/** What it is decided by. */
export type RedactionSubject = Pick<
  ExportRow,
  'seqNo' | 'agentId' | 'operationType' | 'subject' | 'action' | 'payload' | 'disclosures'
>;

const NOTHING: ShownPayload = { payload: null, disclosures: {}, whole: false };

export const NO_REDACTION: Redaction = { agent_ids: [], operation_types: [], pointers: [], names: [], linked: false };

/** The names a pointer goes through (RFC 6901 §4). */
function hasValue(value: Json, steps: readonly string[]): boolean {
  let at: Json | undefined = value;
  for (const step of steps) {
    if (Array.isArray(at)) at = /^(0|[1-9]\d*)$/.test(step) ? (at[Number(step)] as Json | undefined) : undefined;
    else if (typeof at === 'object' && at !== null && Object.hasOwn(at, step)) {
      at = (at as { readonly [name: string]: Json })[step];
    } else return false;
    if (at === undefined) return false;
  }
  return true;
}

/** The disclosures of a stored record that a bundle shows. */
function shownMembers(
  payload: string,
  stored: Disclosures,
  skeleton: SaltedPayload,
  isWithheld: (name: string, disclosure: Disclosure) => boolean,
): ShownPayload {
  const shown = Object.entries(stored).filter(([name, disclosure]) => !isWithheld(name, disclosure));
  const disclosures: Disclosures = Object.fromEntries(shown);
  return { payload, disclosures, whole: withheldNames(skeleton, disclosures).length === 0 };
}

/** Tells for each record what a bundle shows of its payload. */
export function withholder({
  agent_ids,
  operation_types,
  pointers,
  names,
  linked,
  records = [],
}: Redaction): (record: RedactionSubject) => ShownPayload {
  const agents = new Set(agent_ids);
  const types = new Set(operation_types);
  const paths = pointers.map(namesOfPointer);
  const namedIn = peopleFinder(names);
  return (record) => {
    const { payload } = record;
    if (payload === null) return NOTHING;
    const all = agents.has(record.agentId) || types.has(record.operationType) || isInRuns(records, record.seqNo);
    const isRead = payload.includes('"_sd":') || paths.length > 0 || names.length > 0;
    // What somebody made unreadable of it is withheld to be safe.
    const value = isRead ? unlessRefused(() => parseJson(payload), undefined) : null;
    const stored = isSalted(value) ? unlessRefused(() => readDisclosures(record.disclosures), {}) : {};
    const named = namedIn(record, (value ?? null) as JsonObject | null, stored);
    if ((linked && named.outside) || named.members === null) return NOTHING;
    if (isSalted(value)) {
      const isWithheld = (name: string, [, member]: Disclosure): boolean =>
        all ||
        named.members?.has(name) === true ||
        paths.some(([first, ...rest]) => first === undefined || (first === name && hasValue(member, rest)));
      return shownMembers(payload, stored, value, isWithheld);
    }
    const isWithheld =
      all || value === undefined || named.inside || paths.some((steps) => value !== null && hasValue(value, steps));
    return isWithheld ? NOTHING : { payload, disclosures: {}, whole: true };
  };
}
