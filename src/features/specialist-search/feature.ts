import { defineFeature } from '#/platform/feature.ts';
import { bind } from '#/platform/http/bind.ts';
import { findChoices } from './choices/queries.ts';
import { find } from './commands.ts';
import { specialistSearchContract } from './contract.ts';
import { refreshOpenings } from './openings/commands.ts';
import { specialistSearchPersonal } from './personal.ts';
import { nextStarts } from './queries.ts';

const os = bind({ specialistSearch: specialistSearchContract });

export const specialistSearch = defineFeature({
  handlers: () => ({
    specialistSearch: os.specialistSearch.router({
      find: os.specialistSearch.find.handler(({ context, input }) => find(context, input)),
      choices: os.specialistSearch.choices.handler(({ context }) => findChoices(context)),
      nextStarts: os.specialistSearch.nextStarts.handler(({ context, input }) => nextStarts(context, input)),
    }),
  }),
  schedules: () => [{ name: 'openings', every: { minutes: 1 }, run: refreshOpenings }],
  personal: [specialistSearchPersonal],
});
