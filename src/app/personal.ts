import { runExport } from '#/features/accounts/export/commands.ts';
import { eraseAccount } from '#/features/accounts/deletion/commands.ts';
import { accountsPersonal } from '#/features/accounts/personal.ts';
import { appointmentsPersonal } from '#/features/appointments/personal.ts';
import { attendeesPersonal } from '#/features/attendees/personal.ts';
import { appointmentsAsGuest } from '#/features/attendees/queries.ts';
import { auditPersonal } from '#/features/audit/personal.ts';
import { availabilityPersonal } from '#/features/availability/personal.ts';
import { backupsPersonal } from '#/features/backups/personal.ts';
import { carePersonal } from '#/features/care/personal.ts';
import { recordsPersonal } from '#/features/care/records/personal.ts';
import { contactPersonal } from '#/features/contact/personal.ts';
import { filesPersonal } from '#/features/files/personal.ts';
import { guestBookingPersonal } from '#/features/guest-booking/personal.ts';
import { growthPersonal } from '#/features/growth/personal.ts';
import { devotionalsPersonal } from '#/features/growth/devotionals/personal.ts';
import { messagingPersonal } from '#/features/messaging/personal.ts';
import { attachmentsPersonal } from '#/features/messaging/attachments/personal.ts';
import { emergencyPersonal } from '#/features/messaging/emergency/personal.ts';
import { notificationsPersonal } from '#/features/notifications/personal.ts';
import { applicationsPersonal } from '#/features/providers/applications/personal.ts';
import { providersPersonal } from '#/features/providers/personal.ts';
import { resourcesPersonal } from '#/features/resources/personal.ts';
import { reviewsPersonal } from '#/features/reviews/personal.ts';
import { settingsHistoryPersonal } from '#/features/settings/history/personal.ts';
import { settingsPersonal } from '#/features/settings/personal.ts';
import { specialistSearchPersonal } from '#/features/specialist-search/personal.ts';
import { videoPersonal } from '#/features/video/personal.ts';
import { waitlistPersonal } from '#/features/waitlist/personal.ts';
import { reaction, type Reaction } from '#/platform/jobs/reactions.ts';
import type { PersonalPart } from '#/platform/personal.ts';

/**
 * Every feature's personal data, dependents first. Erasure follows this order: the account comes last because other
 * features look the person up by it.
 */
const personalParts: readonly PersonalPart[] = [
  backupsPersonal,
  contactPersonal,
  notificationsPersonal,
  videoPersonal,
  devotionalsPersonal,
  growthPersonal,
  resourcesPersonal,
  emergencyPersonal,
  applicationsPersonal,
  attachmentsPersonal,
  messagingPersonal,
  carePersonal,
  recordsPersonal,
  reviewsPersonal,
  waitlistPersonal,
  guestBookingPersonal,
  appointmentsPersonal({ asGuest: appointmentsAsGuest }),
  // Reminders above still need to know where the person was a guest.
  attendeesPersonal,
  specialistSearchPersonal,
  availabilityPersonal,
  providersPersonal,
  settingsHistoryPersonal,
  settingsPersonal,
  auditPersonal,
  filesPersonal,
  accountsPersonal,
];

export const personalReactions: readonly Reaction[] = [
  reaction({
    event: 'accounts.export_requested',
    name: 'personal.export',
    handle: (ctx, { exportId }) => runExport(ctx, exportId, personalParts),
  }),
  reaction({
    event: 'accounts.deletion_due',
    name: 'personal.erase',
    handle: (ctx, { userId }) => eraseAccount(ctx, userId, personalParts),
  }),
];
