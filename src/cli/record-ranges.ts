import { MAX_PROVEN_RECORDS } from '../protocol/index.ts';
import { UsageError } from './command.ts';

function refuse(part: string, why: string): never {
  throw new UsageError(`--records: "${part.slice(0, 40)}" ${why}; write numbers and ranges like 3,17,20-24`);
}

/** A sequence number: from 1, without signs or leading zeros. */
function readNumber(text: string, part: string): number {
  const number = /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? number : refuse(part, 'is no sequence number');
}

/**
 * Sequence numbers as people write them: `3,17,20-24`. Blanks around numbers are passed over.
 * @returns each number once, in the order in which they are written; 1 to 1000 of them
 * @throws UsageError naming the part that is wrong
 */
export function readRecordRanges(text: string): number[] {
  const numbers = new Set<number>();
  for (const part of text.split(',').map((one) => one.trim())) {
    const [from = '', to = from, ...more] = part.split('-').map((one) => one.trim());
    if (part === '') refuse(text, 'has an empty part');
    if (more.length > 0) refuse(part, 'is no range');
    const [first, last] = [readNumber(from, part), readNumber(to, part)];
    if (first > last) refuse(part, 'ends before it begins');
    // Told before it is gone through: a range may be written in ten characters and be of a billion records.
    if (last - first >= MAX_PROVEN_RECORDS || numbers.size > MAX_PROVEN_RECORDS) refuseCount(text);
    for (let number = first; number <= last; number++) numbers.add(number);
  }
  if (numbers.size > MAX_PROVEN_RECORDS) refuseCount(text);
  return [...numbers];
}

function refuseCount(text: string): never {
  throw new UsageError(`--records: "${text.slice(0, 40)}" names more than ${MAX_PROVEN_RECORDS} records`);
}
