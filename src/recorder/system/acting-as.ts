import type { RunAs } from '../install/find-program.ts';

let isActing = false;

/**
 * Does something with the rights of another account, and nothing besides: what that account cannot read or change fails, whatever links
 * it has laid. Root's own rights come back at the end. The account can neither signal nor trace this process meanwhile, for which its
 * real user counts. Nothing may be started meanwhile: a program that is could take root's rights back.
 */
export async function actingAs<T>({ uid, gid }: RunAs, act: () => Promise<T>): Promise<T> {
  const { seteuid, setegid, setgroups, getgroups } = process;
  if (seteuid === undefined || setegid === undefined || setgroups === undefined || getgroups === undefined) {
    throw new Error('this system has no accounts to act as');
  }
  // Rights belong to the process: of two at once one would act as the other.
  if (isActing) throw new Error('acts as another account already');
  const groups = getgroups();
  isActing = true;
  try {
    setgroups([gid]);
    setegid(gid);
    seteuid(uid);
    return await act();
  } finally {
    seteuid(0);
    setegid(0);
    setgroups(groups);
    isActing = false;
  }
}
