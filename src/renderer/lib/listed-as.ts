interface Numbered {
  readonly ear: { readonly seq_no: number };
  readonly listed_as?: number;
}

/** The number by which lists and questions know a record: in an archive it counts the records of all ledgers. */
export function listedAs({ ear, listed_as: number = ear.seq_no }: Numbered): number {
  return number;
}
