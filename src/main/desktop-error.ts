/** Why the desktop refused a page or could not do what it was asked. */
export type DesktopErrorCode = 'SENDER_REFUSED' | 'ARGUMENTS_REFUSED' | 'FILE_REFUSED' | 'KEYS_LOCKED';

export class DesktopError extends Error {
  override readonly name = 'DesktopError';
  readonly code: DesktopErrorCode;
  constructor(code: DesktopErrorCode, message: string, options?: ErrorOptions) {
    super(`${code}: ${message}`, options);
    this.code = code;
  }
}
