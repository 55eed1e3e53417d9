import { z } from 'zod';
import { line } from '#/features/access/contract.ts';
import { timeZoneName } from '#/features/accounts/contract.ts';

/** A Sabbath lasts from Friday's sunset to Saturday's. */
const restKinds = ['none', 'sunday', 'sabbath'] as const;

export type RestKind = (typeof restKinds)[number];

/** Time zone defaults to the provider's. */
const restPlace = z.object({
  name: line.min(1).max(200),
  /** Degrees, positive north and east. */
  latitude: z.number(),
  longitude: z.number(),
  timeZone: timeZoneName.nullable().default(null),
});

/** Only a Sabbath needs it; kept for others. */
export const rest = z.object({ kind: z.enum(restKinds), place: restPlace.nullable().default(null) });

export type Rest = z.infer<typeof rest>;
