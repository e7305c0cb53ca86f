import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AnswerOf } from '../../../api/index.ts';
import { call } from '../../api/call.ts';
import { q } from '../../api/query.ts';
import { invalidate } from '../../api/query-client.ts';
import { Form } from '../../components/form.tsx';
import { Panel } from '../../ui/panel.tsx';
import { toast } from '../../ui/toasts.tsx';
import { SettingField } from './setting-field.tsx';
import { SETTINGS_FORM } from './texts.ts';

/** What was entered and not saved, by the names of settings; null takes a stored value away. */
export type Drafts = Readonly<Record<string, string | null | undefined>>;

export interface SettingsFormProps {
  readonly title: string;
  readonly names: readonly string[];
  readonly answer: AnswerOf<'getSettings'>;
  /** Kept above, so that they outlive a look at another section. */
  readonly drafts: Drafts;
  readonly setDrafts: (change: (before: Drafts) => Drafts) => void;
  readonly children?: ReactNode;
}

/** A group of settings that are saved together. */
export function SettingsForm({ title, names, answer, drafts, setDrafts, children }: SettingsFormProps) {
  const client = useQueryClient();
  const changed = names.filter((name) => drafts[name] !== undefined);
  const save = async (): Promise<void> => {
    if (changed.length === 0) return;
    const next = await call('changeSettings', {
      body: { settings: Object.fromEntries(changed.map((name) => [name, drafts[name] || null])) },
    });
    client.setQueryData(q('getSettings').queryKey, next);
    setDrafts((before) => ({ ...before, ...Object.fromEntries(changed.map((name) => [name, undefined])) }));
    const waits = next.settings.some(({ name, waits_for_restart: does }) => does && changed.includes(name));
    toast(waits ? SETTINGS_FORM.savedLater : SETTINGS_FORM.savedNow);
    await invalidate('listBackups');
  };
  const settings = names
    .map((name) => answer.settings.find((setting) => setting.name === name))
    .filter((setting) => setting !== undefined);
  return (
    <Panel title={title}>
      <Form
        label={title}
        act={save}
        verb={SETTINGS_FORM.saveSettings}
        isBlocked={changed.length === 0}
        call="changeSettings"
        actions={changed.length > 0 && <span className="muted">{SETTINGS_FORM.recorded}</span>}
      >
        {children}
        {settings.map((setting) => (
          <SettingField
            key={setting.name}
            setting={setting}
            draft={drafts[setting.name]}
            onChange={(draft) => setDrafts((before) => ({ ...before, [setting.name]: draft }))}
          />
        ))}
      </Form>
    </Panel>
  );
}
