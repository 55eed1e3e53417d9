import { beforeAll, describe, expect, test } from 'vitest';
import type { Problem } from '#/kernel/problem.ts';
import { identityInputs } from '#/features/accounts/identity/contract.ts';
import { newId } from '#/platform/clock.ts';
import { acceptedInputs, procedures, requestOf, type Procedure } from '../support/procedures.ts';
import {
  castOf,
  problemIn,
  storedIn,
  testServer,
  type Answer,
  type Cast,
  type Visitor,
} from '../support/server.ts';

/** The client spec, section 6, written out once more, as far as procedures ask for it. */
const specification: Readonly<Record<Asker, readonly string[]>> = {
  guest: [],
  client: [
    'book_appointments',
    'send_messages',
    'view_own_appointments',
    'manage_own_profile',
    'view_content',
  ],
  provider: [
    'manage_own_appointments',
    'manage_own_availability',
    'send_messages',
    'view_own_clients',
    'manage_own_profile',
    'create_content',
    'view_own_analytics',
    // Not in the specification's table: everyone may view content.
    'view_content',
  ],
  admin: [
    'manage_users',
    'manage_providers',
    'manage_services',
    'manage_settings',
    'view_analytics',
    'manage_roles',
    'access_admin_panel',
    'moderate_content',
    'manage_appointments',
    'send_messages',
    'view_all_data',
    // Not in the specification's table: everyone has a profile and views content, and administrators write it, too.
    'manage_own_profile',
    'view_content',
    'create_content',
  ],
};

type Asker = 'guest' | 'client' | 'provider' | 'admin';

const own = ['view_own_appointments', 'manage_own_appointments'];

