/** What a thread of this window tells whoever asked it. */
export type ThreadReply<Progress, Result> =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'unreadable'; readonly message: string };

const PROGRESS_MS = 100;

/**
 * Answers the requests to this thread.
 * @param work is told to say how far it is as often as it likes
 * @param reasonOf what people read about an error
 */
export function answerRequests<Request, Progress, Result>(
  work: (request: Request, tell: (progress: Progress) => void) => Promise<Result>,
  reasonOf: (error: unknown) => string,
): void {
  const reply = (message: ThreadReply<Progress, Result>): void => self.postMessage(message);
  self.onmessage = ({ data }: MessageEvent<Request>): void => {
    let told = 0;
    const tell = (progress: Progress): void => {
      const now = Date.now();
      if (now - told < PROGRESS_MS) return;
      told = now;
      reply({ kind: 'progress', progress });
    };
    work(data, tell)
      .then((result) => reply({ kind: 'done', result }))
      .catch((error: unknown) => reply({ kind: 'unreadable', message: reasonOf(error) }));
  };
}
