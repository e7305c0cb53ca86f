import { caseFileRoutes, caseLedger } from '../cases/case-ledger.ts';
import { type CaseReports, chosenFile } from '../cases/case-reports.ts';
import { caseRoutes } from '../cases/case-routes.ts';
import type { Comparisons } from '../cases/comparisons.ts';
import { custodyRoutes } from '../cases/custody/custody-routes.ts';
import { examiners } from '../cases/custody/examiner.ts';
import { registeredKeys } from '../cases/custody/registered-keys.ts';
import { itemRoutes } from '../cases/item-routes.ts';
import { recordsInLedger } from '../cases/records-in-ledger.ts';
import type { SealedCases } from '../cases/sealed/sealed-cases.ts';
import { trustRoutes } from '../cases/trust/trust-routes.ts';
import { exportRoutes } from '../evidence/exports/export-routes.ts';
import { type LiveLedgerDeps, liveLedger } from '../evidence/live-ledger.ts';
import { proofRoutes } from '../evidence/proofs/proof-routes.ts';
import { refuseHeld } from '../evidence/retention/holds.ts';
import { RecordTexts } from '../evidence/retention/record-texts.ts';
import { retentionRoutes } from '../evidence/retention/retention-routes.ts';
import { ledgerRoutes } from '../evidence/self-verification/verification-routes.ts';
import type { Handlers } from '../http/handler.ts';
import { adminRoutes } from '../ledger/admin-log/admin-event-routes.ts';
import { refusalRoutes } from '../ledger/admin-log/refusals/refusal-routes.ts';
import { epochRoutes } from '../ledger/epochs/epoch-routes.ts';
import { operationRoutes } from '../ledger/operations/operation-routes.ts';
import { healthRoutes } from '../operator/health/health-routes.ts';
import { administrationRoutes } from '../operator/operator-routes.ts';
import type { WebhookDispatcher } from '../operator/webhooks/dispatcher.ts';
import { enqueueStatusChange } from '../operator/webhooks/enqueue.ts';
import { webhookRoutes } from '../operator/webhooks/webhook-routes.ts';
import { ownWitnessRoutes } from '../operator/witnesses/own-witness.ts';
import { witnessRoutes } from '../operator/witnesses/registry.ts';
import { timeStampRoutes } from '../operator/witnesses/time-stamps.ts';
import { agentRoutes } from '../people/agents/agent-routes.ts';
import { decisionRoutes } from '../people/agents/decision-routes.ts';
import { accountRoutes } from '../people/identity/account-routes.ts';
import { apiTokenRoutes } from '../people/identity/api-token-routes.ts';
import { enrolmentRoutes } from '../people/identity/enrolment-routes.ts';
import { identityRoutes } from '../people/identity/identity-routes.ts';
import { oauthRoutes } from '../people/identity/oauth/oauth-routes.ts';
import { passkeyRoutes } from '../people/identity/passkeys/passkey-routes.ts';
import { memberRoutes } from '../people/members/member-routes.ts';
import { onboardingRoutes } from '../people/organizations/onboarding-routes.ts';
import { workstationRoutes } from '../people/workstation/workstation-routes.ts';
import { annotationLogRoutes } from '../search/annotations/live-annotations.ts';
import { coherenceRoutes } from '../search/coherence-routes.ts';
import { questionHandlers } from '../search/ledger-questions.ts';
import type { LedgerReads } from '../search/queries/ledger-reads.ts';
import { ticketRoutes } from './ticket-routes.ts';

type DepsOf<F extends (deps: never) => unknown> = Parameters<F>[0];