/** Who each procedure is for: everybody, everybody who is signed in, or whoever has one of these capabilities. */
const needed: Readonly<Record<string, 'public' | 'signed_in' | readonly string[]>> = {
  'settings.site': 'public',
  'settings.admin': ['manage_settings'],
  'settings.save': ['manage_settings'],
  'settings.reset': ['manage_settings'],
  'settings.history': ['manage_settings'],
  'flags.list': ['manage_settings'],
  'flags.turn': ['manage_settings'],
  'flags.setScope': ['manage_settings'],
  'flags.changeMany': ['manage_settings'],
  'names.of': ['access_admin_panel'],
  'names.find': ['access_admin_panel'],
  'accounts.me': 'public',
  'administration.door': 'public',
  'accounts.updatePreferences': 'signed_in',
  'accounts.profile': ['manage_own_profile'],
  'accounts.updateProfile': ['manage_own_profile'],
  'accounts.removePhoto': ['manage_own_profile'],
  'accounts.session': 'public',
  'accounts.devices': 'signed_in',
  'accounts.signOutDevice': 'signed_in',
  'accounts.signOutOtherDevices': 'signed_in',
  'directory.figures': ['manage_users'],
  'directory.list': ['manage_users'],
  'directory.open': ['manage_users'],
  'directory.edit': ['manage_users'],
  'directory.changeRole': ['manage_roles'],
  'directory.suspend': ['manage_users'],
  'directory.reactivate': ['manage_users'],
  'directory.remove': ['manage_users'],
  'directory.export': ['manage_users'],
  'addressChange.get': 'public',
  'addressChange.undo': 'public',
  'addressChange.confirm': 'public',
  'secondFactor.coverage': ['manage_settings'],
  'secondFactor.get': 'signed_in',
  'secondFactor.begin': 'signed_in',
  'secondFactor.confirm': 'signed_in',
  'secondFactor.renewCodes': 'signed_in',
  'secondFactor.remove': 'signed_in',
  'secondFactor.reset': ['manage_users'],
  'reauthentication.confirm': 'signed_in',
  'exports.list': 'signed_in',
  'exports.get': 'signed_in',
  'exports.request': 'signed_in',
  'exports.open': 'signed_in',
  'exports.remove': 'signed_in',
  'deletion.request': 'signed_in',
  'deletion.keep': 'signed_in',
  'files.buckets.list': ['manage_settings'],
  'files.buckets.get': ['manage_settings'],
  'files.buckets.create': ['manage_settings'],
  'files.buckets.update': ['manage_settings'],
  'files.buckets.empty': ['manage_settings'],
  'files.buckets.remove': ['manage_settings'],
  'files.list': 'signed_in',
  'files.get': 'signed_in',
  'files.link': 'signed_in',
  'files.move': 'signed_in',
  'files.copy': 'signed_in',
  'files.remove': 'signed_in',
  'catalogue.services': 'public',
  'catalogue.service': 'public',
  'catalogue.managed': ['manage_services'],
  'catalogue.add': ['manage_services'],
  'catalogue.edit': ['manage_services'],
  'catalogue.setActive': ['manage_services'],
  'catalogue.remove': ['manage_services'],
  'providers.list': 'public',
  'providers.get': 'public',
  'providers.bySlug': 'public',
  'providers.perService': ['manage_services'],
  'providers.mine': ['manage_own_profile'],
  'providers.saveProfile': ['manage_own_profile'],
  'providers.applications.mine': 'signed_in',
  'providers.applications.submit': 'signed_in',
  'providers.applications.withdraw': 'signed_in',
  'providers.applications.removeDocument': 'signed_in',
  'providers.applications.list': ['manage_providers'],
  'providers.applications.check': ['manage_providers'],
  'providers.applications.approve': ['manage_providers'],
  'providers.applications.reject': ['manage_providers'],
  'providers.applications.add': ['manage_providers'],
  'providers.licences.list': ['manage_providers'],
  'providers.credentials.mine': ['manage_own_profile'],
  'providers.credentials.submit': ['manage_own_profile'],
  'providers.credentials.withdraw': ['manage_own_profile'],
  'providers.credentials.waitingCount': ['manage_providers'],
  'providers.credentials.waiting': ['manage_providers'],
  'providers.credentials.approve': ['manage_providers'],
  'providers.credentials.reject': ['manage_providers'],
  'providers.places.list': ['manage_own_availability'],
  'providers.places.add': ['manage_own_availability'],
  'providers.places.edit': ['manage_own_availability'],
  'providers.places.close': ['manage_own_availability'],
  'providers.places.order': ['manage_own_availability'],
  'availability.mine': ['manage_own_availability'],
  'availability.save': ['manage_own_availability'],
  'availability.setDates': ['manage_own_availability'],
  'availability.removeDate': ['manage_own_availability'],
  'availability.holidays': ['manage_own_availability'],
  'availability.keepHolidays': ['manage_own_availability'],
  'availability.cities': ['manage_own_availability'],
  'availability.block': ['manage_own_availability'],
  'availability.changeBlock': ['manage_own_availability'],
  'availability.unblock': ['manage_own_availability'],
  'availability.setApproval': ['manage_own_availability'],
  'booking.previewAvailability': ['manage_own_availability'],
  'booking.clashes': ['manage_own_availability'],
  'booking.agenda': ['manage_own_appointments'],
  'booking.finding.find': 'public',
  'booking.finding.choices': 'public',
  'booking.finding.nextStarts': 'public',
  'booking.requests.ask': 'public',
  'booking.requests.read': 'public',
  'booking.requests.confirm': 'public',
  'booking.freeStarts': 'public',
  'booking.checkSeries': ['book_appointments'],
  'booking.book': ['book_appointments'],
  'booking.bookFor': ['manage_own_appointments'],
  'booking.mine': own,
  'booking.get': own,
  'booking.clientFigures': ['view_own_appointments'],
  'booking.providerFigures': ['manage_own_appointments'],
  'booking.reschedule': own,
  'booking.cancel': own,
  'booking.confirm': ['manage_own_appointments'],
  'booking.decline': ['manage_own_appointments'],
  'booking.complete': ['manage_own_appointments'],
  'booking.markNoShow': ['manage_own_appointments'],
  'booking.markEmergency': ['manage_own_appointments'],
  'booking.setReminder': ['view_own_appointments'],
  'waitlist.mine': ['book_appointments'],
  'waitlist.askEarlier': ['book_appointments'],
  'waitlist.ask': ['book_appointments'],
  'waitlist.giveUp': ['book_appointments'],
  'waitlist.take': ['book_appointments'],
  'waitlist.pass': ['book_appointments'],
  'waitlist.count': ['manage_own_appointments'],
  'appointments.find': ['manage_appointments'],
  'appointments.freeStarts': ['manage_appointments'],
  'appointments.reschedule': ['manage_appointments'],
  'appointments.cancel': ['manage_appointments'],
  'handover.sessions': ['manage_appointments'],
  'handover.revoke': ['manage_providers'],
  'handover.restore': ['manage_providers'],
  'guests.list': own,
  'guests.invite': ['book_appointments'],
  'guests.resend': ['book_appointments'],
  'guests.withdraw': ['book_appointments'],
  'guests.invitation': 'public',
  'guests.accept': own,
  'guests.decline': 'public',
  'guests.formerInvitation': 'public',
  'guests.formerAccept': own,
  'guests.formerDecline': 'public',
  'guests.mine': own,
  'guests.leave': own,
  'series.ahead': own,
  'series.check': own,
  'series.cancel': own,
  'series.reschedule': own,
  'feed.mine': own,
  'feed.make': own,
  'feed.revoke': own,
  'reviews.featured': 'public',
  'reviews.ofService': 'public',
  'reviews.ofProvider': 'public',
  'reviews.mine': ['view_own_appointments'],
  'reviews.write': ['view_own_appointments'],
  'reviews.withdraw': ['view_own_appointments'],
  'reviews.received': ['manage_own_appointments'],
  'reviews.waitingCount': ['moderate_content'],
  'reviews.moderation': ['moderate_content'],
  'reviews.approve': ['moderate_content'],
  'reviews.reject': ['moderate_content'],
  'reviews.reopen': ['moderate_content'],
  'reviews.feature': ['moderate_content'],
  'reviews.replies.write': ['view_own_analytics'],
  'reviews.replies.withdraw': ['view_own_analytics'],
  'reviews.replies.waitingCount': ['moderate_content'],
  'reviews.replies.moderation': ['moderate_content'],
  'reviews.replies.approve': ['moderate_content'],
  'reviews.replies.reject': ['moderate_content'],
  'care.clients.list': ['view_own_clients'],
  'care.clients.get': ['view_own_clients'],
  'care.clients.sessions': ['view_own_clients'],
  'care.records.book': ['manage_own_appointments'],
  'care.records.change': ['view_own_clients'],
  'care.records.invite': ['view_own_clients'],
  'care.claims.read': 'public',
  'care.claims.accept': 'public',
  'care.claims.decline': 'public',
  'care.notes.list': ['view_own_clients'],
  'care.notes.write': ['view_own_clients'],
  'care.notes.change': ['view_own_clients'],
  'care.notes.remove': ['view_own_clients'],
  'care.privateNotes.list': ['view_own_clients'],
  'care.privateNotes.write': ['view_own_clients'],
  'care.privateNotes.change': ['view_own_clients'],
  'care.privateNotes.remove': ['view_own_clients'],
  'care.sharing.list': 'signed_in',
  'care.sharing.set': 'signed_in',
  'messaging.conversations.list': ['send_messages'],
  'messaging.conversations.get': ['send_messages'],
  'messaging.conversations.unread': ['send_messages'],
  'messaging.conversations.withPerson': ['send_messages'],
  'messaging.conversations.open': ['send_messages'],
  'messaging.conversations.read': ['send_messages'],
  'messaging.conversations.draft': ['send_messages'],
  'messaging.conversations.keepDraft': ['send_messages'],
  'messaging.messages.list': ['send_messages'],
  'messaging.messages.send': ['send_messages'],
  'messaging.messages.search': ['send_messages'],
  'emergency.open': ['manage_users'],
  'emergency.current': ['manage_users'],
  'emergency.close': ['manage_users'],
  'emergency.told': ['send_messages'],
  'growth.sharing.goals': ['view_own_clients'],
  'growth.sharing.progress': ['view_own_clients'],
  'resources.list': 'public',
  'resources.featured': 'public',
  'resources.related': 'public',
  'resources.get': 'public',
  'resources.take': ['view_content'],
  'resources.content': ['view_content'],
  'resources.favourite': ['view_content'],
  'resources.rate': ['view_content'],
  'resources.mine': ['view_content'],
  'resources.authored': ['create_content'],
  'resources.authoredOne': ['create_content'],
  'resources.saveDraft': ['create_content'],
  'resources.submit': ['create_content'],
  'resources.publish': ['moderate_content'],
  'resources.withdraw': ['create_content'],
  'resources.remove': ['create_content'],
  'resources.waitingCount': ['moderate_content'],
  'resources.waiting': ['moderate_content'],
  'resources.approve': ['moderate_content'],
  'resources.reject': ['moderate_content'],
  'resources.feature': ['moderate_content'],
  'resources.unpublish': ['moderate_content'],
  'growth.devotionals.today': 'public',
  'growth.devotionals.byDay': 'public',
  'growth.devotionals.year': ['moderate_content'],
  'growth.devotionals.entry': ['moderate_content'],
  'growth.devotionals.edit': ['moderate_content'],
  'growth.goals.list': 'signed_in',
  'growth.goals.add': 'signed_in',
  'growth.goals.change': 'signed_in',
  'growth.goals.tickStep': 'signed_in',
  'growth.goals.achieve': 'signed_in',
  'growth.goals.remove': 'signed_in',
  'growth.goals.restore': 'signed_in',
  'growth.journal.months': 'signed_in',
  'growth.journal.list': 'signed_in',
  'growth.journal.write': 'signed_in',
  'growth.journal.change': 'signed_in',
  'growth.journal.remove': 'signed_in',
  'growth.progress.mine': 'signed_in',
  'growth.prayers.counsellors': ['book_appointments'],
  'growth.prayers.ask': ['book_appointments'],
  'growth.prayers.mine': ['book_appointments'],
  'growth.prayers.settle': ['book_appointments'],
  'growth.prayers.remove': ['book_appointments'],
  'growth.prayers.received': ['view_own_clients'],
  'growth.prayers.prayed': ['view_own_clients'],
  'growth.prayers.undoPrayed': ['view_own_clients'],
  'video.page': own,
  'video.room': own,
  'video.iceServers': own,
  'video.admit': ['manage_own_appointments'],
  'video.end': ['manage_own_appointments'],
  'mailTray.list': 'public',
  'mailTray.get': 'public',
  'mailChoice.get': 'public',
  'mailChoice.set': 'public',
  'contact.form': 'public',
  'contact.send': 'public',
  'contact.inbox': ['access_admin_panel'],
  'contact.get': ['access_admin_panel'],
  'contact.close': ['access_admin_panel'],
  'contact.reopen': ['access_admin_panel'],
  'contact.annotate': ['access_admin_panel'],
  'undelivered.list': ['manage_settings'],
  'undelivered.sendAgain': ['manage_settings'],
  'undelivered.sendAllAgain': ['manage_settings'],
  'undelivered.dismiss': ['manage_settings'],
  'backups.overview': ['manage_settings'],
  'backups.request': ['manage_settings'],
  'backups.remove': ['manage_settings'],
  'analytics.overview': ['view_analytics'],
  'analytics.activity': ['view_analytics'],
  'analytics.report': ['view_analytics'],
  'analytics.health': ['view_analytics'],
  'analytics.own': ['view_own_analytics'],
  'audit.list': ['view_all_data'],
  'audit.figures': ['view_all_data'],
  'audit.export': ['view_all_data'],
};

