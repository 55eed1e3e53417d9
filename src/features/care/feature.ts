import { selfOf } from '#/features/access/rules.ts';
import { defineFeature } from '#/platform/feature.ts';
import { handle } from '#/platform/http/bind.ts';
import { acceptClaim, declineClaim, deleteExpiredClaims } from './claims/commands.ts';
import { readClaim } from './claims/queries.ts';
import { clientView, clientsOf, sessionsWith } from './clients/queries.ts';
import { bookNew, changeRecord, inviteClient, viewClient } from './clients/commands.ts';
import { careContract } from './contract.ts';
import { changeNote, removeNote, writeNote } from './notes/commands.ts';
import { requirePrivateReadable } from './notes/policies.ts';
import { authoredNotes, notesAbout, sealedNotes } from './notes/queries.ts';
import { carePersonal, recordsPersonal } from './personal.ts';
import { setSharing } from './sharing/commands.ts';
import { counsellorsOf } from './sharing/queries.ts';

const clients = handle(careContract.clients, {
  list: (ctx, input) => clientsOf(ctx, selfOf(ctx), input),
  get: async (ctx, input) => clientView(ctx, await viewClient(ctx, input.clientId, 'client')),
  sessions: async (ctx, input) => sessionsWith(ctx, await viewClient(ctx, input.clientId, 'client'), input),
});

const records = handle(careContract.records, {
  book: bookNew,
  change: changeRecord,
  invite: (ctx, input) => inviteClient(ctx, input.clientId),
});

const claims = handle(careContract.claims, {
  read: (ctx, input) => readClaim(ctx, input.token),
  accept: (ctx, input) => acceptClaim(ctx, input.token),
  decline: (ctx, input) => declineClaim(ctx, input.token),
});

const notes = handle(careContract.notes, {
  list: async (ctx, input) =>
    notesAbout(ctx, 'session', await viewClient(ctx, input.clientId, 'notes'), input),
  write: (ctx, input) => writeNote(ctx, 'session', input),
  change: (ctx, input) => changeNote(ctx, 'session', input),
  remove: (ctx, input) => removeNote(ctx, 'session', input.noteId),
});

const privateNotes = handle(careContract.privateNotes, {
  list: async (ctx, input) => {
    await requirePrivateReadable(ctx);
    return notesAbout(ctx, 'private', await viewClient(ctx, input.clientId, 'private_notes'), input);
  },
  write: (ctx, input) => writeNote(ctx, 'private', input),
  change: (ctx, input) => changeNote(ctx, 'private', input),
  remove: (ctx, input) => removeNote(ctx, 'private', input.noteId),
});

const sharing = handle(careContract.sharing, {
  list: (ctx, input) => counsellorsOf(ctx, selfOf(ctx), input),
  set: setSharing,
});

export const care = defineFeature({
  handlers: () => ({
    care: handle(careContract, { clients, records, claims, notes, privateNotes, sharing }),
  }),
  personal: [carePersonal, recordsPersonal],
  tidy: [deleteExpiredClaims],
  sealed: Object.values(sealedNotes),
  authored: [authoredNotes],
});
