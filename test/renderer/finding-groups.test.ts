import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/protocol/index.ts';
import { findingGroups } from '../../src/renderer/report/finding-groups.ts';

const finding = (id: number, caused_by?: number): Finding => ({
  id,
  code: 'CHAIN_BROKEN',
  severity: 'error',
  check: 'chains',
  where: {},
  message: `finding ${id}`,
  ...(caused_by === undefined ? {} : { caused_by }),
});
const idsOf = (findings: readonly Finding[]) =>
  findingGroups(findings).map(({ cause, consequences }) => [cause.id, consequences.map(({ id }) => id)]);

describe('findings by their causes', () => {
  it('stand below what they follow from, however far', () => {
    expect(idsOf([finding(1), finding(2, 1), finding(3, 2), finding(4)])).toEqual([
      [1, [2, 3]],
      [4, []],
    ]);
  });

  it('stand below a cause that is listed later', () => {
    expect(idsOf([finding(1, 2), finding(2)])).toEqual([[2, [1]]]);
  });

  it('stand by themselves where the cause is not listed, or where they cause each other', () => {
    expect(idsOf([finding(1, 9)])).toEqual([[1, []]]);
    expect(idsOf([finding(1, 2), finding(2, 1)])).toEqual([
      [1, []],
      [2, []],
    ]);
  });
});
