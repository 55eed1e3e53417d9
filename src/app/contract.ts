import { addressChangeContract } from '#/features/accounts/address-change/contract.ts';
import {
  administrationContract,
  accountsContract,
  deletionContract,
  reauthenticationContract,
} from '#/features/accounts/contract.ts';
import { apiTokensContract } from '#/features/accounts/api-tokens/contract.ts';
import { siteTokensContract } from '#/features/accounts/site-tokens/contract.ts';
import { namesContract } from '#/features/accounts/names/contract.ts';
import { wordsContract } from '#/features/accounts/author-keys/contract.ts';
import { directoryContract } from '#/features/accounts/users/contract.ts';
import { identitiesContract } from '#/features/accounts/linked-identities/contract.ts';
import { passkeysContract } from '#/features/accounts/passkeys/contract.ts';
import { secondFactorContract } from '#/features/accounts/second-factor/contract.ts';
import { trustedDevicesContract } from '#/features/accounts/known-devices/contract.ts';
import { signInPhoneContract } from '#/features/accounts/sign-in-phone/contract.ts';
import { emailChangeContract } from '#/features/accounts/email-change/contract.ts';
import { exportsContract } from '#/features/accounts/export/contract.ts';
import { analyticsContract } from '#/features/analytics/contract.ts';
import { appointmentsContract } from '#/features/appointments/contract.ts';
import { attendeesContract } from '#/features/attendees/contract.ts';
import { auditContract } from '#/features/audit/contract.ts';
import { availabilityContract } from '#/features/availability/contract.ts';
import { backupsContract } from '#/features/backups/contract.ts';
import { careContract } from '#/features/care/contract.ts';
import { catalogueContract } from '#/features/catalogue/contract.ts';
import { contactContract } from '#/features/contact/contract.ts';
import { growthContract } from '#/features/growth/contract.ts';
import { filesContract } from '#/features/files/contract.ts';
import { guestBookingContract } from '#/features/guest-booking/contract.ts';
import { emergencyContract } from '#/features/messaging/emergency/contract.ts';
import { messagingContract } from '#/features/messaging/contract.ts';
import {
  mailTrayContract,
  unsubscribeContract,
  undeliveredContract,
} from '#/features/notifications/contract.ts';
import { providersContract } from '#/features/providers/contract.ts';
import { resourcesContract } from '#/features/resources/contract.ts';
import { reviewsContract } from '#/features/reviews/contract.ts';
import { settingsContract } from '#/features/settings/contract.ts';
import { flagsContract } from '#/features/settings/flags/contract.ts';
import { specialistSearchContract } from '#/features/specialist-search/contract.ts';
import { videoContract } from '#/features/video/contract.ts';
import { waitlistContract } from '#/features/waitlist/contract.ts';

export const contract = {
  settings: settingsContract,
  flags: flagsContract,
  accounts: accountsContract,
  names: namesContract,
  administration: administrationContract,
  directory: directoryContract,
  addressChange: addressChangeContract,
  emailChange: emailChangeContract,
  secondFactor: secondFactorContract,
  passkeys: passkeysContract,
  trustedDevices: trustedDevicesContract,
  identities: identitiesContract,
  apiTokens: apiTokensContract,
  siteTokens: siteTokensContract,
  signInPhone: signInPhoneContract,
  reauthentication: reauthenticationContract,
  exports: exportsContract,
  deletion: deletionContract,
  words: wordsContract,
  files: filesContract,
  catalogue: catalogueContract,
  providers: providersContract,
  availability: availabilityContract,
  appointments: appointmentsContract,
  specialistSearch: specialistSearchContract,
  attendees: attendeesContract,
  guestBooking: guestBookingContract,
  waitlist: waitlistContract,
  reviews: reviewsContract,
  care: careContract,
  messaging: messagingContract,
  emergency: emergencyContract,
  resources: resourcesContract,
  growth: growthContract,
  video: videoContract,
  mailTray: mailTrayContract,
  mailChoice: unsubscribeContract,
  undelivered: undeliveredContract,
  contact: contactContract,
  backups: backupsContract,
  analytics: analyticsContract,
  audit: auditContract,
};

type Procedures = typeof contract;

declare module '#/kernel/contracts.ts' {
  interface Contracts extends Procedures {}
}
