import { SCREENS } from '../../../contract/index.ts';
import { visibleText } from '../../../protocol/index.ts';
import type { Upload } from '../../api/answers.ts';
import { KeyFingerprint, OrganizationLabel } from '../../components/fingerprint.tsx';
import { Hash } from '../../components/hash.tsx';
import { Mark } from '../../components/mark.tsx';
import { remainingText, sizeText } from '../../lib/size.ts';
import type { Outcome } from '../../proof/outcome.ts';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { count } from '../../ui/time.tsx';
import type { useUpload } from './use-upload.ts';

interface UploadStateProps {
  readonly upload: ReturnType<typeof useUpload>;
  readonly wants: 'bundle' | 'receipts';
}

/** A file on its way, and then what it says of itself. */
export function UploadState({ upload, wants }: UploadStateProps) {
  const { uploading } = upload;
  if (uploading.state === 'none') return null;
  if (uploading.state === 'done') return <Looked upload={uploading.upload} wants={wants} />;
  const { file } = uploading;
  if (uploading.state === 'failed') {
    return (
      <div className="cluster">
        <p className="field-error" role="alert">
          <Seen text={file.name} />: <Seen text={uploading.message} />
        </p>
        <button type="button" onClick={() => void upload.send(file)}>
          Try again
        </button>
      </div>
    );
  }
  const { sent, bytesPerSecond } = uploading;
  const said = [
    `${sizeText(sent)} of ${sizeText(file.size)}`,
    ...(bytesPerSecond > 0
      ? [`${sizeText(bytesPerSecond)} a second`, remainingText((file.size - sent) / bytesPerSecond)]
      : []),
  ];
  return (
    <section className="panel panel-body stack" aria-label={visibleText(`Reading ${file.name}`)}>
      <div className="cluster">
        <h2 role="status">
          Reading <Seen text={file.name} />
        </h2>
        <button type="button" className="push" onClick={upload.letGo}>
          Cancel
        </button>
      </div>
      <progress aria-label={visibleText(`Bytes of ${file.name}`)} max={Math.max(1, file.size)} value={sent} />
      <p className="muted number">{said.join(' · ')}</p>
    </section>
  );
}

const KINDS = {
  bundle: 'Bundle',
  'bundle-gzip': 'Bundle, compressed',
  'report-pdf': 'PDF report, with the bundle in it',
  receipts: 'Receipts that an agent kept',
  'record-proof': 'Proof of records',
  'case-file': 'Saved case',
  unknown: 'Neither bundle, report nor receipts',
} as const;

function Looked({ upload, wants }: { readonly upload: Upload; readonly wants: UploadStateProps['wants'] }) {
  const isReceipts = upload.kind === 'receipts';
  const isWanted = upload.kind !== 'unknown' && upload.kind !== 'record-proof' && isReceipts === (wants === 'receipts');
  return (
    <Panel
      title={wants === 'receipts' ? 'Kept receipts' : 'What the file says of itself'}
      actions={<Mark outcome="not_checked" word="Nothing is verified yet" />}
    >
      <dl className="facts">
        <dt>File</dt>
        <dd>
          <Seen text={upload.name} /> <span className="muted number">{sizeText(upload.bytes)}</span>
        </dd>
        <dt>Kind</dt>
        <dd>{isWanted ? KINDS[upload.kind] : <Mark outcome="fail" word={KINDS[upload.kind]} />}</dd>
        <dt>Digest</dt>
        <dd>
          <Hash value={upload.sha256} what="digest of the file" />
        </dd>
        {upload.claims !== null && <Claims upload={upload} claims={upload.claims} />}
      </dl>
      {!isWanted && (
        <p className="field-error" role="alert">
          {wants === 'receipts'
            ? 'This file has no receipts: they are lines of JSON, as the agent library keeps them.'
            : isReceipts
              ? 'These are kept receipts: choose them in the second field, next to the bundle.'
              : upload.kind === 'record-proof'
                ? `A proof of records needs no case: verify it under “${SCREENS.verify.label}”.`
                : 'This file cannot be imported: it is neither a bundle nor a report of this product.'}
        </p>
      )}
    </Panel>
  );
}

const STANDINGS: Readonly<Record<NonNullable<Upload['issuer']>, readonly [Outcome, string]>> = {
  trusted: [
    'cannot_check',
    'You trust this key for this organization. Whether the key signed this file, the import tells',
  ],
  unconfirmed: ['cannot_check', 'You trust this key for other organizations, not for this one'],
  own: ['cannot_check', "This workstation's own key: neither alarm nor proof"],
  known: ['cannot_check', 'Seen before, not trusted'],
  unknown: ['cannot_check', 'Never seen before'],
  changed: ['fail', 'Another key than this organization had before'],
};

interface ClaimsProps {
  readonly upload: Upload;
  readonly claims: NonNullable<Upload['claims']>;
}

function Claims({ upload: { issuer, resembles_home: resemblesHome }, claims }: ClaimsProps) {
  const { issuer_kid: kid, first_seq_no: first, last_seq_no: last } = claims;
  return (
    <>
      <dt>Organization</dt>
      <dd>
        <OrganizationLabel orgId={claims.org_id} name={claims.org_name} resemblesHome={resemblesHome} />
      </dd>
      <dt>Issuer</dt>
      <dd>{kid === null ? '–' : <KeyFingerprint kid={kid} />}</dd>
      {issuer !== null && (
        <>
          <dt>Known here</dt>
          <dd>
            <Mark outcome={STANDINGS[issuer][0]} word={STANDINGS[issuer][1]} />
          </dd>
        </>
      )}
      <dt>Records</dt>
      <dd className="number">
        {claims.records === null ? 'it does not say' : count(claims.records)}
        {first !== null && last !== null && `, ${count(first)} – ${count(last)}`}
      </dd>
      <dt>Made</dt>
      <dd>{claims.created_at ?? 'it does not say'}</dd>
    </>
  );
}
