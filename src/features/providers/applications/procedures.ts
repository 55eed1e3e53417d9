import { bind } from '#/platform/http/procedures.ts';
import type { Upload } from '#/platform/http/uploads.ts';
import { removeDocument, uploadDocument } from '../documents/commands.ts';
import {
  addProvider,
  approveApplication,
  checkApplication,
  lookThroughApplications,
  rejectApplication,
  submitApplication,
  withdrawApplication,
} from './commands.ts';
import { applicationsContract } from './contract.ts';
import { ownApplication } from './queries.ts';
import { documentMegabytes } from './rules.ts';

const os = bind(applicationsContract);

export const applicationsProcedures = os.router({
  mine: os.mine.handler(({ context }) => ownApplication(context)),
  submit: os.submit.handler(({ context, input }) => submitApplication(context, input)),
  withdraw: os.withdraw.handler(({ context, input }) => withdrawApplication(context, input.applicationId)),
  removeDocument: os.removeDocument.handler(({ context, input }) =>
    removeDocument(context, input.documentId),
  ),
  list: os.list.handler(({ context, input }) => lookThroughApplications(context, input)),
  check: os.check.handler(({ context, input }) => checkApplication(context, input.applicationId)),
  approve: os.approve.handler(({ context, input }) => approveApplication(context, input.applicationId)),
  reject: os.reject.handler(({ context, input }) =>
    rejectApplication(context, input.applicationId, input.reason),
  ),
  add: os.add.handler(({ context, input }) => addProvider(context, input)),
});

export const documentUploads: readonly Upload[] = [
  { path: '/application/documents', maxBytes: documentMegabytes * 1024 * 1024, receive: uploadDocument },
];
