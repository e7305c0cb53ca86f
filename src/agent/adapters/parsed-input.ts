import { readExactJson } from '../../protocol/light.ts';

/** What a tool is given, where a framework hands its arguments over as JSON text: the value, or the text where it is no JSON. */
export function parsedInput(text: string): unknown {
  try {
    return readExactJson(text, JSON.parse);
  } catch {
    return text;
  }
}
