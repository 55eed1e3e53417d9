import { z } from 'zod';
import { contract } from '#/app/contract.ts';
import type { Access } from '#/features/access/contract.ts';
import { booking, type Cast, type Sent } from './server.ts';

/** A procedure of the product's contract as it is called over HTTP. */
export interface Procedure {
  /** Where it stands in the contract, such as `booking.book`. */
  name: string;
  method: 'GET' | 'POST';
  /** With its parameters in braces. */
  path: string;
  access: Access;
  input: z.ZodObject | null;
}

type Contract = { readonly [key: string]: unknown };

interface Definition {
  meta: { access: Access };
  route: { method: 'GET' | 'POST'; path: string };
  inputSchema?: unknown;
}

/** Every procedure of the contract, found by walking it. */
export const procedures: readonly Procedure[] = walk(contract, []);

function walk(node: Contract, trail: readonly string[]): Procedure[] {
  const definition = node['~orpc'] as Definition | undefined;
  if (!definition) {
    return Object.entries(node).flatMap(([key, child]) => walk(child as Contract, [...trail, key]));
  }
  const { meta, route, inputSchema } = definition;
  const input = inputSchema instanceof z.ZodObject ? inputSchema : null;
  return [{ name: trail.join('.'), ...route, access: meta.access, input }];
}

/** The request that calls a procedure with an input: parameters in the path, the rest in query or body. */
export function requestOf(
  { method, path, input: shape }: Procedure,
  input: Readonly<Record<string, unknown>>,
): [method: string, path: string, sent: Sent] {
  const rest = { ...input };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(textOf(value));
  });
  if (method !== 'GET') return [method, `/api${filled}`, shape ? { body: rest } : {}];
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest))
    if (value !== undefined) query.append(name, textOf(value));
  return [method, `/api${filled}?${query.toString()}`, {}];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Input that each procedure accepts, by name; a procedure that takes input and isn't here fails the tests. */
