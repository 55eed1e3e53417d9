import { bind } from '#/platform/http/procedures.ts';
import { growthContract } from './contract.ts';
import { devotionalsProcedures } from './devotionals/procedures.ts';
import { goalsProcedures } from './goals/procedures.ts';
import { journalProcedures } from './journal/procedures.ts';
import { prayersProcedures } from './prayers/procedures.ts';
import { progressProcedures } from './progress/procedures.ts';
import { sharingProcedures } from './sharing/procedures.ts';

export const growthProcedures = bind(growthContract).router({
  devotionals: devotionalsProcedures,
  goals: goalsProcedures,
  journal: journalProcedures,
  prayers: prayersProcedures,
  progress: progressProcedures,
  sharing: sharingProcedures,
});
