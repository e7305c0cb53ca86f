/** The JSON texts that this thread, which is also that of a service under test, parses meanwhile. */
export interface ParsedHere {
  readonly calls: number;
  /** Characters of the longest. */
  readonly longest: number;
}

/** Counts what is parsed on this thread: what threads of the service parse is not among it. */
export async function parsedHere(act: () => Promise<unknown>): Promise<ParsedHere> {
  const { parse } = JSON;
  let calls = 0;
  let longest = 0;
  JSON.parse = (text, reviver) => {
    calls++;
    longest = Math.max(longest, text.length);
    return parse(text, reviver) as unknown;
  };
  try {
    await act();
  } finally {
    JSON.parse = parse;
  }
  return { calls, longest };
}
