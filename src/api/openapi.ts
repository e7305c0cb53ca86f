import { z } from 'zod';
import type { Json } from '../protocol/index.ts';
import { errorEnvelope } from './error-envelope.ts';
import { ROUTES, type Route } from './routes.ts';

type JsonObject = { readonly [member: string]: Json };

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as { [member: string]: Json };
  return json;
}

function jsonContent(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } };
}

/** `/v1/agents/:agent_id` in the notation of OpenAPI: `/v1/agents/{agent_id}`. */
export function openApiPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

function parametersOf({ path, query }: Route): Json[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(
    ([, name]): JsonObject => ({ name: name ?? '', in: 'path', required: true, schema: { type: 'string' } }),
  );
  const { properties = {}, required = [] } = schemaOf(query, 'input') as {
    properties?: { [member: string]: JsonObject };
    required?: string[];
  };
  const inQuery = Object.entries(properties).map(
    ([name, schema]): JsonObject => ({ name, in: 'query', required: required.includes(name), schema }),
  );
  return [...inPath, ...inQuery];
}

function successOf({ answer, status, otherStatus }: Route): JsonObject {
  if (answer === 'redirect') return { [status]: { description: 'The browser is sent on' } };
  if (answer === 'file') {
    const file = { schema: { type: 'string', format: 'binary' } };
    return { [status]: { description: 'The file, as an attachment', content: { 'application/json': file } } };
  }
  if (answer === 'text') {
    return { [status]: { description: 'The text', content: { 'text/plain': { schema: { type: 'string' } } } } };
  }
  const done = { description: 'Done', content: jsonContent(schemaOf(answer, 'output')) };
  return otherStatus === undefined ? { [status]: done } : { [status]: done, [otherStatus]: done };
}

function accessOf({ access, memberRole = 'readonly_investigator' }: Route): { description: string; security: Json } {
  if (access === 'public') return { description: 'Open to everybody.', security: [] };
  const security = [{ bearer: [] }, { session: [] }];
  if (access === 'workstation') {
    const description = `Needs a workstation session, or the role ${memberRole} or a higher one.`;
    return { description, security: [...security, { workstation: [] }] };
  }
  if (access === 'authenticated') return { description: 'Needs a session or an API token.', security };
  return { description: `Needs the role ${access} or a higher one.`, security };
}

function bodyOf({ body, bodyForm = body, upload }: Route): JsonObject {
  if (bodyForm === undefined) return {};
  const content = upload
    ? { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
    : jsonContent(schemaOf(bodyForm, 'input'));
  return { requestBody: { required: true, content } };
}

function operationOf(name: string, route: Route): JsonObject {
  const { description, security } = accessOf(route);
  return {
    operationId: name,
    tags: [route.tag],
    summary: route.summary,
    description,
    security,
    parameters: parametersOf(route),
    ...bodyOf(route),
    responses: { ...successOf(route), default: { $ref: '#/components/responses/Error' } },
  };
}

/**
 * The interface as an OpenAPI 3.1 document, made from the very table and schemas that the service goes by.
 * @param version of the product
 */
export function openApiDocument(version: string): JsonObject {
  const steps = openApiSteps(version);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** As openApiDocument, a route a step: all of them together take a fraction of a second. */
export function* openApiSteps(version: string): Generator<void, JsonObject> {
  const paths: { [path: string]: { [method: string]: Json } } = {};
  for (const [name, route] of Object.entries<Route>(ROUTES)) {
    const path = openApiPath(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(name, route) };
    yield;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Countersign audit service',
      version,
      description: 'Agents submit signed operation records; the service countersigns, chains, seals and exports them.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'Session token or API token' },
        session: { type: 'apiKey', in: 'cookie', name: 'countersign_session' },
        workstation: { type: 'apiKey', in: 'cookie', name: 'countersign_workstation' },
      },
      responses: {
        Error: { description: 'An error', content: jsonContent(schemaOf(errorEnvelope, 'output')) },
      },
    },
  };
}
