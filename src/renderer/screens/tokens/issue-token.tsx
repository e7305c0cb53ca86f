import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LIMITS, type TokenScope } from '../../../api/index.ts';
import type { TokenRow } from '../../api/answers.ts';
import { call } from '../../api/call.ts';
import { useRefusal } from '../../api/permission.ts';
import { q } from '../../api/query.ts';
import { invalidate } from '../../api/query-client.ts';
import { Form, FormError } from '../../components/form.tsx';
import { copyText } from '../../components/hash.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { fill } from '../../lib/fill.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { toast } from '../../ui/toasts.tsx';
import { ISSUE_TOKEN, LIFETIMES_TEXTS, TERMS_FIELDS } from './texts.ts';

const DAY = 86_400;

/** Lifetimes to choose from, in seconds; null never ends. */
const LIFETIMES: readonly (readonly [label: string, seconds: number | null])[] = [
  [LIFETIMES_TEXTS.hour, 3_600],
  [LIFETIMES_TEXTS.day, DAY],
  [LIFETIMES_TEXTS.days30, 30 * DAY],
  [LIFETIMES_TEXTS.days90, 90 * DAY],
  [LIFETIMES_TEXTS.year, 365 * DAY],
  [LIFETIMES_TEXTS.untilRevoked, null],
];

/** A lifetime in words. */
export function lifetimeText(seconds: number | null): string {
  const known = LIFETIMES.find(([, value]) => value === seconds);
  if (known !== undefined) return known[0];
  const length = seconds ?? 0;
  if (length % DAY === 0) return LIFETIMES_TEXTS.days(length / DAY);
  return length % 3_600 === 0 ? LIFETIMES_TEXTS.hours(length / 3_600) : LIFETIMES_TEXTS.seconds(length);
}

/** What a token is called where it has no name: the beginning of its id, which the administrative log has too. */
export function tokenLabel({ name, id }: Pick<TokenRow, 'name' | 'id'>): string {
  return name ?? id.slice(0, 8);
}

interface IssueTokenProps {
  /** The token in whose place the new one is to come. */
  readonly replaces: TokenRow | null;
  readonly onClose: () => void;
}

