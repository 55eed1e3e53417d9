import type { Download } from '#/platform/http/downloads.ts';
import { reportAsCsv, reportAsPdf } from './commands.ts';

export const reportDownloads: readonly Download[] = [
  {
    path: '/analytics/report.csv',
    make: async (ctx, query) => ({
      filename: 'analytics.csv',
      contentType: 'text/csv; charset=utf-8',
      bytes: await reportAsCsv(ctx, query),
    }),
  },
  {
    path: '/analytics/report.pdf',
    make: async (ctx, query) => ({
      filename: 'analytics.pdf',
      contentType: 'application/pdf',
      bytes: await reportAsPdf(ctx, query),
    }),
  },
];
