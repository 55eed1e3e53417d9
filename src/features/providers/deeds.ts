import type { Deeds, Refused, Told } from '../../../tests/support/deeds.ts';
import type { Stage } from '../../../tests/support/stage.ts';

export function deeds(stage: Stage): Deeds {
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

export const tells: Told = {
  'providers.listing_changed self': ['providers.saveProfile'],
};

export const starts: Told = {
  'waitlist.listing': ['providers.saveProfile'],
};
