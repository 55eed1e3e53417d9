import { expect, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { askedFor } from '../../../tests/components/answers.ts';
import { expectFair } from '../../../tests/components/fair.ts';
import { openPage } from '../../../tests/components/page.tsx';
import { recordedFor } from '../../../tests/components/recorded.ts';

const title = /^If you or someone you know is thinking about suicide/;
const main = page.getByRole('main');
const recorded = recordedFor('client');
const conversation = recorded['messaging.conversations.get'];
const ahead = recorded['appointments.mine'].find(({ actions }) => actions.includes('cancel'))!;
const quiet = {
  'messaging.conversations.saveDraft': ({ text }: { text: string }) => ({ text }),
  'messaging.conversations.read': conversation,
  'messaging.conversations.withPerson': { person: conversation.with, conversation: null },
};

/** Types crisis language; expects help lines announced politely, with nothing else changed. */
async function expectLines(field: Locator, within: Locator, words: string): Promise<void> {
  await field.fill('I was killing time before our session');
  await expect.element(within.getByText(title)).not.toBeInTheDocument();
  await field.fill(words);
  await expect.element(within.getByText(title)).toBeVisible();
  const lines = within.getByText(title).element().closest('[aria-live=polite]')!;
  for (const [name, href] of [
    ['Call 988', 'tel:988'],
    ['Text 988', 'sms:988'],
    ['In danger now? Call 911', 'tel:911'],
    ['llame al 988 y oprima 2', 'tel:988'],
    ['envíe AYUDA al 988', 'sms:988?&body=AYUDA'],
  ] as const) {
    const link = [...lines.querySelectorAll('a')].find((one) => one.textContent.includes(name));
    expect(link?.getAttribute('href'), name).toBe(href);
  }
  expect(lines.querySelector('[lang=es]')).not.toBeNull();
  await expect.element(field).toHaveFocus();
  expect(lines.closest('[role=alert]')).toBeNull();
}

test('appears beside the contact form, including its subject, and can be closed unsent', async () => {
  const form = { token: 'own:form', challenge: '01a20ca3-f05e-7568-adb7-8d555eca4108', waitSeconds: 0 };
  await openPage('/contact', { answers: { 'contact.form': form } });
  const message = page.getByLabelText('Message', { exact: true });
  await expectLines(message, main, 'I don’t want to live anymore.\nWhom could I talk to?');
  await expectFair('the contact form with crisis lines');
  await page.getByRole('button', { name: 'Close crisis lines' }).click();
  await expect.element(main.getByText(title)).not.toBeInTheDocument();
  await expect.element(message).toHaveFocus();
  await message.fill('Please call me.');
  await page.getByLabelText('Subject', { exact: true }).fill('Quiero morir');
  await expect.element(main.getByText(title)).toBeVisible();
  expect(askedFor('contact.send')).toEqual([]);
});

test('appears beside a first message', async () => {
  await openPage(`/messages/new?to=${conversation.with.id}`, { as: 'client', answers: quiet });
  await expectLines(main.getByLabelText('Message', { exact: true }), main, 'I think about ending my life.');
});

test('appears in a conversation’s composer and stays after sending', async () => {
  const last = recorded['messaging.messages.list'].messages.at(-1)!;
  const sent = { ...last, seq: last.seq + 1, mine: true };
  await openPage(`/messages/${conversation.id}`, {
    as: 'client',
    answers: {
      ...quiet,
      'messaging.messages.send': ({ messageId, text }: { messageId: string; text: string }) => ({
        ...sent,
        id: messageId,
        text,
      }),
    },
  });
  const field = page.getByRole('textbox', { name: /^Message to/ });
  await expectLines(field, main, 'I want to kill myself');
  await expectFair('the composer with crisis lines');
  await field.fill('I want to kill myself tonight');
  await userEvent.keyboard('{Enter}');
  await expect
    .element(page.getByRole('group', { name: /^Messages with/ }))
    .toMatchTextContent('kill myself tonight');
  await expect.element(field).toHaveValue('');
  await expect.element(main.getByText(title)).toBeVisible();
});

test('appears beside the journal', { tags: ['long'] }, async () => {
  await openPage('/growth?tab=journal', { as: 'client' });
  const journal = page.getByRole('region', { name: 'Journal', exact: true });
  await expectLines(journal.getByRole('textbox').first(), journal, 'ya no quiero vivir');
  await expectFair('the journal with crisis lines');
});

test('appears beside a prayer request', { tags: ['long'] }, async () => {
  await openPage('/growth?tab=prayer', { as: 'client' });
  await page.getByRole('button', { name: 'Ask for prayer' }).first().click();
  const dialog = page.getByRole('dialog');
  await expectLines(dialog.getByRole('textbox').first(), dialog, 'Pray for me, I want to die');
  await expectFair('a prayer request with crisis lines');
});

test('appears beside a goal', { tags: ['long'] }, async () => {
  await openPage('/growth', { as: 'client' });
  await page.getByRole('button', { name: 'Add a goal' }).first().click();
  const dialog = page.getByRole('dialog');
  await expect.element(dialog).toBeVisible();
  const why = page.elementLocator(dialog.element().querySelector('textarea')!);
  await expectLines(why, dialog, 'I keep cutting myself again');
});

test(
  'appears beside a cancellation reason, which the client’s home doesn’t repeat',
  { tags: ['long'] },
  async () => {
    const reason = 'I won’t need it, I want to end it all';
    await openPage('/home', { as: 'client', answers: { 'appointments.mine': [ahead] } });
    await page.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Cancel appointment' }).click();
    const dialog = page.getByRole('alertdialog');
    await expectLines(dialog.getByLabelText('Reason'), dialog, reason);
    await expectFair('a cancellation with crisis lines');
    const cancelled = { ...ahead, status: 'cancelled', cancelReason: reason, actions: [] };
    await openPage('/home', { as: 'client', answers: { 'appointments.mine': [cancelled] } });
    await page.getByText('Past and canceled sessions').click();
    await expect.element(main.getByText('Canceled').first()).toBeVisible();
    await expect.element(main).not.toMatchTextContent('end it all');
  },
);
