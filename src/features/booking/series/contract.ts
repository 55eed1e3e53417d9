import { z } from 'zod';

/** How much of a series a change is for, beside the one session that it starts from. */
export const seriesScope = z.enum(['following', 'all']);

export type SeriesScope = z.infer<typeof seriesScope>;
