import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { LIMITS, SCREENS } from '../../../api/index.ts';
import { call } from '../../api/call.ts';
import { takeDroppedFiles, useDroppedFiles } from '../../api/dropped-files.ts';
import { q, sessionQuery } from '../../api/query.ts';
import { invalidate } from '../../api/query-client.ts';
import { Form, FormError } from '../../components/form.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { fill } from '../../lib/fill.ts';
import { TextField } from '../../ui/field.tsx';
import { FileField, FolderField } from '../../ui/file-field.tsx';
import { IMPORT_SCREEN, TEXTS } from './texts.ts';
import { UploadState } from './upload-state.tsx';
import { useUpload } from './use-upload.ts';

const RECEIPTS = /\.jsonl$/i;

/** Takes a file in: first only to look at what it says of itself, then as a case. */
export function ImportScreen() {
  const bundle = useUpload();
  const receipts = useUpload();
  const [name, setName] = useState('');
  const dropped = useDroppedFiles();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const { take: takeBundle } = bundle;
  const { take: takeReceipts } = receipts;
  useEffect(() => {
    const file = dropped.find((one) => 'files' in one || !RECEIPTS.test(one.name));
    const kept = dropped.find((one) => !('files' in one) && RECEIPTS.test(one.name));
    if (file !== undefined) takeBundle(file);
    if (kept !== undefined) takeReceipts(kept);
    takeDroppedFiles();
  }, [dropped, takeBundle, takeReceipts]);

  const looked = bundle.uploading.state === 'done' ? bundle.uploading.upload : null;
  const isCase = looked !== null && !['unknown', 'receipts', 'record-proof', 'case-file'].includes(looked.kind);
  const isCaseFile = looked?.kind === 'case-file';
  const kept = receipts.uploading.state === 'done' ? receipts.uploading.upload : null;
  const isReady =
    (isCase || isCaseFile) && receipts.uploading.state !== 'sending' && receipts.uploading.state !== 'failed';
  const named = name.trim() === '' ? {} : { name: name.trim() };
  const create = useMutation({
    mutationFn: () => {
      if (isCaseFile) return call('openCase', { body: { upload_id: looked?.upload_id, ...named } });
      return call('createCase', {
        body: {
          upload_id: looked?.upload_id,
          ...(kept === null ? {} : { receipts_upload_ids: [kept.upload_id] }),
          ...named,
        },
      });
    },
    onSuccess: async (made) => {
      bundle.hand();
      receipts.hand();
      client.setQueryData(q('getCase', { params: { case_id: made.case_id } }).queryKey, made);
      void invalidate('listCases');
      await navigate({ to: '/cases/$caseId', params: { caseId: made.case_id } });
    },
  });
  const submit = (): void => {
    if (isReady) create.mutate();
  };
  return (
    <Screen
      name={SCREENS.importCase.label}
      title={
        <>
          <Link to="/cases" search={{}} className="crumb">
            {IMPORT_SCREEN.cases}
          </Link>{' '}
          <span className="crumb">/</span> {SCREENS.importCase.label}
        </>
      }
      actions={
        <Link to="/verify" className="button">
          {SCREENS.verify.label}
        </Link>
      }
    >
      <Form act={submit} call="createCase">
        <section className="drop" aria-label={IMPORT_SCREEN.files}>
          <p>
            {fill(IMPORT_SCREEN.explained, {
              copied: <strong>{IMPORT_SCREEN.copied}</strong>,
              place: session == null ? IMPORT_SCREEN.thisWorkstation : IMPORT_SCREEN.theService,
            })}
          </p>
          <div className="cluster">
            <FileField
              key={`bundle ${bundle.round}`}
              label={IMPORT_SCREEN.fileLabel}
              accept=".csbundle,.json,.gz,.pdf,.cscase"
              dropped={bundle.dropped}
              isFilter
              onFile={(file) => (file === null ? bundle.discard() : void bundle.send(file))}
            />
            <FolderField key={`folder ${bundle.round}`} label={IMPORT_SCREEN.folderLabel} onFiles={bundle.choose} />
            <FileField
              key={`receipts ${receipts.round}`}
              label={IMPORT_SCREEN.receiptsLabel}
              accept=".jsonl"
              dropped={receipts.dropped}
              onFile={(file) => (file === null ? receipts.discard() : void receipts.send(file))}
            />
          </div>
        </section>
        <UploadState wants="bundle" upload={bundle} />
        <UploadState wants="receipts" upload={receipts} />
        {(isCase || isCaseFile) && (
          <section className="panel panel-body stack case-name-field" aria-label={IMPORT_SCREEN.import}>
            <TextField
              label={IMPORT_SCREEN.nameLabel}
              size={60}
              maxLength={LIMITS.caseName}
              placeholder={looked.name}
              value={name}
              onChange={setName}
            />
            {isCaseFile && <p>{TEXTS.openText}</p>}
            <FormError error={create.error} />
            <div className="cluster">
              <PermittedButton
                call={isCaseFile ? 'openCase' : 'createCase'}
                type="submit"
                className="button-primary"
                disabled={!isReady || create.isPending}
              >
                {isCaseFile ? TEXTS.open : IMPORT_SCREEN.submit}
              </PermittedButton>
            </div>
          </section>
        )}
      </Form>
    </Screen>
  );
}
