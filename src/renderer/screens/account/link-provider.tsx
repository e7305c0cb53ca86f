import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { q } from '../../api/query.ts';
import { FormError } from '../../components/form.tsx';
import { ProviderButtons } from '../../sign-in/provider-buttons.tsx';
import { Panel } from '../../ui/panel.tsx';
import { LINK_PROVIDER } from './texts.ts';

/** Links the account to a provider by a sign-in there; nothing where the service has none, or in the desktop's window. */
export function LinkProvider() {
  const [failure, setFailure] = useState<string | null>(null);
  const isDesktop = window.countersign !== undefined;
  const { data } = useQuery({ ...q('signInProviders'), enabled: !isDesktop });
  if (data === undefined || data.providers.length === 0) return null;
  return (
    <Panel title={LINK_PROVIDER.signProviders}>
      <div className="stack narrow-form">
        <p className="muted note">{LINK_PROVIDER.explained}</p>
        <FormError error={failure} />
        <div className="cluster">
          <ProviderButtons label={LINK_PROVIDER.linkTo} onFailure={setFailure} />
        </div>
      </div>
    </Panel>
  );
}
