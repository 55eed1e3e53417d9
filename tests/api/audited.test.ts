import { describe, expect, test } from 'vitest';
import { downloads, uploads } from '#/app/api.ts';
import { recorded } from '#/app/recorded.ts';
import { walkLog } from '#/features/audit/log/queries.ts';
import { demoPassword } from '#/features/accounts/demo.ts';
import { newId } from '#/platform/clock.ts';
import { pdf, png } from '../support/bytes.ts';
import { procedures } from '../support/procedures.ts';
import { storedIn, testServer, type Answer } from '../support/server.ts';
import { stageOf, type Deed, type Made } from '../support/stage.ts';

const server = await testServer();
const { db } = server.database;
const stage = await stageOf(server);
const { cast, admin, client, provider } = stage;
const {
  call,
  upload,
  newClient,
  newProvider,
  inHours,
  freeStarts,
  booked,
  session,
  asked,
  accepting,
  waiting,
  offered,
  reviewed,
  published,
  replied,
  conversation,
  request,
  requested,
  caller,
  emergency,
  draft,
  submitted,
  resource,
  goal,
  entry,
  prayer,
  applying,
  applied,
  checked,
  credential,
  place,
  service,
  file,
  bucket,
  block,
  flag,
  withFactor,
  confirmedFactor,
  readdressed,
  settingsVersion,
  contactForm,
  message,
  note,
  signInAgain,
  newAdmin,
  flagChanges,
  turnedFlag,
  failedMail,
  mailToken,
  sharedWith,
  newest,
  sundays,
} = stage;

/** What a deed leaves in the log, each entry as `action category`, with the kind of what it is about; then the deed. */
type Rows<T> = Readonly<Record<string, readonly [leaves: readonly string[], deed: () => Promise<T>]>>;

