import { organizationsOf, type PinnedBy, type TrustStore } from '../node/trust/index.ts';
import { namesKey, orgFingerprint, speaksFor, type TrustEntry, type VerificationReport } from '../protocol/index.ts';
import { printable, printableName } from './printable.ts';
import type { Terminal } from './terminal.ts';

/** An organization that a key signs for, as far as this trust store knows. */
interface KnownOrganization {
  readonly org_id: string;
  readonly org_name: string | null;
}

/** On what the trust in a bundle's issuer rests. It is no part of the report, which depends on its inputs alone. */
export interface TrustBasis {
  /** The pair of the trust store that vouches for the issuer, with who pinned it and when; null where none does. */
  readonly pinned: {
    readonly kid: string;
    readonly org_id: string;
    readonly added_at: string;
    readonly pinned_by: PinnedBy | null;
  } | null;
  /** Whether the verdict rests on a key that was named for whatever organization the file names. */
  readonly any_organization: boolean;
  /** The other organizations that the issuer's keys are known to sign for. */
  readonly also_signs_for: readonly KnownOrganization[];
}

/** Pure: from the report, what --trust named, and the store. */
export function trustBasis(
  { issuer, bundle }: VerificationReport,
  named: readonly TrustEntry[],
  store: TrustStore,
): TrustBasis {
  const orgId = bundle.org_id ?? '';
  const keys = store.trusted.filter(({ kid }) => issuer.linked.includes(kid));
  const pairs = keys.flatMap(({ kid, organizations }) => organizations.map((one) => ({ kid, ...one })));
  const pair = issuer.pinned ? pairs.find(({ org_id }) => org_id === orgId) : undefined;
  const naming = named.filter((entry) => issuer.linked.some((kid) => namesKey(entry, kid)));
  const isNarrow = naming.some((entry) => entry.orgId !== null && speaksFor(entry, orgId));
  const met = issuer.linked.flatMap((kid) =>
    organizationsOf(store, kid).map(({ org_id, name }) => ({ org_id, org_name: name })),
  );
  const others = new Map([...pairs, ...met].map(({ org_id, org_name }) => [org_id, { org_id, org_name }] as const));
  others.delete(orgId);
  return {
    pinned:
      pair === undefined ? null : { kid: pair.kid, org_id: orgId, added_at: pair.added_at, pinned_by: pair.pinned_by },
    any_organization: issuer.pinned && pair === undefined && !isNarrow && naming.some((entry) => entry.orgId === null),
    also_signs_for: [...others.values()],
  };
}

/** Who pinned something, for a person. */
export function describePinner(pinnedBy: PinnedBy | null): string {
  if (pinnedBy === null) return 'by an older version, which did not note by whom';
  const { how, user_id, user_name } = pinnedBy;
  const user = user_id === null ? '' : ` by ${printable(user_name ?? '?')} (${printable(user_id)})`;
  if (how === 'command') return 'on the command line';
  return how === 'workstation' ? `in a workstation session${user}` : `${user.trim()} over HTTP`;
}

/** An organization for a person: its name, which anybody may bear, where it is known; its short fingerprint and its id. */
export function describeOrganization({ org_id, org_name }: KnownOrganization): string {
  const name = org_name === null || org_name === '' ? '' : `${printableName(org_name)}, `;
  return `${name}${orgFingerprint(org_id)} (${printable(org_id)})`;
}

/** More than this many organizations are counted, not listed. */
const MAX_LISTED = 5;

/** What a reader has to know of the trust that a verdict rests on. */
export function renderTrustBasis(report: VerificationReport, basis: TrustBasis, terminal: Terminal): void {
  const { bundle } = report;
  const org = { org_id: bundle.org_id ?? '', org_name: bundle.org_name };
  if (basis.pinned !== null) {
    terminal.wrapped(
      `  Trusted for this organization since ${basis.pinned.added_at}, ${describePinner(basis.pinned.pinned_by)}.`,
      2,
    );
  }
  if (basis.any_organization) {
    terminal.wrapped('  You named the key for whatever organization the file names. That organization is:', 2);
    terminal.wrapped(`    ${describeOrganization(org)}`, 4);
    terminal.wrapped(
      '  Compare the fingerprint of the organization too, or name the organization: --trust KEY@ORG_ID.',
      2,
    );
  }
  const isUnconfirmed = report.finding_counts.ORGANIZATION_NOT_CONFIRMED !== undefined;
  if ((basis.any_organization || isUnconfirmed) && basis.also_signs_for.length > 0) {
    terminal.line('  This key also signs for:');
    for (const other of basis.also_signs_for.slice(0, MAX_LISTED))
      terminal.wrapped(`    ${describeOrganization(other)}`, 4);
    const more = basis.also_signs_for.length - MAX_LISTED;
    if (more > 0) terminal.line(`    and ${more} more: countersign trust show`);
  }
  if (isUnconfirmed) {
    terminal.wrapped(
      `  Once the issuer told you the fingerprint of this organization, confirm it: ${describeOrganization(org)}`,
      2,
    );
    terminal.line(`    countersign trust add ${report.issuer.kid ?? 'KEY'}@${printable(bundle.org_id ?? 'ORG_ID')}`);
  }
}
