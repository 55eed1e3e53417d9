import { sealedColumn as column } from '#/platform/sealed-column.ts';

/** All encrypted growth columns. Only place defining their binding. */
export const sealed = {
  goalTitle: column('goals', 'title'),
  goalWhy: column('goals', 'why'),
  stepText: column('goal_steps', 'text'),
  entryTitle: column('journal_entries', 'title'),
  entryText: column('journal_entries', 'text'),
  prayerText: column('prayer_requests', 'text'),
  prayerNote: column('prayer_answers', 'note'),
} as const;
