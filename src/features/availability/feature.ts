import { selfOf } from '#/features/access/rules.ts';
import { defineFeature } from '#/platform/feature.ts';
import { handle } from '#/platform/http/bind.ts';
import { block, changeBlock, unblock } from './blocks/commands.ts';
import { availabilityOf, citiesNamed } from './queries.ts';
import { saveWeek } from './week/commands.ts';
import { setApproval } from './commands.ts';
import { availabilityContract } from './contract.ts';
import { removeDates, setDates } from './dates/commands.ts';
import { extendHolidays, saveHolidays } from './holidays/commands.ts';
import { holidaysView } from './holidays/queries.ts';
import { availabilityPersonal } from './personal.ts';
import { availabilityReactions } from './week/reactions.ts';

export const availability = defineFeature({
  handlers: () => ({
    availability: handle(availabilityContract, {
      mine: (ctx) => availabilityOf(ctx, selfOf(ctx)),
      save: (ctx, input) => saveWeek(ctx, selfOf(ctx), input),
      setDates: (ctx, input) => setDates(ctx, selfOf(ctx), input),
      removeDate: (ctx, input) => removeDates(ctx, selfOf(ctx), input),
      holidays: (ctx, input) => holidaysView(ctx, selfOf(ctx), input.region),
      saveHolidays: (ctx, input) => saveHolidays(ctx, selfOf(ctx), input),
      cities: (ctx, input) => citiesNamed(ctx, input.query),
      block: (ctx, input) => block(ctx, selfOf(ctx), input),
      changeBlock: (ctx, input) => changeBlock(ctx, selfOf(ctx), input),
      unblock: (ctx, input) => unblock(ctx, selfOf(ctx), input.blockId),
      setApproval: (ctx, input) => setApproval(ctx, selfOf(ctx), input.approvesFirst),
    }),
  }),
  reactions: () => availabilityReactions,
  personal: [availabilityPersonal],
  tidy: [extendHolidays],
});
