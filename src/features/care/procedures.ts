import { bind } from '#/platform/http/procedures.ts';
import { claimsProcedures } from './claims/procedures.ts';
import { clientsProcedures } from './clients/procedures.ts';
import { careContract } from './contract.ts';
import { notesProcedures, privateNotesProcedures } from './notes/procedures.ts';
import { recordsProcedures } from './records/procedures.ts';
import { sharingProcedures } from './sharing/procedures.ts';

export const careProcedures = bind(careContract).router({
  clients: clientsProcedures,
  records: recordsProcedures,
  claims: claimsProcedures,
  notes: notesProcedures,
  privateNotes: privateNotesProcedures,
  sharing: sharingProcedures,
});
