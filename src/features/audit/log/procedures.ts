import type { Ctx } from '#/platform/context.ts';
import type { Download } from '#/platform/http/downloads.ts';
import { bind } from '#/platform/http/procedures.ts';
import { exportLog, exportPath, readLog } from './commands.ts';
import { auditContract, logFormats, type LogFormat } from './contract.ts';
import { logFigures, type Recorded } from './queries.ts';

const os = bind(auditContract);

export function auditProcedures(people: Recorded, requireFresh: (ctx: Ctx) => Promise<void>) {
  return os.router({
    list: os.list.handler(({ context, input }) => readLog(context, people, input)),
    figures: os.figures.handler(({ context, input }) => logFigures(context, input)),
    export: os.export.handler(async ({ context, input }) => {
      await requireFresh(context);
      return { path: exportPath(context, input) };
    }),
  });
}

export function auditDownloads(people: Recorded): Download[] {
  const types: Readonly<Record<LogFormat, string>> = {
    csv: 'text/csv; charset=utf-8',
    json: 'application/json; charset=utf-8',
  };
  return logFormats.map((format) => ({
    path: `/admin/audit-log.${format}`,
    make: async (ctx, query) => ({
      filename: `audit-log-${ctx.now().toString().slice(0, 10)}.${format}`,
      contentType: types[format],
      bytes: await exportLog(ctx, people, format, query),
    }),
  }));
}
