import { useState } from 'react';
import type { AnswerOf } from '../../../api/index.ts';
import { call } from '../../api/call.ts';
import { KeyFingerprint } from '../../components/fingerprint.tsx';
import { Form } from '../../components/form.tsx';
import { Mark } from '../../components/mark.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Seen } from '../../ui/seen.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { COMPARE_REPORTS, ITEM_VERDICTS, TEXTS } from './texts.ts';

type Comparison = AnswerOf<'compareItems'>;
type Item = AnswerOf<'listItems'>['items'][number];

/** Holds the reports of two examiners against each other, where a case has two. */
export function CompareReports({ caseId, items }: { readonly caseId: string; readonly items: readonly Item[] }) {
  const reports = items.filter(({ kind, verdict }) => kind === 'record-report' && verdict !== null);
  const [chosen, setChosen] = useState<{ one?: string; other?: string }>({});
  const one = chosen.one ?? String(reports[0]?.item_no ?? '');
  const other = chosen.other ?? String(reports[1]?.item_no ?? '');
  const [compared, setCompared] = useState<Comparison>();
  const compare = async (): Promise<void> =>
    setCompared(
      await call('compareItems', { params: { case_id: caseId }, body: { item_no: Number(one), with: Number(other) } }),
    );
  if (reports.length < 2) return null;
  const options = reports.map(({ item_no, name }) => ({ value: String(item_no), label: `${item_no}: ${name}` }));
  return (
    <Form className="panel-body stack" label={TEXTS.compareTitle} act={compare}>
      {(isBusy, failure) => (
        <>
          <h3>{TEXTS.compareTitle}</h3>
          <div className="cluster item-add">
            <SelectField
              label={TEXTS.one}
              value={one}
              options={options}
              onChange={(value) => setChosen({ one: value, other })}
            />
            <SelectField
              label={TEXTS.other}
              value={other}
              options={options}
              onChange={(value) => setChosen({ one, other: value })}
            />
            <PermittedButton call="compareItems" type="submit" disabled={isBusy || one === other}>
              {TEXTS.compare}
            </PermittedButton>
          </div>
          {failure}
          <div role="status">{compared !== undefined && <Result of={compared} />}</div>
        </>
      )}
    </Form>
  );
}

/** Whose key it is, only its fingerprint tells: the report names its examiner by itself. */
function SignedBy({ of: { signature, examiner_kid: kid } }: { readonly of: Comparison['this'] }) {
  if (signature === 'none' || kid === null) return <span className="muted">{COMPARE_REPORTS.nobody}</span>;
  if (signature === 'invalid') return <Mark outcome="fail" word={COMPARE_REPORTS.signatureNotValid} />;
  return <KeyFingerprint kid={kid} />;
}

function Result({ of }: { readonly of: Comparison }) {
  const { this: one, other } = of;
  const said: readonly [boolean, string, string][] = [
    [of.same_organization, COMPARE_REPORTS.sameOrganization, COMPARE_REPORTS.differentOrganizations],
    [of.same_records, COMPARE_REPORTS.sameRecords, COMPARE_REPORTS.otherRecords],
    [of.same_verdict, COMPARE_REPORTS.sameVerdict, COMPARE_REPORTS.differentVerdicts],
    [
      of.comments_differ.length === 0,
      COMPARE_REPORTS.sameComments,
      COMPARE_REPORTS.commentsDiffer(of.comments_differ.length),
    ],
  ];
  return (
    <div className="stack">
      <ul className="cluster">
        {said.map(([holds, yes, no]) => (
          <li key={yes}>
            <Mark outcome={holds ? 'pass' : 'cannot_check'} word={holds ? yes : no} />
          </li>
        ))}
      </ul>
      <Table heads={['', COMPARE_REPORTS.item(one.item_no), COMPARE_REPORTS.item(other.item_no)]}>
        <Both head={COMPARE_REPORTS.title} one={<Seen text={one.title} />} other={<Seen text={other.title} />} />
        <Both
          head={COMPARE_REPORTS.examiner}
          one={<Seen text={one.examiner ?? '–'} />}
          other={<Seen text={other.examiner ?? '–'} />}
        />
        <Both
          head={COMPARE_REPORTS.made}
          one={<Time value={one.made_at} hasZone />}
          other={<Time value={other.made_at} hasZone />}
        />
        <Both head={COMPARE_REPORTS.signedBy} one={<SignedBy of={one} />} other={<SignedBy of={other} />} />
        <Both head={COMPARE_REPORTS.verdict} one={<Word of={one} />} other={<Word of={other} />} />
        <Both head={COMPARE_REPORTS.onlyHere} one={numbers(of.only_this)} other={numbers(of.only_other)} />
        {of.records_differ.length > 0 && (
          <tr>
            <th scope="row">{COMPARE_REPORTS.differentContent}</th>
            <td colSpan={2}>{numbers(of.records_differ)}</td>
          </tr>
        )}
        {of.clocks_differ.length > 0 && (
          <tr>
            <th scope="row">{COMPARE_REPORTS.clocksDiffer}</th>
            <td colSpan={2}>{numbers(of.clocks_differ)}</td>
          </tr>
        )}
        {of.comments_differ.map(({ seq_no, this: mine, other: theirs }) => (
          <Both
            key={seq_no}
            head={COMPARE_REPORTS.commentOn(seq_no)}
            one={<Seen text={mine ?? '–'} />}
            other={<Seen text={theirs ?? '–'} />}
          />
        ))}
      </Table>
    </div>
  );
}

function numbers(seqNos: readonly number[]): string {
  return seqNos.length === 0 ? '–' : `No. ${seqNos.join(', ')}`;
}

function Word({ of: { verdict } }: { readonly of: Comparison['this'] }) {
  const [outcome, word] = ITEM_VERDICTS[verdict];
  return <Mark outcome={outcome} word={word} />;
}

interface BothProps {
  readonly head: string;
  readonly one: React.ReactNode;
  readonly other: React.ReactNode;
}

function Both({ head, one, other }: BothProps) {
  return (
    <tr>
      <th scope="row">{head}</th>
      <td className="wraps">{one}</td>
      <td className="wraps">{other}</td>
    </tr>
  );
}
