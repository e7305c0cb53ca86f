import type { LogOf } from '../custody/custody-entry.ts';
import { findEntry } from '../custody/custody-log.ts';
import { caseItemViews, type FirstItem } from '../items/item-views.ts';
import type { OpenCase } from '../reads/open-case.ts';
import { type CertificateSource, certificate } from './certificate.ts';

/** What a certificate is asked for with: what of a case is not in its tables. */
export interface AskedCertificate {
  readonly of: LogOf;
  readonly about: CertificateSource['about'];
  readonly first: FirstItem;
  /** In milliseconds since 1970. */
  readonly madeAt: number;
}

/** The draft of a certificate about a case, as an HTML document. */
export async function certificateOf(open: OpenCase, { of, about, first, madeAt }: AskedCertificate): Promise<string> {
  const known = await open.custody.whole(of);
  const acts = known.acts.flatMap((entryNo) => {
    const entry = findEntry(open.annotations, entryNo);
    return entry === null ? [] : [{ ...entry, signature: known.states.get(entryNo) ?? ('unsigned' as const) }];
  });
  return certificate({ about, items: caseItemViews(open, first), custody: { ...known, acts }, madeAt });
}
