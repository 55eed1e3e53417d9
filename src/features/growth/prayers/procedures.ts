import { bind } from '#/platform/http/procedures.ts';
import { growing } from '../queries.ts';
import {
  askPrayer,
  markPrayed,
  receivedPrayers,
  removePrayer,
  settlePrayer,
  undoPrayed,
} from './commands.ts';
import { prayersContract } from './contract.ts';
import { counsellorsFor, prayersOf } from './queries.ts';

const os = bind(prayersContract);

export const prayersProcedures = os.router({
  counsellors: os.counsellors.handler(async ({ context, input }) =>
    counsellorsFor(context, await growing(context), input),
  ),
  ask: os.ask.handler(({ context, input }) => askPrayer(context, input)),
  mine: os.mine.handler(async ({ context, input }) => prayersOf(context, await growing(context), input)),
  settle: os.settle.handler(({ context, input }) => settlePrayer(context, input.requestId, input.state)),
  remove: os.remove.handler(({ context, input }) => removePrayer(context, input.requestId)),
  received: os.received.handler(({ context, input }) => receivedPrayers(context, input)),
  prayed: os.prayed.handler(({ context, input }) => markPrayed(context, input.requestId, input.note)),
  undoPrayed: os.undoPrayed.handler(({ context, input }) => undoPrayed(context, input.requestId)),
});
