import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body as they were sent, without the dots that SMTP doubles. */
  readonly data: string;
}

/** A mail server on this machine: as much of RFC 5321 as a client needs to hand over a mail. */
export interface SmtpServer {
  readonly port: number;
  readonly mails: ReceivedMail[];
  /** Accounts that were presented, decoded. */
  readonly accounts: string[];
  /** What was said, line by line, by the clients. */
  readonly lines: string[];
  close(): Promise<void>;
}

export interface SmtpOptions {
  /** Answers in place of the right ones, by the command; null says nothing at all. */
  readonly answers?: Readonly<Record<string, string | null>>;
}

type Heard = Pick<SmtpServer, 'mails' | 'accounts' | 'lines'>;

/** One conversation with a client. */
class Conversation {
  readonly #heard: Heard;
  #mail: { from: string; to: string[] } = { from: '', to: [] };
  #body: string[] | null = null;

  constructor(heard: Heard) {
    this.#heard = heard;
  }

  /** @returns the command that a line is, and the usual answer to it; null where nothing is to be said yet */
  take(line: string): { command: string; usual: string } | null {
    this.#heard.lines.push(line);
    if (this.#body !== null) return this.#takeOfBody(line, this.#body);
    const command = line.split(/[ :]/, 1)[0]?.toUpperCase() ?? '';
    return { command, usual: this.#obey(command, line) };
  }

  #takeOfBody(line: string, body: string[]): { command: string; usual: string } | null {
    if (line !== '.') {
      body.push(line.replace(/^\./, ''));
      return null;
    }
    this.#heard.mails.push({ ...this.#mail, data: body.join('\r\n') });
    this.#body = null;
    this.#mail = { from: '', to: [] };
    return { command: '.', usual: '250 taken' };
  }

  #obey(command: string, line: string): string {
    const address = /<([^>]*)>/.exec(line)?.[1] ?? '';
    switch (command) {
      case 'EHLO':
        return '250-local\r\n250-AUTH PLAIN\r\n250 8BITMIME';
      case 'AUTH':
        this.#heard.accounts.push(Buffer.from(line.split(' ')[2] ?? '', 'base64').toString('utf8'));
        return '235 known';
      case 'MAIL':
        this.#mail.from = address;
        return '250 well';
      case 'RCPT':
        this.#mail.to.push(address);
        return '250 well';
      case 'DATA':
        this.#body = [];
        return '354 go on';
      case 'QUIT':
        return '221 bye';
      default:
        return '502 unknown';
    }
  }
}

function converse(socket: Socket, heard: Heard, answers: Readonly<Record<string, string | null>>): void {
  const conversation = new Conversation(heard);
  let rest = '';
  const say = (command: string, usual: string): void => {
    const answer = command in answers ? answers[command] : usual;
    if (answer !== null) socket.write(`${answer}\r\n`);
  };
  socket.on('error', () => socket.destroy());
  socket.on('data', (bytes) => {
    const lines = (rest + bytes.toString('utf8')).split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const answer = conversation.take(line);
      if (answer !== null) say(answer.command, answer.usual);
    }
  });
  say('greeting', '220 local');
}

export async function startSmtpServer({ answers = {} }: SmtpOptions = {}): Promise<SmtpServer> {
  const sockets = new Set<Socket>();
  const heard = { mails: [] as ReceivedMail[], accounts: [] as string[], lines: [] as string[] };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    converse(socket, heard, answers);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    ...heard,
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
