import { join } from 'node:path';
import { systemView } from '../../node/light.ts';
import { type RecorderHome, recorderHome } from '../base/home.ts';

/** The account of every recorder that the system keeps. */
export const ACCOUNT = 'countersign-recorder';

/** Where a recorder that the system keeps for one person has what. */
export interface SystemPlaces {
  /** What stands for `/`, as for `systemctl --root` and `useradd --prefix`. */
  readonly root: string;
  /** The account's alone: keys, tokens, spool, receipts. */
  readonly state: string;
  /** Root's, and readable by the person: scripts of the hooks, and what is installed, without keys and tokens. */
  readonly view: string;
  /** The person's: which events reached no recorder. The recorder does not look at it. */
  readonly missed: string;
  /** The person's, in a folder of root's: they can connect to it, and can neither remove nor replace it. */
  readonly socket: string;
  /** The folder of the units. */
  readonly units: string;
  /** The name of the person's socket unit. */
  readonly socketUnit: string;
  readonly serviceUnit: string;
}

export function systemPlaces(uid: number, root = '/'): SystemPlaces {
  return {
    root,
    state: join(root, 'var', 'lib', ACCOUNT, String(uid)),
    view: systemView(uid, root),
    missed: join(root, 'var', 'spool', ACCOUNT, String(uid)),
    socket: join(root, 'run', ACCOUNT, `${uid}.sock`),
    units: join(root, 'etc', 'systemd', 'system'),
    socketUnit: `${ACCOUNT}@${uid}.socket`,
    serviceUnit: `${ACCOUNT}@${uid}.service`,
  };
}

/** The recorder's folder as installation sees it: hooks run scripts that lie elsewhere. */
export function stateHome({ state, view }: SystemPlaces): RecorderHome {
  const { hooks } = viewHome({ view });
  return { ...recorderHome({ COUNTERSIGN_RECORDER: state }), hooks, isSystem: true };
}

/** The same as the person sees it. */
export function viewHome({ view }: Pick<SystemPlaces, 'view'>): RecorderHome {
  return recorderHome({ COUNTERSIGN_RECORDER: view });
}
