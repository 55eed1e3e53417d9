import { guestsOn } from '#/features/attendees/contract.test.cases.ts';
import type { Cases } from '../../../tests/support/contract-cases.ts';
import type { Made, Stage } from '../../../tests/support/stage.ts';

export function cases(stage: Stage): Cases {
  const { server, call } = stage;
  const { asked } = guestsOn(stage);
  return {
    'mailTray.get': async () => {
      await asked();
      const [mail] = await call<Made[]>(server.guest, 'mailTray.list');
      return { by: server.guest, input: { id: mail!.id } };
    },
  };
}
