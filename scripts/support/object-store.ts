import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The programs of Ceph that make an object store: Debian's radosgw, ceph-mon, ceph-osd and ceph-common. */
const PROGRAMS = ['ceph', 'ceph-mon', 'ceph-osd', 'monmaptool', 'radosgw', 'radosgw-admin'];

/**
 * Where Ceph is: COUNTERSIGN_CEPH names a folder into which its packages were unpacked (`dpkg -x`), else it is installed.
 * @returns the folder, empty where it is installed; undefined where it is not here
 */
export function cephRoot(): string | undefined {
  const { COUNTERSIGN_CEPH: root = '', PATH = '' } = process.env;
  const places = root === '' ? PATH.split(delimiter) : [join(root, 'usr', 'bin')];
  return PROGRAMS.every((name) => places.some((place) => existsSync(join(place, name)))) ? root : undefined;
}

/** An object store that is there already, as `http://KEY:SECRET@HOST:PORT/BUCKET`; undefined where none is named. */
export function givenObjectStore(): URL | undefined {
  const { COUNTERSIGN_TEST_S3: given = '' } = process.env;
  return given === '' ? undefined : new URL(given);
}
