import packageJson from '../../../../package.json' with { type: 'json' };
import type { CaseFileKind, CustodyAction, CustodySignatureState } from '../../../api/index.ts';
import {
  fingerprintDigits,
  formatTime,
  type JsonObject,
  type PagesCheck,
  visibleText,
} from '../../../protocol/index.ts';
import { caseVerdict } from '../case-view.ts';
import type { KnownLog } from '../custody/custody-checks.ts';
import type { CustodyEntry } from '../custody/custody-entry.ts';
import type { ItemSeen } from '../items/item-views.ts';
import { html, type Markup, page } from './html.ts';

/** What a certificate is filled from. */
export interface CertificateSource {
  readonly about: {
    readonly name: string;
    readonly sha256: string;
    /** Of the first item, as it says. */
    readonly orgId: string | null;
    /** Whether the key of its issuer is trusted. */
    readonly isPinned: boolean;
    /** On the first item by itself; null before. */
    readonly verdict: 'verified' | 'failed' | 'incomplete' | null;
    /** What was found about the pages of the first item; null where it has none. */
    readonly pages: PagesCheck | null;
    readonly kind: CaseFileKind;
    readonly verified_at: number | null;
  };
  readonly items: readonly ItemSeen[];
  readonly custody: Omit<KnownLog, 'acts' | 'states'> & {
    readonly acts: readonly (CustodyEntry & { readonly signature: CustodySignatureState })[];
  };
  readonly madeAt: number;
}

type Act = CertificateSource['custody']['acts'][number];

const VERDICTS = {
  verified: 'verified',
  failed: 'FAILED',
  incomplete: 'incomplete',
  not_verified: 'not verified',
} as const;

function person(by: string | null): Markup {
  return by === null ? html`<span class="blank">not recorded</span>` : html`${visibleText(by)}`;
}

function itemRow({
  item_no,
  name,
  kind,
  bytes,
  sha256,
  added_at,
  added_by,
  verdict,
  code,
  verified_at,
  summary,
}: ItemSeen): Markup {
  const found = verdict === null ? 'not looked at yet' : VERDICTS[verdict];
  const checked = code === null ? found : code === 'ATTACHMENT' ? `${found}: attachment` : `${found} (${code})`;
  return html`<tr><td>${item_no}</td><td>${visibleText(name)}<br><small>${kind ?? 'unknown'}, ${bytes} bytes</small></td>
    <td class="code">${sha256}</td><td>${added_at}<br>${person(added_by)}</td>
    <td>${checked}${verified_at === null ? '' : html`<br><small>${verified_at}</small>`}<br><small>${visibleText(summary)}</small></td></tr>`;
}

const numbers = (items: readonly ItemSeen[]): string => items.map(({ item_no }) => item_no).join(', ');

/** What follows for the case as a whole from what was found of each item: one that contradicts the first fails it. */
function caseFound({ about, items }: CertificateSource): Markup {
  const contradicting = items.filter(({ code }) => code === 'CONTRADICTS_BUNDLE');
  const open = items.filter(({ verdict }) => verdict === null);
  const { verdict, verdict_code } = caseVerdict({
    report: about.verdict === null ? null : { verdict: about.verdict },
    pages: about.pages,
    kind: about.kind,
    verified_at: about.verified_at,
    items: { contradicting: contradicting.map(({ item_no }) => item_no), unchecked: open.length },
  });
  const found = verdict === null ? 'no verdict yet' : VERDICTS[verdict];
  const whole = verdict_code === null ? found : `${found} (${verdict_code})`;
  const failed = items.filter(({ verdict: one }) => one === 'failed');
  const because =
    contradicting.length === 0 ? '' : ` What item 1 says is contradicted by: item ${numbers(contradicting)}.`;
  const each = failed.length === 0 ? '' : ` Items that failed: ${numbers(failed)}.`;
  const later = open.length === 0 ? '' : ` Items that were not looked at yet: ${numbers(open)}.`;
  return html`<p>The case as a whole: <strong>${whole}</strong>. This is the verdict on item 1 together with what the items say about it; every other
item has its own verdict, in its row.${because}${each}${later}</p>`;
}

