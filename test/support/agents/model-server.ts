import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseJson } from '../../../src/protocol/index.ts';
import { atEnd } from '../cleanup.ts';
import {
  type Dialect,
  type JsonRecord,
  type Model,
  type ModelQuestion,
  type ModelTurn,
  record,
} from './conversation.ts';
import { chatCompletions, generateContent, messages, responses } from './dialects.ts';

const DIALECTS: readonly Dialect[] = [messages, responses, chatCompletions, generateContent];

/** What is said where nobody asks for tools: for titles, summaries, and which model to take. */
const ASIDE: ModelTurn = {
  text: '{"title":"A run","reasoning":"x","complexity_reasoning":"x","model_choice":"flash","complexity_score":1}',
};

/** A server that speaks as the models of four vendors do, and says what a test wants. */
export class ModelServer {
  readonly #model: Model;
  /** What went wrong in answering: a test fails by it. */
  readonly errors: unknown[] = [];
  #port = 0;
  #answers = 0;

  private constructor(model: Model) {
    this.#model = model;
  }

  /** One that ends with the test file. */
  static async start(model: Model): Promise<ModelServer> {
    const own = new ModelServer(model);
    const server = createServer((request, response) => {
      own.#handle(request, response).catch((error) => {
        own.errors.push(error);
        response.destroy();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    own.#port = (server.address() as AddressInfo).port;
    atEnd(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return own;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const path = request.url ?? '';
    const dialect = DIALECTS.find((one) => one.path.test(path));
    if (request.method !== 'POST' || dialect === undefined) {
      this.#aside(path, response);
      return;
    }
    const body = record(parseJson(text === '' ? '{}' : text));
    const question = { ...dialect.question(body), body };
    const turn = question.tools.length === 0 ? ASIDE : await this.#turn(question);
    const number = this.#answers++;
    const ids = { of: (index: number) => `call_t${question.turn}_c${index}_${number}`, message: `msg_${number}` };
    const answer = dialect.answer(turn, body, ids);
    if (!isStreamed(body, path)) {
      send(response, 'application/json', JSON.stringify(answer.body));
      return;
    }
    const events = answer.events.map(({ type, data }) => {
      const name = type === undefined ? '' : `event: ${type}\n`;
      return `${name}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
    });
    send(response, 'text/event-stream', events.join(''));
  }

  async #turn(question: ModelQuestion): Promise<ModelTurn> {
    try {
      return await this.#model(question);
    } catch (error) {
      // The program would ask again and again.
      this.errors.push(error);
      return { text: 'The test failed.' };
    }
  }

  /** What programs ask besides: which models there are, how many tokens a text has. */
  #aside(path: string, response: ServerResponse): void {
    if (/count_?tokens/i.test(path)) send(response, 'application/json', '{"input_tokens":10,"totalTokens":10}');
    else if (path.includes('/models'))
      send(response, 'application/json', '{"object":"list","data":[{"id":"fake-model"}]}');
    else response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
  }
}

function isStreamed(body: JsonRecord, path: string): boolean {
  return body['stream'] === true || path.includes('streamGenerateContent');
}

function send(response: ServerResponse, type: string, text: string): void {
  response.writeHead(200, { 'content-type': type }).end(text);
}
