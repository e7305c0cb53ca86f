import { type Settings, StartError, startService } from '../../src/service/index.ts';

/** What a start is refused with; undefined for a service that starts all the same, which is stopped again. */
export async function refusedStart(settings: Partial<Settings>): Promise<StartError | undefined> {
  try {
    const service = await startService({ port: 0, logLevel: 'silent', ...settings });
    await service.close();
    return undefined;
  } catch (error) {
    if (error instanceof StartError) return error;
    throw error;
  }
}
