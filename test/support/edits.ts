/** Edits of single values of a bundle that keep its shape: what somebody does who alters a file by hand. */
import { type Json, publicKeyOf, toBase64Url } from '../../src/protocol/index.ts';
import { derived, otherDigest, otherSignature, uuid } from './bundle-maker.ts';
import type { Bundle } from './vectors.ts';

export interface Edit {
  /** Where the value stands: names of members, `*` for the index of an element, joined by dots. */
  readonly kind: string;
  /** The same with the indexes. */
  readonly path: string;
  readonly bundle: Bundle;
}

/** Another value of the same kind. */
function altered(value: Json, name: string): Json {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (value === null) {
    if (name.endsWith('_hash')) return otherDigest();
    if (name.endsWith('signature')) return otherSignature();
    return name.endsWith('_at') ? 1 : 'other';
  }
  if (typeof value !== 'string') return value;
  if (/^sha256:/.test(value)) return otherDigest();
  if (/^[A-Za-z0-9_-]{86}$/.test(value)) return otherSignature();
  if (name === 'public_key') return toBase64Url(publicKeyOf(derived('stranger')));
  if (/^[A-Za-z0-9_-]{43}$/.test(value)) return `${value[0] === 'A' ? 'B' : 'A'}${value.slice(1)}`;
  if (/^\d{4}-\d{2}-\d{2}T/.test(value)) return value.replace(/\d(?=Z$)/, (digit) => String((Number(digit) + 1) % 10));
  if (/^[0-9a-f]{8}-/.test(value)) return uuid('other');
  return `${value}x`;
}

/** One edit for each value of a bundle that is neither an object nor an array. */
export function edits(bundle: Bundle): Edit[] {
  const found: Edit[] = [];
  const visit = (value: Json, kind: string, path: string, name: string, put: (other: Json) => Json): void => {
    if (Array.isArray(value)) {
      const list = value as readonly Json[];
      for (const [index, item] of list.entries()) {
        visit(item, `${kind}.*`, `${path}.${index}`, name, (other) => put(list.with(index, other)));
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const [member, item] of Object.entries(value)) {
        const below = kind === '' ? member : `${kind}.${member}`;
        visit(item, below, path === '' ? member : `${path}.${member}`, member, (other) =>
          put({ ...value, [member]: other }),
        );
      }
    } else {
      const other = altered(value, name);
      if (other !== value) found.push({ kind, path, bundle: put(other) as unknown as Bundle });
    }
  };
  visit(bundle as unknown as Json, '', '', '', (other) => other);
  return found;
}