/** Every procedure that isn't asked by GET. */
const changes: Rows<Deed> = {
  'settings.save': [
    ['settings.changed system_settings'],
    async () => ({
      by: admin,
      input: { version: await settingsVersion(), change: { siteName: `Cedar ${newId()}` } },
      about: null,
    }),
  ],
  'settings.reset': [
    ['settings.reset system_settings'],
    async () => {
      await call(admin, 'settings.save', {
        version: await settingsVersion(),
        change: { siteName: 'Elm House' },
      });
      return { by: admin, input: { version: await settingsVersion() }, about: null };
    },
  ],
  'flags.turn': [
    ['flags.enabled system_settings'],
    async () => {
      const { id: flagId, version, enabled } = await flag('calendar_integration');
      return { by: admin, input: { flagId, version, enabled: !enabled }, about: null, named: flagId };
    },
  ],
  'flags.setScope': [
    ['flags.scoped system_settings'],
    async () => {
      const { id: flagId, version } = await flag('mobile_app_access');
      const input = { flagId, version, scope: 'user_specific' };
      return { by: admin, input, about: null, named: flagId };
    },
  ],
  'flags.changeMany': [
    ['flags.enabled system_settings'],
    async () => {
      const named = await turnedFlag();
      return { by: admin, input: { expected: await flagChanges() }, about: null, named };
    },
  ],
  'accounts.updatePreferences': [
    ['preferences_changed user_management person'],
    async () => ({ by: client, about: client.id }),
  ],
  'accounts.updateProfile': [
    ['profile_changed user_management person'],
    async () => ({ by: client, about: client.id }),
  ],
  'accounts.removePhoto': [
    ['photo_removed user_management person'],
    async () => {
      await upload(client, '/me/photo', png);
      return { by: client, about: client.id };
    },
  ],
  'accounts.signOutDevice': [
    ['device_signed_out security person'],
    async () => {
      const by = await newClient();
      await signInAgain(by);
      const devices = await call<{ id: string; current: boolean }[]>(by, 'accounts.devices');
      return { by, input: { id: devices.find((one) => !one.current)!.id }, about: by.id };
    },
  ],
  'accounts.signOutOtherDevices': [
    ['other_devices_signed_out security person'],
    async () => {
      const by = await newClient();
      await signInAgain(by);
      return { by, about: by.id };
    },
  ],
  'names.of': [[], async () => ({ by: admin })],
  'names.find': [['users_listed user_management'], async () => ({ by: await newAdmin(), about: null })],
  'directory.list': [['users_listed user_management'], async () => ({ by: await newAdmin(), about: null })],
  'contact.inbox': [['contact.inbox_viewed security'], async () => ({ by: await newAdmin(), about: null })],
  'audit.list': [['audit.log_read security'], async () => ({ by: await newAdmin(), about: null })],
  'audit.export': [[], async () => ({ by: admin })],
  'directory.open': [
    ['user_viewed user_management person'],
    async () => ({ by: admin, input: { userId: client.id }, about: client.id }),
  ],
  'directory.edit': [
    ['user_edited user_management person'],
    async () => {
      const { id: userId } = await newClient();
      const { version } = await call<{ version: string }>(admin, 'directory.open', { userId });
      return { by: admin, input: { userId, version, email: `${newId()}@weiss.example` }, about: userId };
    },
  ],
  'directory.changeRole': [
    ['role_changed user_management person'],
    async () => {
      const { id: userId } = await newProvider();
      return { by: admin, input: { userId, from: 'doctor', to: 'pastor' }, about: userId };
    },
  ],
  'directory.suspend': [
    ['user_suspended user_management person'],
    async () => {
      const { id: userId } = await newClient();
      return { by: admin, input: { userId, sessions: [] }, about: userId };
    },
  ],
  'directory.reactivate': [
    ['user_reactivated user_management person'],
    async () => {
      const { id: userId } = await newClient();
      await call(admin, 'directory.suspend', { userId, sessions: [] });
      return { by: admin, input: { userId }, about: userId };
    },
  ],
  'directory.remove': [
    ['user_deleted user_management person'],
    async () => {
      const { id: userId, email } = await newClient();
      return { by: admin, input: { userId, email }, about: userId };
    },
  ],
  'addressChange.get': [
    [],
    async () => ({ by: server.guest, input: { token: (await readdressed()).token } }),
  ],
  'addressChange.undo': [
    ['address_change_undone security person'],
    async () => {
      const { id, token } = await readdressed();
      return { by: server.guest, input: { token }, about: id };
    },
  ],
  'addressChange.confirm': [
    ['address_change_confirmed security person'],
    async () => {
      const { id, token } = await readdressed();
      return { by: server.guest, input: { token }, about: id };
    },
  ],
  'directory.export': [
    ['users_exported user_management'],
    async () => ({ by: admin, input: { search: 'Ruth Amsel', beyond: undefined }, about: null }),
  ],
  'secondFactor.begin': [
    ['second_factor_begun security person'],
    async () => {
      await withFactor();
      const by = await newProvider();
      return { by, input: { password: demoPassword }, about: by.id };
    },
  ],
  'secondFactor.confirm': [
    ['second_factor_set_up security person'],
    async () => {
      const { by, code } = await withFactor();
      return { by, input: { code }, about: by.id };
    },
  ],
  'secondFactor.renewCodes': [
    ['backup_code_used security person', 'backup_codes_renewed security person'],
    async () => {
      const by = await confirmedFactor();
      return { by, input: { password: demoPassword, code: by.backupCode }, about: [by.id, by.id] };
    },
  ],
  'secondFactor.remove': [
    ['backup_code_used security person', 'second_factor_removed security person'],
    async () => {
      const by = await confirmedFactor();
      return { by, input: { password: demoPassword, code: by.backupCode }, about: [by.id, by.id] };
    },
  ],
  'secondFactor.reset': [
    ['second_factor_reset security person'],
    async () => {
      const { id } = await confirmedFactor();
      return { by: admin, input: { id }, about: id };
    },
  ],
  'reauthentication.confirm': [
    ['reauthenticated security person'],
    async () => {
      const by = await newClient();
      return { by, input: { password: demoPassword }, about: by.id };
    },
  ],
  'exports.request': [
    ['export_requested security person'],
    async () => {
      const by = await confirmed();
      return { by, about: by.id };
    },
  ],
  'exports.open': [[], async () => exported()],
  'exports.remove': [
    ['export_removed security person'],
    async () => {
      const { by, input } = await exported();
      return { by, input, about: by.id };
    },
  ],
  'deletion.request': [
    ['deletion_requested user_management person'],
    async () => {
      const by = await newClient();
      return { by, input: { password: demoPassword }, about: by.id };
    },
  ],
  'deletion.keep': [
    ['deletion_undone user_management person'],
    async () => {
      const by = await newClient();
      await call(by, 'deletion.request', { password: demoPassword });
      return { by, about: by.id };
    },
  ],
  'files.buckets.create': [
    ['buckets.created system_settings'],
    async () => ({ by: admin, about: null, named: 'letters' }),
  ],
  'files.buckets.update': [
    ['buckets.changed system_settings'],
    async () => {
      const bucketId = await bucket();
      return { by: admin, input: { bucketId }, about: null, named: bucketId };
    },
  ],
  'files.buckets.empty': [
    ['buckets.emptied system_settings'],
    async () => {
      const bucketId = await bucket();
      return { by: admin, input: { bucketId }, about: null, named: bucketId };
    },
  ],
  'files.buckets.remove': [
    ['buckets.removed system_settings'],
    async () => {
      const bucketId = await bucket();
      return { by: admin, input: { bucketId }, about: null, named: bucketId };
    },
  ],
  'files.link': [
    ['files.linked user_management file'],
    async () => {
      const { id: fileId } = await file();
      return { by: client, input: { fileId }, about: fileId };
    },
  ],
  'files.move': [
    ['files.renamed user_management file'],
    async () => {
      const { id: fileId } = await file();
      return { by: client, input: { fileId }, about: fileId };
    },
  ],
  'files.copy': [
    ['files.copied user_management file'],
    async () => {
      const { id: fileId } = await file();
      return { by: client, input: { fileId } };
    },
  ],
  'files.remove': [
    ['files.removed user_management file'],
    async () => {
      const { id: fileId } = await file();
      return { by: client, input: { fileId }, about: fileId };
    },
  ],
  'catalogue.add': [
    ['service.added service_management'],
    async () => ({ by: admin, about: null, named: 'marriage-evenings' }),
  ],
  'catalogue.edit': [
    ['service.edited service_management'],
    async () => {
      const { id: serviceId, version } = await service();
      return {
        by: admin,
        input: { serviceId, version, title: `Care ${newId()}` },
        about: null,
        named: serviceId,
      };
    },
  ],
  'catalogue.setActive': [
    ['service.deactivated service_management'],
    async () => {
      const { id: serviceId, version } = await service();
      return { by: admin, input: { serviceId, version }, about: null, named: serviceId };
    },
  ],
  'catalogue.remove': [
    ['service.deleted service_management'],
    async () => {
      const { id: serviceId, version } = await service();
      return { by: admin, input: { serviceId, version }, about: null, named: serviceId };
    },
  ],
  'providers.saveProfile': [
    ['provider.listing_changed user_management provider'],
    async () => {
      const by = await newProvider();
      return { by, about: by.id };
    },
  ],
  'providers.credentials.submit': [
    ['provider.credential_submitted provider_approval credential'],
    async () => ({ by: await newProvider(), input: { replaces: undefined } }),
  ],
  'providers.credentials.withdraw': [
    ['provider.credential_withdrawn provider_approval credential'],
    async () => {
      const { by, credentialId } = await credential();
      return { by, input: { credentialId }, about: credentialId };
    },
  ],
  'providers.credentials.approve': [
    ['provider.credential_approved provider_approval credential'],
    async () => {
      const { credentialId } = await credential();
      return { by: admin, input: { credentialId }, about: credentialId };
    },
  ],
  'providers.credentials.reject': [
    ['provider.credential_rejected provider_approval credential'],
    async () => {
      const { credentialId } = await credential();
      return { by: admin, input: { credentialId }, about: credentialId };
    },
  ],
  'providers.places.add': [['provider.place_added service_management place'], async () => ({ by: provider })],
  'providers.places.edit': [
    ['provider.place_changed service_management place'],
    async () => {
      const { id: placeId } = await place();
      return { by: provider, input: { placeId }, about: placeId };
    },
  ],
  'providers.places.close': [
    ['provider.place_closed service_management place'],
    async () => {
      const { id: placeId } = await place();
      return { by: provider, input: { placeId }, about: placeId };
    },
  ],
  'providers.places.order': [
    ['provider.place_ordered service_management provider'],
    async () => {
      const by = await newProvider();
      const { id } = await call(by, 'providers.places.add');
      return { by, input: { placeIds: [id] }, about: by.id };
    },
  ],
  'providers.applications.submit': [
    ['provider.application_submitted provider_approval application'],
    async () => {
      const { by, documentId } = await applying();
      return { by, input: { documentIds: [documentId] } };
    },
  ],
  'providers.applications.withdraw': [
    ['provider.application_withdrawn provider_approval application'],
    async () => {
      const { by, applicationId } = await applied();
      return { by, input: { applicationId }, about: applicationId };
    },
  ],
  'providers.applications.removeDocument': [
    ['provider.document_removed provider_approval document'],
    async () => {
      const { by, documentId } = await applying();
      return { by, input: { documentId }, about: documentId };
    },
  ],
  'providers.applications.approve': [
    [
      'provider.created provider_approval provider',
      'provider.credential_approved provider_approval credential',
      'provider.application_approved provider_approval application',
    ],
    async () => {
      const {
        by: { id: personId },
        applicationId,
      } = await checked();
      return {
        by: admin,
        input: { applicationId },
        about: async () => [personId, await newest('provider_credentials'), applicationId],
      };
    },
  ],
  'providers.applications.reject': [
    ['provider.application_rejected provider_approval application'],
    async () => {
      const { applicationId } = await applied();
      return { by: admin, input: { applicationId }, about: applicationId };
    },
  ],
  'providers.applications.add': [
    [
      'account_created user_management person',
      'provider.created provider_approval provider',
      'provider.credential_approved provider_approval credential',
    ],
    async () => ({ by: admin, about: async ({ id }) => [id, id, await newest('provider_credentials')] }),
  ],
  'availability.save': [
    ['availability.saved service_management provider'],
    async () => {
      const by = await newProvider();
      return { by, about: by.id };
    },
  ],
  'availability.setDates': [
    ['availability.dates_set service_management provider'],
    async () => ({ by: provider, about: provider.id }),
  ],
  'availability.removeDate': [
    ['availability.dates_removed service_management provider'],
    async () => {
      const by = await newProvider();
      await call(by, 'availability.setDates');
      return { by, about: by.id };
    },
  ],
  'availability.keepHolidays': [
    ['availability.holidays_kept service_management provider'],
    async () => ({ by: provider, about: provider.id }),
  ],
  'availability.block': [
    ['availability.blocked service_management provider'],
    async () => ({ by: provider, about: provider.id }),
  ],
  'availability.changeBlock': [
    ['availability.block_changed service_management provider'],
    async () => ({ by: provider, input: { blockId: await block() }, about: provider.id }),
  ],
  'availability.unblock': [
    ['availability.unblocked service_management provider'],
    async () => ({ by: provider, input: { blockId: await block() }, about: provider.id }),
  ],
  'availability.setApproval': [
    ['availability.approval_set service_management provider'],
    async () => {
      const by = await newProvider();
      return { by, about: by.id };
    },
  ],
  'booking.requests.ask': [
    ['booking.requested service_management booking_request'],
    async () => {
      const input = await request({ email: `${newId()}@guests.example` });
      return { by: server.guest, input, about: input.idempotencyKey };
    },
  ],
  'booking.requests.read': [
    [],
    async () => {
      const { token } = await requested();
      return { by: server.guest, input: { token } };
    },
  ],
  'booking.requests.confirm': [
    [
      'booking.booked service_management booking',
      'booking.request_confirmed service_management booking_request',
    ],
    async () => {
      const { by, token, requestId } = await requested();
      const input = { token, startsAt: undefined };
      return { by, input, about: async () => [await newest('bookings'), requestId] };
    },
  ],
  'booking.previewAvailability': [[], async () => ({ by: provider })],
  'booking.checkSeries': [[], async () => ({ by: client, input: { sessionType: 'online' } })],
  'booking.book': [
    ['booking.booked service_management booking'],
    async () => {
      const by = await newClient();
      const whom = await newProvider();
      const [startsAt] = await freeStarts(by, whom);
      return { by, input: { providerId: whom.id, startsAt }, about: () => newest('bookings') };
    },
  ],
  'booking.bookFor': [
    ['booking.booked service_management booking'],
    async () => {
      const by = await newProvider();
      await session(-5, 'completed', by);
      const [startsAt] = await freeStarts(client, by);
      return {
        by,
        input: { clientId: client.id, startsAt, sessionType: 'online' },
        about: () => newest('bookings'),
      };
    },
  ],
  'booking.reschedule': [
    ['booking.rescheduled service_management appointment'],
    async () => {
      const { client: by, appointmentId, other: startsAt } = await booked();
      return { by, input: { appointmentId, startsAt }, about: appointmentId };
    },
  ],
  'booking.cancel': [
    ['booking.cancelled service_management appointment'],
    async () => {
      const { client: by, appointmentId } = await booked();
      return { by, input: { appointmentId }, about: appointmentId };
    },
  ],
  'booking.confirm': [
    ['booking.confirmed service_management appointment'],
    async () => {
      const { provider: by, appointmentId } = await booked({ approvesFirst: true });
      return { by, input: { appointmentId }, about: appointmentId };
    },
  ],
  'booking.decline': [
    ['booking.declined service_management appointment'],
    async () => {
      const { provider: by, appointmentId } = await booked({ approvesFirst: true });
      return { by, input: { appointmentId }, about: appointmentId };
    },
  ],
  'booking.complete': [
    ['booking.completed service_management appointment'],
    async () => {
      const appointmentId = await session(-3, 'confirmed');
      return { by: provider, input: { appointmentId }, about: appointmentId };
    },
  ],
  'booking.markNoShow': [
    ['booking.no_show service_management appointment'],
    async () => {
      const appointmentId = await session(-3, 'confirmed');
      return { by: provider, input: { appointmentId }, about: appointmentId };
    },
  ],
  'booking.markEmergency': [
    ['booking.marked_emergency service_management appointment'],
    async () => {
      const { provider: by, appointmentId } = await booked();
      return { by, input: { appointmentId }, about: appointmentId };
    },
  ],
  'booking.setReminder': [
    ['booking.reminder_set service_management appointment'],
    async () => {
      const { client: by, appointmentId } = await booked();
      return { by, input: { appointmentId, minutes: 15 }, about: appointmentId };
    },
  ],
  'waitlist.askEarlier': [
    ['waitlist.asked service_management wait'],
    async () => {
      const { client: by, appointmentId } = await booked();
      return { by, input: { ...sundays, appointmentId } };
    },
  ],
  'waitlist.ask': [
    ['waitlist.asked service_management wait'],
    async () => {
      const by = await newClient();
      return { by, input: { ...sundays, providerId: provider.id, sessionType: 'online' } };
    },
  ],
  'waitlist.giveUp': [
    ['waitlist.given_up service_management wait'],
    async () => {
      const { client: by, waitId } = await waiting();
      return { by, input: { waitId }, about: waitId };
    },
  ],
  'waitlist.take': [
    ['booking.booked service_management booking', 'waitlist.taken service_management wait'],
    async () => {
      const { client: by, waitId, offerId } = await offered();
      return { by, input: { offerId }, about: async () => [await newest('bookings'), waitId] };
    },
  ],
  'waitlist.pass': [
    ['waitlist.passed service_management wait'],
    async () => {
      const { client: by, waitId, offerId } = await offered();
      return { by, input: { offerId }, about: waitId };
    },
  ],
  'appointments.find': [
    ['booking.searched service_management'],
    async () => ({ by: admin, input: { lastStart: undefined, lastId: undefined }, about: null }),
  ],
  'appointments.reschedule': [
    ['booking.rescheduled service_management appointment'],
    async () => {
      const { appointmentId, other: startsAt } = await booked();
      return { by: admin, input: { appointmentId, startsAt }, about: appointmentId };
    },
  ],
  'appointments.cancel': [
    ['booking.cancelled service_management appointment'],
    async () => {
      const { appointmentId } = await booked();
      return { by: admin, input: { appointmentId }, about: appointmentId };
    },
  ],
  'series.check': [
    [],
    async () => {
      const { client: by, appointmentId, other: startsAt } = await booked();
      return { by, input: { appointmentId, startsAt } };
    },
  ],
  'series.cancel': [
    ['booking.cancelled service_management appointment'],
    async () => {
      const { client: by, appointmentId } = await booked();
      return { by, input: { appointmentId, chosen: [{ appointmentId, sequence: 0 }] }, about: appointmentId };
    },
  ],
  'series.reschedule': [
    ['booking.rescheduled service_management appointment'],
    async () => {
      const { client: by, appointmentId, other: startsAt } = await booked();
      const chosen = [{ appointmentId, sequence: 0 }];
      return { by, input: { appointmentId, startsAt, chosen }, about: appointmentId };
    },
  ],
  'handover.revoke': [
    ['provider.approval_revoked provider_approval provider', 'provider.unlisted provider_approval provider'],
    async () => {
      const { id: providerId } = await newProvider();
      return { by: admin, input: { providerId, sessions: [] }, about: [providerId, providerId] };
    },
  ],
  'handover.restore': [
    ['provider.approval_restored provider_approval provider', 'provider.listed provider_approval provider'],
    async () => {
      const { id: providerId } = await newProvider();
      await call(admin, 'handover.revoke', { providerId, sessions: [] });
      return { by: admin, input: { providerId }, about: [providerId, providerId] };
    },
  ],
  'guests.invite': [
    ['booking.guest_invited service_management appointment'],
    async () => {
      const { client: by, appointmentId } = await booked({ services: ['couples'] }, 'couples');
      return { by, input: { appointmentId }, about: appointmentId };
    },
  ],
  'guests.resend': [
    ['booking.guest_invited_again service_management appointment'],
    async () => {
      const { client: by, guestId, appointmentId } = await asked();
      await db
        .updateTable('session_guests')
        .set({ sent_at: new Date(inHours(-24)) })
        .where('id', '=', guestId)
        .execute();
      return { by, input: { guestId }, about: appointmentId };
    },
  ],
  'guests.withdraw': [
    ['booking.guest_withdrawn service_management appointment'],
    async () => {
      const { client: by, guestId, appointmentId } = await asked();
      return { by, input: { guestId }, about: appointmentId };
    },
  ],
  'guests.invitation': [
    [],
    async () => {
      const { token } = await asked();
      return { by: server.guest, input: { token } };
    },
  ],
  'guests.accept': [
    ['booking.guest_accepted service_management appointment'],
    async () => {
      const { token, startsAt, appointmentId } = await asked();
      return { by: await newClient(), input: { token, startsAt }, about: appointmentId };
    },
  ],
  'guests.decline': [
    ['booking.guest_declined service_management appointment'],
    async () => {
      const { token, appointmentId } = await asked();
      return { by: server.guest, input: { token }, about: appointmentId };
    },
  ],
  'guests.formerAccept': [
    ['booking.guest_accepted service_management appointment'],
    async () => {
      const { token, startsAt, appointmentId } = await asked();
      return { by: await newClient(), input: { token, startsAt }, about: appointmentId };
    },
  ],
  'guests.formerDecline': [
    ['booking.guest_declined service_management appointment'],
    async () => {
      const { token, appointmentId } = await asked();
      return { by: server.guest, input: { token }, about: appointmentId };
    },
  ],
  'guests.leave': [
    ['booking.guest_left service_management appointment'],
    async () => {
      const { guest: by, appointmentId } = await accepting();
      return { by, input: { appointmentId }, about: appointmentId };
    },
  ],
  'feed.make': [['calendar_feed.made security person'], async () => ({ by: client, about: client.id })],
  'feed.revoke': [
    ['calendar_feed.revoked security person'],
    async () => {
      await call(provider, 'feed.make');
      return { by: provider, about: provider.id };
    },
  ],
  'reviews.write': [
    ['review.written service_management review'],
    async () => ({
      by: client,
      input: { appointmentId: await session(-6, 'completed') },
      about: () => newest('reviews'),
    }),
  ],
  'reviews.withdraw': [
    ['review.withdrawn service_management review'],
    async () => {
      const { appointmentId, reviewId } = await reviewed();
      return { by: client, input: { appointmentId }, about: reviewId };
    },
  ],
  'reviews.approve': [
    ['review.approved service_management review'],
    async () => {
      const { reviewId, revision } = await reviewed();
      return { by: admin, input: { reviewId, revision }, about: reviewId };
    },
  ],
  'reviews.reject': [
    ['review.rejected service_management review'],
    async () => {
      const { reviewId, revision } = await reviewed();
      return { by: admin, input: { reviewId, revision }, about: reviewId };
    },
  ],
  'reviews.reopen': [
    ['review.reopened service_management review'],
    async () => {
      const { reviewId, revision } = await published();
      return { by: admin, input: { reviewId, revision }, about: reviewId };
    },
  ],
  'reviews.feature': [
    ['review.featured service_management review'],
    async () => {
      const { reviewId, revision } = await published();
      return { by: admin, input: { reviewId, revision, featured: false }, about: reviewId };
    },
  ],
  'reviews.replies.write': [
    ['review_reply.written service_management review'],
    async () => {
      const { reviewId } = await published();
      return { by: provider, input: { reviewId }, about: reviewId };
    },
  ],
  'reviews.replies.withdraw': [
    ['review_reply.withdrawn service_management review'],
    async () => {
      const { reviewId } = await replied();
      return { by: provider, input: { reviewId }, about: reviewId };
    },
  ],
  'reviews.replies.approve': [
    ['review_reply.approved service_management review'],
    async () => {
      const { reviewId, revision } = await replied();
      return { by: admin, input: { reviewId, revision }, about: reviewId };
    },
  ],
  'reviews.replies.reject': [
    ['review_reply.rejected service_management review'],
    async () => {
      const { reviewId, revision } = await replied();
      return { by: admin, input: { reviewId, revision }, about: reviewId };
    },
  ],
  'care.records.book': [
    [
      'account_created user_management person',
      'care.client_entered service_management person',
      'booking.booked service_management booking',
    ],
    async () => {
      const by = await newProvider();
      const [startsAt] = await freeStarts(client, by);
      return {
        by,
        input: { startsAt, sessionType: 'online', idempotencyKey: newId() },
        about: async (made) => {
          const [person, booking] = [String(made.clientId), String(made.bookingId)];
          return [person, person, booking];
        },
      };
    },
  ],
  'care.records.change': [
    ['care.client_record_changed service_management person'],
    async () => {
      const { by, clientId } = await caller();
      return { by, input: { clientId }, about: clientId };
    },
  ],
  'care.records.invite': [
    ['care.client_invited service_management person'],
    async () => {
      const { by, clientId } = await caller();
      const email = `${newId()}@callers.example`;
      await call(by, 'care.records.change', { clientId, email });
      return { by, input: { clientId }, about: clientId };
    },
  ],
  'care.claims.read': [[], async () => ({ by: server.guest, input: { token: (await caller()).token } })],
  'care.claims.accept': [
    ['care.client_claimed service_management person'],
    async () => {
      const { token, clientId } = await caller();
      return { by: server.guest, input: { token }, about: clientId };
    },
  ],
  'care.claims.decline': [
    ['care.client_declined service_management person'],
    async () => {
      const { token, clientId } = await caller();
      return { by: server.guest, input: { token }, about: clientId };
    },
  ],
  'care.notes.write': [
    ['care.session_note_written service_management session_note'],
    async () => ({
      by: provider,
      input: { clientId: client.id, appointmentId: await session(-5, 'completed') },
    }),
  ],
  'care.notes.change': [
    ['care.session_note_changed service_management session_note'],
    async () => {
      const { id: noteId } = await note('notes');
      return { by: provider, input: { noteId }, about: noteId };
    },
  ],
  'care.notes.remove': [
    ['care.session_note_removed service_management session_note'],
    async () => {
      const { id: noteId } = await note('notes');
      return { by: provider, input: { noteId }, about: noteId };
    },
  ],
  'care.privateNotes.write': [
    ['care.private_note_written service_management private_note'],
    async () => ({
      by: provider,
      input: { clientId: client.id, appointmentId: await session(-5, 'completed') },
    }),
  ],
  'care.privateNotes.change': [
    ['care.private_note_changed service_management private_note'],
    async () => {
      const { id: noteId } = await note('privateNotes');
      return { by: provider, input: { noteId }, about: noteId };
    },
  ],
  'care.privateNotes.remove': [
    ['care.private_note_removed service_management private_note'],
    async () => {
      const { id: noteId } = await note('privateNotes');
      return { by: provider, input: { noteId }, about: noteId };
    },
  ],
  'care.clients.list': [[], async () => ({ by: provider })],
  'care.sharing.set': [
    ['care.sharing_set service_management person'],
    async () => {
      await session(-5, 'completed');
      return { by: client, input: { providerId: provider.id }, about: client.id };
    },
  ],
  'messaging.conversations.open': [
    ['messages.opened service_management conversation', 'messages.sent service_management message'],
    async () => {
      const [conversationId, messageId] = [newId(), newId()];
      return {
        by: await newClient(),
        input: { conversationId, withId: provider.id, messageId },
        about: [conversationId, messageId],
      };
    },
  ],
  'messaging.conversations.read': [
    [],
    async () => {
      const { provider: by, conversationId } = await conversation();
      return { by, input: { conversationId } };
    },
  ],
  'messaging.conversations.keepDraft': [
    [],
    async () => {
      const { provider: by, conversationId } = await conversation();
      return { by, input: { conversationId } };
    },
  ],
  'messaging.messages.search': [[], async () => ({ by: client, input: { words: 'earlier' } })],
  'messaging.messages.send': [
    ['messages.sent service_management message'],
    async () => {
      const { provider: by, conversationId } = await conversation();
      const messageId = newId();
      return { by, input: { conversationId, messageId }, about: messageId };
    },
  ],
  'emergency.open': [
    ['messages.emergency_opened security conversation'],
    async () => {
      const { input, conversationId } = await emergency();
      return { by: admin, input, about: conversationId };
    },
  ],
  'emergency.close': [
    ['messages.emergency_closed security conversation'],
    async () => {
      const { input, conversationId } = await emergency();
      await call(admin, 'emergency.open', input);
      const { id: accessId } = await db
        .selectFrom('emergency_accesses')
        .select('id')
        .where('conversation_id', '=', conversationId)
        .executeTakeFirstOrThrow();
      return { by: admin, input: { accessId }, about: conversationId };
    },
  ],
  'resources.take': [[], async () => ({ by: client, input: { resourceId: await resource() } })],
  'resources.favourite': [[], async () => ({ by: client, input: { resourceId: await resource() } })],
  'resources.rate': [
    [],
    async () => {
      const resourceId = await resource();
      await call(client, 'resources.take', { resourceId });
      return { by: client, input: { resourceId } };
    },
  ],
  'resources.saveDraft': [
    ['resource.created service_management resource'],
    async () => ({ by: provider, input: { resourceId: undefined, version: undefined } }),
  ],
  'resources.submit': [
    ['resource.submitted service_management resource'],
    async () => {
      const { id: resourceId } = await draft(provider);
      return { by: provider, input: { resourceId }, about: resourceId };
    },
  ],
  'resources.publish': [
    ['resource.published service_management resource'],
    async () => {
      const { id: resourceId } = await draft(admin);
      return { by: admin, input: { resourceId }, about: resourceId };
    },
  ],
  'resources.withdraw': [
    ['resource.withdrawn service_management resource'],
    async () => {
      const { resourceId } = await submitted();
      return { by: provider, input: { resourceId }, about: resourceId };
    },
  ],
  'resources.remove': [
    ['resource.removed service_management resource'],
    async () => {
      const { id: resourceId } = await draft(provider);
      return { by: provider, input: { resourceId }, about: resourceId };
    },
  ],
  'resources.approve': [
    ['resource.published service_management resource'],
    async () => {
      const { resourceId, version } = await submitted();
      return { by: admin, input: { resourceId, version }, about: resourceId };
    },
  ],
  'resources.reject': [
    ['resource.rejected service_management resource'],
    async () => {
      const { resourceId } = await submitted();
      return { by: admin, input: { resourceId }, about: resourceId };
    },
  ],
  'resources.feature': [
    ['resource.featured service_management resource'],
    async () => {
      const resourceId = await resource();
      return { by: admin, input: { resourceId }, about: resourceId };
    },
  ],
  'resources.unpublish': [
    ['resource.unpublished service_management resource'],
    async () => {
      const resourceId = await resource();
      return { by: admin, input: { resourceId }, about: resourceId };
    },
  ],
  'growth.devotionals.edit': [
    ['devotional_edited service_management'],
    async () => {
      const { version } = await call<{ version: number }>(admin, 'growth.devotionals.entry');
      return { by: admin, input: { version }, about: null, named: '05-05' };
    },
  ],
  'growth.goals.add': [['goal_added service_management goal'], async () => ({ by: client })],
  'growth.goals.change': [
    ['goal_changed service_management goal'],
    async () => {
      const { id: goalId } = await goal();
      return { by: client, input: { goalId }, about: goalId };
    },
  ],
  'growth.goals.tickStep': [
    ['goal_step_done service_management goal'],
    async () => {
      const { id: goalId, steps } = await goal();
      return { by: client, input: { goalId, stepId: steps[0]!.id }, about: goalId };
    },
  ],
  'growth.goals.achieve': [
    ['goal_achieved service_management goal'],
    async () => {
      const { id: goalId } = await goal();
      return { by: client, input: { goalId }, about: goalId };
    },
  ],
  'growth.goals.remove': [
    ['goal_removed service_management goal'],
    async () => {
      const { id: goalId } = await goal();
      return { by: client, input: { goalId }, about: goalId };
    },
  ],
  'growth.goals.restore': [
    ['goal_restored service_management goal'],
    async () => {
      const { id: goalId } = await goal();
      await call(client, 'growth.goals.remove', { goalId });
      return { by: client, input: { goalId }, about: goalId };
    },
  ],
  'growth.journal.write': [
    ['journal_entry_written service_management journal_entry'],
    async () => ({ by: client }),
  ],
  'growth.journal.change': [
    ['journal_entry_changed service_management journal_entry'],
    async () => {
      const { id: entryId } = await entry();
      return { by: client, input: { entryId }, about: entryId };
    },
  ],
  'growth.journal.remove': [
    ['journal_entry_removed service_management journal_entry'],
    async () => {
      const { id: entryId } = await entry();
      return { by: client, input: { entryId }, about: entryId };
    },
  ],
  'growth.prayers.ask': [
    ['prayer_asked service_management prayer'],
    async () => {
      await session(-5, 'completed');
      return { by: client, input: { providerId: provider.id } };
    },
  ],
  'growth.prayers.settle': [
    ['prayer_answered service_management prayer'],
    async () => {
      const requestId = await prayer();
      return { by: client, input: { requestId }, about: requestId };
    },
  ],
  'growth.prayers.remove': [
    ['prayer_removed service_management prayer'],
    async () => {
      const requestId = await prayer();
      return { by: client, input: { requestId }, about: requestId };
    },
  ],
  'growth.prayers.prayed': [
    ['prayed service_management prayer'],
    async () => {
      const requestId = await prayer();
      return { by: provider, input: { requestId }, about: requestId };
    },
  ],
  'growth.prayers.undoPrayed': [
    ['prayed_undone service_management prayer'],
    async () => {
      const requestId = await prayer();
      await call(provider, 'growth.prayers.prayed', { requestId });
      return { by: provider, input: { requestId }, about: requestId };
    },
  ],
  'video.admit': [
    ['video.admitted service_management appointment'],
    async () => {
      const by = await newProvider();
      const appointmentId = await session(-0.1, 'confirmed', by);
      return { by, input: { appointmentId, personId: client.id }, about: appointmentId };
    },
  ],
  'video.end': [
    ['video.ended service_management appointment'],
    async () => {
      const by = await newProvider();
      const appointmentId = await session(-0.1, 'confirmed', by);
      return { by, input: { appointmentId }, about: appointmentId };
    },
  ],
  'mailChoice.set': [
    ['preferences_changed user_management person'],
    async () => {
      await db.updateTable('profiles').set({ daily_devotionals: true }).where('id', '=', client.id).execute();
      return { by: server.guest, input: { token: mailToken() }, about: client.id };
    },
  ],
  'contact.send': [
    ['contact.received service_management contact_message'],
    async () => ({ by: server.guest, input: await contactForm(), about: () => newest('contact_messages') }),
  ],
  'contact.close': [
    ['contact.closed service_management contact_message'],
    async () => {
      const messageId = await message();
      return { by: admin, input: { messageId }, about: messageId };
    },
  ],
  'contact.reopen': [
    ['contact.reopened service_management contact_message'],
    async () => {
      const messageId = await message();
      await call(admin, 'contact.close', { messageId });
      return { by: admin, input: { messageId }, about: messageId };
    },
  ],
  'contact.annotate': [
    ['contact.annotated service_management contact_message'],
    async () => {
      const messageId = await message();
      return { by: admin, input: { messageId }, about: messageId };
    },
  ],
  'undelivered.sendAgain': [
    ['mail.sent_again system_settings mail'],
    async () => {
      const mailId = await failedMail();
      return { by: admin, input: { mailId }, about: mailId };
    },
  ],
  'undelivered.sendAllAgain': [
    ['mail.sent_again system_settings mail'],
    async () => {
      await db.deleteFrom('mails').where('failed_at', 'is not', null).execute();
      return { by: admin, about: await failedMail() };
    },
  ],
  'undelivered.dismiss': [
    ['mail.dismissed system_settings mail'],
    async () => {
      const mailId = await failedMail();
      return { by: admin, input: { mailId }, about: mailId };
    },
  ],
  'backups.request': [['backup.requested system_settings backup'], async () => ({ by: admin })],
  'backups.remove': [
    ['backup.removed system_settings backup'],
    async () => {
      const id = newId();
      const at = new Date();
      await db
        .insertInto('backups')
        .values({
          id,
          requested_at: at,
          origin: 'person',
          state: 'done',
          started_at: at,
          finished_at: at,
          checksum: '0'.repeat(64),
          file_name: 'italk-of-the-test.backup',
        })
        .execute();
      return { by: admin, input: { backupId: id }, about: id };
    },
  ],
};

