import { SCREENS } from '../../../api/index.ts';
import { visibleText } from '../../../protocol/index.ts';
import type { Upload } from '../../api/answers.ts';
import { KeyFingerprint, OrganizationLabel } from '../../components/fingerprint.tsx';
import { Hash } from '../../components/hash.tsx';
import { Mark } from '../../components/mark.tsx';
import { fill } from '../../lib/fill.ts';
import { remainingText, sizeText } from '../../lib/size.ts';
import type { Outcome } from '../../proof/outcome.ts';
import { FactList } from '../../ui/fact-list.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { count, Time } from '../../ui/time.tsx';
import { UPLOAD_STATE } from './texts.ts';
import type { useUpload } from './use-upload.ts';

interface UploadStateProps {
  readonly upload: ReturnType<typeof useUpload>;
  readonly wants: 'bundle' | 'receipts';
}

/** A file on its way, and then what it says of itself. */
export function UploadState({ upload, wants }: UploadStateProps) {
  const { uploading } = upload;
  if (uploading.state === 'none') return null;
  if (uploading.state === 'collecting' || uploading.state === 'not-collected') return <FolderState upload={upload} />;
  if (uploading.state === 'done') return <Looked upload={uploading.upload} wants={wants} />;
  const { file } = uploading;
  if (uploading.state === 'failed') {
    return (
      <div className="cluster">
        <p className="field-error" role="alert">
          <Seen text={file.name} />: <Seen text={uploading.message} />
        </p>
        <button type="button" onClick={() => void upload.send(file)}>
          {UPLOAD_STATE.tryAgain}
        </button>
      </div>
    );
  }
  const { sent, bytesPerSecond } = uploading;
  const said = [
    UPLOAD_STATE.sentOf(sizeText(sent), sizeText(file.size)),
    ...(bytesPerSecond > 0
      ? [UPLOAD_STATE.perSecond(sizeText(bytesPerSecond)), remainingText((file.size - sent) / bytesPerSecond)]
      : []),
  ];
  return (
    <section className="panel panel-body stack" aria-label={visibleText(UPLOAD_STATE.readingFile(file.name))}>
      <div className="cluster">
        <h2 role="status">{fill(UPLOAD_STATE.reading, { name: <Seen text={file.name} /> })}</h2>
        <button type="button" className="push" onClick={upload.discard}>
          {UPLOAD_STATE.cancel}
        </button>
      </div>
      <progress aria-label={visibleText(UPLOAD_STATE.bytesOf(file.name))} max={Math.max(1, file.size)} value={sent} />
      <p className="muted number">{said.join(' · ')}</p>
    </section>
  );
}

/** A folder in which is looked for transcripts and logs. */
export function FolderState({ upload: { uploading, discard } }: Pick<UploadStateProps, 'upload'>) {
  if (uploading.state === 'not-collected') {
    return (
      <p className="field-error" role="alert">
        {fill(UPLOAD_STATE.NOT_COLLECTED[uploading.why], { name: <Seen text={uploading.folder.name} /> })}
      </p>
    );
  }
  if (uploading.state !== 'collecting') return null;
  const { folder, collected } = uploading;
  return (
    <section className="panel panel-body stack" aria-label={visibleText(UPLOAD_STATE.readingFile(folder.name))}>
      <div className="cluster">
        <h2 role="status">{fill(UPLOAD_STATE.collecting, { name: <Seen text={folder.name} /> })}</h2>
        <button type="button" className="push" onClick={discard}>
          {UPLOAD_STATE.cancel}
        </button>
      </div>
      <progress
        aria-label={visibleText(UPLOAD_STATE.filesOf(folder.name))}
        max={Math.max(1, folder.files.length)}
        value={collected.looked}
      />
      <p className="muted number">
        {UPLOAD_STATE.lookedAt(count(collected.looked), count(folder.files.length))} ·{' '}
        {UPLOAD_STATE.taken(count(collected.taken), sizeText(collected.bytes))}
      </p>
    </section>
  );
}