/** The phases of ISO/IEC 27037:2012, clause 5.4, and what a case knows of each. */
function phases({ about, items, custody }: CertificateSource): Markup[] {
  const row = (phase: string, who: Markup, when: Markup, how: Markup, what: Markup): Markup =>
    html`<tr><th scope="row">${phase}</th><td>${who}</td><td>${when}</td><td>${how}</td><td>${what}</td></tr>`;
  const blank = html`<span class="blank">to be filled in</span>`;
  const added = items.map(({ item_no, added_by, added_at }) => ({ item_no, added_by, added_at }));
  const saves = custody.acts.filter(({ action }) => action === 'case.save' || action === 'case.open');
  return [
    row(
      'Identification',
      blank,
      blank,
      html`The first item says of itself: organization ${about.orgId === null ? 'none' : visibleText(about.orgId)}, issuer ${about.isPinned ? 'confirmed by a key that the examiner trusts' : 'not confirmed'}.`,
      html`item 1 <span class="code">${about.sha256}</span>`,
    ),
    row(
      'Collection',
      blank,
      blank,
      html`Where the files came from, and on what medium, this case does not know.`,
      blank,
    ),
    row(
      'Acquisition',
      html`${added.map(({ item_no, added_by }) => html`item ${item_no}: ${person(added_by)}<br>`)}`,
      html`${added.map(({ item_no, added_at }) => html`item ${item_no}: ${added_at}<br>`)}`,
      html`Copied byte for byte by Countersign ${packageJson.version}; SHA-256 computed while each file arrived.`,
      html`${items.map(({ item_no, sha256 }) => html`item ${item_no} <span class="code">${sha256}</span><br>`)}`,
    ),
    row(
      'Preservation',
      saves.length === 0
        ? html`nobody moved the case`
        : html`${saves.map(({ by, action, entry_no }) => html`entry ${entry_no}, ${ACTS[action]}: ${person(by)}<br>`)}`,
      saves.length === 0 ? html`–` : html`${saves.map(({ at }) => html`${at}<br>`)}`,
      logState(custody),
      custody.head === null
        ? html`the custody log is empty`
        : html`custody log, entry ${custody.head.entry_no} <span class="code">${custody.head.entry_hash}</span>`,
    ),
  ];
}

function logState({ damage, signatures, head, logId }: CertificateSource['custody']): Markup {
  if (head === null) return html`No custody log was kept yet.`;
  const { signed, unsigned, invalid } = signatures;
  const holds =
    damage.length === 0
      ? 'Hash-chained custody log: every entry follows the one before it.'
      : `The custody log does NOT hold: ${damage.map(({ entry_no, code }) => `entry ${entry_no}: ${code}`).join(', ')}.`;
  const whose = logId === null ? ' It is an older log, which does not name its case.' : '';
  return html`${holds}${whose} Entries signed by who acted: ${signed}; signed by nobody: ${unsigned}; with a signature that does not hold: ${invalid}.`;
}

const ACTS: Readonly<Record<CustodyAction, string>> = {
  'annotation.set': 'tags and note set',
  'annotation.remove': 'tags and note removed',
  'look.mark': 'looked at',
  'case.rename': 'case renamed',
  'case.verify': 'verified again',
  'report.make': 'report made',
  'rules.change': 'reading rules changed',
  'search.save': 'search saved',
  'search.delete': 'search deleted',
  'files.collect': 'files collected',
  'item.add': 'item added',
  'item.remove': 'item removed',
  'item.save': 'item saved',
  'items.compare': 'items compared',
  'certificate.make': 'certificate drafted',
  'case.save': 'case saved as a file',
  'case.open': 'case opened from a file',
};

function actRow({ entry_no, at, by, action, details, signature }: Act): Markup {
  return html`<tr><td>${entry_no}</td><td>${at}</td><td>${person(by)}</td><td>${ACTS[action]}</td>
    <td>${visibleText(detailsOf(details))}</td><td>${signature}</td></tr>`;
}

/** Of the details of an act, in characters: whoever made a case file chose how long they are. */
const MAX_DETAILS = 2000;

