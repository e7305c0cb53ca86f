import { useMutation, useQuery } from '@tanstack/react-query';
import { visibleText } from '../../../protocol/index.ts';
import type { Case } from '../../api/answers.ts';
import { call, sentenceOf } from '../../api/call.ts';
import { download } from '../../api/download.ts';
import { useCaseRefusal } from '../../api/permission.ts';
import { q } from '../../api/query.ts';
import { invalidate } from '../../api/query-client.ts';
import { Answer } from '../../components/answer.tsx';
import { askBefore } from '../../components/confirm.tsx';
import { Form } from '../../components/form.tsx';
import { CopyButton, ShortHash } from '../../components/hash.tsx';
import { Mark } from '../../components/mark.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { fill } from '../../lib/fill.ts';
import { sizeText } from '../../lib/size.ts';
import { FileField, FolderField } from '../../ui/file-field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { ACTIONS, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { CompareReports } from './compare-reports.tsx';
import { ExaminerKey } from './examiner-key.tsx';
import { ITEM_KINDS, ITEM_NOT_SIGNED, ITEM_VERDICTS, ITEMS_PANEL, TEXTS } from './texts.ts';
import { FolderState } from './upload-state.tsx';
import { useUpload } from './use-upload.ts';

type Items = NonNullable<ReturnType<typeof useItems>['data']>['items'];
type Item = Items[number];

function useItems(caseId: string) {
  return useQuery(q('listItems', { params: { case_id: caseId } }));
}

