import { newId } from '#/platform/clock.ts';
import type { Cases, Refused, NamesBy } from '../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../tests/support/stage.ts';

export function cases(stage: Stage): Cases {
  const { provider, call, newProvider, inHours } = stage;

  async function block() {
    const [startsAt, endsAt] = [inHours(24 * 40 + (blocks += 2)), inHours(24 * 40 + blocks + 1)];
    const { id } = await call(provider, 'availability.block', { startsAt, endsAt });
    return id;
  }

  let blocks = 0;

  return {
    'availability.save': async () => {
      const by = await newProvider();
      return { by, about: by.id };
    },
    'availability.setDates': async () => ({ by: provider, about: provider.id }),
    'availability.removeDate': async () => {
      const by = await newProvider();
      await call(by, 'availability.setDates');
      return { by, about: by.id };
    },
    'availability.saveHolidays': async () => ({ by: provider, about: provider.id }),
    'availability.block': async () => ({ by: provider, about: provider.id }),
    'availability.changeBlock': async () => ({
      by: provider,
      input: { blockId: await block() },
      about: provider.id,
    }),
    'availability.unblock': async () => ({
      by: provider,
      input: { blockId: await block() },
      about: provider.id,
    }),
    'availability.setApproval': async () => {
      const by = await newProvider();
      return { by, about: by.id };
    },
  };
}

export const withoutValues: NamesBy = {
  'it has nothing before it': ['availability.dates_set', 'availability.weekly_hours_set'],
};

const weekly = [
  ...[
    { from: '25:00' },
    { from: '9:00' },
    { to: '09:60' },
    { to: '08:00' },
    { placeId: newId() },
    { from: '09:45', to: '09:50' },
  ].map((odd) => [{ weekday: 1, from: '09:00', to: '12:00', ...odd }]),
  [
    { weekday: 1, from: '09:00', to: '12:00' },
    { weekday: 1, from: '11:00', to: '13:00' },
  ],
];

export const wrongWeek = {
  weekly,
  'terms.sessionLengths': [[37]],
  'terms.bufferMinutes': [0],
  'terms.noticeHours': [0],
  'rest.place': [{ latitude: 91 }, { longitude: -181 }].map((odd) => ({
    name: 'Jerusalem',
    latitude: 31.8,
    longitude: 35.2,
    ...odd,
  })),
};

export const refused: Refused = {
  'availability.save': wrongWeek,
  'availability.setDates': {
    windows: [
      [{ from: '25:00', to: '26:00' }],
      [{ from: '12:00', to: '09:00' }],
      [{ from: '09:00', to: '12:00', placeId: newId() }],
    ],
  },
  'availability.saveHolidays': { names: [['No Such Day']] },
};

export const updates: NamesBy = {
  'accounts.profile_changed self': ['availability.save'],
  'availability.changed self': [
    'availability.save',
    'availability.setDates',
    'availability.removeDate',
    'availability.saveHolidays',
    'availability.block',
    'availability.changeBlock',
    'availability.unblock',
    'availability.setApproval',
  ],
};

export const jobs: NamesBy = {
  'waitlist.hours': [
    'availability.save',
    'availability.setDates',
    'availability.removeDate',
    'availability.saveHolidays',
    'availability.block',
    'availability.changeBlock',
    'availability.unblock',
    'availability.setApproval',
  ],
};
