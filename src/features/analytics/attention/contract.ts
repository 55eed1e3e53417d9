import { z } from 'zod';

/** Most urgent first. */
export const concerns = [
  'audit',
  'backups',
  'applications',
  'credentials',
  'licencesEnded',
  'sessions',
  'messages',
  'reviews',
  'replies',
  'resources',
  'licencesEnding',
  'undelivered',
] as const;

export type Concern = (typeof concerns)[number];

/** What waits for an administrator, most urgent first. Leaves out what the person may not see. */
export const attentionView = z.array(z.object({ concern: z.enum(concerns), count: z.number().int().min(1) }));

export type AttentionView = z.infer<typeof attentionView>;
