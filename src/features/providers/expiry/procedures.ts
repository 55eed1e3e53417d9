import { bind } from '#/platform/http/procedures.ts';
import { expiryContract } from './contract.ts';
import { endingLicences } from './queries.ts';

const os = bind(expiryContract);

export const expiryProcedures = os.router({
  list: os.list.handler(({ context, input }) => endingLicences(context, input)),
});
