import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ComponentProps, useState } from 'react';
import { LIMITS } from '../../../api/index.ts';
import { call } from '../../api/call.ts';
import { q } from '../../api/query.ts';
import { invalidate } from '../../api/query-client.ts';
import { AgentField } from '../../components/agent-field.tsx';
import { Form } from '../../components/form.tsx';
import { NamedPlaces } from '../../components/named-places.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { pagesOf } from '../../lib/report-pages.ts';
import { headInZone, shownZone } from '../../lib/time-zone.ts';
import { useRested } from '../../lib/use-rested.ts';
import { Choice } from '../../ui/choice.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { LinesField, TextField } from '../../ui/field.tsx';
import { Seen } from '../../ui/seen.tsx';
import { count } from '../../ui/time.tsx';
import { AdminEvents } from './admin-events.tsx';
import { type ExportDraft, lines, PRESETS, presetRange, previewOf, readRequest, withholds } from './export-request.ts';
import { GivenAway } from './given-away.tsx';
import { MemberPicker } from './member-picker.tsx';
import { EXPORT_REQUEST, MAKE_EXPORT, REPORT_DETAILS } from './texts.ts';

const FORMATS = [
  ['json', MAKE_EXPORT.bundle, MAKE_EXPORT.bundleHint],
  ['pdf', MAKE_EXPORT.pdfReport, MAKE_EXPORT.pdfHint],
] as const;

/** What of a draft is typed. */
type TextMember = 'startTime' | 'endTime' | 'agentId' | 'agents' | 'types' | 'pointers' | 'people' | 'reason';

/** What a form begins with: everything, for anyone who saw in which places of the ledger a person is named. */
function presetFor(people: string): (typeof PRESETS)[number] {
  const name = people === '' ? EXPORT_REQUEST.lastDay : EXPORT_REQUEST.everything;
  return PRESETS.find(([known]) => known === name) ?? [name, null];
}

function draftWithout(people: string): ExportDraft {
  const zone = shownZone();
  const range = presetRange(presetFor(people)[1], Date.now(), zone);
  const lists = { agents: '', types: '', pointers: '', people, linked: false };
  return { zone, ...range, ...lists, agentId: '', format: 'json', details: false, reason: '', adminEvents: null };
}

interface MakeExportProps {
  readonly open: boolean;
  /** Who is left out until somebody types others. */
  readonly people?: string | undefined;
  readonly onClose: () => void;
}

/** Asks for an export, and goes to it. */
export function MakeExport({ open, people = '', onClose }: MakeExportProps) {
  return (
    <Dialog open={open} onClose={onClose} title={MAKE_EXPORT.title} className="dialog-wide">
      <ExportForm people={people} onClose={onClose} />
    </Dialog>
  );
}

function ExportForm({ people, onClose }: { readonly people: string; readonly onClose: () => void }) {
  const [draft, setDraft] = useState(() => draftWithout(people));
  const navigate = useNavigate();
  const set = (member: TextMember) => (value: string) => setDraft((before) => ({ ...before, [member]: value }));
  const make = async (): Promise<void> => {
    const request = readRequest(draft);
    if ('wrong' in request) throw new Error(request.wrong);
    const { exportId } = await call('createExport', { body: request.body });
    await invalidate('listExports');
    await navigate({ to: '/exports/$exportId', params: { exportId } });
  };
  const preview = useExportPreview(draft);
  return (
    <Form act={make} verb={MAKE_EXPORT.submit} isBlocked={preview.data?.records === 0} onClose={onClose}>
      <Range draft={draft} set={setDraft} />
      <AgentField
        label={MAKE_EXPORT.agentOptional}
        placeholder={MAKE_EXPORT.allAgents}
        value={draft.agentId}
        onChange={set('agentId')}
      />
      <fieldset className="field">
        <legend>{MAKE_EXPORT.format}</legend>
        {FORMATS.map(([format, name, what]) => (
          <Choice
            key={format}
            group="format"
            name={name}
            what={what}
            isChosen={draft.format === format}
            choose={() => setDraft((before) => ({ ...before, format }))}
          />
        ))}
      </fieldset>
      {draft.format === 'pdf' && (
        <ReportDetails
          details={draft.details}
          preview={preview.data}
          onChange={(details) => setDraft((before) => ({ ...before, details }))}
        />
      )}
      <WithheldPeople
        draft={draft}
        onType={set('people')}
        onLink={(linked) => setDraft((before) => ({ ...before, linked }))}
      />
      <details className="fold">
        <summary>{MAKE_EXPORT.withholdPayloads}</summary>
        <div className="stack">
          <p className="muted">{MAKE_EXPORT.withholdHint}</p>
          <div className="columns">
            <LinesField
              label={MAKE_EXPORT.agents}
              placeholder={MAKE_EXPORT.onePerLine}
              value={draft.agents}
              onChange={set('agents')}
            />
            <LinesField
              label={MAKE_EXPORT.operationTypes}
              placeholder={MAKE_EXPORT.paymentRelease}
              value={draft.types}
              onChange={set('types')}
            />
            <LinesField
              label={MAKE_EXPORT.withValue}
              placeholder={MAKE_EXPORT.customerEmail}
              value={draft.pointers}
              onChange={set('pointers')}
            />
          </div>
          <PickMembers draft={draft} onChange={set('pointers')} />
        </div>
      </details>
      <AdminEvents
        draft={draft}
        preview={preview.data}
        onChange={(adminEvents) => setDraft((before) => ({ ...before, adminEvents }))}
      />
      {withholds(draft) && (
        <TextField
          label={MAKE_EXPORT.reasonWithholding}
          hint={MAKE_EXPORT.recorded}
          maxLength={LIMITS.withholdingReason}
          value={draft.reason}
          onChange={set('reason')}
        />
      )}
      <GivenAway draft={draft} preview={preview} />
      <p className="muted">{MAKE_EXPORT.sealedFirst}</p>
    </Form>
  );
}

