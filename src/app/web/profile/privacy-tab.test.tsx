import { expect, test, vi } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import type { ExportView } from '#/features/accounts/export/contract.ts';
import { answer, askedFor, pressWith, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair, expectNoViolation } from '../../../../tests/components/fair.ts';
import { press, tabTo } from '../../../../tests/components/keyboard.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor, type Who } from '../../../../tests/components/recorded.ts';
import { tellPage } from '../../../../tests/components/socket.ts';

const main = page.getByRole('main');
const button = (name: string) => main.getByRole('button', { name, exact: true });
const devices = page.getByRole('list', { name: 'Signed-in devices' });
const devicesShown = () => devices.getByRole('listitem').elements().length;
const deletion = page.getByRole('dialog', { name: 'Delete your account?' });
const password = deletion.getByLabelText('Your password', { exact: true });
const confirmDeletion = deletion.getByRole('button', { name: 'Delete my account' });
const banner = main.getByText(/^Your account will be deleted on December 8, 2026/);
const me = recordedFor('client')['accounts.me'];

const open = (answers: Readonly<Record<string, unknown>> = {}, as: Who = 'client') =>
  openPage('/profile?tab=privacy', { as, answers });

function askedToDelete(): object {
  const deleteAfter = '2026-12-08T08:19:12Z';
  answer({ 'accounts.me': { ...me, deleteAfter } });
  return { deleteAfter };
}

async function expectFocusIn(place: Locator): Promise<void> {
  await expect.poll(() => place.element().contains(document.activeElement)).toBe(true);
}

function archive(state: ExportView['state'], progress = 0): ExportView {
  const ready = state === 'ready';
  return {
    id: '0199a000-0000-7000-8000-000000000001',
    state,
    progress,
    requestedAt: '2026-11-24T08:19:00Z',
    expiresAt: ready ? '2026-11-25T08:19:00Z' : null,
    download: ready ? '/api/me/exports/0199a000-0000-7000-8000-000000000001/archive' : null,
  };
}

test(
  'requests and downloads an archive by keyboard after the password is confirmed',
  { tags: ['long'] },
  async () => {
    let confirmed = false;
    const once = (view: ExportView) => () =>
      confirmed ? view : refusal(412, 'precondition', 'reauthentication_required');
    await open({
      'exports.request': once(archive('waiting')),
      'exports.open': once(archive('ready', 100)),
      'reauthentication.confirm': () => {
        confirmed = true;
        answer({ 'exports.list': [archive('waiting')] });
        return { confirmed: true };
      },
    });
    await press(button('Request Export'));
    const question = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await tabTo(question.getByLabelText('Your password'));
    await userEvent.keyboard('peace-be-with-you{Enter}');
    await expect.element(question).not.toBeInTheDocument();
    await expect.element(page.getByRole('progressbar')).toBeVisible();
    await expectFocusIn(main);
    answer({ 'exports.list': [archive('ready', 100)] });
    tellPage({ type: 'export.changed' });
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    await press(button('Download'));
    await expect
      .poll(() => click.mock.contexts.map((link) => (link as HTMLAnchorElement).pathname))
      .toEqual([archive('ready').download]);
    click.mockRestore();
    await expect
      .poll(() => askedFor('reauthentication.confirm'))
      .toEqual([{ password: 'peace-be-with-you' }]);
  },
);

test(
  'keeps showing a finished archive when the answer to its request arrives late',
  { tags: ['long'] },
  async () => {
    const { promise: late, resolve: arrive } = Promise.withResolvers<ExportView>();
    await open({ 'exports.request': () => late });
    await press(button('Request Export'));
    await expect.poll(() => askedFor('exports.request')).toEqual([{}]);
    answer({ 'exports.list': [archive('ready', 100)] });
    tellPage({ type: 'export.changed' });
    await expect.element(button('Download')).toBeVisible();
    const download = button('Download').element();
    arrive(archive('waiting'));
    await expect.element(button('Request Export')).not.toHaveAttribute('aria-busy', 'true');
    expect(download.isConnected).toBe(true);
    await expect.element(button('Request Export')).toHaveFocus();
  },
);

