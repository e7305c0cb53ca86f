import { Menu } from '@base-ui/react/menu';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { LIMITS, SCREENS } from '../../../api/index.ts';
import type { VerificationReport } from '../../../protocol/index.ts';
import type { Case } from '../../api/answers.ts';
import { call, fetchFile, sentenceOf } from '../../api/call.ts';
import { download } from '../../api/download.ts';
import { setDroppedFiles } from '../../api/dropped-files.ts';
import { useCaseRefusal } from '../../api/permission.ts';
import { q, reportOfCase } from '../../api/query.ts';
import { invalidate } from '../../api/query-client.ts';
import { Answer } from '../../components/answer.tsx';
import { KeyFingerprint } from '../../components/fingerprint.tsx';
import { Hash } from '../../components/hash.tsx';
import { Mark } from '../../components/mark.tsx';
import { NeedsLookPanel } from '../../components/needs-look/needs-look-panel.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { fill } from '../../lib/fill.ts';
import { pagesOf } from '../../lib/report-pages.ts';
import { sizeText } from '../../lib/size.ts';
import { useMain } from '../../lib/use-main.ts';
import { PagesBanner, pagesTitle } from '../../report/pages-banner.tsx';
import { Report } from '../../report/report.tsx';
import type { Overruled } from '../../report/verdict-hero.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { count, Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { AskLedgerLater } from '../audit/bar/ask-ledger-later.tsx';
import { ArchiveCase } from './archive-case.tsx';
import { CaseCoherence } from './case-coherence.tsx';
import { CaseTitle } from './case-title.tsx';
import { ChangedRecord } from './changed-record.tsx';
import { CustodyPanel } from './custody-panel.tsx';
import { DeleteCase } from './delete-case.tsx';
import { FoundPanel } from './found/found-panel.tsx';
import { NOT_SIGNED_CASE } from './found/texts.ts';
import { Progress } from './import-state.tsx';
import { ItemsPanel } from './items-panel.tsx';
import { RenameCase } from './rename-case.tsx';
import { SaveCase } from './save-case.tsx';
import { CASE_SCREEN, DETAILED_REPORT } from './texts.ts';
import { TrustBasis } from './trust-basis.tsx';
import { TrustIssuer } from './trust-issuer.tsx';

