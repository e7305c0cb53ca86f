/** What this thread, which serves the services under test, has to do itself while something is asked. */
type Spent = Pick<NodeJS.CpuUsage, 'user' | 'system'>;

const sum = ({ user, system }: Spent): number => user + system;

/** @returns what was answered, and which share of the processor's time this thread had: of the clock it would be that of everybody else too */
export async function onThisThread<T>(ask: () => Promise<T>): Promise<{ readonly answer: T; readonly share: number }> {
  const [thread, all] = [process.threadCpuUsage(), process.cpuUsage()];
  const answer = await ask();
  return { answer, share: sum(process.threadCpuUsage(thread)) / sum(process.cpuUsage(all)) };
}