export function acceptedInputs(cast: Cast): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const { appointmentId, clientId, providerId, serviceId, freeStart: startsAt } = cast;
  const next = Temporal.Instant.from(startsAt)
    .add({ hours: 24 * 7 })
    .toString();
  const { idempotencyKey: _key, ...booked } = booking({ providerId, serviceId, startsAt });
  const wishes = {
    untilDate: startsAt.slice(0, 10),
    weekdays: [1, 2],
    dayParts: ['morning', 'evening'],
    timeZone: 'America/Chicago',
  };
  return {
    'accounts.updatePreferences': {
      timeZone: 'America/Chicago',
      keepDiscreet: true,
      sessionReminders: false,
      dailyDevotionals: true,
      communityUpdates: true,
    },
    'accounts.updateProfile': {
      fullName: 'Naomi Weiss',
      spiritualTradition: 'SDA',
      mentalHealthFocus: ['Anxiety'],
      timeZone: 'America/Chicago',
    },
    'accounts.signOutDevice': { id: appointmentId },
    'exports.request': {},
    'exports.get': { exportId: appointmentId },
    'deletion.request': { password: 'not-the-password' },
    'files.buckets.get': { bucketId: 'documents' },
    'files.buckets.create': {
      id: 'letters',
      readableBy: 'owner',
      maxBytes: 1_000,
      contentTypes: ['image/png'],
    },
    'files.buckets.update': {
      bucketId: 'photos',
      readableBy: 'everyone',
      maxBytes: 5_000_000,
      contentTypes: ['image/png'],
    },
    'files.buckets.empty': { bucketId: 'documents' },
    'files.buckets.remove': { bucketId: 'documents' },
    'files.list': { bucket: 'documents', search: 'letter', limit: 10, offset: 0 },
    'files.get': { fileId: appointmentId },
    'files.link': { fileId: appointmentId, seconds: 60 },
    'files.move': { fileId: appointmentId, name: 'letter.pdf' },
    'files.copy': { fileId: appointmentId, name: 'letter.pdf' },
    'files.remove': { fileId: appointmentId },
    'catalogue.service': { id: serviceId },
    'providers.list': { serviceId, limit: 10 },
    'providers.get': { id: providerId },
    'providers.bySlug': { slug: 'ruth-amsel' },
    'providers.saveProfile': {
      title: 'Psychologist',
      specialties: ['Anxiety'],
      experience: '10 years',
      location: 'Chicago, IL',
      bio: 'Listens.',
      education: ['PsyD'],
      approach: 'Gentle',
      languages: ['English'],
      traditions: ['SDA'],
      faithPart: 'as_you_wish',
      sessionTypes: ['online'],
      serviceIds: [serviceId],
      phone: '+1 555 010 0142',
      version: 1,
    },
    'providers.credentials.submit': {
      kind: 'licence',
      number: 'PSY 12345',
      issuer: 'Board of Psychology',
      region: 'New York',
      expiresOn: '2099-12-31',
      replaces: appointmentId,
    },
    'providers.credentials.withdraw': { credentialId: appointmentId },
    'providers.credentials.waiting': { offset: 0, limit: 10 },
    'providers.credentials.approve': { credentialId: appointmentId },
    'providers.credentials.reject': { credentialId: appointmentId, reason: 'It has ended.' },
    'providers.places.add': {
      name: 'The practice',
      address: '12 Elm Street',
      town: 'Chicago, IL',
      directions: 'The green door.',
      coordinates: { latitude: 41.88, longitude: -87.63 },
    },
    'providers.places.edit': {
      placeId: appointmentId,
      name: 'The practice',
      address: '12 Elm Street',
      town: 'Chicago, IL',
      directions: 'The green door.',
      coordinates: { latitude: 41.88, longitude: -87.63 },
    },
    'providers.places.close': { placeId: appointmentId, closed: true },
    'providers.places.order': { placeIds: [appointmentId] },
    'availability.save': {
      version: 1,
      timeZone: 'America/New_York',
      weekly: [{ weekday: 1, from: '09:00', to: '12:00', placeId: null }],
      terms: { sessionLengths: [30, 60], bufferMinutes: 30, noticeHours: 48, dailyMaximum: 5 },
      rest: { kind: 'sabbath', place: { name: 'Jerusalem', latitude: 31.8, longitude: 35.2 } },
    },
    'availability.setDates': {
      from: startsAt.slice(0, 10),
      to: next.slice(0, 10),
      windows: [{ from: '09:00', to: '12:00' }],
      note: 'The conference.',
    },
    'availability.removeDate': { from: startsAt.slice(0, 10), to: next.slice(0, 10) },
    'availability.holidays': { region: 'US' },
    'availability.keepHolidays': { region: 'US', names: ['Christmas Day'] },
    'availability.cities': { query: 'Chicago' },
    'availability.block': { startsAt, endsAt: next, note: 'The dentist.' },
    'availability.changeBlock': { blockId: appointmentId, startsAt, endsAt: next, note: 'The dentist.' },
    'availability.unblock': { blockId: appointmentId },
    'availability.setApproval': { approvesFirst: true },
    'booking.agenda': { span: 'month', date: startsAt.slice(0, 10) },
    'booking.finding.find': {
      serviceId,
      kind: 'doctor',
      tradition: 'Baptist',
      faithPart: 'woven_in',
      language: 'English',
      sessionType: 'online',
      time: 'week',
      timeZone: 'America/Chicago',
      place: 'Boston, MA',
      order: 'soonest',
      offset: 0,
      limit: 10,
    },
    'booking.finding.nextStarts': {
      providerIds: providerId,
      serviceId,
      sessionType: 'online',
      time: 'evenings',
      timeZone: 'America/Chicago',
    },
    'booking.freeStarts': {
      providerId,
      from: startsAt,
      to: next,
      durationMinutes: 60,
      sessionType: 'phone',
      moving: appointmentId,
    },
    'booking.previewAvailability': {
      timeZone: 'America/New_York',
      weekly: [{ weekday: 1, from: '09:00', to: '12:00', placeId: null }],
      terms: { sessionLengths: [30, 60], bufferMinutes: 30, noticeHours: 48, dailyMaximum: 5 },
      rest: { kind: 'sabbath', place: { name: 'Jerusalem', latitude: 31.8, longitude: 35.2 } },
      dates: [{ date: startsAt.slice(0, 10), windows: [{ from: '09:00', to: '12:00' }] }],
      from: startsAt,
      to: next,
      durationMinutes: 60,
      sessionType: 'online',
    },
    'booking.checkSeries': {
      providerId,
      startsAt,
      durationMinutes: booked.durationMinutes,
      sessionType: 'phone',
      recurrence: 'weekly',
      sessions: 3,
    },
    'booking.book': booking({ providerId, serviceId, startsAt }),
    'booking.bookFor': {
      idempotencyKey: appointmentId,
      clientId,
      serviceId,
      startsAt,
      durationMinutes: booked.durationMinutes,
      sessionType: 'phone',
      recurrence: 'weekly',
      sessions: 2,
      outsideHours: true,
    },
    'booking.mine': {
      from: startsAt,
      to: next,
      status: 'confirmed',
      order: 'ascending',
      lastStart: startsAt,
      lastId: appointmentId,
      limit: 10,
    },
    'booking.get': { appointmentId },
    'booking.clientFigures': { timeZone: 'America/Chicago' },
    'booking.reschedule': { appointmentId, startsAt },
    'booking.cancel': { appointmentId, reason: 'I am ill.' },
    'booking.confirm': { appointmentId },
    'booking.decline': { appointmentId, reason: 'I am away.' },
    'booking.complete': { appointmentId },
    'booking.markNoShow': { appointmentId },
    'booking.markEmergency': { appointmentId },
    'booking.setReminder': { appointmentId, minutes: 60 },
    'waitlist.askEarlier': { appointmentId, ...wishes },
    'waitlist.ask': { providerId, serviceId, durationMinutes: 60, sessionType: 'phone', ...wishes },
    'waitlist.giveUp': { waitId: appointmentId },
    'waitlist.take': { offerId: appointmentId },
    'waitlist.pass': { offerId: appointmentId },
    'guests.list': { appointmentId },
    'guests.invite': { appointmentId, name: 'Boaz', email: 'boaz@guests.example', agreed: true },
    'guests.resend': { guestId: appointmentId },
    'guests.withdraw': { guestId: appointmentId },
    'guests.invitation': { token: 'not-one-of-ours' },
    'guests.accept': { token: 'not-one-of-ours', name: 'Boaz', startsAt, agreed: true },
    'guests.decline': { token: 'not-one-of-ours' },
    'guests.leave': { appointmentId },
    'feed.make': {},
    'feed.revoke': {},
    'reviews.ofService': { serviceId },
    'reviews.ofProvider': { providerId, offset: 0, limit: 10 },
    'reviews.mine': { from: startsAt, to: next },
    'reviews.write': {
      appointmentId,
      rating: 5,
      text: 'I was heard.',
      named: 'initial',
      place: 'Chicago, IL',
    },
    'reviews.withdraw': { appointmentId },
    'reviews.received': { offset: 0, limit: 10 },
    'reviews.moderation': { state: 'waiting', offset: 0, limit: 10 },
    'reviews.approve': { reviewId: appointmentId, revision: 1, featured: true },
    'reviews.reject': { reviewId: appointmentId, revision: 1, reason: 'It names somebody.' },
    'reviews.reopen': { reviewId: appointmentId, revision: 1 },
    'reviews.feature': { reviewId: appointmentId, revision: 1, featured: true },
    'reviews.replies.write': { reviewId: appointmentId, text: 'Thank you for your words.' },
    'reviews.replies.withdraw': { reviewId: appointmentId },
    'reviews.replies.moderation': { state: 'waiting', offset: 0, limit: 10 },
    'reviews.replies.approve': { reviewId: appointmentId, revision: 1 },
    'reviews.replies.reject': { reviewId: appointmentId, revision: 1, reason: 'It tells of a session.' },
    'care.clients.list': { search: 'Naomi', order: 'last', limit: 10, offset: 0 },
    'care.clients.get': { clientId },
    'care.clients.sessions': { clientId, part: 'past', limit: 10, offset: 0 },
    'care.notes.list': { clientId, limit: 10, offset: 0 },
    'care.notes.write': { clientId, text: 'Came by herself.', appointmentId },
    'care.notes.change': { noteId: appointmentId, text: 'Came with her sister.' },
    'care.notes.remove': { noteId: appointmentId },
    'care.privateNotes.list': { clientId, limit: 10, offset: 0 },
    'care.privateNotes.write': { clientId, text: 'Came by herself.', appointmentId },
    'care.privateNotes.change': { noteId: appointmentId, text: 'Came with her sister.' },
    'care.privateNotes.remove': { noteId: appointmentId },
    'care.sharing.list': { limit: 10, offset: 0 },
    'care.sharing.set': { providerId, profile: true, goals: true, progress: false },
    'messaging.conversations.list': { beforeAt: startsAt, beforeId: appointmentId, limit: 10 },
    'messaging.conversations.get': { conversationId: appointmentId },
    'messaging.conversations.withPerson': { personId: clientId },
    'messaging.conversations.open': {
      conversationId: appointmentId,
      withId: clientId,
      subject: 'Thursday',
      messageId: appointmentId,
      text: 'May I come earlier?',
      attachmentIds: [],
    },
    'messaging.conversations.read': { conversationId: appointmentId, seq: 1 },
    'messaging.conversations.draft': { conversationId: appointmentId },
    'messaging.conversations.keepDraft': { conversationId: appointmentId, text: 'May I' },
    'messaging.messages.list': { conversationId: appointmentId, after: 1, before: 9, limit: 10 },
    'messaging.messages.send': {
      conversationId: appointmentId,
      messageId: appointmentId,
      text: 'May I come earlier?',
      attachmentIds: [],
    },
    'messaging.messages.search': { words: 'earlier', next: `1~${appointmentId}` },
    'emergency.open': {
      firstEmail: 'client@people.example',
      secondEmail: 'provider@people.example',
      reason: 'She wrote that she wants to end her life.',
      confirmation: 'this is an emergency',
      password: 'peace-be-with-you',
    },
    'emergency.close': { accessId: appointmentId },
    'emergency.told': { conversationId: appointmentId },
    'growth.sharing.goals': { clientId, state: 'open', limit: 10, offset: 0 },
    'growth.sharing.progress': { clientId },
    'video.page': { appointmentId },
    'video.room': { appointmentId },
    'video.iceServers': { appointmentId },
    'video.admit': { appointmentId, personId: clientId },
    'video.end': { appointmentId },
    'growth.devotionals.today': { timeZone: 'America/Chicago' },
    'growth.devotionals.byDay': { day: '05-05' },
    'growth.devotionals.year': { month: 5, search: 'light' },
    'growth.devotionals.entry': { day: '05-05' },
    'growth.devotionals.edit': {
      day: '05-05',
      version: 1,
      title: 'Wind and fire',
      reference: 'Acts 2:2-4',
      text: 'Suddenly there came from the sky a sound.',
      thought: 'A thought.',
      prayer: 'A prayer.',
    },
    'growth.goals.list': { state: 'open', limit: 10, offset: 0 },
    'growth.goals.add': {
      title: 'Walk every day',
      why: 'To be well.',
      dueOn: '2026-05-01',
      steps: [{ text: 'Buy shoes', dueOn: '2026-04-01' }],
    },
    'growth.goals.change': {
      goalId: appointmentId,
      title: 'Walk every day',
      why: 'To be well.',
      dueOn: '2026-05-01',
      steps: [{ text: 'Buy shoes' }],
    },
    'growth.goals.tickStep': { goalId: appointmentId, stepId: appointmentId, done: true },
    'growth.goals.achieve': { goalId: appointmentId, achieved: true },
    'growth.goals.remove': { goalId: appointmentId },
    'growth.goals.restore': { goalId: appointmentId },
    'growth.journal.list': {
      month: '2026-03',
      beforeDate: '2026-03-02',
      beforeId: appointmentId,
      limit: 10,
    },
    'growth.journal.write': { title: 'A day', text: 'It was quiet.', mood: 4, date: '2026-03-02' },
    'growth.journal.change': {
      entryId: appointmentId,
      title: 'A day',
      text: 'It was quiet.',
      mood: 4,
      date: '2026-03-02',
    },
    'growth.journal.remove': { entryId: appointmentId },
    'growth.prayers.ask': { text: 'For rest.', audience: 'counsellor', providerId, showName: true },
    'growth.prayers.counsellors': { search: 'Whitfield', limit: 10 },
    'growth.prayers.mine': { beforeAt: startsAt, beforeId: appointmentId, limit: 10 },
    'growth.prayers.settle': { requestId: appointmentId, state: 'answered' },
    'growth.prayers.remove': { requestId: appointmentId },
    'growth.prayers.received': { beforeAt: startsAt, beforeId: appointmentId, limit: 10, state: 'open' },
    'growth.prayers.prayed': { requestId: appointmentId, note: 'For you this morning.' },
    'growth.prayers.undoPrayed': { requestId: appointmentId },
    'resources.list': { q: 'grief', category: 'grief-support', cursor: `1~${appointmentId}`, limit: 10 },
    'resources.related': { serviceId },
    'resources.get': { resourceId: appointmentId },
    'resources.take': { resourceId: appointmentId },
    'resources.content': { resourceId: appointmentId },
    'resources.favourite': { resourceId: appointmentId, favourite: true },
    'resources.rate': { resourceId: appointmentId, rating: 4 },
    'resources.mine': { kept: 'got', cursor: `1~${appointmentId}`, limit: 10 },
    'resources.authored': { cursor: `1~${appointmentId}`, limit: 10 },
    'resources.authoredOne': { resourceId: appointmentId },
    'resources.saveDraft': {
      resourceId: appointmentId,
      version: 1,
      title: 'A quiet hour',
      author: 'Ruth Amsel',
      type: 'devotional',
      category: 'grief-support',
      description: 'For an evening that is too long.',
      durationMinutes: 5,
      form: 'link',
      body: '',
      url: 'https://example.org/quiet',
    },
    'resources.submit': { resourceId: appointmentId },
    'resources.publish': { resourceId: appointmentId },
    'resources.withdraw': { resourceId: appointmentId },
    'resources.remove': { resourceId: appointmentId, confirmed: true },
    'resources.waiting': { cursor: `1~${appointmentId}`, limit: 10 },
    'resources.approve': { resourceId: appointmentId, version: 1 },
    'resources.reject': { resourceId: appointmentId, reason: 'Please name your sources.' },
    'resources.feature': { resourceId: appointmentId, featured: true },
    'resources.unpublish': { resourceId: appointmentId, reason: 'A link in it is broken.' },
    'mailTray.list': { limit: 10 },
    'mailTray.get': { id: appointmentId },
    'mailChoice.get': { token: 'devotional.x.y' },
    'mailChoice.set': { token: 'devotional.x.y', on: false },
    'contact.send': {
      name: 'Naomi Weiss',
      email: 'naomi@weiss.example',
      subject: 'A question',
      message: 'How do I begin?',
      token: 'not one of ours',
      solution: 7,
      website: '',
    },
    'contact.inbox': {
      state: 'open',
      search: 'begin',
      lastSentAt: startsAt,
      lastId: appointmentId,
      limit: 10,
    },
    'contact.get': { messageId: appointmentId },
    'contact.close': { messageId: appointmentId },
    'contact.reopen': { messageId: appointmentId },
    'contact.annotate': { messageId: appointmentId, note: 'Called back.' },
  };
}