/** How a procedure refuses an asker, or null if it doesn't. */
function refusalOf(asker: Asker, name: string): 'unauthenticated' | 'forbidden' | null {
  const need = needed[name];
  if (need === 'public') return null;
  if (asker === 'guest') return 'unauthenticated';
  if (need === 'signed_in') return null;
  return need?.some((capability) => specification[asker].includes(capability)) ? null : 'forbidden';
}

const server = await testServer();
let cast: Cast;
let askers: readonly [who: string, as: Asker, visitor: Visitor][];
let accepted: ReturnType<typeof acceptedInputs>;

beforeAll(async () => {
  cast = await castOf(server);
  accepted = acceptedInputs(cast);
  askers = [
    ['a guest', 'guest', server.guest],
    ['a client', 'client', cast.client],
    ['another client', 'client', cast.otherClient],
    ['a provider', 'provider', cast.provider],
    ['another provider', 'provider', cast.otherProvider],
    ['an administrator', 'admin', cast.admin],
  ];
});

test('every procedure declares who it is for, as the specification has it', () => {
  const declared = Object.fromEntries(procedures.map(({ name, access }) => [name, access]));
  expect(declared).toEqual(needed);
});

describe.each(procedures.map((procedure) => [procedure.name, procedure] as const))(
  '%s',
  (name, procedure) => {
    test('answers each asker as the specification has it, before it looks at the input', async () => {
      const before = await storedIn(server.database);
      for (const [who, asker, visitor] of askers) {
        const refusal = refusalOf(asker, name);
        const answers: Answer[] = [];
        for (const [method, path, sent] of garbageFor(procedure)) {
          answers.push(await visitor.send(method, path, sent));
        }
        const expected = answers.map(() => refusal && { code: refusal, fields: [] });
        expect(answers.map(refusalIn), who).toMatchObject(expected);
        // Whatever was sent, the refusal is the same.
        expect(new Set(answers.map((answer) => JSON.stringify(refusalIn(answer)))).size, who).toBe(1);
        expect(
          answers.filter(({ status }) => status >= 500),
          who,
        ).toEqual([]);
      }
      expect(await storedIn(server.database)).toEqual(before);
    });
  },
);

