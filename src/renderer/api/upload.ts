import type { AnswerOf, RouteName } from '../../api/index.ts';
import { PAGE_HEADER, ROUTES } from '../../api/index.ts';
import { answerOf, CallFailed, type CallInput, pathOf } from './call.ts';
import { pageSecret } from './page-secret.ts';
import { UPLOAD } from './texts.ts';

export interface UploadInput extends Pick<CallInput, 'params' | 'query' | 'signal'> {
  readonly file: Blob;
  /** Told while the bytes go out. */
  readonly onProgress?: (bytes: number) => void;
}

/**
 * Sends a file as it is. By XMLHttpRequest: fetch does not tell how far a body has got.
 * @throws CallFailed; DOMException AbortError where the signal ended it
 */
export function upload<N extends RouteName>(name: N, input: UploadInput): Promise<AnswerOf<N>> {
  const { file, params, query, signal, onProgress } = input;
  const route = ROUTES[name];
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(route.method, pathOf(route, params, query));
    request.setRequestHeader('accept', 'application/json');
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.setRequestHeader(PAGE_HEADER, pageSecret());
    request.upload.onprogress = ({ loaded }) => onProgress?.(loaded);
    request.onload = () => {
      try {
        resolve(answerOf(name, request.status, request.responseText));
      } catch (error) {
        reject(error);
      }
    };
    request.onerror = () => reject(new CallFailed('UNREACHABLE', UPLOAD.cut));
    request.onabort = () => reject(new DOMException(UPLOAD.uploadCancelled, 'AbortError'));
    signal?.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}
