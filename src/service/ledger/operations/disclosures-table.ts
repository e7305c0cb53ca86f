import { type Disclosures, disclosuresText, parseJson, parseLeftDisclosures } from '../../../protocol/light.ts';
import type { Store, WritableStore } from '../../store/open.ts';

/*
 * Disclosures stand in a table of their own whose rows are only ever added at its end and overwritten by others of the same
 * length: so SQLite never moves one, and no copy of what is erased is left in the unused part of a page. What is erased makes
 * room for blanks, which JSON allows.
 */

/** Stores the disclosures of a record. @param text as disclosuresText writes them @returns their number */
export function keepDisclosures(store: WritableStore, text: string): number {
  const { lastInsertRowid } = store.statement('INSERT INTO disclosures (text) VALUES (?)').run(text);
  return Number(lastInsertRowid);
}

function storedText(store: Store, disclosuresNo: number): string | null {
  const text = store.statement('SELECT text FROM disclosures WHERE disclosures_no = ?').pluck().get(disclosuresNo);
  return typeof text === 'string' ? text : null;
}

/**
 * Disclosures from their stored text, as far as they are not erased.
 * @param text null for a record that came without any
 * @throws ProtocolError JSON_INVALID, SHAPE_INVALID where somebody wrote something else into the file
 */
export function readDisclosures(text: string | null): Disclosures {
  return text === null ? {} : parseLeftDisclosures(parseJson(text));
}

/** The disclosures of a stored record that are left. @param disclosuresNo null for a record that came without any */
export function storedDisclosures(store: Store, disclosuresNo: number | null): Disclosures {
  return readDisclosures(disclosuresNo === null ? null : storedText(store, disclosuresNo));
}

/** Overwrites the disclosures of a record with those that are to be left of them. @returns how many bytes were erased */
export function overwriteDisclosures(store: WritableStore, disclosuresNo: number, left: Disclosures): number {
  const before = storedText(store, disclosuresNo);
  if (before === null) throw new Error(`there are no disclosures ${disclosuresNo}`);
  const text = disclosuresText(left);
  const blanks = ' '.repeat(Buffer.byteLength(before) - Buffer.byteLength(text));
  store.statement('UPDATE disclosures SET text = ? WHERE disclosures_no = ?').run(text + blanks, disclosuresNo);
  return Buffer.byteLength(before.trimEnd()) - Buffer.byteLength(text);
}