/** What an asker is told who isn't let in, without the request's own id; null for who is, whatever comes of it. */
function refusalIn(answer: Answer): Omit<Problem, 'requestId'> | null {
  if (answer.status !== 401 && answer.status !== 403) return null;
  const { requestId: _id, ...rest } = problemIn(answer);
  return rest;
}

/** Requests that no procedure with input accepts. */
function garbageFor(procedure: Procedure): ReturnType<typeof requestOf>[] {
  const path = (input: string) => `/api${procedure.path.replace(/\{\w+\}/g, input)}`;
  if (procedure.method === 'GET') {
    return [
      ['GET', path('x'), {}],
      ['GET', `${path('%00')}?from=never&durationMinutes=-1&timeZone=%F0%9F%99%82&limit=all`, {}],
    ];
  }
  return [
    ['POST', path('x'), { body: { contact: 7, timeZone: [], keepDiscreet: 'maybe' } }],
    ['POST', path('x'), { body: '{"timeZone": ' }],
    ['POST', path('x'), { body: '[]' }],
    ['POST', path('x'), { body: 'timeZone=UTC', headers: { 'content-type': 'text/plain' } }],
  ];
}

describe('an appointment', () => {
  const named = procedures.filter(
    ({ input, access }) =>
      input &&
      ('appointmentId' in input.shape || 'moving' in input.shape) &&
      // For administrators there is none of others.
      !(typeof access !== 'string' && access.includes('manage_appointments')),
  );

  test('is named by the procedures that this walk knows', () => {
    expect(named.map(({ name }) => name)).toEqual([
      'booking.freeStarts',
      'booking.get',
      'booking.reschedule',
      'booking.cancel',
      'booking.confirm',
      'booking.decline',
      'booking.complete',
      'booking.markNoShow',
      'booking.markEmergency',
      'booking.setReminder',
      'waitlist.askEarlier',
      'guests.list',
      'guests.invite',
      'guests.leave',
      'series.ahead',
      'series.check',
      'series.cancel',
      'series.reschedule',
      'reviews.write',
      'reviews.withdraw',
      'care.notes.write',
      'care.privateNotes.write',
      'video.page',
      'video.room',
      'video.iceServers',
      'video.admit',
      'video.end',
    ]);
  });

  test.each(named.map((procedure) => [procedure.name, procedure] as const))(
    '%s answers not_found to everyone but its two parties, as for one that is not there',
    async (name, procedure) => {
      const before = await storedIn(server.database);
      const input = accepted[name]!;
      const missing = newId();
      const elsewhere =
        'moving' in input ? { ...input, moving: missing } : { ...input, appointmentId: missing };
      const strangers = askers.filter(([, , visitor]) => ![cast.client, cast.provider].includes(visitor));
      for (const [who, asker, visitor] of strangers) {
        // Whose appointments may be set aside is asked of the signed-in only.
        const refusal = refusalOf(asker, name) ?? (asker === 'guest' ? 'unauthenticated' : 'not_found');
        const foreign = problemIn(await visitor.send(...requestOf(procedure, input)));
        const absent = problemIn(await visitor.send(...requestOf(procedure, elsewhere)));
        expect(foreign.code, who).toBe(refusal);
        expect({ ...foreign, requestId: '' }, who).toEqual({ ...absent, requestId: '' });
      }
      expect(await storedIn(server.database)).toEqual(before);
    },
  );

  test('is found by its two parties, and stands in no list but theirs', async () => {
    const get = procedures.find(({ name }) => name === 'booking.get')!;
    const mine = procedures.find(({ name }) => name === 'booking.mine')!;
    const all = { from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
    for (const [, asker, visitor] of askers) {
      if (refusalOf(asker, 'booking.mine')) continue;
      const party = visitor === cast.client || visitor === cast.provider;
      expect((await visitor.send(...requestOf(get, accepted['booking.get']!))).status).toBe(
        party ? 200 : 404,
      );
      const { json } = await visitor.send(...requestOf(mine, all));
      expect((json as { id: string }[]).map(({ id }) => id)).toEqual(party ? [cast.appointmentId] : []);
    }
    const ofClient = (await cast.client.send('GET', `/api/appointments/${cast.appointmentId}`)).json;
    expect(ofClient).toMatchObject({ client: null });
  });

  test('is not moved to another by what a body says of its id', async () => {
    const answer = await cast.otherClient.send('POST', `/api/appointments/${newId()}/cancel`, {
      body: { appointmentId: cast.appointmentId },
    });
    expect(problemIn(answer).code).toBe('not_found');
  });
});

describe('identity', () => {
  test('answers under its own paths, as POST, and nowhere else', async () => {
    const paths = Object.keys(identityInputs);
    expect(paths.toSorted()).toEqual([
      '/change-password',
      '/request-password-reset',
      '/request-sign-in-link',
      '/reset-password',
      '/send-verification-email',
      '/sign-in/email',
      '/sign-in/link',
      '/sign-out',
      '/sign-up/email',
      '/unlock',
      '/verify-email',
    ]);
    for (const path of paths) {
      // Signing out is the one that takes nothing, so nothing is wrong with what it is sent.
      const body = path === '/sign-out' ? [] : {};
      expect(problemIn(await server.guest.send('POST', `/api/auth${path}`, { body })).code).toBe('invalid');
    }
  });

  test('serves nothing else of the library, nor by another method', async () => {
    const library = ['/get-session', '/list-sessions', '/update-user', '/change-email'];
    library.push('/delete-user', '/sign-in/social', '/ok', '/error', '/callback/google', '/admin/set-role');
    library.push('/admin/list-users', '/admin/impersonate-user', '/sign-up', '', '/', '/sign-in/email/');
    library.push('//sign-in/email', '/SIGN-IN/email', '/sign-in%2Femail', '/__proto__', '/%00');
    const served = [];
    expect((await server.guest.send('POST', '/api/auth/%', { body: {} })).status).toBe(400);
    for (const visitor of [server.guest, cast.client, cast.admin]) {
      for (const path of library) {
        for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
          const sent = method === 'GET' ? {} : { body: {} };
          const { status, headers } = await visitor.send(method, `/api/auth${path}`, sent);
          if (status !== 404 || headers['set-cookie']) served.push(`${method} ${path} ${status}`);
        }
      }
    }
    for (const path of Object.keys(identityInputs)) {
      const { status } = await cast.client.send('GET', `/api/auth${path}`);
      if (status !== 404) served.push(`GET ${path} ${status}`);
    }
    expect(served).toEqual([]);
    expect((await cast.client.send('GET', '/api/me')).json).toMatchObject({ role: 'client' });
  });
});

test.each([
  ['a cookie that nobody signed', 'italk.session_token=abc.def'],
  ['a cookie that cannot be decoded', 'italk.session_token=%E0%A4%A'],
  ['a signature without a token', 'italk.session_token=.'],
])('%s makes a guest', async (_, cookie) => {
  const answer = await server.guest.send('GET', '/api/me', { headers: { cookie } });
  expect([answer.status, answer.json]).toEqual([200, null]);
});
