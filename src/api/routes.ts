import type { z } from 'zod';
import { ACCOUNT_ROUTES } from './account-routes.ts';
import { ADMINISTRATION_ROUTES } from './administration-routes.ts';
import { AGENT_ROUTES } from './agent-routes.ts';
import { ANNOTATION_ROUTES } from './annotation-routes.ts';
import { CASE_ROUTES } from './case-routes.ts';
import { DECISION_ROUTES } from './decision-routes.ts';
import { EPOCH_ROUTES } from './epoch-routes.ts';
import { EXPORT_ROUTES } from './export-routes.ts';
import type { ReadonlyDeep } from './fields.ts';
import { INVESTIGATION_ROUTES } from './investigation-routes.ts';
import { MEMBER_ROUTES } from './member-routes.ts';
import { OPERATION_ROUTES } from './operation-routes.ts';
import { PERSON_ROUTES } from './person-routes.ts';
import { RETENTION_ROUTES } from './retention-routes.ts';
import type { Route } from './route.ts';
import { SERVICE_ROUTES } from './service-routes.ts';
import { WEBHOOK_ROUTES } from './webhook-routes.ts';

export type { Route } from './route.ts';

/** Every route of the service: the one table that router, access checks, description and tests go by. */
export const ROUTES = {
  ...ACCOUNT_ROUTES,
  ...PERSON_ROUTES,
  ...MEMBER_ROUTES,
  ...AGENT_ROUTES,
  ...OPERATION_ROUTES,
  ...DECISION_ROUTES,
  ...INVESTIGATION_ROUTES,
  ...ANNOTATION_ROUTES,
  ...EPOCH_ROUTES,
  ...EXPORT_ROUTES,
  ...RETENTION_ROUTES,
  ...WEBHOOK_ROUTES,
  ...ADMINISTRATION_ROUTES,
  ...CASE_ROUTES,
  ...SERVICE_ROUTES,
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof ROUTES;

/** What a route answers with. */
export type AnswerOf<N extends RouteName> = (typeof ROUTES)[N]['answer'] extends infer Schema extends z.ZodType
  ? ReadonlyDeep<z.output<Schema>>
  : never;
