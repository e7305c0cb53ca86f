import { type FileHandle, open } from 'node:fs/promises';

/** Bytes of an open file from a place on; fewer where it ends before. */
export async function pieceOf(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
  return buffer.subarray(0, bytesRead);
}

/** The first bytes of a file. */
export async function firstBytes(path: string, length: number): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    return await pieceOf(file, 0, length);
  } finally {
    await file.close();
  }
}
