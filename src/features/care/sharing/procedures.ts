import { bind } from '#/platform/http/procedures.ts';
import { selfOf } from '#/features/access/rules.ts';
import { setSharing } from './commands.ts';
import { sharingContract } from './contract.ts';
import { counsellorsOf } from './queries.ts';

const os = bind(sharingContract);

export const sharingProcedures = os.router({
  list: os.list.handler(({ context, input }) => counsellorsOf(context, selfOf(context), input)),
  set: os.set.handler(({ context, input }) => setSharing(context, input)),
});