/** The members of a record to tick, once somebody asks: a record is read for it. */
function PickMembers(picker: ComponentProps<typeof MemberPicker>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="stack">
      <div>
        <button type="button" className="button-small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {MAKE_EXPORT.pickMembers}
        </button>
      </div>
      {isOpen && <MemberPicker {...picker} />}
    </div>
  );
}

interface WithheldPeopleProps {
  readonly draft: ExportDraft;
  readonly onType: (people: string) => void;
  readonly onLink: (linked: boolean) => void;
}

/** Names of people who are left out, and where they are, before anything is made. */
function WithheldPeople({ draft, onType, onLink }: WithheldPeopleProps) {
  const names = lines(draft.people);
  // Whoever was given with the form was looked for before.
  const [sought, setSought] = useState<readonly string[]>(names);
  return (
    <details className="fold" open={sought.length > 0}>
      <summary>{MAKE_EXPORT.withholdPeople}</summary>
      <div className="stack">
        <p className="muted">{MAKE_EXPORT.peopleHint}</p>
        <LinesField
          label={MAKE_EXPORT.people}
          placeholder={MAKE_EXPORT.peoplePlaceholder}
          value={draft.people}
          onChange={onType}
        />
        <label className="cluster">
          <input type="checkbox" checked={draft.linked} onChange={(event) => onLink(event.currentTarget.checked)} />
          {MAKE_EXPORT.linked}
        </label>
        <div>
          <PermittedButton call="redactionPlaces" onClick={() => setSought(names)}>
            {MAKE_EXPORT.find}
          </PermittedButton>
        </div>
        <NamedPlaces names={sought} purpose="export" />
      </div>
    </details>
  );
}

interface RangeProps {
  readonly draft: ExportDraft;
  readonly set: (change: (before: ExportDraft) => ExportDraft) => void;
}

function Range({ draft, set }: RangeProps) {
  // Which preset the fields are of; none once somebody types.
  const [preset, setPreset] = useState<string | null>(() => presetFor(draft.people)[0]);
  const type = (member: 'startTime' | 'endTime') => (value: string) => {
    setPreset(null);
    set((before) => ({ ...before, [member]: value }));
  };
  return (
    <fieldset className="field">
      <legend>{MAKE_EXPORT.range}</legend>
      <div className="segments">
        {PRESETS.map(([name, reach]) => (
          <button
            key={name}
            type="button"
            className="button-small"
            aria-pressed={preset === name}
            onClick={() => {
              setPreset(name);
              set((before) => ({ ...before, ...presetRange(reach, Date.now(), before.zone) }));
            }}
          >
            <Seen text={name} />
          </button>
        ))}
      </div>
      <div className="columns">
        <TextField
          label={headInZone(MAKE_EXPORT.from, draft.zone)}
          required
          spellCheck={false}
          value={draft.startTime}
          onChange={type('startTime')}
        />
        <TextField
          label={headInZone(MAKE_EXPORT.before, draft.zone)}
          required
          spellCheck={false}
          value={draft.endTime}
          onChange={type('endTime')}
        />
      </div>
      <small className="muted">{MAKE_EXPORT.rangeHint}</small>
    </fieldset>
  );
}

/** What the export of a draft would hold. */
function useExportPreview(draft: ExportDraft) {
  // `null` while the form cannot be sent.
  const body: ReturnType<typeof previewOf> = JSON.parse(useRested(JSON.stringify(previewOf(draft))));
  return useQuery({
    ...q('previewExport', { body: body ?? {} }),
    enabled: body !== null,
    placeholderData: keepPreviousData,
  });
}

interface ReportDetailsProps {
  readonly details: boolean;
  /** How many records the export will hold, where that is known; `more` where there are more than were counted. */
  readonly preview: { readonly records: number; readonly more_records: boolean } | undefined;
  readonly onChange: (details: boolean) => void;
}

/** What printing every record comes to. */
function pagesText({ records, more_records: more }: NonNullable<ReportDetailsProps['preview']>): string {
  const { from, to } = pagesOf(records);
  return more
    ? REPORT_DETAILS.atLeast(count(records), count(from))
    : REPORT_DETAILS.pages(count(records), count(from), count(to));
}

/** Whether a PDF report is a summary or prints every record. Few records are printed in any case: then there is no choice. */
function ReportDetails({ details, preview, onChange }: ReportDetailsProps) {
  const isFew = preview !== undefined && !preview.more_records && preview.records <= LIMITS.detailedRecords;
  if (isFew) return <p className="muted">{REPORT_DETAILS.few(count(LIMITS.detailedRecords))}</p>;
  const choices = [
    [false, REPORT_DETAILS.summary, REPORT_DETAILS.summaryHint(count(LIMITS.detailedRecords))],
    [true, REPORT_DETAILS.every, preview === undefined ? REPORT_DETAILS.unknownPages : pagesText(preview)],
  ] as const;
  return (
    <fieldset className="field">
      <legend>{REPORT_DETAILS.title}</legend>
      {choices.map(([value, name, what]) => (
        <Choice
          key={name}
          group="details"
          name={name}
          what={what}
          isChosen={details === value}
          choose={() => onChange(value)}
        />
      ))}
    </fieldset>
  );
}