test('moves the focus when an archive is under way before the answer to its request', async () => {
  const { promise: late, resolve: arrive } = Promise.withResolvers<ExportView>();
  await open({ 'exports.request': () => late });
  await press(button('Request Export'));
  await expect.poll(() => askedFor('exports.request')).toEqual([{}]);
  answer({ 'exports.list': [archive('running', 40)] });
  tellPage({ type: 'export.changed' });
  await expect.element(page.getByRole('progressbar')).toHaveAttribute('value', '40');
  arrive(archive('waiting'));
  await expectFocusIn(main);
  await expect.element(page.getByRole('progressbar')).toHaveAttribute('value', '40');
});

test('shows live progress of an archive', async () => {
  await open({ 'exports.list': [archive('running', 40)] });
  const bar = page.getByRole('progressbar', { name: 'We’re preparing your archive.' });
  await expect.element(bar).toHaveAttribute('value', '40');
  await expect.element(button('Request Export')).not.toBeInTheDocument();
  await expectFair('an archive on its way');
  answer({ 'exports.list': [archive('running', 80)] });
  tellPage({ type: 'export.changed' });
  await expect.element(bar).toHaveAttribute('value', '80');
  // Announced in steps of 25%.
  await expect
    .element(page.getByRole('status').filter({ hasText: 'preparing your archive. 75%' }))
    .toBeInTheDocument();
});

test('allows a new request after an archive failed or expired', async () => {
  const before = { ...archive('failed', 80), id: '0199a000-0000-7000-8000-000000000002' };
  await open({ 'exports.list': [before], 'exports.request': archive('waiting') });
  const failure = page.getByRole('alert').filter({ hasText: 'We couldn’t prepare your archive' });
  await expect.element(failure).toMatchTextContent('Your data is safe.');
  await expectFair('a failed archive');
  await pressWith(failure.getByRole('button', { name: 'Try again' }), {
    'exports.list': [archive('waiting'), before],
  });
  await expect.element(page.getByRole('progressbar')).toBeVisible();
  await expect.poll(() => askedFor('exports.request')).toEqual([{}]);
  answer({ 'exports.list': [archive('expired')] });
  tellPage({ type: 'export.changed' });
  await expect.element(page.getByText('Your last archive was deleted.')).toBeVisible();
  await expect.element(button('Request Export')).toBeVisible();
  await expectFair('an expired archive');
});

test('deletes a downloaded archive immediately', async () => {
  await open({ 'exports.list': [archive('ready', 100)], 'exports.remove': archive('expired') });
  await expect.element(button('Download')).toBeVisible();
  await expectFair('a ready archive');
  await pressWith(button('Delete now'), { 'exports.list': [archive('expired')] });
  await expect.element(page.getByText('Your last archive was deleted.')).toBeVisible();
});

test('signs devices out one at a time or together, by keyboard', { tags: ['long'] }, async () => {
  const [here] = recordedFor('client')['accounts.devices'];
  const phone = {
    ...here!,
    id: '0199a000-0000-7000-8000-000000000002',
    browser: 'Firefox',
    system: 'Windows',
    current: false,
  };
  const third = { ...phone, id: '0199a000-0000-7000-8000-000000000003', browser: 'Safari', system: 'iOS' };
  let confirmed = false;
  await open({
    'accounts.devices': [here, phone, third],
    'accounts.signOutDevice': async () => {
      if (!confirmed) return refusal(412, 'precondition', 'reauthentication_required');
      // Networks take longer than a dialog takes to close.
      await expectFocusIn(main);
      return [here, third];
    },
    'reauthentication.confirm': () => {
      confirmed = true;
      return {};
    },
  });
  await expect.poll(devicesShown).toBe(3);
  await expect.element(devices.getByText('This device')).toBeVisible();
  answer({ 'accounts.devices': [here, third] });
  await press(devices.getByRole('button', { name: 'Sign out Firefox on Windows' }));
  await tabTo(page.getByRole('dialog', { name: 'Confirm it’s you' }).getByLabelText('Your password'));
  await userEvent.keyboard('peace-be-with-you{Enter}');
  await expect.poll(devicesShown).toBe(2);
  await expect.element(devices).toHaveFocus();
  const call = { id: phone.id };
  await expect.poll(() => askedFor('accounts.signOutDevice')).toMatchObject([call, call]);

  answer({ 'accounts.signOutOtherDevices': [here] });
  const others = button('Sign out all other devices');
  await press(others);
  const question = page.getByRole('alertdialog', { name: 'Sign out all other devices' });
  await expectFocusIn(question);
  await userEvent.keyboard('{Escape}');
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(others).toHaveFocus();
  answer({ 'accounts.devices': [here] });
  await userEvent.keyboard('{Enter}');
  await press(question.getByRole('button', { name: 'Sign them out' }));
  await expect.element(page.getByText('You’re signed in on this device only.')).toBeVisible();
  await expectFocusIn(main);
});

