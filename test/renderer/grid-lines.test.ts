// In how many lines the rows of a list stand where its columns find no room.
import { describe, expect, it } from 'vitest';
import { foldOf, linesOf } from '../../src/renderer/components/grid-lines.ts';

const CELLS = [{ size: 100 }, { size: 200, grows: true }, { size: 100 }];

describe('the lines of a row', () => {
  it('are filled from left to right', () => {
    expect(linesOf([100, 200, 100], 400)).toBe(1);
    expect(linesOf([100, 200, 100], 399)).toBe(2);
    expect(linesOf([100, 200, 100], 250)).toBe(3);
    expect(linesOf([], 100)).toBe(1);
  });

  it('put a cell that is wider than its place on a separate line', () => {
    expect(linesOf([50, 500, 50], 100)).toBe(3);
    expect(linesOf([500], 100)).toBe(1);
  });
});

describe('a list', () => {
  it('has columns where these find room, with its first text below the title of the screen', () => {
    expect(foldOf(CELLS, 408, false)).toEqual({
      lines: 1,
      rowStyle: { paddingLeft: 8, gridTemplateColumns: '100px minmax(200px, 1fr) 100px' },
      minWidth: 408,
    });
  });

  it('has columns until its width is known', () => {
    expect(foldOf(CELLS, 0, false).lines).toBe(1);
  });

  it('breaks its rows where they find none, and then never scrolls sideways', () => {
    const grows = [{ size: 300, grows: true }, { size: 100 }];
    expect(foldOf(grows, 407, false)).toEqual({
      lines: 2,
      rowStyle: { paddingLeft: 8, '--cell-0': '1 1 300px', '--cell-1': '0 1 100px' },
      minWidth: 0,
    });
  });

  it('gives the one cell that grows a whole line below the others, where rows get no higher by it', () => {
    expect(foldOf(CELLS, 407, false)).toEqual({
      lines: 2,
      rowStyle: {
        paddingLeft: 8,
        '--cell-0': '0 1 100px',
        '--cell-1': '1 0 100%',
        '--order-1': '1',
        '--cell-2': '0 1 100px',
      },
      minWidth: 0,
    });
    // The others need two lines by themselves.
    const wide = [{ size: 300 }, { size: 50, grows: true }, { size: 300 }];
    expect(foldOf(wide, 400, false)).toMatchObject({ lines: 2, rowStyle: { '--cell-1': '1 1 50px' } });
    // Of two that grow neither is the long one.
    const two = [{ size: 100 }, { size: 200, grows: true }, { size: 200, grows: true }];
    expect(foldOf(two, 407, false)).toMatchObject({ lines: 2, rowStyle: { '--cell-2': '1 1 200px' } });
  });

  it('has a mark before all the lines of a row', () => {
    const marked = [{ size: 30, isHeadHidden: true }, ...CELLS];
    expect(foldOf(marked, 430, false)).toMatchObject({ lines: 1, rowStyle: { paddingLeft: 0 } });
    expect(foldOf(marked, 335, false)).toMatchObject({ lines: 2, rowStyle: { paddingLeft: 30 } });
    // Beside the mark there is room for one of the cells only.
    expect(foldOf(marked, 231, false)).toMatchObject({ lines: 3 });
  });

  it('keeps widths that somebody chose, and scrolls', () => {
    expect(foldOf(CELLS, 300, true)).toMatchObject({ lines: 1, minWidth: 408 });
  });
});