/** What is in a case: each item with its digest and its own verdict. */
export function ItemsPanel({ of }: { readonly of: Case }) {
  const query = useItems(of.case_id);
  const refresh = () => invalidate('getCase', 'listItems', 'custody');
  const draft = useMutation({
    mutationFn: () => download('caseCertificate', { params: { case_id: of.case_id } }),
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
  const askToRemove = (removing: Item): void =>
    askBefore({
      title: `${TEXTS.removeTitle} ${removing.item_no}`,
      verb: TEXTS.removeTitle,
      isDestructive: true,
      act: async () => {
        const params = { case_id: of.case_id, item_no: String(removing.item_no) };
        await call('removeItem', { params });
        await refresh();
      },
      children: (
        <>
          <p>
            <strong>
              <Seen text={removing.name} />
            </strong>
          </p>
          <p>{TEXTS.removeText}</p>
        </>
      ),
    });
  return (
    <Panel
      title={TEXTS.items}
      flush
      actions={
        <button type="button" disabled={draft.isPending} onClick={() => draft.mutate()}>
          {TEXTS.certificate}
        </button>
      }
    >
      <Answer query={query} what={ITEMS_PANEL.what}>
        {({ items }) => (
          <>
            <Table
              heads={[
                ITEMS_PANEL.number,
                ITEMS_PANEL.item,
                ITEMS_PANEL.sha256,
                ITEMS_PANEL.addedUtc,
                ITEMS_PANEL.verdict,
                ACTIONS,
              ]}
            >
              {items.map((item) => (
                <Row key={item.item_no} of={of} item={item} remove={askToRemove} />
              ))}
            </Table>
            <AddItem of={of} onAdded={refresh} />
            <CompareReports caseId={of.case_id} items={items} />
          </>
        )}
      </Answer>
    </Panel>
  );
}

interface RowProps {
  readonly of: Case;
  readonly item: Item;
  readonly remove: (item: Item) => void;
}

function Row({ of, item, remove }: RowProps) {
  const { item_no, name, kind, bytes, sha256, added_at, added_by } = item;
  const refusal = useCaseRefusal('removeItem', of.scope);
  const params = { case_id: of.case_id, item_no: String(item_no) };
  return (
    <tr>
      <td className="number">{item_no}</td>
      <td className="wraps item-name">
        <Seen text={name} />
        <br />
        <span className="muted">
          {kind === null ? TEXTS.checking : ITEM_KINDS[kind]}, {sizeText(bytes)}
        </span>
      </td>
      <td>
        <ShortHash value={sha256} /> <CopyButton text={sha256} what={ITEMS_PANEL.digestOf(item_no)} />
      </td>
      <td>
        <Time value={added_at} />
        <br />
        <span className="muted">{added_by === null ? TEXTS.workstation : <Seen text={added_by} />}</span>
      </td>
      <td className="wraps">
        <Verdict item={item} />
      </td>
      <td className="row-actions">
        <button
          type="button"
          className="button-small"
          aria-label={visibleText(ITEMS_PANEL.actOnItem(TEXTS.download, item_no, name))}
          onClick={() => void download('itemFile', { params }).catch((error) => toast(sentenceOf(error), 'failed'))}
        >
          {TEXTS.download}
        </button>
        {item_no > 1 && (
          <PermittedButton
            call="removeItem"
            reason={refusal}
            className="button-small"
            aria-label={visibleText(ITEMS_PANEL.removeItem(item_no, name))}
            onClick={() => remove(item)}
          >
            {TEXTS.remove}
          </PermittedButton>
        )}
      </td>
    </tr>
  );
}

function Verdict({ item: { verdict, code, summary, stated, signed_by: signer } }: { readonly item: Item }) {
  if (verdict === null) return <Mark outcome="not_checked" word={TEXTS.checking} />;
  const [outcome, word] = code === 'NOT_SIGNED' ? ITEM_NOT_SIGNED : ITEM_VERDICTS[verdict];
  return (
    <>
      <Mark outcome={outcome} word={word} />
      {verdict !== 'verified' && verdict !== 'not_verified' && (
        <p className="muted">
          {code !== null && <span className="code">{code}</span>} <Seen text={summary} />
        </p>
      )}
      {signer !== null && (
        <div>
          {signer.examiner === null
            ? ITEMS_PANEL.signedByNobodyNamed
            : fill(ITEMS_PANEL.signedFor, { examiner: <Seen text={signer.examiner} /> })}{' '}
          <ExaminerKey state={signer.key} kid={signer.kid} />
        </div>
      )}
      {stated?.reproduced === true && <p className="muted">{ITEMS_PANEL.asStated}</p>}
      {stated?.reproduced === false && (
        <p>
          <Mark outcome="fail" word={ITEMS_PANEL.notAsStated} />
        </p>
      )}
    </>
  );
}

/** Takes a file in as one more item. */
function AddItem({ of, onAdded }: { readonly of: Case; readonly onAdded: () => Promise<unknown> }) {
  const file = useUpload();
  const refusal = useCaseRefusal('addItem', of.scope);
  const { uploading } = file;
  const looked = uploading.state === 'done' ? uploading.upload : null;
  const add = async (): Promise<void> => {
    if (looked === null) return;
    const { item_no } = await call('addItem', {
      params: { case_id: of.case_id },
      body: { upload_id: looked.upload_id },
    });
    file.hand();
    file.discard();
    toast(ITEMS_PANEL.added(item_no));
    await onAdded();
  };
  return (
    <Form className="panel-body stack" label={TEXTS.add} act={add}>
      {(isBusy, failure) => (
        <>
          <div className="cluster item-add">
            <FileField
              key={file.round}
              label={TEXTS.addLabel}
              accept=""
              dropped={file.dropped}
              onFile={(chosen) => (chosen === null ? file.discard() : void file.send(chosen))}
            />
            <FolderField key={`folder ${file.round}`} label={TEXTS.addFolderLabel} onFiles={file.choose} />
            <PermittedButton call="addItem" reason={refusal} type="submit" disabled={looked === null || isBusy}>
              {TEXTS.add}
            </PermittedButton>
          </div>
          <FolderState upload={file} />
          <p className="muted" role="status">
            {uploading.state === 'sending'
              ? ITEMS_PANEL.sentOf(sizeText(uploading.sent), sizeText(uploading.file.size))
              : TEXTS.addHint}
          </p>
          {uploading.state === 'failed' && (
            <p className="field-error" role="alert">
              <Seen text={uploading.message} />
            </p>
          )}
          {failure}
        </>
      )}
    </Form>
  );
}
