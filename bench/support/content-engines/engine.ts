import type { Shape } from './records.ts';

/** What is looked for, in the forms that both engines know. */
export interface Sought {
  /** Words one after the other. */
  readonly words: readonly string[];
  /** The path of the member in which they are; null for anywhere. */
  readonly path: readonly string[] | null;
}

/** Something that finds records by their words. */
export interface ContentEngine {
  /** Takes in all records. */
  build(): void;
  /** Gets ready for questions about what was built. */
  open(): void;
  /** How many records have it: all of them are found, as a chart or a count needs. */
  find(sought: Sought): number;
  /** Questions that only some engines are asked, under their names. */
  further?(shape: Shape): Record<string, readonly (() => void)[]>;
  /** Takes out what a record had, from what is stored alone. */
  erase(n: number): void;
  /** Everything on the disk is in these files. */
  files(): string[];
  close(): void;
}
