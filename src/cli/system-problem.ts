/** What a code of the operating system says to a person. The name of a file, where there is one, comes before it. */
const SENTENCES: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of this path is a file, not a folder',
  EACCES: 'you may not read or write here',
  EPERM: 'you may not do this here',
  EISDIR: 'is a folder, not a file',
  EEXIST: 'exists already',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your quota on this disk is used up',
  EROFS: 'this disk cannot be written to',
  EFBIG: 'the file would be larger than this disk can hold',
  EIO: 'the disk reports an error',
  EMFILE: 'too many files are open in this process',
  ENFILE: 'too many files are open on this machine',
  ENAMETOOLONG: 'this name is too long',
  ELOOP: 'too many symbolic links lead to this file',
  EADDRINUSE: 'this port is in use',
  EADDRNOTAVAIL: 'this machine does not have this address',
  ECONNREFUSED: 'nothing is listening there',
  ECONNRESET: 'the other side closed the connection',
  ENOTFOUND: 'this host name is not known',
  ETIMEDOUT: 'there was no answer in time',
  EXDEV: 'both files have to be on the same disk',
};

function text(error: object, member: string): string | null {
  const value: unknown = Reflect.get(error, member);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Why the operating system refused something, without the name of the file; null where the error did not come from the system. */
export function systemReason(error: unknown): string | null {
  if (!(error instanceof Error) || text(error, 'syscall') === null) return null;
  return SENTENCES[text(error, 'code') ?? ''] ?? error.message;
}

/**
 * What the operating system refused, as a sentence for a person; null where the error did not come from the system, and so is a
 * defect.
 * @param named the file as the person called it, where the error names another one that stands for it
 */
export function systemProblem(error: unknown, named?: string): string | null {
  const reason = systemReason(error);
  if (reason === null || !(error instanceof Error)) return null;
  const place = named ?? text(error, 'path') ?? text(error, 'hostname') ?? text(error, 'address');
  const port: unknown = Reflect.get(error, 'port');
  const where = place === null ? '' : `${place}${typeof port === 'number' ? `:${port}` : ''}: `;
  return `${where}${reason}`;
}