/** Saves the report with every record printed, where it is a summary otherwise. @param records null where that is not known */
function DetailedReport({ caseId, records }: { readonly caseId: string; readonly records: number | null }) {
  const save = useMutation({
    mutationFn: () => download('caseReportPdf', { params: { case_id: caseId }, query: { details: 'true' } }),
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
  if (records === null || records <= LIMITS.detailedRecords) return null;
  const { from, to } = pagesOf(records);
  return (
    <Menu.Item className="menu-item" onClick={() => save.mutate()}>
      {DETAILED_REPORT.save(count(records), count(from), count(to))}
    </Menu.Item>
  );
}

const route = getRouteApi('/cases/$caseId');

/** The verdict on a case: what holds, what does not, and whether its issuer is to be trusted. */
export function CaseScreen() {
  const { caseId } = route.useParams();
  const found = useQuery(q('getCase', { params: { case_id: caseId } }));
  const report = useQuery({
    ...reportOfCase(caseId, found.data),
    // The one before stays while the case is verified again.
    placeholderData: (before) => before,
  });
  return (
    <Screen
      name={found.data === undefined ? CASE_SCREEN.case : `${found.data.name}${pagesTitle(found.data.pages)}`}
      title={found.data && <CaseTitle of={found.data} />}
      actions={found.data && <Actions of={found.data} />}
    >
      <Answer query={found} what={CASE_SCREEN.what}>
        {(of) =>
          of.archive !== null ? (
            <ArchiveCase of={of} archive={of.archive} />
          ) : (
            <div className="stack">
              {of.verifying && <Progress of={of} />}
              {of.state === 'ready' && <AskLedgerLater />}
              {of.pages !== null && <PagesBanner pages={of.pages} />}
              {of.verdict_code === 'NOT_SIGNED' ? (
                <NotSigned />
              ) : (
                <Answer query={report} what={CASE_SCREEN.reportWhat}>
                  {(verified) => {
                    const isFirst = isTrustFirst(of, verified);
                    const trust = <TrustIssuer of={of} report={verified} />;
                    return (
                      <Report
                        report={verified}
                        resemblesHome={of.resembles_home}
                        isBrowsable
                        overruled={overruledBy(of)}
                        headline={<ChangedRecord caseId={caseId} report={verified} />}
                        actions={<ReportMenu caseId={caseId} records={verified.bundle.records} />}
                        lead={
                          <>
                            <TrustBasis of={of} report={verified} />
                            {isFirst && trust}
                            {of.state === 'ready' && <NeedsLookPanel />}
                            <CaseCoherence of={of} />
                          </>
                        }
                        tail={!isFirst && trust}
                      />
                    );
                  }}
                </Answer>
              )}
              {of.state === 'ready' && of.found !== null && <FoundPanel of={of} found={of.found} />}
              {of.state === 'ready' && <ItemsPanel of={of} />}
              <FileFacts of={of} />
              {of.state === 'ready' && <CustodyPanel caseId={of.case_id} />}
            </div>
          )
        }
      </Answer>
    </Screen>
  );
}

/** The verdict on a case that is made of what nobody signed, and what needs a look in it. */
function NotSigned() {
  return (
    <>
      <Panel title={NOT_SIGNED_CASE.title} actions={<Mark outcome="cannot_check" />}>
        <p>{NOT_SIGNED_CASE.text}</p>
      </Panel>
      <NeedsLookPanel />
    </>
  );
}

/** What is said above the verdict on the bundle where an item contradicts the bundle, or may do so once it is looked at. */
function overruledBy({ verdict_code: code, contradicting_items, unchecked_items }: Case): Overruled | undefined {
  const { contradicted, contradictedBy, unchecked, uncheckedText, byItself } = CASE_SCREEN;
  if (code === 'ITEM_CONTRADICTS') {
    return { outcome: 'fail', title: contradicted, text: contradictedBy(contradicting_items), byItself };
  }
  if (code !== 'ITEMS_UNCHECKED') return undefined;
  return { outcome: 'pending', title: unchecked(unchecked_items), text: uncheckedText, byItself };
}

/** Whom to trust is the first question, unless something else has failed already. */
function isTrustFirst(of: Case, { verdict }: VerificationReport): boolean {
  return verdict !== 'failed' || of.issuer_change !== null;
}

function Actions({ of }: { readonly of: Case }) {
  const client = useQueryClient();
  const refusal = useCaseRefusal('verifyCase', of.scope);
  const verify = useMutation({
    mutationFn: () => call('verifyCase', { params: { case_id: of.case_id }, body: {} }),
    onSuccess: async (state) => {
      client.setQueryData(q('getCase', { params: { case_id: of.case_id } }).queryKey, state);
      await invalidate('custody');
    },
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
  if (of.archive !== null) return <RenameCase of={of} />;
  return (
    <>
      <PermittedButton
        call="verifyCase"
        reason={refusal}
        disabled={of.verifying || verify.isPending}
        onClick={() => verify.mutate()}
      >
        {CASE_SCREEN.verifyAgain}
      </PermittedButton>
      {of.state === 'ready' && <SaveCase of={of} />}
      {of.state === 'ready' && <CompareForForks of={of} />}
      <RenameCase of={of} />
      <DeleteCase of={of} />
    </>
  );
}

/** Opens the comparison for forks with the evidence of a case: saved as one file, which stays in the window. */
function CompareForForks({ of }: { readonly of: Case }) {
  const navigate = useNavigate();
  const refusal = useCaseRefusal('saveCase', of.scope);
  const compare = useMutation({
    mutationFn: async () => {
      const params = { case_id: of.case_id };
      const { file_id } = await call('saveCase', { params, body: {} });
      const file = await fetchFile('savedCase', { params: { ...params, file_id } });
      await invalidate('custody');
      setDroppedFiles([new File([file], of.name)]);
      await navigate({ to: SCREENS.forks.path });
    },
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
  return (
    <PermittedButton call="saveCase" reason={refusal} disabled={compare.isPending} onClick={() => compare.mutate()}>
      {SCREENS.forks.label}
    </PermittedButton>
  );
}

/** The report to keep: for people, and for programs. */
function ReportMenu({ caseId, records }: { readonly caseId: string; readonly records: number | null }) {
  const main = useMain();
  const save = useMutation({
    mutationFn: (file: 'caseReportPdf' | 'caseReportJson') => download(file, { params: { case_id: caseId } }),
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
  return (
    <Menu.Root>
      <Menu.Trigger>
        {CASE_SCREEN.saveReport} <Icon name="down" />
      </Menu.Trigger>
      <Menu.Portal container={main}>
        <Menu.Positioner className="menu-place" align="end" sideOffset={4}>
          <Menu.Popup className="menu">
            <Menu.Item className="menu-item" onClick={() => save.mutate('caseReportPdf')}>
              {CASE_SCREEN.pdf}
            </Menu.Item>
            <DetailedReport caseId={caseId} records={records} />
            <Menu.Item className="menu-item" onClick={() => save.mutate('caseReportJson')}>
              {CASE_SCREEN.json}
            </Menu.Item>
            <p className="menu-label">{CASE_SCREEN.eachHasNotes}</p>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

function FileFacts({ of }: { readonly of: Case }) {
  return (
    <Panel title={CASE_SCREEN.importedFile}>
      <dl className="facts">
        <dt>{CASE_SCREEN.file}</dt>
        <dd>
          <Seen text={of.file_name} /> <span className="muted number">{sizeText(of.bytes)}</span>
        </dd>
        <dt>{CASE_SCREEN.digest}</dt>
        <dd>
          <Hash value={of.sha256} what={CASE_SCREEN.digestOfFile} />
        </dd>
        {of.receipts.map((kept) => (
          <FileOfReceipts key={kept.sha256} name={kept.name} sha256={kept.sha256} />
        ))}
        <dt>{CASE_SCREEN.imported}</dt>
        <dd>
          <Time value={of.created_at} hasZone />
        </dd>
        {of.origin !== null && <Origin of={of.origin} />}
        <dt>{CASE_SCREEN.verified}</dt>
        <dd>{of.verified_at === null ? '–' : <Time value={of.verified_at} hasZone />}</dd>
        <dt>{CASE_SCREEN.seenBy}</dt>
        <dd>{of.scope === 'workstation' ? CASE_SCREEN.thisWorkstation : CASE_SCREEN.yourOrganization}</dd>
      </dl>
    </Panel>
  );
}

/** Where a case was opened from. What its file says of itself is whose signature it bears, at most. */
function Origin({ of }: { readonly of: NonNullable<Case['origin']> }) {
  return (
    <>
      <dt>{CASE_SCREEN.openedFrom}</dt>
      <dd>
        {fill(CASE_SCREEN.savedFile, {
          person: <Seen text={of.made_by ?? CASE_SCREEN.nobody} />,
          madeAt: <Time value={of.made_at} hasZone />,
          digest: <Hash value={of.file_sha256} what={CASE_SCREEN.digestOfCaseFile} />,
        })}
      </dd>
      <dt>{CASE_SCREEN.caseFile}</dt>
      <dd>
        {of.sealed_with === null ? (
          <Mark outcome="cannot_check" word={CASE_SCREEN.notSigned} />
        ) : (
          <>
            <Mark outcome="cannot_check" word={CASE_SCREEN.signedCompare} />
            <KeyFingerprint kid={of.sealed_with} of="person" />
          </>
        )}
        {of.damage > 0 && <Mark outcome="fail" word={CASE_SCREEN.damaged(of.damage)} />}
      </dd>
      <dt>{CASE_SCREEN.firstItem}</dt>
      <dd>
        {of.reproduced === null && <Mark outcome="not_checked" word={CASE_SCREEN.beingCompared} />}
        {of.reproduced === true && <Mark outcome="pass" word={CASE_SCREEN.asStated} />}
        {of.reproduced === false && <Mark outcome="fail" word={CASE_SCREEN.notAsStated} />}
      </dd>
    </>
  );
}

function FileOfReceipts({ name, sha256 }: { readonly name: string; readonly sha256: string }) {
  return (
    <>
      <dt>{CASE_SCREEN.keptReceipts}</dt>
      <dd>
        <Seen text={name} /> <Hash value={sha256} what={CASE_SCREEN.digestOfReceipts} />
      </dd>
    </>
  );
}
