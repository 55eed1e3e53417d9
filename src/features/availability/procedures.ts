import { bind } from '#/platform/http/procedures.ts';
import { block, changeBlock, unblock } from './blocks/commands.ts';
import { ownBlocks } from './blocks/queries.ts';
import { citiesNamed } from './city/queries.ts';
import { saveWeek, setApproval } from './commands.ts';
import { availabilityContract } from './contract.ts';
import { removeDates, setDates } from './dates/commands.ts';
import { keepHolidays } from './holidays/commands.ts';
import { holidaysView } from './holidays/queries.ts';
import { availabilityOf, ownProvider } from './queries.ts';

const os = bind(availabilityContract);

/** The procedures about a provider's own hours. */
export const availabilityProcedures = os.router({
  mine: os.mine.handler(({ context }) => availabilityOf(context, ownProvider(context))),
  save: os.save.handler(({ context, input }) => saveWeek(context, ownProvider(context), input)),
  setDates: os.setDates.handler(({ context, input }) => setDates(context, ownProvider(context), input)),
  removeDate: os.removeDate.handler(({ context, input }) =>
    removeDates(context, ownProvider(context), input),
  ),
  holidays: os.holidays.handler(({ context, input }) =>
    holidaysView(context, ownProvider(context), input.region),
  ),
  keepHolidays: os.keepHolidays.handler(({ context, input }) =>
    keepHolidays(context, ownProvider(context), input),
  ),
  cities: os.cities.handler(({ context, input }) => citiesNamed(context, input.query)),
  blocks: os.blocks.handler(({ context, input }) => ownBlocks(context, ownProvider(context), input)),
  block: os.block.handler(({ context, input }) => block(context, ownProvider(context), input)),
  changeBlock: os.changeBlock.handler(({ context, input }) =>
    changeBlock(context, ownProvider(context), input),
  ),
  unblock: os.unblock.handler(({ context, input }) => unblock(context, ownProvider(context), input.blockId)),
  setApproval: os.setApproval.handler(({ context, input }) =>
    setApproval(context, ownProvider(context), input.approvesFirst),
  ),
});
