import { describe, expect, it } from 'vitest';
import { remainingText, sizeText } from '../../src/renderer/lib/size.ts';
import { sortParam, sortRows } from '../../src/renderer/lib/sort-rows.ts';

interface Row {
  readonly name: string;
  readonly bytes: number;
  readonly owner: string | null;
}

const COLUMNS = [
  { id: 'name', value: ({ name }: Row) => name },
  { id: 'size', value: ({ bytes }: Row) => bytes },
  { id: 'owner', value: ({ owner }: Row) => owner },
];
const ROWS: readonly Row[] = [
  { name: 'case 12', bytes: 1, owner: 'Bo' },
  { name: 'case 11', bytes: 7, owner: null },
  { name: 'Case 9', bytes: 7, owner: 'ann' },
  { name: 'case 10', bytes: 5, owner: 'Cy' },
];
const sorted = (sort?: string) => sortRows(ROWS, COLUMNS, sort).map(({ name }) => name);

describe('the order of a table', () => {
  it('is that of its rows unless the address says otherwise', () => {
    expect(sorted()).toEqual(['case 12', 'case 11', 'Case 9', 'case 10']);
  });

  it('reads figures in names as figures, and no capitals', () => {
    expect(sorted('name')).toEqual(['Case 9', 'case 10', 'case 11', 'case 12']);
    expect(sorted('-name')).toEqual(['case 12', 'case 11', 'case 10', 'Case 9']);
  });

  it('puts last what has no value, whichever way it goes', () => {
    expect(sorted('owner')).toEqual(['Case 9', 'case 12', 'case 10', 'case 11']);
    expect(sorted('-owner')).toEqual(['case 10', 'case 12', 'Case 9', 'case 11']);
  });

  it('keeps equal rows as they are, whichever way it goes', () => {
    expect(sorted('-size')).toEqual(['case 11', 'Case 9', 'case 10', 'case 12']);
    expect(sorted('size')).toEqual(['case 12', 'case 10', 'case 11', 'Case 9']);
  });

  it('takes from an address a column that there is, and nothing else', () => {
    const param = sortParam(COLUMNS.map(({ id }) => id));
    expect(['name', '-size', 'names', '--size', 7].map((sort) => param.parse(sort))).toEqual([
      'name',
      '-size',
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('sizes and times to wait', () => {
  it('are said in units of their own size', () => {
    expect([0, 1023, 1536, 123_456_789, 5_000_000_000].map(sizeText)).toEqual([
      '0 bytes',
      '1023 bytes',
      '1.5 KiB',
      '118 MiB',
      '4.7 GiB',
    ]);
    expect([0.2, 59.5, 61, 3700].map(remainingText)).toEqual(['1 s left', '60 s left', '2 min left', '1 h 2 min left']);
  });
});