/** The procedures asked by GET that note who looked, and those that need another input than the accepted one. */
const looks: Rows<Deed> = {
  'guests.formerInvitation': [
    [],
    async () => {
      const { token } = await asked();
      return { by: server.guest, input: { token } };
    },
  ],
  'administration.door': [[], async () => ({ by: admin })],
  'exports.get': [
    [],
    async () => {
      const by = await confirmed();
      const { id: exportId } = await call(by, 'exports.request');
      return { by, input: { exportId } };
    },
  ],
  'files.get': [
    [],
    async () => {
      const { id: fileId } = await file();
      return { by: client, input: { fileId } };
    },
  ],
  'providers.bySlug': [[], async () => ({ by: server.guest, input: { slug: `doctor-${provider.id}` } })],
  'providers.applications.list': [
    ['provider.applications_viewed provider_approval'],
    async () => ({ by: admin, about: null }),
  ],
  'providers.applications.check': [
    ['provider.applications_viewed provider_approval application'],
    async () => {
      const { applicationId } = await applied();
      return { by: admin, input: { applicationId }, about: applicationId };
    },
  ],
  'handover.sessions': [
    ['booking.searched service_management provider'],
    async () => {
      const { id: providerId } = await newProvider();
      return { by: admin, input: { providerId }, about: providerId };
    },
  ],
  'care.clients.get': [
    ['care.client_viewed security person'],
    async () => ({ by: { ...cast.provider, id: cast.providerId }, about: cast.clientId }),
  ],
  'care.notes.list': [
    ['care.notes_viewed security person'],
    async () => ({ by: { ...cast.provider, id: cast.providerId }, about: cast.clientId }),
  ],
  'care.privateNotes.list': [
    ['care.private_notes_viewed security person'],
    async () => ({ by: { ...cast.provider, id: cast.providerId }, about: cast.clientId }),
  ],
  'messaging.conversations.get': [
    [],
    async () => {
      const { client: by, conversationId } = await conversation();
      return { by, input: { conversationId } };
    },
  ],
  'messaging.conversations.draft': [
    [],
    async () => {
      const { client: by, conversationId } = await conversation();
      return { by, input: { conversationId } };
    },
  ],
  'messaging.messages.list': [
    [],
    async () => {
      const { client: by, conversationId } = await conversation();
      return { by, input: { conversationId, before: undefined } };
    },
  ],
  'emergency.told': [
    [],
    async () => {
      const { client: by, conversationId } = await conversation();
      return { by, input: { conversationId } };
    },
  ],
  'resources.get': [[], async () => ({ by: server.guest, input: { resourceId: await resource() } })],
  'resources.content': [[], async () => ({ by: admin, input: { resourceId: await resource() } })],
  'resources.authoredOne': [[], async () => ({ by: admin, input: { resourceId: await resource() } })],
  'growth.prayers.received': [
    ['growth.prayers_viewed security'],
    async () => ({ by: provider, about: null }),
  ],
  'growth.sharing.goals': [
    ['growth.shared_goals_viewed security person'],
    async () => {
      const by = await sharedWith();
      return { by, input: { clientId: client.id }, about: client.id };
    },
  ],
  'growth.sharing.progress': [
    ['growth.shared_progress_viewed security person'],
    async () => {
      const by = await sharedWith();
      return { by, input: { clientId: client.id }, about: client.id };
    },
  ],
  'video.iceServers': [
    [],
    async () => {
      const by = await newProvider();
      return { by, input: { appointmentId: await session(-0.1, 'confirmed', by) } };
    },
  ],
  'mailTray.get': [
    [],
    async () => {
      await asked();
      const [mail] = await call<Made[]>(server.guest, 'mailTray.list');
      return { by: server.guest, input: { id: mail!.id } };
    },
  ],
  'mailChoice.get': [[], async () => ({ by: server.guest, input: { token: mailToken() } })],
  'contact.get': [
    ['contact.viewed security contact_message'],
    async () => {
      const messageId = await message();
      return { by: admin, input: { messageId }, about: messageId };
    },
  ],
};

