import { newId } from '#/platform/clock.ts';
import type { Cases, Refused, NamesBy } from '../../../tests/support/contract-cases.ts';
import type { Made, Stage } from '../../../tests/support/stage.ts';

export function servicesOn(stage: Stage) {
  const { admin, call } = stage;

  const service = () =>
    call<Made & { version: number }>(admin, 'catalogue.add', { title: `Care ${newId()}` });

  return { service };
}

export function cases(stage: Stage): Cases {
  const { admin } = stage;
  const { service } = servicesOn(stage);
  return {
    'catalogue.add': async () => ({ by: admin, about: null, named: 'marriage-evenings' }),
    'catalogue.edit': async () => {
      const { id: serviceId, version } = await service();
      return {
        by: admin,
        input: { serviceId, version, title: `Care ${newId()}` },
        about: null,
        named: serviceId,
      };
    },
    'catalogue.setActive': async () => {
      const { id: serviceId, version } = await service();
      return { by: admin, input: { serviceId, version }, about: null, named: serviceId };
    },
    'catalogue.remove': async () => {
      const { id: serviceId, version } = await service();
      return { by: admin, input: { serviceId, version }, about: null, named: serviceId };
    },
  };
}

export const refused: Refused = { 'catalogue.service': { id: ['a'.repeat(61)] } };

export const updates: NamesBy = {
  'catalogue.changed role:super_admin': [
    'catalogue.add',
    'catalogue.edit',
    'catalogue.setActive',
    'catalogue.remove',
  ],
};
