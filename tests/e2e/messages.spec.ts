import type { Page, WebSocketRoute } from '@playwright/test';
import type { Product } from '../../scripts/product.ts';
import { becomeSpecialist, type Specialist } from './support/booking.ts';
import { call, expect, forgetSession, password, signIn, someone, test } from './support/fixtures.ts';
import { becomeClient } from './support/people.ts';

const counsellorName = 'Dr. Ann Keller';
const clientName = 'Lydia Brand';

interface Pair {
  counsellor: Specialist;
  client: string;
  conversationId: string;
  address: string;
}

/** Creates a counselor and a client with an open conversation; `page` is the client's. */
async function pair(
  page: Page,
  product: Product,
  text = 'I would like to ask you something.',
): Promise<Pair> {
  const counsellor = await becomeSpecialist(page, product, { name: counsellorName });
  const client = await becomeClient(page, product, clientName);
  const conversationId = crypto.randomUUID();
  await call(page, '/api/conversations', {
    conversationId,
    messageId: crypto.randomUUID(),
    withId: counsellor.id,
    subject: 'The nights',
    text,
    attachmentIds: [],
  });
  return { counsellor, client, conversationId, address: `/messages/${conversationId}` };
}

async function write(page: Page, conversationId: string, text: string): Promise<void> {
  await call(page, `/api/conversations/${conversationId}/messages`, {
    messageId: crypto.randomUUID(),
    text,
    attachmentIds: [],
  });
}

const history = (page: Page) => page.getByRole('group', { name: /^Messages with/ });
const bubble = (page: Page, text: string) => history(page).getByRole('listitem').filter({ hasText: text });
const field = (page: Page) => page.getByRole('textbox', { name: /^Message to/ });
const headerLink = (page: Page) => page.getByRole('banner').getByRole('link', { name: /^Messages/ });

async function textsOf(page: Page): Promise<string[]> {
  return history(page).locator('li p[dir]').allTextContents();
}

/** Cuts and restores a page's network, WebSocket included; the browser's offline switch leaves sockets open. */
async function lineOf(page: Page): Promise<{ cut(): Promise<void>; mend(): Promise<void> }> {
  const open = new Set<WebSocketRoute>();
  let down = false;
  await page.routeWebSocket(/\/realtime\b/, (socket) => {
    if (down) {
      void socket.close({ code: 4000 });
      return;
    }
    socket.connectToServer();
    open.add(socket);
  });
  return {
    async cut() {
      down = true;
      await page.context().setOffline(true);
      // The browser applies it a moment later.
      const answers = () => fetch('/icon.svg', { cache: 'no-store' }).then(Boolean, () => false);
      await expect.poll(() => page.evaluate(answers)).toBe(false);
      for (const socket of open) await socket.close({ code: 4000 });
      open.clear();
    },
    async mend() {
      down = false;
      await page.context().setOffline(false);
    },
  };
}

