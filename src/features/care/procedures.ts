import { bind } from '#/platform/http/procedures.ts';
import { clientsProcedures } from './clients/procedures.ts';
import { careContract } from './contract.ts';
import { notesProcedures, privateNotesProcedures } from './notes/procedures.ts';
import { sharingProcedures } from './sharing/procedures.ts';

/** The care procedures. */
export const careProcedures = bind(careContract).router({
  clients: clientsProcedures,
  notes: notesProcedures,
  privateNotes: privateNotesProcedures,
  sharing: sharingProcedures,
});
