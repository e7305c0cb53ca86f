import { useQuery } from '@tanstack/react-query';
import { visibleText } from '../../protocol/index.ts';
import { useRefusal } from '../api/permission.ts';
import { q } from '../api/query.ts';
import { Seen } from '../ui/seen.tsx';

/** Somebody by the name that the organization knows them by, their address in the tip; by the address where no other tells them apart. */
export function Person({ email }: { readonly email: string }) {
  const mayList = useRefusal('listMembers') === null;
  const { data } = useQuery({ ...q('listMembers'), enabled: mayList });
  const members = data?.members ?? [];
  const name = members.find((member) => member.email === email)?.display_name;
  const isOne = members.filter(({ display_name: other }) => other === name).length === 1;
  return <Seen text={name !== undefined && isOne ? name : email} title={visibleText(email)} />;
}
