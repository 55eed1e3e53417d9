import { z } from 'zod';

export const seriesScope = z.enum(['following', 'all']);

export type SeriesScope = z.infer<typeof seriesScope>;
