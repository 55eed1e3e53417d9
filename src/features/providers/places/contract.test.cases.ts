import type { Cases, NamesBy } from '../../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function cases(stage: Stage): Cases {
  const { provider, call, newProvider } = stage;

  const place = () => call(provider, 'providers.places.add');

  return {
    'providers.places.add': async () => ({ by: provider }),
    'providers.places.edit': async () => {
      const { id: placeId } = await place();
      return { by: provider, input: { placeId }, about: placeId };
    },
    'providers.places.close': async () => {
      const { id: placeId } = await place();
      return { by: provider, input: { placeId }, about: placeId };
    },
    'providers.places.order': async () => {
      const by = await newProvider();
      const { id } = await call(by, 'providers.places.add');
      return { by, input: { placeIds: [id] }, about: by.id };
    },
  };
}

export const updates: NamesBy = {
  'providers.places_changed self': [
    'providers.places.add',
    'providers.places.edit',
    'providers.places.close',
    'providers.places.order',
  ],
};

export const jobs: NamesBy = {
  'waitlist.places': [
    'providers.places.add',
    'providers.places.edit',
    'providers.places.close',
    'providers.places.order',
  ],
};