interface Sending extends Deed {
  query?: Readonly<Record<string, string>>;
  body?: Uint8Array;
}

/** Every way to send bytes. */
const sendings: Rows<Sending> = {
  '/me/photo': [
    ['photo_changed user_management person'],
    async () => ({ by: client, body: png, about: client.id }),
  ],
  '/files': [
    ['files.stored user_management file'],
    async () => ({ by: client, query: { name: 'letter.pdf' } }),
  ],
  '/files/bytes': [
    ['files.replaced user_management file'],
    async () => {
      const { id } = await file();
      return { by: client, query: { id } };
    },
  ],
  '/resource-files': [
    ['resource.file_attached service_management resource'],
    async () => {
      const { id: resourceId } = await draft(provider);
      return {
        by: provider,
        query: { resourceId, part: 'cover', name: 'cover.png' },
        body: png,
        about: resourceId,
      };
    },
  ],
  '/conversations/attachments': [
    ['messages.file_uploaded service_management attachment'],
    async () => {
      const { client: by, conversationId } = await conversation();
      return { by, query: { conversationId, name: 'letter.pdf' } };
    },
  ],
  '/application/documents': [
    ['provider.document_uploaded provider_approval document'],
    async () => ({ by: await newClient(), query: { name: 'licence.pdf' } }),
  ],
};

