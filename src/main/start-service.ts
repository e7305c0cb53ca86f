import { dialog } from 'electron';
import { type HostOptions, type Service, StartError, startService } from '../service/index.ts';

export interface ServiceRequest {
  readonly dataDir: string;
  readonly port: number;
  readonly rendererDir: string;
  readonly host: HostOptions;
}

/** Only this machine reaches the desktop's service; a team has `countersign serve` (docs/operations.md). */
const HOST = '127.0.0.1';

/**
 * Starts the embedded service. Where its port is taken the person decides, since agents are set to that port: go to a free
 * one for this time, try again, or leave it.
 * @returns null where they leave it
 * @throws StartError
 */
export async function startEmbedded(request: ServiceRequest): Promise<Service | null> {
  const { dataDir, port, rendererDir, host } = request;
  try {
    return await startService({ dataDir, host: HOST, port, rendererDir }, host);
  } catch (error) {
    if (!(error instanceof StartError) || error.code !== 'ADDRESS_UNAVAILABLE') throw error;
  }
  const { response } = await dialog.showMessageBox({
    type: 'warning',
    message: `Port ${port} is taken by another program.`,
    detail:
      'Countersign can listen on a free port this time. Agents that are set to the usual one do not reach it then: ' +
      'they are refused until the next start on the usual port, or until they are given the new address.',
    buttons: ['Use a free port', 'Try again', 'Quit'],
    defaultId: 0,
    cancelId: 2,
  });
  if (response === 2) return null;
  return startEmbedded(response === 0 ? { ...request, port: 0 } : request);
}
