import { bind } from '#/platform/http/procedures.ts';
import { growing } from '../queries.ts';
import { progressContract } from './contract.ts';
import { progressOf } from './queries.ts';

const os = bind(progressContract);

export const progressProcedures = os.router({
  mine: os.mine.handler(async ({ context }) => progressOf(context, await growing(context))),
});
