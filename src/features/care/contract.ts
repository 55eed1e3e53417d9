import { clientsContract } from './clients/contract.ts';
import { notesContract, privateNotesContract } from './notes/contract.ts';
import { sharingContract } from './sharing/contract.ts';

/** Care: whom a provider serves, what they note about them, and what a client lets them see. */
export const careContract = {
  clients: clientsContract,
  notes: notesContract,
  privateNotes: privateNotesContract,
  sharing: sharingContract,
};
