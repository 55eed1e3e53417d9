import { selfOf } from '#/features/access/rules.ts';
import { defineFeature } from '#/platform/feature.ts';
import { bind } from '#/platform/http/bind.ts';
import { acceptClaim, declineClaim, forgetClaims } from './claims/commands.ts';
import { readClaim } from './claims/queries.ts';
import { clientView, clientsOf, sessionsWith } from './clients/queries.ts';
import { bookNew, changeRecord, inviteClient, lookAt } from './clients/commands.ts';
import { careContract } from './contract.ts';
import { changeNote, removeNote, writeNote } from './notes/commands.ts';
import { requirePrivateReadable } from './notes/policies.ts';
import { authoredNotes, notesAbout, sealedNotes } from './notes/queries.ts';
import { carePersonal, recordsPersonal } from './personal.ts';
import { setSharing } from './sharing/commands.ts';
import { counsellorsOf } from './sharing/queries.ts';

const os = bind(careContract);

const clients = os.clients.router({
  list: os.clients.list.handler(({ context, input }) => clientsOf(context, selfOf(context), input)),
  get: os.clients.get.handler(async ({ context, input }) =>
    clientView(context, await lookAt(context, input.clientId, 'client')),
  ),
  sessions: os.clients.sessions.handler(async ({ context, input }) =>
    sessionsWith(context, await lookAt(context, input.clientId, 'client'), input),
  ),
});

const records = os.records.router({
  book: os.records.book.handler(({ context, input }) => bookNew(context, input)),
  change: os.records.change.handler(({ context, input }) => changeRecord(context, input)),
  invite: os.records.invite.handler(({ context, input }) => inviteClient(context, input.clientId)),
});

const claims = os.claims.router({
  read: os.claims.read.handler(({ context, input }) => readClaim(context, input.token)),
  accept: os.claims.accept.handler(({ context, input }) => acceptClaim(context, input.token)),
  decline: os.claims.decline.handler(({ context, input }) => declineClaim(context, input.token)),
});

const notes = os.notes.router({
  list: os.notes.list.handler(async ({ context, input }) =>
    notesAbout(context, 'session', await lookAt(context, input.clientId, 'notes'), input),
  ),
  write: os.notes.write.handler(({ context, input }) => writeNote(context, 'session', input)),
  change: os.notes.change.handler(({ context, input }) => changeNote(context, 'session', input)),
  remove: os.notes.remove.handler(({ context, input }) => removeNote(context, 'session', input.noteId)),
});

const privateNotes = os.privateNotes.router({
  list: os.privateNotes.list.handler(async ({ context, input }) => {
    await requirePrivateReadable(context);
    return notesAbout(context, 'private', await lookAt(context, input.clientId, 'private_notes'), input);
  }),
  write: os.privateNotes.write.handler(({ context, input }) => writeNote(context, 'private', input)),
  change: os.privateNotes.change.handler(({ context, input }) => changeNote(context, 'private', input)),
  remove: os.privateNotes.remove.handler(({ context, input }) =>
    removeNote(context, 'private', input.noteId),
  ),
});

const sharing = os.sharing.router({
  list: os.sharing.list.handler(({ context, input }) => counsellorsOf(context, selfOf(context), input)),
  set: os.sharing.set.handler(({ context, input }) => setSharing(context, input)),
});

export const care = defineFeature({
  handlers: () => ({ care: os.router({ clients, records, claims, notes, privateNotes, sharing }) }),
  personal: [carePersonal, recordsPersonal],
  tidy: [forgetClaims],
  sealed: Object.values(sealedNotes),
  authored: [authoredNotes],
});
