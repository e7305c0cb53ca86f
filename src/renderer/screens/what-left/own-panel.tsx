import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { sentenceOf } from '../../api/call.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { Answer } from '../../components/answer.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { AreaField } from '../../ui/area-field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { toast } from '../../ui/toasts.tsx';
import { WHAT_LEFT as TEXTS } from './texts.ts';

const LISTS = ['domains', 'hosts', 'networks', 'people'] as const;
type Own = Readonly<Record<(typeof LISTS)[number], string>>;

const FIELDS = {
  domains: [TEXTS.domains, TEXTS.domainsHint],
  hosts: [TEXTS.hosts, TEXTS.hostsHint],
  networks: [TEXTS.networks, TEXTS.networksHint],
  people: [TEXTS.people, TEXTS.peopleHint],
} as const;

function ownOf(rules: Readonly<Record<string, unknown>>): Own {
  const own = (rules['own'] ?? {}) as Readonly<Record<string, readonly string[]>>;
  return Object.fromEntries(LISTS.map((name) => [name, (own[name] ?? []).join('\n')])) as Own;
}

const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
];

/** What is the organization's own, as the rules of reading say. */
export function OwnPanel() {
  const { q } = useLedger();
  const rules = useQuery(q('investigationRules'));
  return (
    <Panel title={TEXTS.own}>
      <Answer query={rules} what={TEXTS.what}>
        {({ rules: known, is_default }) => (
          <OwnForm key={JSON.stringify(known['own'])} rules={known} isDefault={is_default} />
        )}
      </Answer>
    </Panel>
  );
}

interface OwnFormProps {
  readonly rules: Readonly<Record<string, unknown>>;
  readonly isDefault: boolean;
}

function OwnForm({ rules, isDefault }: OwnFormProps) {
  const { call, q, invalidate, routeOf } = useLedger();
  const client = useQueryClient();
  const [own, setOwn] = useState(() => ownOf(rules));
  const save = useMutation({
    mutationFn: () => {
      const stated = Object.fromEntries(LISTS.map((name) => [name, linesOf(own[name])]));
      // Rules that nobody changed stay those of the product.
      const others = isDefault ? { version: 1 } : rules;
      return call('setInvestigationRules', { body: { rules: { ...others, own: stated } } });
    },
    onSuccess: async (answer) => {
      client.setQueryData(q('investigationRules').queryKey, answer);
      await invalidate('whatLeft');
      toast(TEXTS.saved);
    },
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <p className="muted">{TEXTS.ownExplained}</p>
      <div className="own-lists">
        {LISTS.map((name) => {
          const [label, hint] = FIELDS[name];
          return (
            <AreaField
              key={name}
              label={label}
              hint={hint}
              rows={3}
              spellCheck={false}
              value={own[name]}
              onChange={(value) => setOwn((before) => ({ ...before, [name]: value }))}
            />
          );
        })}
      </div>
      <div className="cluster">
        <PermittedButton call={routeOf('setInvestigationRules')} type="submit" disabled={save.isPending}>
          {TEXTS.save}
        </PermittedButton>
      </div>
    </form>
  );
}