const KINDS = {
  bundle: UPLOAD_STATE.bundle,
  'bundle-gzip': UPLOAD_STATE.bundleCompressed,
  'report-pdf': UPLOAD_STATE.pdfReport,
  receipts: UPLOAD_STATE.receipts,
  'record-proof': UPLOAD_STATE.proof,
  'case-file': UPLOAD_STATE.savedCase,
  collection: UPLOAD_STATE.collection,
  found: UPLOAD_STATE.foundFile,
  unknown: UPLOAD_STATE.unknown,
} as const;

function Looked({ upload, wants }: { readonly upload: Upload; readonly wants: UploadStateProps['wants'] }) {
  const isReceipts = upload.kind === 'receipts';
  const isWanted = upload.kind !== 'unknown' && upload.kind !== 'record-proof' && isReceipts === (wants === 'receipts');
  return (
    <Panel
      title={wants === 'receipts' ? UPLOAD_STATE.keptReceipts : UPLOAD_STATE.claimed}
      actions={<Mark outcome="not_checked" word={UPLOAD_STATE.nothingVerified} />}
    >
      <FactList
        of={{
          [UPLOAD_STATE.file]: (
            <>
              <Seen text={upload.name} /> <span className="muted number">{sizeText(upload.bytes)}</span>
            </>
          ),
          [UPLOAD_STATE.kind]: isWanted ? KINDS[upload.kind] : <Mark outcome="fail" word={KINDS[upload.kind]} />,
          [UPLOAD_STATE.digest]: <Hash value={upload.sha256} what={UPLOAD_STATE.digestOfFile} />,
        }}
      >
        {upload.claims !== null && <Claims upload={upload} claims={upload.claims} />}
      </FactList>
      {!isWanted && (
        <p className="field-error" role="alert">
          {wants === 'receipts'
            ? UPLOAD_STATE.noReceipts
            : isReceipts
              ? UPLOAD_STATE.receiptsHere
              : upload.kind === 'record-proof'
                ? UPLOAD_STATE.proofHere(SCREENS.verify.label)
                : UPLOAD_STATE.cannotImport}
        </p>
      )}
    </Panel>
  );
}

const STANDINGS: Readonly<Record<NonNullable<Upload['issuer']>, readonly [Outcome, string]>> = {
  trusted: ['cannot_check', UPLOAD_STATE.trusted],
  unconfirmed: ['cannot_check', UPLOAD_STATE.trustedForOthers],
  own: ['not_checked', UPLOAD_STATE.ownKey],
  known: ['cannot_check', UPLOAD_STATE.seenNotTrusted],
  unknown: ['cannot_check', UPLOAD_STATE.neverSeenBefore],
  changed: ['fail', UPLOAD_STATE.changedKey],
};

interface ClaimsProps {
  readonly upload: Upload;
  readonly claims: NonNullable<Upload['claims']>;
}

function Claims({ upload: { issuer, resembles_home: resemblesHome }, claims }: ClaimsProps) {
  const { issuer_kid: kid, first_seq_no: first, last_seq_no: last } = claims;
  return (
    <>
      <dt>{UPLOAD_STATE.organization}</dt>
      <dd>
        <OrganizationLabel orgId={claims.org_id} name={claims.org_name} resemblesHome={resemblesHome} />
      </dd>
      <dt>{UPLOAD_STATE.issuer}</dt>
      <dd>{kid === null ? '–' : <KeyFingerprint kid={kid} />}</dd>
      {issuer !== null && (
        <>
          <dt>{UPLOAD_STATE.knownHere}</dt>
          <dd>
            <Mark outcome={STANDINGS[issuer][0]} word={STANDINGS[issuer][1]} />
          </dd>
        </>
      )}
      <dt>{UPLOAD_STATE.records}</dt>
      <dd className="number">
        {claims.records === null ? UPLOAD_STATE.notSaid : count(claims.records)}
        {first !== null && last !== null && `, ${first} – ${last}`}
      </dd>
      <dt>{UPLOAD_STATE.made}</dt>
      <dd>{claims.created_at === null ? UPLOAD_STATE.notSaid : <Time value={claims.created_at} hasZone />}</dd>
    </>
  );
}
