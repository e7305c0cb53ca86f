import type { AdminTrack } from './admin-track.ts';
import type { Directory } from './directory.ts';
import type { EpochTrack } from './epoch-track.ts';
import type { FindingLog } from './finding-log.ts';
import type { LedgerOrder } from './ledger-order.ts';
import { headlineOfFinding, TIMES_NOTE } from './plain-words.ts';
import type { Reconciliation } from './reconciliation.ts';
import type { RecordTrack } from './record-track.ts';
import { CHECKS, type CheckName, type CheckResult, type Finding, type Verdict } from './report.ts';
import { counted } from './wording.ts';

/** What is verified: a proof is one of records (protocol R7). */
export type Subject = 'bundle' | 'ledger' | 'proof';

/** Everything a conclusion is drawn from. */
interface Evidence {
  readonly subject: Subject;
  readonly log: FindingLog;
  /** Why reading stopped, or null where everything was read. */
  readonly broken: string | null;
  readonly pinned: boolean;
  readonly anyPinned: boolean;
  /** The keys are trusted, but not for this organization. */
  readonly unconfirmed: boolean;
  readonly agentFilter: string | null;
  /** When the bundle says that it was made, where the reader asked for a later time; null otherwise. */
  readonly madeEarlier: string | null;
  readonly serviceKeys: number;
  readonly directory: Directory;
  readonly epochs: EpochTrack;
  readonly admin: AdminTrack;
  readonly order: LedgerOrder;
  readonly records: RecordTrack;
  readonly reconciliation: Reconciliation;
}

type Draft = Omit<CheckResult, 'status'> & { readonly status: 'pass' | 'not_checked' | 'not_applicable' };

function pass(counts: CheckResult['counts'], reason: string | null = null): Draft {
  return { status: 'pass', reason, counts };
}

function notChecked(reason: string, counts: CheckResult['counts'] = {}): Draft {
  return { status: 'not_checked', reason, counts };
}

function notApplicable(reason: string): Draft {
  return { status: 'not_applicable', reason, counts: {} };
}

function withheldEvents(count: number): string | null {
  return count === 0 ? null : `${counted(count, 'event')} withheld: only their links and times are there`;
}

/** What clock corrections leave of the times. */
function timeOf(order: LedgerOrder, counts: CheckResult['counts']): Draft {
  const { length } = order.corrections;
  if (order.isUnbounded) return notChecked('the clock was corrected, and nothing before shows by how much', counts);
  return pass(
    counts,
    length === 0 ? null : `${counted(length, 'clock correction')}: some times may be those of a wrong clock`,
  );
}

/** A payload that is withheld whole does not show how it was made. */
function guessable(count: number): string | null {
  if (count === 0) return null;
  const were = count === 1 ? 'was' : 'were';
  return (
    `Nothing shows that ${counted(count, 'withheld payload')} ${were} salted: ` +
    'a short payload can be found from its hash by trial.'
  );
}

function unsealed(count: number): string {
  return `${counted(count, 'record')} not sealed by an epoch yet: checked by signatures and chains alone`;
}

/** What a proof of records leaves open, whoever trusts the issuer (protocol R12). */
const PROOF_SHOWS_NOT =
  ' The proof shows nothing about records before, between or after these, nor whether an agent was frozen or deleted when ' +
  'they were received, nor whether the clock that they were received by was right, nor what the organization and its agents are called.';

/** What no proof of records can show (protocol R11). */
const NOT_OF_PROOFS = {
  completeness: notApplicable('a proof shows these records alone, and nothing before, between or after them'),
  admin_log: notApplicable('a proof holds no administrative log: when an agent was frozen or deleted it does not show'),
} as const satisfies Partial<Record<CheckName, Draft>>;

