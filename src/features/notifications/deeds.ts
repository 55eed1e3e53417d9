import { guestsOn } from '#/features/attendees/deeds.ts';
import type { Deeds } from '../../../tests/support/deeds.ts';
import type { Made, Stage } from '../../../tests/support/stage.ts';

export function deeds(stage: Stage): Deeds {
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
