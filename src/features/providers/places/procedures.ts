import { bind } from '#/platform/http/procedures.ts';
import { practiceOf } from '../queries.ts';
import { addPlace, closePlace, editPlace, orderPlaces } from './commands.ts';
import { placesContract } from './contract.ts';
import { ownPlaces } from './queries.ts';

const os = bind(placesContract);

export const placesProcedures = os.router({
  list: os.list.handler(async ({ context }) => ownPlaces(context, await practiceOf(context))),
  add: os.add.handler(({ context, input }) => addPlace(context, input)),
  edit: os.edit.handler(({ context, input: { placeId, ...words } }) => editPlace(context, placeId, words)),
  close: os.close.handler(({ context, input }) => closePlace(context, input.placeId, input.closed)),
  order: os.order.handler(({ context, input }) => orderPlaces(context, input.placeIds)),
});