/** Issues a token and shows it, this once. */
export function IssueToken({ replaces, onClose }: IssueTokenProps) {
  const [issued, setIssued] = useState<string | null>(null);
  const title = replaces === null ? ISSUE_TOKEN.createToken : ISSUE_TOKEN.replaceTitle(tokenLabel(replaces));
  return (
    <Dialog open onClose={onClose} title={issued === null ? title : ISSUE_TOKEN.newToken} className="dialog-wide">
      {issued === null ? (
        <Ask replaces={replaces} onIssued={setIssued} onClose={onClose} />
      ) : (
        <Show token={issued} replaces={replaces} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface AskProps extends IssueTokenProps {
  readonly onIssued: (token: string) => void;
}

function Ask({ replaces, onIssued, onClose }: AskProps) {
  const [lifetime, setLifetime] = useState<string>(String(90 * 86_400));
  const [terms, setTerms] = useState<TokenTerms>(replaces === null ? NEW_TERMS : termsOf(replaces));
  const issue = async (): Promise<void> => {
    const chosen = lifetime === 'null' ? null : Number(lifetime);
    const ttl_seconds = replaces === null ? chosen : replaces.ttl_seconds;
    const { token } = await call('createToken', { body: { ttl_seconds, ...bodyOf(terms) } });
    onIssued(token);
    await invalidate('listTokens', 'listOrganizationTokens');
  };
  return (
    <Form act={issue} call="createToken" verb={ISSUE_TOKEN.create} onClose={onClose}>
      {replaces === null ? (
        <>
          <TermsFields terms={terms} onChange={setTerms} />
          <SelectField
            label={ISSUE_TOKEN.lifetime}
            value={lifetime}
            onChange={setLifetime}
            options={LIFETIMES.map(([label, seconds]) => ({ value: String(seconds), label }))}
            hint={ISSUE_TOKEN.lifetimeHint}
          />
        </>
      ) : (
        <p>{fill(ISSUE_TOKEN.replaceExplained, { ttlSeconds: lifetimeText(replaces.ttl_seconds).toLowerCase() })}</p>
      )}
    </Form>
  );
}

interface ShowProps extends IssueTokenProps {
  readonly token: string;
}

function Show({ token, replaces, onClose }: ShowProps) {
  const [isRevoked, setRevoked] = useState(false);
  const revoke = useMutation({
    mutationFn: () => call('revokeToken', { params: { token_id: replaces?.id ?? '' }, body: {} }),
    onSuccess: async () => {
      setRevoked(true);
      toast(ISSUE_TOKEN.wasRevoked);
      await invalidate('listTokens', 'listOrganizationTokens');
    },
  });
  return (
    <div className="stack">
      <p>{ISSUE_TOKEN.copyNow}</p>
      <p className="secret-once code">{token}</p>
      <FormError error={revoke.error} />
      <div className="cluster">
        <button type="button" className="button-primary" onClick={() => void copyText(token, ISSUE_TOKEN.token)}>
          {ISSUE_TOKEN.copyToken}
        </button>
        {replaces !== null && (
          <PermittedButton call="revokeToken" disabled={isRevoked || revoke.isPending} onClick={() => revoke.mutate()}>
            {isRevoked ? ISSUE_TOKEN.oldTokenRevoked : ISSUE_TOKEN.revokeOldToken}
          </PermittedButton>
        )}
        <button type="button" onClick={onClose}>
          {replaces === null || isRevoked ? ISSUE_TOKEN.done : ISSUE_TOKEN.keepOld}
        </button>
      </div>
    </div>
  );
}

/** What a token is called and what it may do, as it is entered. */
interface TokenTerms {
  readonly name: string;
  readonly scope: TokenScope;
  readonly agentId: string;
}

/** The narrower one: whoever needs more says so. */
const NEW_TERMS: TokenTerms = { name: '', scope: 'submit', agentId: '' };

function termsOf({ name, scope, agent_id: agentId }: TokenRow): TokenTerms {
  return { name: name ?? '', scope, agentId: agentId ?? '' };
}

/** The members of the call's body; without a name and a limit those of a plain token. */
function bodyOf({ name, scope, agentId }: TokenTerms) {
  return {
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    ...(scope === 'full' ? {} : { scope }),
    ...(scope === 'submit' ? { agent_id: agentId } : {}),
  };
}

const SCOPES = [
  { value: 'submit', label: TERMS_FIELDS.submitOneAgent },
  { value: 'full', label: TERMS_FIELDS.everythingICanDo },
] as const;

interface TermsFieldsProps {
  readonly terms: TokenTerms;
  readonly onChange: (terms: TokenTerms) => void;
}

/** Name, rights and agent of a new token. */
function TermsFields({ terms, onChange }: TermsFieldsProps) {
  const agents = useQuery(q('listAgents')).data?.agents ?? [];
  const cannotSubmit = useRefusal('submitOperation');
  const isLimited = terms.scope === 'submit';
  return (
    <>
      <TextField
        label={TERMS_FIELDS.name}
        autoFocus
        maxLength={LIMITS.tokenName}
        placeholder={TERMS_FIELDS.nameExample}
        dir="auto"
        value={terms.name}
        onChange={(name) => onChange({ ...terms, name })}
        hint={TERMS_FIELDS.nameHint}
      />
      <SelectField
        label={TERMS_FIELDS.canDo}
        value={terms.scope}
        options={SCOPES}
        onChange={(scope) => onChange({ ...terms, scope })}
        hint={isLimited ? (cannotSubmit ?? TERMS_FIELDS.submitHint) : TERMS_FIELDS.fullHint}
      />
      {isLimited && (
        <SelectField
          label={TERMS_FIELDS.agent}
          required
          value={terms.agentId}
          options={[
            {
              value: '',
              label: agents.length === 0 ? TERMS_FIELDS.noAgentRegistered : TERMS_FIELDS.chooseAgent,
              disabled: true,
            },
            ...agents.map(({ agent_id: id }) => ({ value: id, label: id })),
          ]}
          onChange={(agentId) => onChange({ ...terms, agentId })}
        />
      )}
    </>
  );
}
