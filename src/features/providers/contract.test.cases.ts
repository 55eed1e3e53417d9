import type { Cases, Refused, NamesBy } from '../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../tests/support/stage.ts';

export function cases(stage: Stage): Cases {
  const { server, provider, newProvider } = stage;
  return {
    'providers.saveProfile': async () => {
      const by = await newProvider();
      return { by, about: by.id };
    },
    'providers.bySlug': async () => ({ by: server.guest, input: { slug: `doctor-${provider.id}` } }),
  };
}

export const refused: Refused = { 'providers.bySlug': { slug: ['x-'] } };

export const updates: NamesBy = {
  'providers.listing_changed self': ['providers.saveProfile'],
};

export const jobs: NamesBy = {
  'waitlist.listing': ['providers.saveProfile'],
};
