import { OpenAPIGenerator } from '@orpc/openapi';
import { OpenAPIHandler } from '@orpc/openapi/fetch';
import { createRouterClient, ORPCError } from '@orpc/server';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { AppError } from '#/kernel/errors.ts';
import { problemOf, type Problem } from '#/kernel/problem.ts';
import type { Access } from '#/features/access/contract.ts';
import { authorise } from '#/features/access/rules.ts';
import { requireFresh } from '#/features/accounts/commands.ts';
import { addressChangeProcedures } from '#/features/accounts/address-change/procedures.ts';
import { administrationProcedures } from '#/features/accounts/administration/procedures.ts';
import { deletionProcedures } from '#/features/accounts/deletion/procedures.ts';
import { directoryProcedures } from '#/features/accounts/directory/procedures.ts';
import { reauthenticationProcedures } from '#/features/accounts/reauthentication/procedures.ts';
import { secondFactorProcedures } from '#/features/accounts/second-factor/procedures.ts';
import { exportDownload } from '#/features/accounts/export/commands.ts';
import { exportsProcedures } from '#/features/accounts/export/procedures.ts';
import { namesOf } from '#/features/accounts/names/queries.ts';
import { namesProcedures } from '#/features/accounts/names/procedures.ts';
import { accountsProcedures, accountsUploads } from '#/features/accounts/procedures.ts';
import type { HealthConfig } from '#/features/analytics/health/queries.ts';
import { analyticsProcedures } from '#/features/analytics/procedures.ts';
import { reportDownloads } from '#/features/analytics/report/procedures.ts';
import { recordRefused } from '#/features/audit/commands.ts';
import { auditDownloads, auditProcedures } from '#/features/audit/log/procedures.ts';
import { availabilityProcedures } from '#/features/availability/procedures.ts';
import { backupsProcedures } from '#/features/backups/procedures.ts';
import { bookingProcedures } from '#/features/booking/procedures.ts';
import { appointmentsProcedures } from '#/features/booking/administration/procedures.ts';
import { handoverProcedures } from '#/features/booking/handover/procedures.ts';
import { guestsProcedures } from '#/features/booking/guests/procedures.ts';
import { seriesProcedures } from '#/features/booking/series-changes/procedures.ts';
import { feedProcedures } from '#/features/booking/feed/procedures.ts';
import { waitlistProcedures } from '#/features/booking/waitlist/procedures.ts';
import { careProcedures } from '#/features/care/procedures.ts';
import { catalogueProcedures } from '#/features/catalogue/procedures.ts';
import { contactProcedures } from '#/features/contact/procedures.ts';
import { growthProcedures } from '#/features/growth/procedures.ts';
import { progressReport } from '#/features/growth/report/procedures.ts';
import { filesProcedures, filesUploads } from '#/features/files/procedures.ts';
import { documentUploads } from '#/features/providers/applications/procedures.ts';
import { attachmentUploads } from '#/features/messaging/attachments/procedures.ts';
import { emergencyProcedures } from '#/features/messaging/emergency/procedures.ts';
import { messagingProcedures } from '#/features/messaging/procedures.ts';
import { typingFrame } from '#/features/messaging/typing/procedures.ts';
import { mailTrayProcedures, type MailTrayConfig } from '#/features/notifications/procedures.ts';
import { undeliveredProcedures } from '#/features/notifications/undelivered/procedures.ts';
import {
  unsubscribeProcedures,
  type UnsubscribeConfig,
} from '#/features/notifications/unsubscribe/procedures.ts';
import { providersProcedures } from '#/features/providers/procedures.ts';
import { resourcesProcedures, resourceUploads } from '#/features/resources/procedures.ts';
import { reviewsProcedures } from '#/features/reviews/procedures.ts';
import { flagsProcedures } from '#/features/settings/flags/procedures.ts';
import { settingsProcedures } from '#/features/settings/procedures.ts';
import type { SiteConfig } from '#/features/settings/queries.ts';
import { videoFrames, videoProcedures, type VideoConfig } from '#/features/video/procedures.ts';
import type { Ctx } from '#/platform/context.ts';
import { isLogged } from '#/platform/db/outage.ts';
import { networkOf } from '#/platform/http/address.ts';
import { hit } from '#/platform/http/limits.ts';
import { bind } from '#/platform/http/procedures.ts';
import type { Download } from '#/platform/http/downloads.ts';
import type { Upload } from '#/platform/http/uploads.ts';
import { refusalOfInput } from '#/platform/http/validation.ts';
import type { Log } from '#/platform/log.ts';
import type { Frame } from '#/platform/realtime/frames.ts';
import { contract } from './contract.ts';
import { recorded } from './recorded.ts';
import { standingOf } from './standing.ts';

