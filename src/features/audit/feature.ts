import { defineFeature } from '#/platform/feature.ts';
import { handle } from '#/platform/http/bind.ts';
import { checkChain, createHeadWriter, sealEntries } from './chain/commands.ts';
import { auditContract, logFormats, type LogFormat } from './contract.ts';
import { exportLog, exportPath, readLog, type AuditParts } from './log/commands.ts';
import { auditPersonal } from './personal.ts';
import { logFigures } from './totals/queries.ts';

const contentTypes: Readonly<Record<LogFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

/** Names people and asks for a fresh sign-in through later features. */
export const audit = (parts: AuditParts) =>
  defineFeature({
    handlers: () => ({
      audit: handle(auditContract, {
        list: (ctx, input) => readLog(ctx, parts.people, input),
        figures: logFigures,
        export: async (ctx, input) => {
          await parts.requireFresh(ctx);
          return { path: exportPath(ctx, input) };
        },
      }),
    }),
    downloads: logFormats.map((format) => ({
      path: `/admin/audit-log.${format}`,
      make: async (ctx, query) => ({
        filename: `audit-log-${ctx.now().toString().slice(0, 10)}.${format}`,
        contentType: contentTypes[format],
        bytes: await exportLog(ctx, parts, format, query),
      }),
    })),
    schedules: ({ backupDir, auditLog }) => {
      const keepHead = createHeadWriter(backupDir);
      return [
        {
          name: 'audit',
          every: { seconds: 2 },
          async run(ctx) {
            await sealEntries(ctx, auditLog);
            await keepHead(ctx);
          },
        },
        { name: 'audit-check', every: { hours: 1 }, run: (ctx) => checkChain(ctx, backupDir) },
      ];
    },
    personal: [auditPersonal],
  });