/** A new client who has just confirmed who they are. */
async function confirmed() {
  const by = await newClient();
  await call(by, 'reauthentication.confirm', { password: demoPassword });
  return by;
}

/** A client whose archive is ready. */
async function exported() {
  const by = await confirmed();
  const { id: exportId } = await call<{ id: string }>(by, 'exports.request');
  await server.database.runJobs();
  return { by, input: { exportId } };
}

const days = { from: '2026-01-01', to: '2026-02-01' };

/** Every document that is made when it is asked for. */
const fetches: Rows<Sending> = {
  '/me/export.zip': [
    [],
    async () => {
      const { by, input } = await exported();
      return { by, query: { id: input.exportId } };
    },
  ],
  '/me/progress-report.pdf': [[], async () => ({ by: client })],
  '/analytics/report.csv': [
    ['analytics.exported system_settings'],
    async () => ({ by: admin, query: days, about: null }),
  ],
  '/analytics/report.pdf': [
    ['analytics.exported system_settings'],
    async () => ({ by: admin, query: days, about: null }),
  ],
  '/admin/audit-log.csv': [['audit.log_exported security'], async () => ({ by: admin, about: null })],
  '/admin/audit-log.json': [['audit.log_exported security'], async () => ({ by: admin, about: null })],
};

/** What the log has of the request that was answered. */
function entriesOf({ headers }: Answer) {
  return db
    .selectFrom('audit_entries')
    .select(['action', 'category', 'actor_kind', 'actor_id', 'actor_name', 'subject_kind', 'subject_id'])
    .select(['details', 'success'])
    .where('request_id', '=', String(headers['x-request-id']))
    .orderBy('id')
    .execute();
}

