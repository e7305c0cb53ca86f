import { Fragment } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { SHORTCUTS } from './keyboard.ts';
import { KEYS_HELP } from './texts.ts';

export function KeysHelp({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title={KEYS_HELP.keys}>
      <dl className="keys">
        {SHORTCUTS.map(({ keys, what }) => (
          <Fragment key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <Fragment key={key}>
                  <kbd>{key}</kbd>{' '}
                </Fragment>
              ))}
            </dt>
            <dd>{what}</dd>
          </Fragment>
        ))}
      </dl>
      <button type="button" onClick={onClose}>
        {KEYS_HELP.close}
      </button>
    </Dialog>
  );
}
