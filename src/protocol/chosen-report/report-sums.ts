import { ProtocolError } from '../protocol-error.ts';
import * as shape from '../shape.ts';

/** The most groups of one table, and the most amounts of one group: each currency has its own. */
export const MAX_SUMMED_GROUPS = 1000;
const MAX_AMOUNTS = 64;
/** The most records of a report, which one group may have all of. */
const MAX_RECORDS = 1000;

/** How long names of members and values that are grouped by may be, in Unicode characters. */
const TEXT = { name: 512, key: 10_000, currency: 64, zone: 64 } as const;

/** An amount in exact decimals. */
interface SummedAmount {
  readonly value: string;
  readonly currency: string | null;
}

/** What a measure comes to. */
export interface Summed {
  readonly amounts: readonly SummedAmount[];
  /** How many of what is counted have no number. */
  readonly without: number;
}

/** A group of a report's table, with the records that were counted and added up: whoever doubts it adds them up again. */
export interface SummedGroup extends Summed {
  /** A value for each of `by`; null where there is none. */
  readonly keys: readonly (string | null)[];
  readonly records: readonly number[];
}

/** What the records of a report come to (protocol R46): its maker's word, as comments are. */
export interface ReportSums {
  /** What is counted: actions, each with all its records, or single records. */
  readonly unit: 'actions' | 'records';
  readonly measure: 'count' | 'sum' | 'min' | 'max' | 'median';
  /** What is added up, as a query names it; null of a count. */
  readonly of: string | null;
  /** What is grouped by, as a query names it: up to two. */
  readonly by: readonly string[];
  /** The IANA zone of its hours, days, weeks and months. */
  readonly zone: string;
  readonly groups: readonly SummedGroup[];
  /** Over all groups, each record once. */
  readonly all: Summed;
}

const SUMS_SHAPE: shape.Shape<ReportSums> = {
  unit: shape.oneOf('actions', 'records'),
  measure: shape.oneOf('count', 'sum', 'min', 'max', 'median'),
  of: shape.nullable(shape.text(1, TEXT.name)),
  by: shape.listOf(0, 2, shape.text(1, TEXT.name)),
  zone: shape.text(1, TEXT.zone),
  groups: shape.listOf(1, MAX_SUMMED_GROUPS),
  all: shape.object,
};

const AMOUNT_SHAPE: shape.Shape<SummedAmount> = {
  value: shape.pattern(/^-?[0-9]{1,1000}(?:\.[0-9]{1,1000})?$/, 'a decimal number'),
  currency: shape.nullable(shape.text(1, TEXT.currency)),
};

const SUMMED_SHAPE: shape.Shape<Summed> = { amounts: shape.listOf(0, MAX_AMOUNTS), without: shape.integer(0) };

const GROUP_SHAPE: shape.Shape<SummedGroup> = {
  ...SUMMED_SHAPE,
  keys: shape.listOf(0, 2, shape.nullable(shape.text(0, TEXT.key))),
  records: shape.listOf(1, MAX_RECORDS, shape.integer(1)),
};

function checkAmounts({ amounts }: Summed, path: string): void {
  for (const [index, amount] of amounts.entries()) shape.parseShape(amount, AMOUNT_SHAPE, `${path}.amounts[${index}]`);
}

/** Checks the table of a report. @throws ProtocolError SHAPE_INVALID */
export function reportSumsOf(value: unknown, path: string): ReportSums {
  const sums = shape.parseShape<ReportSums>(value, SUMS_SHAPE, path);
  if ((sums.of === null) !== (sums.measure === 'count')) {
    throw new ProtocolError('SHAPE_INVALID', `${path}.of: is null of a count, and of nothing else`, `${path}.of`);
  }
  checkAmounts(shape.parseShape(sums.all, SUMMED_SHAPE, `${path}.all`), `${path}.all`);
  for (const [index, each] of sums.groups.entries()) {
    const at = `${path}.groups[${index}]`;
    const group = shape.parseShape<SummedGroup>(each, GROUP_SHAPE, at);
    checkAmounts(group, at);
    if (group.keys.length !== sums.by.length) {
      throw new ProtocolError('SHAPE_INVALID', `${at}.keys: expected one for each of by`, `${at}.keys`);
    }
  }
  return sums;
}
