import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { visibleText } from '../../../protocol/index.ts';
import { call, sentenceOf } from '../../api/call.ts';
import { q } from '../../api/query.ts';
import { invalidate } from '../../api/query-client.ts';
import { Answer } from '../../components/answer.tsx';
import { KeyFingerprint, OrganizationLabel } from '../../components/fingerprint.tsx';
import { fill } from '../../lib/fill.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Seen } from '../../ui/seen.tsx';
import { timeText } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { TRUSTED_ISSUERS } from './texts.ts';
import { PinnedBy } from './trust-basis.tsx';

/** Whom the user of this machine trusts, and a way to trust somebody no longer. */
export function TrustedIssuers() {
  const [isOpen, setOpen] = useState(false);
  const store = useQuery({ ...q('listTrust'), enabled: isOpen });
  const remove = useMutation({
    mutationFn: (kid: string) => call('removeTrust', { params: { kid } }),
    onSuccess: () => toast(TRUSTED_ISSUERS.removed),
    onError: (error) => toast(sentenceOf(error), 'failed'),
    onSettled: () => invalidate('listTrust'),
  });
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {TRUSTED_ISSUERS.trustedIssuers}
      </button>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={TRUSTED_ISSUERS.trustedIssuers}
        className="dialog-wide"
      >
        <Answer query={store} what={TRUSTED_ISSUERS.what}>
          {({ enabled, trusted }) => (
            <>
              <p className="muted">{enabled ? TRUSTED_ISSUERS.intro : TRUSTED_ISSUERS.noStore}</p>
              {enabled && trusted.length === 0 && <p>{TRUSTED_ISSUERS.none}</p>}
              <ul className="issuers">
                {trusted.map((key) => {
                  const name = key.label ?? key.organizations[0]?.org_name ?? TRUSTED_ISSUERS.withoutName;
                  return (
                    <li key={key.kid}>
                      <div>
                        <strong>
                          <Seen text={name} />
                        </strong>
                        <KeyFingerprint kid={key.kid} />
                        {key.organizations.map(({ org_id: id, org_name: called, resembles_home: resemblesHome }) => (
                          <p key={id}>
                            {fill(TRUSTED_ISSUERS.forOrganization, {
                              organization: (
                                <OrganizationLabel orgId={id} name={called} resemblesHome={resemblesHome} />
                              ),
                            })}
                          </p>
                        ))}
                        <p className="muted">
                          {fill(TRUSTED_ISSUERS.trustedSince, {
                            addedAt: timeText(key.added_at),
                            confirmedBy: <PinnedBy by={key.pinned_by} />,
                          })}
                        </p>
                      </div>
                      <button
                        type="button"
                        aria-label={visibleText(TRUSTED_ISSUERS.removeNamed(name))}
                        disabled={remove.isPending}
                        onClick={() => remove.mutate(key.kid)}
                      >
                        {TRUSTED_ISSUERS.remove}
                      </button>
                    </li>
                  );
                })}
              </ul>
            </>
          )}
        </Answer>
        <button type="button" onClick={() => setOpen(false)}>
          {TRUSTED_ISSUERS.close}
        </button>
      </Dialog>
    </>
  );
}
