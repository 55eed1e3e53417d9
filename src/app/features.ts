import { requireFresh } from '#/features/accounts/commands.ts';
import { accounts } from '#/features/accounts/feature.ts';
import { namesOf } from '#/features/accounts/names/queries.ts';
import { analytics } from '#/features/analytics/feature.ts';
import { appointments } from '#/features/appointments/feature.ts';
import { attendees } from '#/features/attendees/feature.ts';
import { appointmentsAsGuest, appointmentsWithGuests } from '#/features/attendees/queries.ts';
import { audit } from '#/features/audit/feature.ts';
import { availability } from '#/features/availability/feature.ts';
import { backups } from '#/features/backups/feature.ts';
import { care } from '#/features/care/feature.ts';
import { catalogue } from '#/features/catalogue/feature.ts';
import { contact } from '#/features/contact/feature.ts';
import { files } from '#/features/files/feature.ts';
import { growth } from '#/features/growth/feature.ts';
import { guestBooking } from '#/features/guest-booking/feature.ts';
import { messaging } from '#/features/messaging/feature.ts';
import { notifications } from '#/features/notifications/feature.ts';
import { providers } from '#/features/providers/feature.ts';
import { resources } from '#/features/resources/feature.ts';
import { reviews } from '#/features/reviews/feature.ts';
import { settings } from '#/features/settings/feature.ts';
import { specialistSearch } from '#/features/specialist-search/feature.ts';
import { video } from '#/features/video/feature.ts';
import { waitlist } from '#/features/waitlist/feature.ts';
import { recorded } from './recorded.ts';
import { accountEffects } from './account-effects.ts';

/** Every feature that the server runs, in the order of scripts/feature-order.json. */
export const features = [
  audit({ people: recorded, requireFresh }),
  settings({ findPeople: namesOf, requireFresh }),
  accounts({ accountEffects }),
  files,
  catalogue,
  providers,
  availability,
  appointments({ withGuests: appointmentsWithGuests, asGuest: appointmentsAsGuest }),
  specialistSearch,
  attendees,
  guestBooking,
  waitlist,
  reviews,
  care,
  messaging,
  resources,
  growth,
  video,
  notifications,
  contact,
  backups,
  analytics,
] as const;
