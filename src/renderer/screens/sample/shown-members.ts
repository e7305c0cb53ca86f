import {
  type BundleRecord,
  type Disclosure,
  disclosuresFit,
  type Json,
  readContents,
  type VerificationReport,
} from '../../../protocol/index.ts';
import { openBundle } from '../../../reports/verify/index.ts';

/** A member of a salted payload as a file shows it, next to what its agent signed. */
export interface ShownMember {
  readonly name: string;
  readonly value: Json;
  /** Whether its digest is the one that the agent signed under its name. */
  readonly isSigned: boolean;
  /** Where another text is known for a member that is not as signed: that text, and whether its digest is a signed one. */
  readonly original: { readonly value: Json; readonly isSigned: boolean } | null;
}

/**
 * Compares each member of a salted payload with the digests that the agent signed.
 * @param originals what members are said to have been
 */
export function shownMembers(
  { eor: { payload }, disclosures = {} }: BundleRecord,
  originals: { readonly [member: string]: Json } = {},
): ShownMember[] {
  const fits = (name: string, disclosure: Disclosure): boolean =>
    disclosuresFit(payload, Object.fromEntries([[name, disclosure]]));
  return Object.entries(disclosures)
    .map(([name, [salt, value]]): ShownMember => {
      const isSigned = fits(name, [salt, value]);
      const original = isSigned ? undefined : originals[name];
      return {
        name,
        value,
        isSigned,
        original: original === undefined ? null : { value: original, isSigned: fits(name, [salt, original]) },
      };
    })
    .toSorted((a, b) => Number(a.isSigned) - Number(b.isSigned) || (a.name < b.name ? -1 : 1));
}

/** The record that the first cause of a failure names, out of the file; null where no finding names one. */
export async function firstDamagedRecord(file: Blob, { findings }: VerificationReport): Promise<BundleRecord | null> {
  const operationId = findings.find(({ severity, where }) => severity === 'error' && where.operation_id !== undefined)
    ?.where.operation_id;
  if (operationId === undefined) return null;
  const { source } = await openBundle(file);
  for await (const contents of readContents(source)) {
    for (const content of contents) {
      if (content.kind === 'record' && content.value.eor.operation_id === operationId) return content.value;
    }
  }
  return null;
}