/** Sees that an answer succeeded, and that the log has exactly what it is to have of it. */
async function expectTraces(answer: Answer, leaves: readonly string[], { by, input, about, named }: Deed) {
  expect(answer.status, answer.text.slice(0, 500)).toBeLessThan(300);
  const made = answer.json as Made | null;
  const told = typeof about === 'function' ? await about(made!) : about === undefined ? made?.id : about;
  const abouts = [told].flat() as readonly (string | null | undefined)[];
  // Ids made in the same millisecond have no order.
  const actions = leaves.map((line) => line.split(' ')[0]!);
  const entries = (await entriesOf(answer)).toSorted(
    (one, other) => actions.indexOf(one.action) - actions.indexOf(other.action),
  );
  expect(
    entries.map(({ details: _details, ...said }) => said),
    answer.text.slice(0, 500),
  ).toEqual(
    leaves.map((line, at) => {
      const [action, category, subject_kind = null] = line.split(' ');
      return {
        action,
        category,
        actor_kind: by.id === undefined ? 'guest' : 'person',
        actor_id: by.id ?? null,
        actor_name: null,
        subject_kind,
        subject_id: abouts[at],
        success: true,
      };
    }),
  );
  const values = entries.flatMap(({ details }) => Object.values(details as object) as unknown[]);
  expect(values).toEqual(expect.arrayContaining(named === undefined ? [] : [named]));
  const texts = values.filter((value) => typeof value === 'string');
  for (const text of texts)
    expect(text.replaceAll(/ →|[:,](?= )|\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, '').trim()).toMatch(closed);
  for (const typed of typedIn(input))
    expect(texts.filter((text) => text.toLowerCase().includes(typed.toLowerCase()))).toEqual([]);
}

