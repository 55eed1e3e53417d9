import { z } from 'zod';
import { uuid } from '#/features/access/contract.ts';

export const applicationDocument = z.object({
  id: uuid,
  name: z.string(),
  contentType: z.string(),
  size: z.number().int(),
  path: z.string(),
});

export type ApplicationDocument = z.infer<typeof applicationDocument>;

export const documentQuery = z.object({ name: z.string().min(1).max(1_000) });