/** What each check comes to where no finding fails it and the whole file was read. */
function drafts(evidence: Evidence): Record<CheckName, Draft> {
  const { subject, records, epochs, admin, directory, reconciliation } = evidence;
  const total = records.count;
  const NO_RECORDS = `the ${subject} holds no records`;
  const ifRecords = (draft: Draft): Draft => (total === 0 ? notApplicable(NO_RECORDS) : draft);
  return {
    issuer: evidence.pinned
      ? pass({ service_keys: evidence.serviceKeys })
      : notChecked(
          evidence.unconfirmed
            ? 'you trust the issuer for other organizations and have not confirmed this one under its key'
            : evidence.anyPinned
              ? 'the issuer is not one of the keys you trust'
              : 'you named no key of the issuer to trust',
          { service_keys: evidence.serviceKeys },
        ),
    agent_signatures: ifRecords(pass({ records: total, keys: directory.attestations })),
    payloads: ifRecords(
      records.payloads === 0
        ? notApplicable('every payload is withheld')
        : pass(
            {
              payloads: records.payloads,
              withheld: records.withheld.count,
              salted: records.withheld.salted,
              members: records.members,
              members_withheld: records.membersWithheld,
            },
            guessable(records.withheld.count - records.withheld.salted),
          ),
    ),
    chains: ifRecords(pass({ links: records.links })),
    receipts: ifRecords(pass({ receipts: total })),
    epochs:
      epochs.length === 0
        ? notApplicable(epochs.unsealed > 0 ? unsealed(epochs.unsealed) : `the ${subject} holds no epochs`)
        : pass(
            {
              epochs: epochs.length,
              roots_rebuilt: epochs.rootsRebuilt,
              log_roots: epochs.log.rootsGiven,
              ...(epochs.unsealed > 0 ? { unsealed: epochs.unsealed } : {}),
            },
            epochs.unsealed > 0 ? unsealed(epochs.unsealed) : null,
          ),
    completeness:
      // A bundle without records shows nothing of the ledger; a ledger without records is all there.
      total === 0 && subject === 'bundle'
        ? notChecked(NO_RECORDS)
        : evidence.madeEarlier !== null
          ? notChecked(
              `the bundle says that it was made at ${evidence.madeEarlier}, before the time that you asked for`,
              {
                records: total,
              },
            )
          : pass(
              { records: total },
              evidence.agentFilter === null ? null : "one agent's records: linked by its chain, not by gapless numbers",
            ),
    admin_log:
      admin.count === 0
        ? notApplicable(`the ${subject} holds no administrative events`)
        : pass({ events: admin.count - admin.withheld, withheld: admin.withheld }, withheldEvents(admin.withheld)),
    time: ifRecords(timeOf(evidence.order, { records: total })),
    reconciliation: !reconciliation.notes.given
      ? notApplicable(
          subject === 'proof'
            ? 'a proof of records is compared with nothing'
            : 'no kept receipts, no other bundle and no checkpoint were given',
        )
      : reconciliation.notes.problem !== null
        ? notChecked(reconciliation.notes.problem, { compared: reconciliation.notes.compared })
        : reconciliation.notes.compared === 0
          ? notChecked('nothing of what was given lies within the range of the bundle', {
              out_of_scope: reconciliation.notes.outOfScope,
            })
          : pass(
              { compared: reconciliation.notes.compared, out_of_scope: reconciliation.notes.outOfScope },
              reconciliation.remark,
            ),
    ...(subject === 'proof' ? NOT_OF_PROOFS : {}),
  };
}

/** State of every check, and the verdict (protocol V133, V141). */
export function judge(evidence: Evidence): { checks: Record<CheckName, CheckResult>; verdict: Verdict } {
  const open = drafts(evidence);
  const checks = {} as Record<CheckName, CheckResult>;
  for (const name of CHECKS) {
    const draft = open[name];
    if (evidence.log.failed(name)) checks[name] = { ...draft, status: 'fail', reason: null };
    else if (evidence.broken !== null && !(name === 'reconciliation' && draft.status === 'not_applicable')) {
      // What stood before the break may have been right; it is not shown green all the same.
      checks[name] = { status: 'not_checked', reason: evidence.broken, counts: {} };
    } else checks[name] = draft;
  }
  const states = Object.values(checks).map(({ status }) => status);
  const verdict = evidence.log.anyFailed ? 'failed' : states.includes('not_checked') ? 'incomplete' : 'verified';
  return { checks, verdict };
}

/** The verdict in one sentence. */
export function summarize(
  verdict: Verdict,
  checks: Record<CheckName, CheckResult>,
  findings: readonly Finding[],
  { subject, records, admin }: { readonly subject: Subject; readonly records: RecordTrack; readonly admin: AdminTrack },
): string {
  const {
    count,
    withheld: { count: redacted },
  } = records;
  const { withheld: events } = admin;
  const times = count === 0 ? '' : ` ${TIMES_NOTE}`;
  const withheld = [
    redacted === 0 ? '' : ` ${counted(redacted, 'payload')} withheld: not seen, bound by their hashes.`,
    events === 0 ? '' : ` ${counted(events, 'administrative event')} withheld: only their links were checked.`,
    subject === 'proof' ? PROOF_SHOWS_NOT : '',
    times,
  ].join('');
  if (verdict === 'verified')
    return `All applicable checks passed on ${counted(count, 'record')}, and you trust the issuer.${withheld}`;
  if (verdict === 'incomplete') {
    const open = CHECKS.filter((name) => checks[name].status === 'not_checked');
    const reasons = open.map((name) => `${name} (${checks[name].reason ?? 'not checked'})`);
    return `Nothing failed, but not everything could be checked: ${reasons.join('; ')}.${withheld}`;
  }
  const root = findings.find((finding) => finding.severity === 'error' && finding.caused_by === undefined);
  if (root === undefined) return 'The verification failed.';
  const others =
    findings.filter((finding) => finding.severity === 'error' && finding.caused_by === undefined).length - 1;
  const more = others === 0 ? '' : ` ${counted(others, 'further error')} found.`;
  return `${headlineOfFinding(root)}${more}${times}`;
}