/** Names of things and their numbers, days and regions, media types, by spaces: nothing that a person wrote. */
const closed = /^(?:(?:[a-z\d][\w-]*|\d+\.\d+|[a-z]+\/[\w.+-]+|[A-Z]{2})(?: (?!$)|$))*$/;

/** What people write: ids and the words of a closed list have neither capitals nor spaces. */
function typedIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(typedIn);
  return typeof value === 'string' && value.length > 2 && /[A-Z@ ]/.test(value) ? [value] : [];
}

const namesIn = (rows: object) => Object.keys(rows).toSorted();
const namesOf = (some: typeof procedures) => some.map(({ name }) => name).toSorted();
const changing = procedures.filter(({ method }) => method !== 'GET');
const asking = procedures.filter(({ method }) => method === 'GET');

describe('what changes something', () => {
  test('is all driven here', () => {
    expect(namesIn(changes)).toEqual(namesOf(changing));
    expect(namesIn(sendings)).toEqual(uploads.map(({ path }) => path).toSorted());
    const unlogged = changing.filter((one) => one.unlogged !== undefined);
    expect(namesIn(changes).filter((name) => changes[name]![0].length === 0)).toEqual(namesOf(unlogged));
    expect(asking.filter((one) => one.unlogged !== undefined)).toEqual([]);
  });

  test.each(changing.map((one) => [one.name, one] as const))('%s', async (name, { unlogged }) => {
    const [leaves, deed] = changes[name]!;
    const done = await deed();
    if (unlogged === undefined) {
      await expectTraces(await stage.ask(done.by, name, done.input), leaves, {
        ...done,
        input: stage.sent(name, done.input),
      });
      return;
    }
    // That somebody is here is stored now and then, whatever they ask.
    await done.by.send('GET', '/api/me');
    const before = await storedIn(server.database);
    await expectTraces(await stage.ask(done.by, name, done.input), [], done);
    const changed = JSON.stringify(await storedIn(server.database)) !== JSON.stringify(before);
    expect(changed).toBe(unlogged === 'own_matter');
  });

  test.each(namesIn(sendings))('%s', async (path) => {
    const [leaves, deed] = sendings[path]!;
    const done = await deed();
    const { by, query = {}, body = pdf() } = done;
    const headers = { 'content-type': 'application/octet-stream' };
    const answer = await by.send('POST', `/api${path}?${new URLSearchParams(query).toString()}`, {
      body,
      headers,
    });
    await expectTraces(answer, leaves, { ...done, input: query });
  });
});

