/**
 * Letters of other scripts that most faces draw as a Latin one, each with that one: the part of the confusables of UTS #39
 * that is alike at any size. Small forms such as `к` or `м`, which are like capitals only, are not here.
 */
const PAIRS: readonly (readonly [string, string])[] = [
  // Cyrillic
  ['аеорсухіјѕһԁԛԝѵ', 'aeopcyxijshdqwv'],
  ['АВЕКМНОРСТУХІЈЅԌԚԜ', 'ABEKMHOPCTYXIJSGQW'],
  // Latin alpha and Greek
  ['ɑονϲ', 'aovc'],
  ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'],
];

/** A letter that is taken for a Latin one, to that one. */
export const LATIN_LOOKALIKES: ReadonlyMap<string, string> = new Map(
  PAIRS.flatMap(([letters, latin]) => [...letters].map((letter, at) => [letter, latin[at] ?? letter] as const)),
);