/** What all routes together take; each names its own share. */
type RouteDeps = Omit<DepsOf<typeof identityRoutes>, 'onOpened'> &
  DepsOf<typeof apiTokenRoutes> &
  DepsOf<typeof enrolmentRoutes> &
  DepsOf<typeof accountRoutes> &
  DepsOf<typeof passkeyRoutes> &
  DepsOf<typeof oauthRoutes> &
  DepsOf<typeof onboardingRoutes> &
  DepsOf<typeof memberRoutes> &
  Omit<DepsOf<typeof agentRoutes>, 'onStatusChange'> &
  Omit<DepsOf<typeof operationRoutes>, 'onErased' | 'refuseHeld'> &
  Omit<DepsOf<typeof retentionRoutes>, 'recordsOfCase'> &
  Omit<LiveLedgerDeps, 'report'> &
  DepsOf<typeof exportRoutes> &
  DepsOf<typeof proofRoutes> &
  DepsOf<typeof ledgerRoutes> &
  Omit<DepsOf<typeof webhookRoutes>, 'webhooks'> &
  DepsOf<typeof witnessRoutes> &
  DepsOf<typeof ownWitnessRoutes> &
  DepsOf<typeof timeStampRoutes> &
  DepsOf<typeof ticketRoutes> &
  DepsOf<typeof trustRoutes> &
  DepsOf<typeof workstationRoutes> &
  Omit<DepsOf<typeof administrationRoutes>, 'isDamaged'> &
  Omit<DepsOf<typeof healthRoutes>, 'queueHealth'> & {
    readonly dispatcher: WebhookDispatcher;
    readonly content: LedgerReads;
    /** What failed that nobody waits for. */
    readonly onError: (error: unknown) => void;
    readonly comparisons: Comparisons;
    readonly caseReports: CaseReports;
    readonly sealedCases: SealedCases;
    /** Organizations whose ledger is known to be damaged. */
    readonly damaged: { readonly size: number };
  };

/** The handler of every route of the interface. */
export function handlersOf(parts: RouteDeps): Handlers {
  const { dispatcher, cases, comparisons, caseReports, recordFiles, damaged, now } = parts;
  const examinerOf = examiners(parts.store, now);
  const keysOf = registeredKeys(parts.store);
  const report: LiveLedgerDeps['report'] = async (call, asked) =>
    chosenFile(asked, await caseReports.ofLedger(call, asked));
  const live = { ...parts, report };
  const ofCases = { cases, reports: caseReports, recordFiles, examinerOf, now };
  const onStatusChange: DepsOf<typeof agentRoutes>['onStatusChange'] = (store, change) => {
    enqueueStatusChange(store, change);
    dispatcher.wake();
  };
  return {
    ...identityRoutes({ ...parts, onOpened: (orgId) => void parts.content.prepare(orgId).catch(parts.onError) }),
    ...apiTokenRoutes(parts),
    ...enrolmentRoutes(parts),
    ...accountRoutes(parts),
    ...passkeyRoutes(parts),
    ...oauthRoutes(parts),
    ...onboardingRoutes(parts),
    ...memberRoutes(parts),
    ...agentRoutes({ ...parts, onStatusChange }),
    ...decisionRoutes(parts),
    ...operationRoutes({
      ...parts,
      refuseHeld: (store, row) => refuseHeld(parts.holds, store, new RecordTexts(store, row)),
      onErased: (store, erased) => {
        const removeExports = parts.exports.forget(store, [erased], { erased_seq_no: erased.seqNo });
        return async () => {
          await removeExports();
          await parts.content.erased(erased.orgId);
        };
      },
    }),
    ...questionHandlers('live', (call) => liveLedger(live, call), now),
    ...questionHandlers('case', (call) => caseLedger(ofCases, call), now),
    ...epochRoutes(parts),
    ...ledgerRoutes(parts),
    ...exportRoutes(parts),
    ...proofRoutes(parts),
    ...retentionRoutes({ ...parts, recordsOfCase: (caller, caseId) => recordsInLedger(parts, caller, caseId) }),
    ...webhookRoutes({ ...parts, webhooks: dispatcher }),
    ...witnessRoutes(parts),
    ...ownWitnessRoutes(parts),
    ...timeStampRoutes(parts),
    ...workstationRoutes(parts),
    ...ticketRoutes(parts),
    ...trustRoutes(parts),
    ...caseRoutes({ cases, comparisons, reports: caseReports, examinerOf }),
    ...refusalRoutes(parts),
    ...caseFileRoutes(cases),
    ...custodyRoutes(cases, keysOf),
    ...annotationLogRoutes(parts),
    ...coherenceRoutes(parts),
    ...itemRoutes({ cases, sealed: parts.sealedCases, examinerOf, keysOf, now }),
    ...adminRoutes(parts),
    ...administrationRoutes({ ...parts, isDamaged: damaged.size > 0 }),
    ...healthRoutes({ ...parts, queueHealth: () => dispatcher.queueHealth() }),
  };
}