function detailsOf(details: JsonObject): string {
  const text = Object.entries(details)
    .map(([member, value]) => `${member}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('; ');
  return text.length <= MAX_DETAILS
    ? text
    : `${text.slice(0, MAX_DETAILS)}… (${text.length - MAX_DETAILS} more characters in the log)`;
}

/** How many of a list are told, where it has more. */
function firstOf(what: string, told: number, total: number): Markup {
  return told === total ? html`` : html`<p>The first ${told} of ${total} ${what}; the others are in the case.</p>`;
}

function keyRow({ signer, kid, entries }: CertificateSource['custody']['examiners'][number]): Markup {
  return html`<tr><td>${visibleText(signer)}</td><td class="code">${fingerprintDigits(kid).join(' ')}</td><td>${entries}</td></tr>`;
}

/**
 * A draft for whoever certifies data of a case: what Fed. R. Evid. 902(14) asks for, as far as the case knows it, and the phases of
 * ISO/IEC 27037. It signs nothing and certifies nothing; what nobody recorded is left open.
 * @returns an HTML document without scripts, which loads nothing
 */
export function certificate(source: CertificateSource): string {
  const { about, items, custody, madeAt } = source;
  const checked = items.filter(
    ({ verdict }) => verdict === 'verified' || verdict === 'failed' || verdict === 'incomplete',
  );
  const attached = items.filter(({ verdict }) => verdict === 'not_verified');
  const body = html`
<p class="draft" role="note"><strong>DRAFT – not signed.</strong> A qualified person has to read it, complete what is open, and sign it. Until then it certifies nothing.</p>
<h1>Certification of data copied from an electronic device, storage medium or file</h1>
<p>Fed. R. Evid. 902(14), in the form of 902(11). Case “${visibleText(about.name)}”. Drafted ${formatTime(madeAt)} by Countersign ${packageJson.version}.</p>
<h2>1. Who certifies</h2>
<p>Name: <span class="line"></span> Qualification: <span class="line"></span> Employer: <span class="line"></span></p>
<h2>2. What is certified</h2>
<p>The files below were copied into the case byte for byte. A file is the one that was copied where its SHA-256 is the one in its row: two different files
with one SHA-256 are not known. This process of digital identification is what rule 902(14) is about.</p>
<table><thead><tr><th>No.</th><th>File</th><th>SHA-256</th><th>Added, by</th><th>What was found here</th></tr></thead><tbody>${items.map(itemRow)}</tbody></table>
${caseFound(source)}
<p>${checked.length} of ${items.length} items hold evidence that was checked. Attachments, of whose content nothing was checked: ${attached.length}. A verdict of
“incomplete” means that something needed for it is missing, such as confirmation of the issuer’s key.</p>
<h2>3. Handling (ISO/IEC 27037:2012)</h2>
<table><thead><tr><th>Phase</th><th>Who</th><th>When</th><th>With what, and how</th><th>Digest</th></tr></thead><tbody>${phases(source)}</tbody></table>
<h2>4. Custody log</h2>
<p>${logState(custody)} Work on single records (tags, notes) is in the log and left out here.</p>
${firstOf('entries', custody.acts.length, custody.actsTotal)}
<table><thead><tr><th>Entry</th><th>When</th><th>Who</th><th>What</th><th>Details</th><th>Signature</th></tr></thead><tbody>${custody.acts.map(actRow)}</tbody></table>
${
  custody.examiners.length === 0
    ? html`<p>No key signed any entry.</p>`
    : html`<h3>Keys that signed</h3><p>Whose key it is, its fingerprint tells whoever compares it with the person.</p>
${firstOf('keys', custody.examiners.length, custody.examinersTotal)}
<table><thead><tr><th>Signer, as the signatures say</th><th>Fingerprint</th><th>Entries</th></tr></thead><tbody>${custody.examiners.map(keyRow)}</tbody></table>`
}
<h2>5. What this does not say</h2>
<ul>
<li>That the events in the records happened as they are recorded: a valid signature shows who signed a record, and that it was not changed.</li>
<li>Who sat at the keyboard: names are those of accounts, and times those of the machine’s clock.</li>
<li>Where a file was before it was added, and whether it was complete then.</li>
<li>That no entry was cut off the end of the custody log, unless its newest hash was written down elsewhere.</li>
</ul>
<h2>6. Signature</h2>
<p>I declare under penalty of perjury that the foregoing, as completed by me, is true and correct (28 U.S.C. § 1746).</p>
<p>Date: <span class="line"></span> Signature: <span class="line"></span></p>`;
  return page(`Certification draft – ${visibleText(about.name)}`, body);
}