describe('what is asked for', () => {
  test('is all known here', () => {
    expect(namesOf(asking)).toEqual(expect.arrayContaining(namesIn(looks)));
    expect(namesIn(fetches)).toEqual(downloads.map(({ path }) => path).toSorted());
  });

  test.each(namesOf(asking))('%s', async (name) => {
    const [leaves, deed] = looks[name] ?? [[], null];
    const done = deed ? await deed() : { by: await whoMay(name) };
    await expectTraces(await stage.ask(done.by, name, done.input), leaves, done);
    // Pages ask again whenever something changes.
    await expectTraces(await stage.ask(done.by, name, done.input), [], done);
  });

  /** Somebody whom a procedure answers; nobody whose look it notes, who is named above. */
  async function whoMay(name: string): Promise<Deed['by']> {
    for (const by of [cast.client, cast.provider, cast.admin, server.guest]) {
      const answer = await stage.ask(by, name);
      if (answer.status >= 300) continue;
      expect(await entriesOf(answer)).toEqual([]);
      return by;
    }
    throw new Error(`nobody is answered ${name}`);
  }

  test.each(namesIn(fetches))('%s', async (path) => {
    const [leaves, deed] = fetches[path]!;
    const done = await deed();
    const { by, query = {} } = done;
    const answer = await by.send('GET', `/api${path}?${new URLSearchParams(query).toString()}`);
    await expectTraces(answer, leaves, { ...done, input: query });
  });
});

/** Acts that stand in the log without the name of what they are about, and why. */
const nameless: Readonly<Record<string, readonly string[]>> = {
  'it is about the site or a whole list': [
    'analytics.exported',
    'audit.log_exported',
    'audit.log_read',
    'contact.inbox_viewed',
    'growth.prayers_viewed',
    'settings.changed',
    'settings.reset',
    'users_exported',
    'users_listed',
  ],
  'its details say which': [
    'buckets.changed',
    'buckets.created',
    'buckets.emptied',
    'buckets.removed',
    'devotional_edited',
    'mail.dismissed',
    'mail.sent_again',
  ],
  'what somebody writes or keeps is nobody else’s matter': [
    'care.private_note_changed',
    'care.private_note_removed',
    'care.private_note_written',
    'care.session_note_changed',
    'care.session_note_removed',
    'care.session_note_written',
    'files.copied',
    'files.linked',
    'files.removed',
    'files.renamed',
    'files.replaced',
    'files.stored',
    'goal_achieved',
    'goal_added',
    'goal_changed',
    'goal_removed',
    'goal_restored',
    'goal_step_done',
    'journal_entry_changed',
    'journal_entry_removed',
    'journal_entry_written',
    'messages.file_uploaded',
    'prayed',
    'prayed_undone',
    'prayer_answered',
    'prayer_asked',
    'prayer_removed',
  ],
  'it is about somebody without an account': [
    'booking.request_confirmed',
    'booking.request_opened',
    'booking.requested',
    'care.client_declined',
    'care.client_invited',
    'care.client_record_changed',
  ],
  'it is gone, and was of who acted': ['provider.document_removed', 'resource.removed', 'review.withdrawn'],
};

test('every entry names what it is about, or is known not to', async () => {
  const [bare, named] = [new Set<string>(), new Set<string>()];
  for await (const entries of walkLog(server.database.as({ kind: 'system' }), recorded, { search: '' }))
    for (const { action, success, subject } of entries)
      if (success) (subject?.name ? named : bare).add(action);
  const known = new Set(Object.values(nameless).flat());
  expect([...bare].filter((action) => !named.has(action) && !known.has(action)).toSorted()).toEqual([]);
  expect([...known].filter((action) => named.has(action)).toSorted()).toEqual([]);
});

/** Changes of which the log keeps only that they were made, and why. */
const unvalued: Readonly<Record<string, readonly string[]>> = {
  'what somebody writes or keeps is nobody else’s matter': [
    'care.private_note_changed',
    'care.session_note_changed',
    'contact.annotated',
    'goal_changed',
    'journal_entry_changed',
    'prayer_note_changed',
    'review.edited',
    'review_reply.edited',
  ],
  'it is a secret, or a picture': ['password_set', 'photo_changed'],
  'it has nothing before it': ['availability.dates_set', 'availability.weekly_hours_set'],
};

test('every change says what has changed, from what to what unless a person wrote it', async () => {
  const [silent, telling] = [new Set<string>(), new Set<string>()];
  for await (const entries of walkLog(server.database.as({ kind: 'system' }), recorded, { search: '' }))
    for (const { action, success, details } of entries)
      if (success && /(?:changed|edited|saved|scoped|rescheduled|_set|annotated)$/.test(action)) {
        const tells = 'changed' in details || /→|changed/.test(Object.values(details).join(' '));
        (tells ? telling : silent).add(action);
      }
  const known = new Set(Object.values(unvalued).flat());
  expect([...silent].filter((action) => !telling.has(action) && !known.has(action)).toSorted()).toEqual([]);
  expect([...known].filter((action) => telling.has(action)).toSorted()).toEqual([]);
});
