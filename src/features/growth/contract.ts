import { devotionalsContract } from './devotionals/contract.ts';
import { goalsContract, goalView } from './goals/contract.ts';
import { journalContract } from './journal/contract.ts';
import { prayersContract } from './prayers/contract.ts';
import { progressContract, progressView } from './progress/contract.ts';
import { z } from 'zod';
import { procedure, uuid } from '#/features/access/contract.ts';

const provider = procedure.meta({ access: ['view_own_clients'] });
const oneClient = z.object({ clientId: uuid });

/** Returns not_found unless currently shared with the caller. Never includes the journal. */
const sharingContract = {
  goals: provider
    .meta({
      writes: ['growth.shared_goals_viewed security person'],
      example: ({ clientId }) => ({ clientId, state: 'open', limit: 10, offset: 0 }),
    })
    .route({ method: 'GET', path: '/clients/{clientId}/goals' })
    .input(
      oneClient.extend({
        state: z.enum(['open', 'achieved']),
        limit: z.coerce.number().int().min(1).max(100).default(50),
        offset: z.coerce.number().int().min(0).max(10_000).default(0),
      }),
    )
    .output(z.object({ goals: z.array(goalView), more: z.boolean() })),
  progress: provider
    .meta({
      writes: ['growth.shared_progress_viewed security person'],
      example: ({ clientId }) => ({ clientId }),
    })
    .route({ method: 'GET', path: '/clients/{clientId}/progress' })
    .input(oneClient)
    .output(progressView),
};

export const growthContract = {
  devotionals: devotionalsContract,
  goals: goalsContract,
  journal: journalContract,
  prayers: prayersContract,
  progress: progressContract,
  sharing: sharingContract,
};
