/** A dialog that came up, and the answer it got. */
export interface Asked {
  readonly kind: string;
  readonly options: unknown;
}

/** What came up so far, and what the next dialogs are answered; laid out by a test. */
export const dialogs: { asked: Asked[]; answers: unknown[] } = { asked: [], answers: [] };

const laidOut = process.env['ELECTRON_HOST_ANSWERS'];
if (laidOut !== undefined) dialogs.answers.push(...(JSON.parse(laidOut) as unknown[]));

function ask<T>(kind: string, options: readonly unknown[], closed: T): T {
  dialogs.asked.push({ kind, options: options.at(-1) });
  process.send?.({ kind: 'dialog', dialog: kind, options: options.at(-1) });
  return (dialogs.answers.shift() as T | undefined) ?? closed;
}

export const dialog = {
  showErrorBox: (title: string, content: string): void => {
    dialogs.asked.push({ kind: 'error', options: { title, content } });
    process.send?.({ kind: 'dialog', dialog: 'error', options: { title, content } });
  },
  showMessageBox: async (...options: unknown[]): Promise<unknown> => {
    const { cancelId = 0 } = options.at(-1) as { cancelId?: number };
    return ask('message', options, { response: cancelId, checkboxChecked: false });
  },
  showOpenDialog: async (...options: unknown[]): Promise<unknown> =>
    ask('open', options, { canceled: true, filePaths: [] }),
  showSaveDialog: async (...options: unknown[]): Promise<unknown> =>
    ask('save', options, { canceled: true, filePath: '' }),
};
