import { messageOf } from '../protocol/text/light.ts';
import type { RunningRecorder } from '../recorder/light.ts';
import type { LogFile } from './log-file.ts';

/** The recorder of this user within the application, where an agent is installed for the user. */
export class DesktopRecorder {
  readonly #log: LogFile;
  #running: RunningRecorder | null = null;
  #changing: Promise<void> = Promise.resolve();

  constructor(log: LogFile) {
    this.#log = log;
  }

  /** Starts or ends it. What goes wrong is in the log: the application does without. */
  set(on: boolean): Promise<void> {
    this.#changing = this.#changing.then(() => (on ? this.#start() : this.#stop()));
    return this.#changing;
  }

  async #start(): Promise<void> {
    if (this.#running !== null) return;
    try {
      // Loaded only now: a start does without it (docs/decisions/0034).
      const { recorderHome, startRecorderIfInstalled } = await import('../recorder/light.ts');
      const onError = (error: unknown): void => this.#tell('the recorder failed', error);
      this.#running = await startRecorderIfInstalled(recorderHome(process.env), { onError });
      if (this.#running !== null) this.#log.note('info', 'the recorder started', { url: this.#running.url });
    } catch (error) {
      this.#tell('the recorder did not start', error);
    }
  }

  async #stop(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    await running?.close().catch((error: unknown) => this.#tell('the recorder did not end in order', error));
  }

  #tell(msg: string, error: unknown): void {
    this.#log.note('warn', msg, { detail: messageOf(error) });
  }
}
