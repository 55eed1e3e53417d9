import type { Download } from '#/platform/http/downloads.ts';
import { makeReport } from './commands.ts';

export const progressReport: Download = {
  path: '/me/progress-report.pdf',
  make: async (ctx) => ({
    filename: 'progress-report.pdf',
    contentType: 'application/pdf',
    bytes: await makeReport(ctx),
  }),
};
