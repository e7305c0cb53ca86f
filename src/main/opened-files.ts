import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import type { Session } from 'electron';
import { z } from 'zod';
import { PAGE_HEADER, ROUTES, type Upload } from '../api/index.ts';
import { DesktopError } from './desktop-error.ts';

const { inspectFile } = ROUTES;

/** The page that a file is for: its cookies, and the secret of its origin, which its sessions are bound to. */
export interface ForPage {
  readonly pages: Session;
  readonly pageSecret: string;
}

/**
 * Hands a file that a person chose to the service, as the case room's page would, and under the session of that page. The
 * page never gets a path, and no way to have a file read: only files that came by dialog, double click or menu come here.
 * @throws DesktopError FILE_REFUSED with the reason, for the person
 */
export async function handToService(path: string, serviceUrl: string, page: ForPage): Promise<Upload> {
  const name = basename(path);
  try {
    const cookies = await page.pages.cookies.get({ url: serviceUrl });
    const answer = await fetch(`${serviceUrl}${inspectFile.path}?name=${encodeURIComponent(name.slice(0, 255))}`, {
      method: inspectFile.method,
      // Read from the disk as it is sent, whatever its size.
      body: await openAsBlob(path),
      headers: {
        'Content-Type': 'application/octet-stream',
        Cookie: cookies.map((cookie) => `${cookie.name}=${cookie.value}`).join('; '),
        Origin: new URL(serviceUrl).origin,
        [PAGE_HEADER]: page.pageSecret,
      },
    });
    if (!answer.ok) throw new DesktopError('FILE_REFUSED', await reasonOf(answer));
    return inspectFile.answer.parse(await answer.json());
  } catch (error) {
    if (error instanceof DesktopError) throw error;
    throw new DesktopError('FILE_REFUSED', 'it cannot be read, or the service did not take it', { cause: error });
  }
}

const refusal = z.object({ error: z.object({ message: z.string() }) });

async function reasonOf(answer: Response): Promise<string> {
  const parsed = refusal.safeParse(await answer.json().catch(() => null));
  return parsed.success ? parsed.data.error.message : `the service answered ${answer.status}`;
}
