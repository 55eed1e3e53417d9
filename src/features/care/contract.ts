import { claimsContract } from './claims/contract.ts';
import { clientsContract, recordsContract } from './clients/contract.ts';
import { notesContract, privateNotesContract } from './notes/contract.ts';
import { sharingContract } from './sharing/contract.ts';

export const careContract = {
  clients: clientsContract,
  records: recordsContract,
  claims: claimsContract,
  notes: notesContract,
  privateNotes: privateNotesContract,
  sharing: sharingContract,
};