/** Binds each contract to its procedures behind one guard, which authorizes before validating input. */
export function apiRouter(
  config: SiteConfig &
    HealthConfig &
    MailTrayConfig &
    UnsubscribeConfig &
    VideoConfig & {
      rateLimitFactor: number;
      backupDir: string;
      adminEmails: readonly string[];
      appUrl: string;
    },
) {
  return bind(contract)
    .use(async ({ context, procedure, path, next }, input: unknown) => {
      try {
        authorise(context.actor, accessOf(procedure['~orpc'].meta));
        if (isPlainObject(input) && unreadable in input) throw new AppError('invalid', 'malformed');
        return await next();
      } catch (error) {
        const refusal = refusalOfInput(error);
        if (refusal instanceof AppError && isNoted(refusal, context, input)) {
          await noteRefusal(context, path.join('.'), refusal.reason);
        }
        throw refusal;
      }
    })
    .router({
      settings: settingsProcedures(config),
      flags: flagsProcedures(namesOf),
      accounts: accountsProcedures,
      names: namesProcedures,
      administration: administrationProcedures(config),
      directory: directoryProcedures(standingOf(config)),
      addressChange: addressChangeProcedures,
      secondFactor: secondFactorProcedures,
      reauthentication: reauthenticationProcedures,
      exports: exportsProcedures,
      deletion: deletionProcedures(config),
      files: filesProcedures,
      catalogue: catalogueProcedures,
      providers: providersProcedures,
      availability: availabilityProcedures,
      booking: bookingProcedures(config),
      waitlist: waitlistProcedures,
      appointments: appointmentsProcedures,
      handover: handoverProcedures,
      guests: guestsProcedures,
      series: seriesProcedures,
      feed: feedProcedures,
      reviews: reviewsProcedures,
      care: careProcedures,
      messaging: messagingProcedures(config),
      emergency: emergencyProcedures,
      resources: resourcesProcedures,
      growth: growthProcedures,
      video: videoProcedures(config),
      mailTray: mailTrayProcedures(config),
      mailChoice: unsubscribeProcedures(config),
      undelivered: undeliveredProcedures,
      contact: contactProcedures(config),
      backups: backupsProcedures(config),
      analytics: analyticsProcedures(config),
      audit: auditProcedures(recorded, requireFresh),
    });
}

export const downloads: readonly Download[] = [
  exportDownload,
  progressReport,
  ...reportDownloads,
  ...auditDownloads(recorded),
];

export const uploads: readonly Upload[] = [
  ...accountsUploads,
  ...filesUploads,
  ...resourceUploads,
  ...attachmentUploads,
  ...documentUploads,
];

export const frames: readonly Frame[] = [typingFrame, ...videoFrames];

/** Refusals logged per person per hour: enough to spot abuse without flooding the log. */
const refusalsNoted = 60;

/**
 * Logs every `forbidden`, plus signed-in people guessing ids: their `not_found` may hide someone else's data. Guests'
 * mistyped URLs are not logged.
 */
export function isNoted({ code, reason }: AppError, { actor }: Ctx, input: unknown): boolean {
  if (code === 'forbidden') return true;
  return code === 'not_found' && reason !== 'feature_off' && actor.kind === 'person' && namesId(input);
}

const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

function namesId(input: unknown): boolean {
  if (!isPlainObject(input)) return false;
  return Object.values(input).some((value) => typeof value === 'string' && uuid.test(value));
}

export async function noteRefusal(ctx: Ctx, procedure: string, reason: string): Promise<void> {
  const who = ctx.actor.kind === 'person' ? ctx.actor.id : networkOf(ctx.address ?? '');
  if (!(await hit(ctx.db, `refused:${who}`, refusalsNoted, 3_600, ctx.now()))) return;
  await recordRefused(ctx, { action: `refused.${procedure}`, category: 'security', details: { reason } });
}

export type ApiRouter = ReturnType<typeof apiRouter>;

/** Replaces an unreadable body, so the guard refuses the request first. */
const unreadable = Symbol('unreadable');

/** Accepts only an empty body or a JSON object; the API library also accepts forms and text. */
async function bodyOf(request: { body(): Promise<unknown> }): Promise<object | undefined> {
  const body = await request.body().catch(() => null);
  return body === undefined || isPlainObject(body) ? body : { [unreadable]: true };
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function accessOf(meta: unknown): Access | undefined {
  return (meta as { access?: Access }).access;
}

/** In-process client for server-side rendering, acting for the request's person. */
export function inProcess(router: ApiRouter, ctx: Ctx) {
  return createRouterClient(router, { context: ctx });
}

/** Serves the procedures over HTTP under `/api`; errors use problem+json (RFC 9457). */
export function apiHandler(router: ApiRouter, log: Log): (request: Request, ctx: Ctx) => Promise<Response> {
  const handler = new OpenAPIHandler<Ctx>(router, {
    customErrorResponseBodyEncoder: (error) => error.data as Problem,
    interceptors: [
      async ({ context, request, next, ...options }) => {
        try {
          return await next({ ...options, context, request: { ...request, body: () => bodyOf(request) } });
        } catch (error) {
          const refusal = refusalOfInput(error);
          if (isLogged(refusal)) {
            log.error({ err: error, requestId: context.requestId }, 'a request failed');
          }
          const problem = problemOf(refusal, context.requestId);
          throw new ORPCError(problem.code.toUpperCase(), { status: problem.status, data: problem });
        }
      },
    ],
  });
  return async (request, ctx) => {
    const { matched, response } = await handler.handle(request, { prefix: '/api', context: ctx });
    if (!matched) {
      const problem = problemOf(new AppError('not_found', 'no_such_route'), ctx.requestId);
      return Response.json(problem, {
        status: problem.status,
        headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
      });
    }
    if (response.status >= 400) response.headers.set('content-type', 'application/problem+json');
    response.headers.set('cache-control', 'no-store');
    return response;
  };
}

export function apiDescription(
  router: ApiRouter,
  info: { title: string; version: string },
): Promise<unknown> {
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] });
  return generator.generate(router, { info, servers: [{ url: '/api' }] });
}