test(
  'deletes the account by keyboard with a password and a summary, and can be undone',
  { tags: ['long'] },
  async () => {
    await open({
      'deletion.request': refusal(400, 'invalid', 'wrong_password'),
      'deletion.keep': () => {
        answer({ 'accounts.me': me });
        return { deleteAfter: null };
      },
    });
    const remove = button('Delete');
    await press(remove);
    await expectFocusIn(deletion);
    await userEvent.keyboard('{Escape}');
    await expect.element(deletion).not.toBeInTheDocument();
    await expect.element(remove).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    for (const words of [
      'Your goals, journal, prayer requests, reviews, and messages',
      'Providers have to keep a record of the care they gave.',
    ])
      await expect.element(deletion).toMatchTextContent(words);
    await expectFair('the dialog of a deletion');
    await tabTo(password);
    await userEvent.keyboard('not-my-password{Enter}');
    await expect.element(deletion).toMatchTextContent('That password isn’t right. Nothing was deleted.');
    await expect.element(password).toHaveFocus();
    await expect.element(password).toHaveValue('not-my-password');
    await expectNoViolation('the dialog of a deletion with a wrong password');
    answer({ 'deletion.request': askedToDelete });
    await userEvent.keyboard('{Control>}a{/Control}peace-be-with-you');
    await press(confirmDeletion);
    await expect.element(deletion).not.toBeInTheDocument();
    await expect.element(main).toHaveFocus();
    await expect.poll(() => askedFor('deletion.request').at(-1)).toEqual({ password: 'peace-be-with-you' });
    await expect.element(banner.first()).toBeVisible();
    await expectFair('the banner of a deletion');
    await press(button('Keep my account').first());
    await expect.element(banner).not.toBeInTheDocument();
    await expect.element(main).toHaveFocus();
  },
);

test('names the sessions that deleting the account cancels', { tags: ['long'] }, async () => {
  const [session] = recordedFor('client')['appointments.mine'].filter(({ actions }) =>
    actions.includes('cancel'),
  );
  const later = { ...session!, startsAt: '2026-12-30T15:00:00Z', endsAt: '2026-12-30T16:00:00Z' };
  await open({ 'appointments.mine': [later] });
  await button('Delete').click();
  await expect.element(deletion).toMatchTextContent(`with ${later.provider.name}`);
});

test('tells the only administrator why their account can’t be deleted', { tags: ['long'] }, async () => {
  await open({ 'deletion.request': refusal(412, 'precondition', 'last_administrator') }, 'admin');
  await button('Delete').click();
  await password.fill('peace-be-with-you');
  await confirmDeletion.click();
  await expect.element(deletion.getByRole('alert')).toMatchTextContent('You’re the only administrator.');
  await expect.element(password).toHaveValue('peace-be-with-you');
  await expectNoViolation('the dialog of a deletion that is refused');
  await deletion.getByRole('button', { name: 'Keep my account' }).click();
  await expect.element(deletion).not.toBeInTheDocument();
});

test('shows an error when the account can’t be deleted', async () => {
  await open({ 'deletion.request': unreachable });
  await button('Delete').click();
  await password.fill('peace-be-with-you');
  await confirmDeletion.click();
  await expect.element(deletion.getByRole('alert')).toMatchTextContent('We couldn’t reach the server');
});

test('drops a device that another window already signed out', async () => {
  const [here] = recordedFor('client')['accounts.devices'];
  const other = { ...here!, id: '0199a000-0000-7000-8000-000000000002', browser: 'Firefox', current: false };
  await open({
    'accounts.devices': [here, other],
    'accounts.signOutDevice': () => {
      answer({ 'accounts.devices': [here] });
      return refusal(404, 'not_found', 'device');
    },
  });
  await devices.getByRole('button', { name: /^Sign out Firefox/ }).click();
  await expect.element(page.getByText('Device signed out').first()).toBeVisible();
  await expect.poll(devicesShown).toBe(1);
  await expect.element(devices).toHaveFocus();
});
