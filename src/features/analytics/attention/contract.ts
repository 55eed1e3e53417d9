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

/** What needs an administrator, most urgent first. Omits what the person can't access. */
export const attentionView = z.array(z.object({ concern: z.enum(concerns), count: z.number().int().min(1) }));

export type AttentionView = z.infer<typeof attentionView>;
