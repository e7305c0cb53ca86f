// GET /v1/openapi.json and docs/openapi.json. That answers conform to it is checked at every call: test/support/conformity.ts.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { OPENAPI_FILE, openApiText } from '../../scripts/openapi.ts';
import { openApiPath, ROUTES, type Route } from '../../src/api/index.ts';
import { TestService } from '../support/service.ts';

type Json = null | boolean | number | string | Json[] | { [member: string]: Json };
type JsonObject = { [member: string]: Json };

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly security: readonly JsonObject[];
  readonly parameters: readonly { name: string; in: string; required: boolean; schema: JsonObject }[];
  readonly requestBody?: { required: boolean; content: { [type: string]: { schema: JsonObject } } };
  readonly responses: { [status: string]: { $ref?: string; description?: string; content?: JsonObject } };
}

const service = await TestService.start();
const answer = await service.client().call('openApi');
const text = answer.bytes.toString('utf8');
const document = JSON.parse(text) as {
  openapi: string;
  info: JsonObject;
  paths: { [path: string]: { [method: string]: Operation } };
  components: { securitySchemes: JsonObject } & JsonObject;
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);
const routes = Object.entries<Route>(ROUTES);
const operationOf = (name: string): Operation => {
  const found = operations.find(({ operation }) => operation.operationId === name);
  if (found === undefined) throw new Error(`${name} is not described`);
  return found.operation;
};

/** Every object within a value, with where it stands. */
function* objectsIn(value: Json, where = '#'): Generator<{ object: JsonObject; where: string }> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield { object: value, where };
  for (const [name, inner] of Object.entries(value)) yield* objectsIn(inner as Json, `${where}/${name}`);
}

describe('the description of the interface', () => {
  it('is what is checked in: run npm run openapi after a change', () => {
    expect(readFileSync(OPENAPI_FILE, 'utf8')).toBe(openApiText());
    expect(document).toEqual(JSON.parse(openApiText()));
  });

  it('is served to everybody as JSON', () => {
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
  });

  it('has every route, and nothing else', () => {
    const described = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`);
    const existing = routes.map(([, { method, path }]) => `${method} ${openApiPath(path)}`);
    expect(described.toSorted()).toEqual(existing.toSorted());
    expect(new Set(existing).size).toBe(existing.length);
    expect(operations.map(({ operation }) => operation.operationId).toSorted()).toEqual(Object.keys(ROUTES).toSorted());
  });

  it('is OpenAPI 3.1: info, unique ids, responses, parameters for every place in a path', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info).toMatchObject({ title: expect.any(String), version: expect.any(String) });
    for (const { path, method, operation } of operations) {
      expect(path).toMatch(/^\//);
      expect(['get', 'post', 'patch', 'delete']).toContain(method);
      expect(operation.operationId).toMatch(/^[a-zA-Z]+$/);
      expect(operation.summary).toMatch(/\S/);
      expect(operation.tags).toHaveLength(1);
      const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
      for (const { required } of inPath) expect(required).toBe(true);
      const names = operation.parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
      expect(new Set(names).size).toBe(names.length);
      expect(Object.keys(operation.responses).length).toBeGreaterThan(1);
      for (const response of Object.values(operation.responses)) {
        expect(response.$ref ?? response.description).toMatch(/\S/);
      }
      if (method === 'get' || method === 'delete') expect(operation).not.toHaveProperty('requestBody');
    }
  });

  it('says of every operation who may call it, what it takes and what it answers', () => {
    for (const [name, route] of routes) {
      const { security, requestBody, responses } = operationOf(name);
      const signedIn = [{ bearer: [] }, { session: [] }];
      const workstation = route.access === 'workstation' ? [{ workstation: [] }] : [];
      expect(security).toEqual(route.access === 'public' ? [] : [...signedIn, ...workstation]);
      expect(requestBody !== undefined).toBe(route.body !== undefined);
      const { [route.status]: success, default: failure } = responses;
      expect(success).toBeDefined();
      expect(failure).toEqual({ $ref: '#/components/responses/Error' });
      if (typeof route.answer !== 'string') expect(success?.content).toHaveProperty(['application/json', 'schema']);
    }
    for (const scheme of ['bearer', 'session', 'workstation'])
      expect(document.components.securitySchemes).toHaveProperty(scheme);
  });

  it('names every member of a record, and closes objects to others', () => {
    const schema = operationOf('submitOperation').requestBody?.content['application/json']?.schema;
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(schema?.['required']).toHaveLength(15);
    expect(operationOf('signUp').requestBody?.content['application/json']?.schema).toMatchObject({
      additionalProperties: false,
      required: ['email', 'password', 'name', 'org_name'],
      properties: { password: { minLength: 8, maxLength: 256 } },
    });
  });

  it('has references that lead somewhere', () => {
    const references = [...objectsIn(document as unknown as Json)].flatMap(({ object }) =>
      typeof object['$ref'] === 'string' ? [object['$ref']] : [],
    );
    expect(references.length).toBeGreaterThan(0);
    for (const reference of references) {
      expect(reference).toMatch(/^#\//);
      const steps = reference.slice(2).split('/');
      const target = steps.reduce<unknown>(
        (value, step) => Object(value)[step.replaceAll('~1', '/').replaceAll('~0', '~')],
        document,
      );
      expect(target, reference).toBeTypeOf('object');
    }
  });

  it('has schemas with types that JSON Schema knows, and patterns that compile', () => {
    const types = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'];
    for (const { object, where } of objectsIn(document as unknown as Json)) {
      // A member named so in a schema's properties is a schema itself.
      if (where.endsWith('/properties') || where.includes('/securitySchemes/')) continue;
      const { type, pattern, required, properties } = object;
      if (type !== undefined) for (const one of [type].flat()) expect(types, where).toContain(one);
      if (typeof pattern === 'string') expect(() => new RegExp(pattern, 'u'), where).not.toThrow();
      if (Array.isArray(required)) {
        expect(Object.keys(Object(properties)), where).toEqual(expect.arrayContaining(required));
      }
    }
  });

  it('shows nothing of this machine', () => {
    expect(text).not.toMatch(/127\.0\.0\.1|localhost|\/home\/|\/root\//);
  });
});
