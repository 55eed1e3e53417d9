import { bind } from '#/platform/http/procedures.ts';
import { expiryContract } from './contract.ts';
import { endingLicences } from './queries.ts';

const os = bind(expiryContract);

/** The procedures of licences and ordinations that end. */
export const expiryProcedures = os.router({
  list: os.list.handler(({ context, input }) => endingLicences(context, input)),
});
