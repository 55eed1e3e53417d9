import { selfOf } from '#/features/access/rules.ts';
import { defineFeature } from '#/platform/feature.ts';
import { bind } from '#/platform/http/bind.ts';
import { block, changeBlock, unblock } from './blocks/commands.ts';
import { availabilityOf, citiesNamed } from './queries.ts';
import { saveWeek } from './week/commands.ts';
import { setApproval } from './commands.ts';
import { availabilityContract } from './contract.ts';
import { removeDates, setDates } from './dates/commands.ts';
import { extendHolidays, keepHolidays } from './holidays/commands.ts';
import { holidaysView } from './holidays/queries.ts';
import { availabilityPersonal } from './personal.ts';
import { availabilityReactions } from './week/reactions.ts';

const os = bind(availabilityContract);

export const availability = defineFeature({
  handlers: () => ({
    availability: os.router({
      mine: os.mine.handler(({ context }) => availabilityOf(context, selfOf(context))),
      save: os.save.handler(({ context, input }) => saveWeek(context, selfOf(context), input)),
      setDates: os.setDates.handler(({ context, input }) => setDates(context, selfOf(context), input)),
      removeDate: os.removeDate.handler(({ context, input }) => removeDates(context, selfOf(context), input)),
      holidays: os.holidays.handler(({ context, input }) =>
        holidaysView(context, selfOf(context), input.region),
      ),
      keepHolidays: os.keepHolidays.handler(({ context, input }) =>
        keepHolidays(context, selfOf(context), input),
      ),
      cities: os.cities.handler(({ context, input }) => citiesNamed(context, input.query)),
      block: os.block.handler(({ context, input }) => block(context, selfOf(context), input)),
      changeBlock: os.changeBlock.handler(({ context, input }) =>
        changeBlock(context, selfOf(context), input),
      ),
      unblock: os.unblock.handler(({ context, input }) => unblock(context, selfOf(context), input.blockId)),
      setApproval: os.setApproval.handler(({ context, input }) =>
        setApproval(context, selfOf(context), input.approvesFirst),
      ),
    }),
  }),
  reactions: () => availabilityReactions,
  personal: [availabilityPersonal],
  tidy: [extendHolidays],
});