test('asks a guest who presses Send Message to sign in, then opens the conversation', async ({
  page,
  product,
  open,
}) => {
  const counsellor = await becomeSpecialist(await open(), product, { name: 'Dr. Paula Reed' });
  const sendMessage = page.getByRole('button', { name: 'Send Message to Dr. Paula Reed' });
  await page.goto(`/therapists/specialist-${counsellor.id}`);
  await sendMessage.click();
  const prompt = page.getByRole('dialog', { name: "You're almost there!" });
  await prompt.getByLabel('Email').fill(someone('writes'));
  await prompt.getByLabel('Password', { exact: true }).fill(password);
  await prompt.getByRole('button', { name: 'Sign In', exact: true }).click();

  await expect(page.getByRole('heading', { level: 1, name: 'New message' })).toBeVisible();
  const main = page.getByRole('main');
  await main.getByLabel('Subject').fill('A first question');
  await main.getByLabel('Message', { exact: true }).fill('Do you have experience with grief?');
  await main.getByRole('button', { name: 'Send Message' }).click();
  await expect(page).toHaveURL(/\/messages\/[\da-f-]{36}$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Dr. Paula Reed' })).toBeVisible();
  await expect(bubble(page, 'Do you have experience with grief?')).toHaveCount(1);

  const address = page.url();
  await page.goBack();
  await sendMessage.click();
  await expect(page).toHaveURL(address);
});

test('delivers messages, typing, receipts and matching unread counts without a reload', async ({
  page,
  product,
  open,
}) => {
  const { counsellor, client, address, conversationId } = await pair(page, product);
  const [counsellors, home] = [await open(), await open()];
  await signIn(counsellors, counsellor.email);
  await signIn(home, client);
  await counsellors.goto('/home');
  await home.goto('/home');
  await page.goto(address);

  // Card, header, title and home list all show the same unread count.
  const card = (of: Page) => of.getByRole('term').filter({ hasText: 'Unread Messages' }).locator('..');
  await expect(card(counsellors)).toContainText('1');
  await expect(headerLink(counsellors)).toHaveAccessibleName('Messages, 1 unread');
  await expect(counsellors).toHaveTitle(/^\(1\) /);
  await expect(card(home)).toContainText('0');
  const recent = counsellors.getByRole('region', { name: 'Recent Messages' });
  await expect(recent).toContainText('1 unread message');
  await expect(bubble(page, 'I would like to ask you something.')).toContainText('Sent');

  await recent.getByRole('link', { name: `Reply to ${clientName}` }).click();
  await expect(counsellors.getByRole('heading', { level: 1, name: clientName })).toBeVisible();
  await expect(bubble(page, 'I would like to ask you something.')).toContainText('Read');
  await expect(headerLink(counsellors)).toHaveAccessibleName('Messages');

  await field(counsellors).pressSequentially('Please do');
  await expect(page.getByText(`${counsellorName} is typing…`)).toBeVisible();
  await counsellors.keyboard.press('Enter');
  await expect(bubble(page, 'Please do')).toHaveCount(1);
  await expect(bubble(counsellors, 'Please do')).toContainText('Read');
  await expect(headerLink(page)).toHaveAccessibleName('Messages');

  await page.goto('/services');
  await write(counsellors, conversationId, 'And bring your notebook.');
  await expect(card(home)).toContainText('1');
  await expect(headerLink(home)).toHaveAccessibleName('Messages, 1 unread');
  await expect(headerLink(page)).toHaveAccessibleName('Messages, 1 unread');
  await expect(home.getByRole('region', { name: 'Recent Messages' })).toContainText(
    'And bring your notebook.',
  );
  await page.goto(address);
  await expect(card(home)).toContainText('0');
  await expect(headerLink(home)).toHaveAccessibleName('Messages');

  const kept = page.waitForResponse(
    (answer) => answer.url().endsWith('/draft') && answer.request().method() === 'POST',
  );
  await field(page).fill('Half a thought');
  await kept;
  await home.goto(address);
  await expect(field(home)).toHaveValue('Half a thought');
  await home.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(bubble(counsellors, 'Half a thought')).toHaveCount(1);
  const draft = await home.request.get(`/api/conversations/${conversationId}/draft`);
  expect(await draft.json()).toEqual({ text: '' });

  await page.getByRole('searchbox', { name: 'Search your messages' }).fill('notebook');
  await page.getByRole('region', { name: 'Search results' }).getByRole('link').click();
  await expect(bubble(page, 'And bring your notebook.')).toBeFocused();
});

test(
  'sends offline messages once in order after reconnecting',
  { tag: '@long' },
  async ({ page, product, open, expectNoise }) => {
    expectNoise(/ERR_INTERNET_DISCONNECTED|WebSocket/);
    const { counsellor, conversationId, address } = await pair(page, product);
    const counsellors = await open();
    await signIn(counsellors, counsellor.email);
    await counsellors.goto(address);
    const line = await lineOf(page);
    await page.goto(address);
    await field(page).fill('Before');
    await page.keyboard.press('Enter');
    await expect(bubble(counsellors, 'Before')).toHaveCount(1);

    await line.cut();
    for (const text of ['First without a line', 'Second without a line']) {
      await field(page).fill(text);
      await page.keyboard.press('Enter');
      await expect(bubble(page, text)).toContainText('Not sent');
    }
    const lost = page.getByRole('status').filter({ hasText: 'No connection.' });
    await expect(lost).toBeVisible();
    await write(counsellors, conversationId, 'Said meanwhile');
    await line.mend();

    const texts = [
      'I would like to ask you something.',
      'Before',
      'Said meanwhile',
      'First without a line',
      'Second without a line',
    ];
    await expect.poll(async () => (await textsOf(page)).toSorted()).toEqual(texts.toSorted());
    await expect(page.getByText('Not sent')).toHaveCount(0);
    await expect(lost).toHaveCount(0);
    const order = await textsOf(page);
    await expect.poll(() => textsOf(counsellors)).toEqual(order);
    expect(order.indexOf('First without a line')).toBeLessThan(order.indexOf('Second without a line'));
    await page.reload();
    await expect.poll(() => textsOf(page)).toEqual(order);
  },
);

test('hides another person’s conversation, and sends none of it to the browser', async ({
  page,
  product,
  open,
}) => {
  const { address, counsellor } = await pair(page, product, 'Between the two of us.');
  const elsewhere = await open();
  const other = await becomeSpecialist(elsewhere, product, { name: 'Dr. Ben Other' });
  const told = new RegExp(`Between the two of us|${clientName}|${counsellor.name}`);
  for (const who of [other.email, someone('stranger')]) {
    await signIn(elsewhere, who);
    const answer = await elsewhere.request.get(product.url + address);
    expect(answer.status()).toBe(404);
    expect(await answer.text()).not.toMatch(told);
  }
  await forgetSession(elsewhere);
  const answer = await elsewhere.request.get(product.url + address);
  expect(answer.status()).toBe(200);
  expect(await answer.text()).not.toMatch(told);
});
