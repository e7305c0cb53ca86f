import { type Matcher, RE2JS } from 're2js';
import type { Range } from './folding.ts';
import { MAX_REGEX_PROGRAM } from './limits.ts';

/** A regular expression that takes time in proportion to the text, whatever it is (docs/decisions/0061-re2js.md). */
export interface Regex {
  test(text: string): boolean;
  /** Where it matches, left to right, without overlap; empty matches are left out. */
  ranges(text: string): Range[];
}

/** @returns the compiled expression, or why the text does not compile. Never throws. */
export function compileRegex(source: string, ignoreCase: boolean): Regex | { readonly problem: string } {
  const compiled = compile(source, ignoreCase);
  if (typeof compiled === 'string') return { problem: compiled };
  return {
    test: (text) => compiled.test(text),
    ranges: (text) => rangesOf(compiled.matcher(text)),
  };
}

function compile(source: string, ignoreCase: boolean): RE2JS | string {
  try {
    const compiled = RE2JS.compile(source, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    return compiled.programSize() > MAX_REGEX_PROGRAM ? 'it is too large' : compiled;
  } catch (error) {
    // The engine throws for whatever it can't take; the reason is the person's to read.
    return String(error).replace(/^.*error parsing regexp: /s, '');
  }
}

function rangesOf(matcher: Matcher): Range[] {
  const ranges: Range[] = [];
  while (matcher.find()) {
    const [start, end] = [matcher.start(), matcher.end()];
    if (end > start) ranges.push({ start, end });
  }
  return ranges;
}
