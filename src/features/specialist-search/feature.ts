import { onReplica } from '#/platform/db/replica.ts';
import { defineFeature } from '#/platform/feature.ts';
import { handle } from '#/platform/http/bind.ts';
import { findChoices } from './choices/queries.ts';
import { find } from './commands.ts';
import { specialistSearchContract } from './contract.ts';
import { refreshOpenings } from './openings/commands.ts';
import { specialistSearchPersonal } from './personal.ts';
import { nextStarts } from './queries.ts';

export const specialistSearch = defineFeature({
  handlers: () => ({
    specialistSearch: handle(specialistSearchContract, {
      find,
      choices: onReplica(findChoices),
      nextStarts: onReplica(nextStarts),
    }),
  }),
  schedules: () => [{ name: 'openings', every: { minutes: 1 }, run: refreshOpenings }],
  personal: [specialistSearchPersonal],
});
