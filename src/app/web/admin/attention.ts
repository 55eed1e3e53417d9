import { useQuery } from '@tanstack/react-query';
import type { Concern } from '#/features/analytics/contract.ts';
import { m } from '#/texts/messages.js';
import { api, useLiveQueries } from '#/web/api.tsx';
import { live } from '../dashboards/live.ts';

/** Each concern's page, and its count in words. */
export const concerns: Readonly<
  Record<Concern, { to: string; text: (counted: { count: number }) => string }>
> = {
  audit: { to: '/admin/analytics', text: m.attention_audit },
  backups: { to: '/admin/settings?tab=settings', text: m.attention_backups },
  applications: { to: '/admin/settings?tab=providers', text: m.attention_applications },
  credentials: { to: '/admin/moderation?tab=credentials', text: m.attention_credentials },
  licensesEnded: { to: '/admin/settings?tab=providers', text: m.attention_licenses_ended },
  sessions: { to: '/admin/appointments?provider=suspended', text: m.attention_sessions },
  messages: { to: '/admin/inbox', text: m.attention_messages },
  reviews: { to: '/admin/moderation', text: m.attention_reviews },
  replies: { to: '/admin/moderation?tab=replies', text: m.attention_replies },
  resources: { to: '/admin/moderation?tab=resources', text: m.attention_resources },
  licensesEnding: { to: '/admin/settings?tab=providers', text: m.attention_licenses_ending },
  undelivered: { to: '/admin/undelivered', text: m.attention_undelivered },
};

const changes: readonly string[] = [
  'backups.changed',
  'booking.changed',
  'contact.changed',
  'contact.received',
  'directory.changed',
  'providers.applications_changed',
  'providers.credentials_changed',
  'providers.listing_changed',
  'resources.waiting',
  'reviews.changed',
];

/** Counts what waits for the administrator. */
export function useAttention() {
  return useQuery({ ...api.analytics.attention.queryOptions(), ...live });
}

/** Recounts when pending items change. Use once per page. */
export function useAttentionNews(): void {
  useLiveQueries(api.analytics.attention.key(), ...changes);
}
