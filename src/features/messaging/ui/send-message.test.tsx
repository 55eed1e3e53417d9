import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const recorded = recordedFor('client');
const found = recorded['specialistSearch.find'];
const specialists = found.specialists.map((one) => ({ ...one, takesMessages: one.kind === 'doctor' }));
const nobodyNext = { 'specialistSearch.nextStarts': [] };

const book = page.getByRole('button', { name: /^Book Session/ });
const send = page.getByRole('button', { name: /^Send Message/ });
const message = page.getByRole('main').getByRole('link', { name: /^Message to / });

for (const as of ['guest', 'client'] as const)
  test(`offers a ${as} messages only with specialists who accept them`, async () => {
    const answers = { 'specialistSearch.find': { ...found, specialists }, ...nobodyNext };
    await openPage('/therapists', { as, answers });
    await expect.poll(() => book.elements()).toHaveLength(specialists.length);
    await expect
      .poll(() => send.elements())
      .toHaveLength(specialists.filter(({ takesMessages }) => takesMessages).length);
    expect(send.elements().length).toBeLessThan(specialists.length);
  });

for (const takesMessages of [true, false])
  test(`${takesMessages ? 'offers' : 'doesn’t offer'} messages on a specialist’s page when they ${takesMessages ? 'take' : 'don’t take'} them`, async () => {
    const specialist = { ...recorded['providers.bySlug'], takesMessages };
    await openPage(`/therapists/${specialist.slug}`, {
      as: 'client',
      answers: { 'providers.bySlug': specialist, ...nobodyNext },
    });
    await expect.element(book.first()).toBeVisible();
    await expect.poll(() => send.elements()).toHaveLength(takesMessages ? 1 : 0);
  });

test('offers messages in a client’s sessions with specialists who accept them', async () => {
  const [next, later] = recorded['appointments.mine'].filter(({ status }) => status === 'confirmed');
  await openPage('/home', {
    as: 'client',
    answers: {
      'appointments.mine': [next, { ...later!, provider: { ...later!.provider, takesMessages: false } }],
    },
  });
  const cardOf = (name: string) => page.getByRole('article').filter({ hasText: name });
  const writeTo = (name: string) => cardOf(name).getByRole('link', { name: /^Message to / });
  await expect.element(writeTo(next!.provider.name)).toBeVisible();
  await expect.element(cardOf(later!.provider.name)).toBeVisible();
  await expect.element(writeTo(later!.provider.name)).not.toBeInTheDocument();
});

for (const takesMessages of [true, false])
  test(`${takesMessages ? 'offers' : 'doesn’t offer'} messages in a session when its specialist ${takesMessages ? 'takes' : 'doesn’t take'} them`, async () => {
    const session = recorded['video.page'];
    const answers = {
      'video.page': {
        ...session,
        sessionType: 'phone',
        provider: { ...session.provider, takesMessages },
      },
    };
    await openPage(`/session/${session.appointmentId}`, { as: 'client', answers });
    await expect.element(page.getByRole('main')).toMatchTextContent('Your session by phone');
    await expect.poll(() => message.elements()).toHaveLength(takesMessages ? 1 : 0);
  });

for (const on of [true, false])
  test(`does ${on ? '' : 'not '}offer messages on a client’s page while direct messaging is ${on ? 'on' : 'off'}`, async () => {
    const theirs = recordedFor('doctor');
    const site = theirs['settings.site'];
    const flags = site.flags.filter((flag) => on || flag !== 'direct_messaging');
    await openPage(`/clients/${theirs['care.clients.get'].id}`, {
      as: 'doctor',
      answers: { 'settings.site': { ...site, flags } },
    });
    await expect
      .element(page.getByRole('heading', { name: theirs['care.clients.get'].name }).first())
      .toBeVisible();
    await expect.poll(() => message.elements().length > 0).toBe(on);
  });
