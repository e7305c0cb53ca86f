import { RecordError } from '../base/record-error.ts';
import type { OtlpReceived, OtlpRequest } from '../otlp/receive.ts';
import type { Take } from '../seen/feed.ts';
import { type Answer, failureAnswer } from './answers.ts';

/**
 * Takes what an exporter sent. Exporters send what failed again, and give up at a status that is not 429, 502, 503 or 504: what can
 * never be taken is therefore answered as rejected, with the reason.
 * @param readAside reads on another thread what is large; null for what is not
 * @throws what taking throws besides NOT_INSTALLED
 */
export async function exportAnswer(
  request: OtlpRequest,
  take: Take,
  readAside: ((request: OtlpRequest) => Promise<Pick<OtlpReceived, 'byFeed' | 'rejected'>>) | null,
): Promise<Answer> {
  // Loaded when somebody exports: most recorders never meet an exporter, and their memory stays small.
  const [{ receiveOtlp }, { otlpAnswer, otlpRefusal }] = await Promise.all([
    import('../otlp/receive.ts'),
    import('../otlp/answer.ts'),
  ]);
  try {
    const { byFeed, rejected } = await (readAside ?? receiveOtlp)(request);
    let { count, reason } = rejected;
    for (const [feed, seen] of byFeed) {
      try {
        await take(feed, seen);
      } catch (error) {
        if (!(error instanceof RecordError) || error.code !== 'NOT_INSTALLED') throw error;
        count += seen.length;
        reason = error.message;
      }
    }
    return { status: 200, ...otlpAnswer(request.path, request.contentType, { count, reason }) };
  } catch (error) {
    const failure = failureAnswer(error);
    if (failure === null || !(error instanceof Error)) throw error;
    return { status: failure.status, ...otlpRefusal(request.contentType, error.message) };
  }
}
