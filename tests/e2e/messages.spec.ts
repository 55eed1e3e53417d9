import type { Locator, Page, WebSocketRoute } from '@playwright/test';
import type { Product } from '../../scripts/product.ts';
import { becomeSpecialist, bookDirectly, moveInDatabase, offeredTimes, words } from './support/booking.ts';
import { call, expect, forgetSession, password, signIn, someone, test } from './support/fixtures.ts';
import { expectFocusKept, expectHoldsFocus, press, tabTo, typeInto } from './support/keyboard.ts';
import { desktop, expectFair, expectNoViolation, phone } from './support/look.ts';

test.use({ screenshot: 'only-on-failure', reducedMotion: 'reduce' });

interface Person {
  id: string;
  email: string;
  name: string;
}

/** A client of that name, whom nobody knows yet. */
async function becomeClient(page: Page, product: Product, name: string): Promise<Person> {
  const email = someone('writer');
  await signIn(page, email);
  const [row] = await product.query<{ id: string }>(
    'update users set name = $2 where email = $1 returning id',
    [email, name],
  );
  await product.query('update profiles set full_name = $2 where id = $1', [row!.id, name]);
  return { id: row!.id, email, name };
}

interface Pair {
  counsellor: Person;
  client: Person;
  conversationId: string;
  address: string;
}

/** A counsellor and a client with a conversation that the client has opened; `page` is the client's. */
async function pair(
  page: Page,
  product: Product,
  first = 'I would like to ask you something.',
): Promise<Pair> {
  const counsellor = await becomeSpecialist(page, product, { name: 'Dr. Ann Keller' });
  const client = await becomeClient(page, product, 'Lydia Brand');
  const conversationId = crypto.randomUUID();
  await call(page, '/api/conversations', {
    conversationId,
    messageId: crypto.randomUUID(),
    withId: counsellor.id,
    subject: 'The nights',
    text: first,
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
const list = (page: Page) => page.getByRole('list', { name: 'Conversations' });
const headerLink = (page: Page) => page.getByRole('banner').getByRole('link', { name: /^Messages/ });

/** Opens the page of a specialist whom a test has made; its script, which hears presses, has begun to ask for their times. */
async function openSpecialist(page: Page, { id }: { id: string }): Promise<void> {
  await page.goto(`/therapists/specialist-${id}`);
  await expect(page.getByText(/^Next open time/)).toBeVisible();
}

/** The texts of a conversation as they are shown, in their order. */
async function textsOf(page: Page): Promise<string[]> {
  return history(page).locator('li p[dir]').allTextContents();
}

/** A page's network, which can be cut and mended; for its socket, too, which a browser's own switch leaves standing. */
async function lineOf(page: Page): Promise<{ cut(): Promise<void>; mend(): Promise<void> }> {
  const open = new Set<WebSocketRoute>();
  let down = false;
  await page.routeWebSocket(/\/realtime$/, (socket) => {
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
      for (const socket of open) await socket.close({ code: 4000 });
      open.clear();
    },
    async mend() {
      down = false;
      await page.context().setOffline(false);
    },
  };
}

test('a guest who presses Send Message is asked to sign in for messaging, and then writes to that specialist', async ({
  page,
  product,
  open,
}) => {
  const counsellor = await becomeSpecialist(await open(), product, { name: 'Dr. Paula Reed' });
  await openSpecialist(page, counsellor);
  await page.getByRole('button', { name: 'Send Message to Dr. Paula Reed' }).click();
  const prompt = page.getByRole('dialog', { name: "You're almost there!" });
  await expect(prompt).toContainText(
    'Sign in to send secure messages and communicate with your counsellor. Your conversations are private.',
  );
  await expect(prompt.locator('svg.lucide-message-circle-heart').first()).toBeVisible();
  await expectFair(page, 'the prompt for messages', { dialog: prompt });
  await prompt.getByLabel('Email').fill(someone('writes'));
  await prompt.getByLabel('Password', { exact: true }).fill(password);
  await prompt.getByRole('button', { name: 'Sign In', exact: true }).click();

  await expect(page.getByRole('heading', { level: 1, name: 'New message' })).toBeVisible();
  const main = page.getByRole('main');
  await expect(main.getByText('To Dr. Paula Reed')).toBeVisible();
  // What the licence means for what is written.
  await expect(main).toContainText(
    'Licensed clinicians are bound by the law of professional confidentiality',
  );
  await expectFair(page, 'a first message', { dark: true });
  await main.getByRole('button', { name: 'Send Message' }).click();
  await expect(main.getByText('Please say in a few words what it is about.')).toBeVisible();
  await expect(main.getByLabel('Subject')).toBeFocused();
  await expectNoViolation(page, 'a first message with problems');
  await main.getByLabel('Subject').fill('A first question');
  await main.getByLabel('Message', { exact: true }).fill('Do you have experience with grief?');
  // Nothing of it is kept anywhere else, so leaving asks first.
  await page.getByRole('banner').getByRole('link', { name: 'Services' }).click();
  await expectHoldsFocus(page.getByRole('alertdialog'));
  await page.keyboard.press('Escape');
  await main.getByRole('button', { name: 'Send Message' }).click();
  await expect(page).toHaveURL(/\/messages\/[\da-f-]{36}$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Dr. Paula Reed' })).toBeVisible();
  await expect(bubble(page, 'Do you have experience with grief?')).toHaveCount(1);
  const address = page.url();

  // From then on the same button leads to the conversation, also without a new page.
  await page.goBack();
  await page.getByRole('button', { name: 'Send Message to Dr. Paula Reed' }).click();
  await expect(page).toHaveURL(address);
  await page.goto('/therapists');
  await openSpecialist(page, counsellor);
  await page.getByRole('button', { name: 'Send Message to Dr. Paula Reed' }).click();
  await expect(page).toHaveURL(address);
  expect(
    await product.query('select id from conversations where provider_id = $1', [counsellor.id]),
  ).toHaveLength(1);
});

test('a message arrives without a reload, with typing, receipts and counts that agree everywhere at once', async ({
  page,
  product,
  open,
}) => {
  const { counsellor, client, address } = await pair(page, product);
  const [counsellors, home] = [await open(), await open()];
  await signIn(counsellors, counsellor.email);
  await signIn(home, client.email);
  await counsellors.goto('/home');
  await home.goto('/home');
  await page.goto(address);

  // Everywhere the same figure: card, header, title, list of the home.
  const card = (of: Page) => of.getByRole('term').filter({ hasText: 'Unread Messages' }).locator('..');
  await expect(card(counsellors)).toContainText('1');
  await expect(headerLink(counsellors)).toHaveAccessibleName('Messages, 1 unread');
  await expect(counsellors).toHaveTitle(/^\(1\) /);
  await expect(card(home)).toContainText('0');
  const recent = counsellors.getByRole('region', { name: 'Recent Messages' });
  await expect(recent).toContainText('1 unread message');
  await expect(bubble(page, 'I would like to ask you something.')).toContainText('Sent');

  await recent.getByRole('link', { name: 'Reply to Lydia Brand' }).click();
  await expect(counsellors.getByRole('heading', { level: 1, name: 'Lydia Brand' })).toBeVisible();
  await expect(bubble(page, 'I would like to ask you something.')).toContainText('Read');
  await expect(headerLink(counsellors)).toHaveAccessibleName('Messages');
  await expect(counsellors).toHaveTitle(/^Messages/);

  await field(counsellors).pressSequentially('Please do');
  await expect(page.getByText('Dr. Ann Keller is writing …')).toBeVisible();
  await expect(list(page)).toContainText('is writing …');
  // Whoever reads on another page is told there.
  await counsellors.keyboard.press('Enter');
  await expect(field(counsellors)).toHaveValue('');
  await expect(bubble(counsellors, 'Please do')).toHaveCount(1);
  await expect(bubble(page, 'Please do')).toHaveCount(1);
  await expect(page.getByRole('log')).toHaveText('Dr. Ann Keller: Please do');
  await expect(page.getByRole('log')).toHaveAttribute('aria-live', 'polite');
  await expect(page.getByText('Dr. Ann Keller is writing …')).toBeHidden();
  await expect(bubble(counsellors, 'Please do')).toContainText('Read');
  await expect(headerLink(page)).toHaveAccessibleName('Messages');

  // Read on one device, it is read on the other.
  await page.goto('/services');
  await write(counsellors, address.split('/').at(-1)!, 'And bring your notebook.');
  await expect(card(home)).toContainText('1');
  await expect(headerLink(home)).toHaveAccessibleName('Messages, 1 unread');
  await expect(headerLink(page)).toHaveAccessibleName('Messages, 1 unread');
  await expect(home.getByRole('region', { name: 'Recent Messages' })).toContainText(
    'And bring your notebook.',
  );
  await page.goto(address);
  await expect(card(home)).toContainText('0');
  await expect(headerLink(home)).toHaveAccessibleName('Messages');
  await home.setViewportSize(phone);
  await write(counsellors, address.split('/').at(-1)!, 'Until Monday.');
  await expect(bubble(page, 'Until Monday.')).toHaveCount(1);
});

test('a message counts as read once it was on the screen of a tab that is looked at', async ({
  page,
  product,
  open,
}) => {
  const { counsellor, conversationId, address } = await pair(page, product);
  const counsellors = await open();
  await signIn(counsellors, counsellor.email);
  await page.goto(address);
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await write(counsellors, conversationId, 'Nobody looks.');
  await expect(bubble(page, 'Nobody looks.')).toHaveCount(1);
  await expect(headerLink(page)).toHaveAccessibleName('Messages, 1 unread');
  await expect(history(page).getByText('New messages')).toBeVisible();
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'visible' });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await expect(headerLink(page)).toHaveAccessibleName('Messages');
});

test('what is written while the line is down is sent once it is back, in its order, and nothing is lost or doubled', async ({
  page,
  product,
  open,
  expectNoise,
}) => {
  test.slow();
  expectNoise(/ERR_INTERNET_DISCONNECTED|WebSocket/);
  const { counsellor, conversationId, address } = await pair(page, product);
  const counsellors = await open();
  await signIn(counsellors, counsellor.email);
  await counsellors.goto(address);
  const line = await lineOf(page);
  await page.goto(address);
  await expect(bubble(page, 'I would like')).toHaveCount(1);
  await field(page).fill('Before');
  await page.keyboard.press('Enter');
  await expect(bubble(counsellors, 'Before')).toHaveCount(1);

  await line.cut();
  for (const text of ['First without a line', 'Second without a line']) {
    await field(page).fill(text);
    await page.keyboard.press('Enter');
    await expect(bubble(page, text)).toContainText('Not sent');
    await expect(bubble(page, text).getByRole('alert')).toContainText('It is sent by itself');
  }
  const lost = page.getByRole('status').filter({ hasText: 'No connection.' });
  await expect(lost).toBeVisible();
  await expectNoViolation(page, 'messages that were not sent');
  await write(counsellors, conversationId, 'Said meanwhile');
  // One that one would rather not send is gone for good.
  await field(page).fill('Never mind');
  await page.keyboard.press('Enter');
  await history(page).focus();
  await press(page, page.getByRole('button', { name: 'Delete the message that wasn’t sent: Never mind' }));
  await expect(bubble(page, 'Never mind')).toHaveCount(0);
  await expectFocusKept(page);
  await line.mend();

  const texts = [
    'I would like to ask you something.',
    'Before',
    'Said meanwhile',
    'First without a line',
    'Second without a line',
  ];
  await expect(async () => expect((await textsOf(page)).toSorted()).toEqual(texts.toSorted())).toPass({
    timeout: 20_000,
  });
  await expect(page.getByText('Not sent')).toHaveCount(0);
  await expect(lost).toHaveCount(0);
  await expect(async () => expect(await textsOf(counsellors)).toEqual(await textsOf(page))).toPass();
  const order = await textsOf(page);
  expect(order.indexOf('First without a line')).toBeLessThan(order.indexOf('Second without a line'));
  await page.reload();
  await expect(async () => expect(await textsOf(page)).toEqual(order)).toPass();
});

test('an answer that was lost on its way doubles nothing', async ({ page, product, expectNoise }) => {
  expectNoise(/ERR_CONNECTION_RESET|ERR_FAILED|ERR_INTERNET_DISCONNECTED|WebSocket/);
  const { conversationId, address } = await pair(page, product);
  const line = await lineOf(page);
  await page.goto(address);
  let lost = 0;
  await page.route(`**/api/conversations/${conversationId}/messages`, async (route) => {
    if (route.request().method() !== 'POST' || lost > 0) return route.continue();
    // The line is down first: else it might tell of the message before its answer is lost.
    await line.cut();
    await route.fetch();
    await route.abort('connectionreset');
    lost += 1;
  });
  await field(page).fill('Only once');
  await page.keyboard.press('Enter');
  await expect.poll(() => lost).toBe(1);
  await line.mend();
  await expect(bubble(page, 'Only once')).toContainText('Sent', { timeout: 20_000 });
  await expect(bubble(page, 'Only once')).toHaveCount(1);
  const stored = await product.query('select id from messages where conversation_id = $1', [conversationId]);
  expect(stored).toHaveLength(2);
});

test('what one has begun to write is there again on every device, and on none of them in the browser', async ({
  page,
  product,
  open,
}) => {
  const { client, address } = await pair(page, product);
  await page.goto(address);
  const kept = page.waitForResponse(
    (answer) => answer.url().endsWith('/draft') && answer.request().method() === 'POST',
  );
  await field(page).fill('Half a thought');
  expect((await kept).ok()).toBe(true);
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect(stored).not.toContain('Half a thought');
  const elsewhere = await open({ viewport: phone });
  await signIn(elsewhere, client.email);
  await elsewhere.goto(address);
  await expect(field(elsewhere)).toHaveValue('Half a thought');
  await elsewhere.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(bubble(page, 'Half a thought')).toHaveCount(1);
  await expect(async () => {
    await elsewhere.reload();
    await expect(field(elsewhere)).toHaveValue('', { timeout: 1_000 });
  }).toPass();
});

test('words are found in one’s own messages and lead to the message in its place', async ({
  page,
  product,
  open,
}) => {
  test.slow();
  const { counsellor, conversationId, address } = await pair(page, product, 'The lighthouse on the hill.');
  for (let at = 0; at < 70; at += 1) await write(page, conversationId, `One more thought, number ${at}.`);
  await page.goto('/messages');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.getByRole('searchbox', { name: 'Search your messages' }).fill('lighthouse');
  const results = page.getByRole('region', { name: 'Messages that were found' });
  await expect(results.getByRole('status')).toHaveText('1 message found');
  await expect(results.locator('mark')).toHaveText('lighthouse');
  // Whatever one looks for stands in no address, neither the page's nor what it asks for.
  expect([page.url(), ...asked].filter((url) => url.includes('lighthouse'))).toEqual([]);
  await expectFair(page, 'what was found', { dark: true });
  await results.getByRole('link').click();
  const found = bubble(page, 'The lighthouse on the hill.');
  await expect(found).toBeInViewport();
  await expect(found).toBeFocused();
  await expect(page).toHaveURL(new RegExp(`${conversationId}\\?at=1$`));
  await expectFair(page, 'a message that was found', { dark: true });

  // From there the later ones come by themselves, and the latest at a press.
  await page.getByRole('button', { name: /^Go to the latest message/ }).click();
  await expect(bubble(page, 'number 69.')).toBeInViewport();
  // Who writes from there sees it at the end of all.
  await page.goto(`${address}?at=1`);
  await expect(found).toBeFocused();
  await field(page).fill('That was long ago.');
  await page.keyboard.press('Enter');
  await expect(bubble(page, 'That was long ago.')).toContainText('Sent');
  await expect(bubble(page, 'That was long ago.')).toBeInViewport();
  await expect(bubble(page, 'number 69.')).toHaveCount(1);
  await page.getByRole('searchbox').fill('no such word at all');
  await expect(page.getByText('No message has these words')).toBeVisible();
  await expectFair(page, 'nothing found');

  const counsellors = await open();
  const stranger = await becomeClient(counsellors, product, 'Somebody Else');
  await signIn(counsellors, stranger.email);
  await counsellors.goto('/messages');
  await expect(counsellors.getByRole('heading', { name: 'No messages yet' })).toBeVisible();
  await signIn(counsellors, counsellor.email);
  await counsellors.goto(address);
  await expect(history(counsellors).getByText('New messages')).toBeInViewport();
});

test('somebody else’s conversation isn’t there, and nothing of it reaches the browser', async ({
  page,
  product,
  open,
  expectNoise,
}) => {
  expectNoise(/status of 404/);
  const { address, client, counsellor } = await pair(page, product, 'Between the two of us.');
  const elsewhere = await open();
  const other = await becomeSpecialist(elsewhere, product, { name: 'Dr. Ben Other' });
  for (const who of [other.email, someone('stranger'), 'admin']) {
    await signIn(elsewhere, who);
    const answer = await elsewhere.goto(address);
    expect(answer?.status()).toBe(404);
    await expect(elsewhere.getByRole('heading', { level: 1 })).toHaveText('We can’t find this conversation');
    expect(await elsewhere.content()).not.toContain('Between the two of us.');
    expect(await elsewhere.content()).not.toContain(client.name);
  }
  await expectFair(elsewhere, 'a conversation that isn’t theirs', { dark: true });
  // Whom one may not write to isn't named, either.
  await signIn(elsewhere, other.email);
  const refused = await elsewhere.goto(`/messages/new?to=${client.id}`);
  expect(refused?.status()).toBe(404);
  await expect(elsewhere.getByRole('heading', { level: 1 })).toHaveText('You can’t write to this person');
  expect(await elsewhere.content()).not.toContain(client.name);
  await expectFair(elsewhere, 'somebody to whom one may not write');
  await forgetSession(elsewhere);
  await elsewhere.goto(address);
  await expect(elsewhere.getByRole('dialog', { name: "You're almost there!" })).toContainText(
    'Your conversations are private.',
  );
  expect(await elsewhere.content()).not.toContain(counsellor.name);
});

test('writing to nobody leads to the conversations, and the server isn’t asked for anybody', async ({
  page,
  product,
}) => {
  const { counsellor } = await pair(page, product);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const chosen = page.getByRole('heading', { name: 'Choose a conversation' });
  for (const path of ['/messages/new', '/messages/new?to=']) {
    const answer = await page.goto(path);
    expect(answer?.status()).toBe(200);
    await expect(page).toHaveURL('/messages');
    await expect(chosen).toBeVisible();
  }
  // Also on the way from one page to another.
  await openSpecialist(page, counsellor);
  await page.evaluate(() => {
    window.history.pushState(null, '', '/messages/new');
    window.dispatchEvent(new PopStateEvent('popstate'));
  });
  await expect(page).toHaveURL('/messages');
  await expect(chosen).toBeVisible();
  expect(asked.filter((url) => url.includes('/api/conversations/with'))).toEqual([]);
});

test('a conversation is found, read and answered by the keyboard alone', async ({ page, product, open }) => {
  const { counsellor, conversationId } = await pair(page, product);
  const counsellors = await open();
  await signIn(counsellors, counsellor.email);
  await write(counsellors, conversationId, 'How was the night?');
  await page.goto('/messages');
  await press(page, list(page).getByRole('link', { name: /Dr\. Ann Keller/ }));
  await expect(page.getByRole('heading', { level: 1, name: 'Dr. Ann Keller' })).toBeVisible();
  await tabTo(page, history(page));
  await tabTo(page, field(page));
  await page.keyboard.type('Better');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('Thank you');
  await expect(field(page)).toHaveValue('Better\nThank you');
  await page.keyboard.press('Enter');
  await expect(bubble(page, 'Better')).toHaveCount(1);
  await expect(field(page)).toBeFocused();
  // What comes while one writes takes the focus from nobody.
  await page.keyboard.type('And');
  await write(counsellors, conversationId, 'Good.');
  await expect(bubble(page, 'Good.')).toHaveCount(1);
  await expect(field(page)).toBeFocused();
  await page.keyboard.type(' you?');
  await press(page, page.getByRole('button', { name: 'Send', exact: true }));
  await expect(bubble(page, 'And you?')).toHaveCount(1);
  await expect(field(page)).toBeFocused();
  // Far up in the history the way back to its end leaves the focus in it.
  for (let at = 0; at < 12; at += 1)
    await write(page, conversationId, `${at}. ${'More to tell. '.repeat(30)}`);
  await expect(bubble(page, '11. More to tell.')).toBeInViewport();
  await history(page).focus();
  await page.keyboard.press('PageUp');
  await press(page, page.getByRole('button', { name: 'Go to the latest message' }));
  await expect(bubble(page, '11. More to tell.')).toBeInViewport();
  await expect(history(page)).toBeFocused();
  await page.setViewportSize(phone);
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('link', { name: 'All messages' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Messages' })).toBeVisible();
  await expect(list(page)).toBeVisible();
  const help = page.getByRole('banner').getByRole('button', { name: 'Need help now?' });
  await expect(help).toBeVisible();
});

test('a first message is written by the keyboard alone', async ({ page, product, open }) => {
  const counsellor = await becomeSpecialist(await open(), product, { name: 'Dr. Eve Stone' });
  await signIn(page, someone('keys'));
  await openSpecialist(page, counsellor);
  await press(page, page.getByRole('button', { name: 'Send Message to Dr. Eve Stone' }));
  await expect(page.getByRole('heading', { level: 1, name: 'New message' })).toBeVisible();
  const main = page.getByRole('main');
  await typeInto(page, main.getByLabel('Subject'), 'A first question');
  await typeInto(page, main.getByLabel('Message', { exact: true }), 'May I ask you something?');
  await press(page, main.getByRole('button', { name: 'Send Message' }));
  await expect(bubble(page, 'May I ask you something?')).toHaveCount(1);
  await expectFocusKept(page);
});

test('on a touch screen Enter breaks the line, and what is too long is said before it is sent', async ({
  page,
  product,
  open,
}) => {
  const { client, address } = await pair(page, product);
  const touch = await open({ viewport: phone, hasTouch: true, isMobile: true });
  await signIn(touch, client.email);
  await touch.goto(address);
  await field(touch).fill('One');
  await field(touch).press('Enter');
  await field(touch).pressSequentially('Two');
  await expect(field(touch)).toHaveValue('One\nTwo');
  await field(touch).fill('a'.repeat(4_999));
  await expect(touch.getByText('1 character left')).toBeVisible();
  await field(touch).fill('a'.repeat(5_002));
  await expect(touch.getByText('2 characters too many. Send it in two messages.')).toBeVisible();
  await expect(touch.getByRole('button', { name: 'Send', exact: true })).toBeDisabled();
  await expectNoViolation(touch, 'a message that is too long');
});

test('a long history keeps its place while it grows, and what is new is set apart', async ({
  page,
  product,
  open,
}) => {
  test.slow();
  const { counsellor, conversationId, address } = await pair(page, product);
  const counsellors = await open();
  await signIn(counsellors, counsellor.email);
  for (let at = 0; at < 120; at += 1)
    await write(
      at % 3 ? page : counsellors,
      conversationId,
      `Line ${at}. ${'And more of it. '.repeat(at % 5)}`,
    );
  let comeOn = () => {};
  const held = new Promise<void>((resolve) => {
    comeOn = resolve;
  });
  await page.route(/\/messages\?.*before=/, async (route) => {
    await held;
    await route.continue();
  });
  const seen = page.waitForResponse((answer) => answer.url().endsWith(`/${conversationId}/read`));
  await page.goto(address);
  // It opens where the new ones begin.
  await expect(history(page).getByText('New messages')).toBeInViewport();
  await expect(page.getByRole('button', { name: 'Go to the latest message', exact: true })).toBeVisible();
  // As it is painted: what comes is put in its place before that.
  const top = (text: string) =>
    bubble(page, text).evaluate(async (element) => {
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
      return Math.round(element.getBoundingClientRect().top);
    });
  const before = await top('Line 75.');
  const parts = history(page).locator('ol');
  const first = await parts.count();
  comeOn();
  await expect.poll(() => parts.count()).toBeGreaterThan(first);
  expect(Math.abs((await top('Line 75.')) - before)).toBeLessThan(3);
  // What comes before those in sight count as seen belongs to the new ones that stand already.
  await seen;
  await write(counsellors, conversationId, 'A new one while you read.');
  await page.getByRole('button', { name: 'Go to the latest message, 1 new' }).waitFor();
  expect(Math.abs((await top('Line 75.')) - before)).toBeLessThan(3);
  await expectFair(page, 'further up in a history', { dark: true });
  await page.getByRole('button', { name: 'Go to the latest message, 1 new' }).click();
  await expect(bubble(page, 'A new one while you read.')).toBeInViewport();
  await expect(history(page).getByText('New messages')).toBeVisible();
  await history(page).evaluate((element) => element.scrollTo({ top: -element.scrollHeight }));
  await expect(async () => {
    await history(page).evaluate((element) => element.scrollTo({ top: -element.scrollHeight }));
    await expect(page.getByText('Here begins your conversation with Dr. Ann Keller.')).toBeInViewport({
      timeout: 500,
    });
  }).toPass();
  await expect(history(page).getByText('Today')).toBeVisible();
});

test('of five thousand messages a few are drawn', async ({ page, product }) => {
  test.slow();
  const { conversationId } = await pair(page, product);
  const all = 5_000;
  // Made up on the way to the browser: the server has its own test of a long history.
  const message = (seq: number) => ({
    id: `00000000-0000-4000-8000-${String(seq).padStart(12, '0')}`,
    seq,
    mine: seq % 3 === 0,
    text: `Number ${seq}. ${'Some words. '.repeat(seq % 9)}`,
    attachments: [],
    sentAt: new Date(Date.UTC(2026, 0, 1) + seq * 3_600_000).toISOString(),
  });
  await page.route(`**/api/conversations/${conversationId}/messages?*`, async (route) => {
    const query = new URL(route.request().url()).searchParams;
    const limit = Number(query.get('limit') ?? 50);
    const before = Number(query.get('before') ?? all + 1);
    const from = query.has('after') ? Number(query.get('after')) + 1 : Math.max(1, before - limit);
    const to = query.has('after') ? Math.min(all, from + limit - 1) : before - 1;
    const messages = Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => message(from + at));
    await route.fulfill({ json: { messages, more: query.has('after') ? to < all : from > 1 } });
  });
  await page.route(`**/api/conversations/${conversationId}`, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({
      json: { ...((await answer.json()) as object), lastSeq: all, readSeq: all, unread: 0 },
    });
  });
  await page.goto('/messages');
  await list(page).getByRole('link').first().click();
  await expect(bubble(page, 'Number 5000.')).toBeInViewport();
  const nodes = () => history(page).evaluate((element) => element.querySelectorAll('*').length);
  let most = await nodes();
  await expect(async () => {
    for (let at = 0; at < 40; at += 1) {
      await history(page).evaluate(async (element) => {
        element.scrollBy({ top: -3_000 });
        await new Promise(requestAnimationFrame);
        await new Promise(requestAnimationFrame);
      });
      most = Math.max(most, await nodes());
    }
    await expect(bubble(page, 'Number 1. ')).toBeInViewport({ timeout: 200 });
  }).toPass({ timeout: 90_000 });
  expect(most).toBeLessThan(1_500);
  // Opened again, it begins at its end with as few.
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'Messages' })).toBeVisible();
  await list(page).getByRole('link').first().click();
  await expect(bubble(page, 'Number 5000.')).toBeInViewport();
  expect(await history(page).locator('ol').count()).toBeLessThan(5);
  // What the page still asks for needs no answer.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('both homes have Unread Messages and Recent Messages, at most three, with the way to answer and to all of them', async ({
  page,
  product,
  open,
}) => {
  const { counsellor, client } = await pair(page, product, 'From Lydia.');
  for (const name of ['Mara One', 'Mara Two', 'Mara Three']) {
    const other = await open();
    await becomeClient(other, product, name);
    await call(other, '/api/conversations', {
      conversationId: crypto.randomUUID(),
      messageId: crypto.randomUUID(),
      withId: counsellor.id,
      subject: `Of ${name}`,
      text: `Written by ${name}.`,
      attachmentIds: [],
    });
  }
  await page.goto('/home');
  const recent = page.getByRole('region', { name: 'Recent Messages' });
  const entry = recent.getByRole('listitem');
  await expect(entry).toHaveCount(1);
  // Sender, subject, preview, time.
  await expect(entry).toContainText('Dr. Ann Keller');
  await expect(entry).toContainText('The nights');
  await expect(entry).toContainText('You: From Lydia.');
  await expect(entry.locator('time')).toHaveText(/^\d\d:\d\d [AP]M$/);
  await expect(recent.getByRole('link', { name: /Reply/ })).toHaveCount(0);

  const counsellors = await open();
  await signIn(counsellors, counsellor.email);
  await counsellors.goto('/home');
  const theirs = counsellors.getByRole('region', { name: 'Recent Messages' });
  await expect(theirs.getByRole('listitem')).toHaveCount(3);
  for (const name of ['Mara One', 'Mara Two', 'Mara Three']) {
    const one = theirs.getByRole('listitem').filter({ hasText: name });
    await expect(one).toContainText(`Written by ${name}.`);
    await expect(one).toContainText('1 unread message');
    await expect(one).not.toContainText(`Of ${name}`);
    await expect(one.getByRole('link', { name: `Reply to ${name}` })).toBeVisible();
  }
  await expect(
    counsellors.getByRole('term').filter({ hasText: 'Unread Messages' }).locator('..'),
  ).toContainText('4');
  await expectFair(counsellors, 'the home of a specialist with messages', { dark: true });
  // On phones the way to answer takes no room from whom it is of and what they write.
  await counsellors.setViewportSize(phone);
  for (const name of await theirs.getByRole('link', { name: /^Mara/ }).all())
    expect(await name.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(false);
  await counsellors.setViewportSize(desktop);
  await theirs.getByRole('link', { name: 'View All Messages' }).click();
  await expect(list(counsellors).getByRole('listitem')).toHaveCount(4);
  await expectFair(counsellors, 'conversations', { dark: true });
  // From a client's page the way leads to the conversation with them.
  await counsellors.goto(`/messages/new?to=${client.id}`);
  await expect(counsellors.getByRole('heading', { level: 1, name: client.name })).toBeVisible();
  await counsellors.setViewportSize(phone);
  await expect(counsellors.getByRole('heading', { level: 1, name: client.name })).toBeVisible();
});

test('Message on Today’s Schedule, on appointments and on a client’s page leads to the conversation with them', async ({
  page,
  product,
  open,
}) => {
  const theirs = await open({ timezoneId: 'America/New_York' });
  const ada = await becomeSpecialist(theirs, product);
  const client = await becomeClient(page, product, 'Lydia Brand');
  const times = await offeredTimes(page, product, ada);
  await moveInDatabase(product, await bookDirectly(page, ada, times[0]!), new Date());
  const message = (within: Locator) => within.getByRole('link', { name: /^Message to / }).first();

  await theirs.goto('/home');
  await message(theirs.getByRole('region', { name: "Today's Schedule" })).click();
  await expect(theirs).toHaveURL(`${product.url}/messages/new?to=${client.id}`);
  await expect(theirs.getByText(`To ${client.name}`)).toBeVisible();
  await theirs.goto(`/clients/${client.id}`);
  await message(theirs.getByRole('main')).click();
  await expect(theirs).toHaveURL(`${product.url}/messages/new?to=${client.id}`);
  await page.goto('/home');
  await message(page.getByRole('article').first()).click();
  await expect(page).toHaveURL(`/messages/new?to=${ada.id}`);
  await expect(page.getByText(`To ${ada.name}`)).toBeVisible();
});

test('times are told in the zone of the account, which is named where the device shows another time', async ({
  open,
  product,
}) => {
  const page = await open({ timezoneId: 'Asia/Tokyo' });
  const { client, conversationId, address } = await pair(page, product);
  await product.query('update profiles set time_zone = $2 where id = $1', [client.id, 'America/New_York']);
  const [sent] = await product.query<{ at: Date }>(
    'select sent_at as at from messages where conversation_id = $1',
    [conversationId],
  );
  const { time } = words(sent!.at.toISOString(), 'America/New_York');
  await page.goto(address);
  const log = page.getByRole('group', { name: /^Messages with/ });
  await expect(log).toContainText(time);
  const line = page.getByText('Times are in New York time.').filter({ visible: true });
  await expect(line).toHaveCount(1);
  await page.setViewportSize(phone);
  await expect(line).toHaveCount(1);
  await expectFair(page, 'a conversation in another zone');

  const there = await open({ timezoneId: 'America/New_York' });
  await signIn(there, client.email);
  await there.goto(address);
  await expect(there.getByRole('group', { name: /^Messages with/ })).toContainText(time);
  await expect(there.getByText(/^Times are in/)).toHaveCount(0);
});

test('switched off, messages are nowhere', async ({ page, product, open, expectNoise }) => {
  expectNoise(/status of 404/);
  const { client, counsellor, address } = await pair(page, product);
  await product.query(`update feature_flags set enabled = false where id = 'direct_messaging'`);
  await product.query('notify pages');
  try {
    for (const who of [client.email, counsellor.email]) {
      const elsewhere = await open();
      await signIn(elsewhere, who);
      await elsewhere.goto('/home');
      await expect(elsewhere.getByRole('heading', { name: 'Quick Actions' })).toBeVisible();
      await expect(headerLink(elsewhere)).toHaveCount(0);
      await expect(elsewhere.getByText(/Unread Messages|Recent Messages/)).toHaveCount(0);
      expect((await elsewhere.goto('/messages'))?.status()).toBe(404);
      expect((await elsewhere.goto(address))?.status()).toBe(404);
    }
    const guest = await open();
    await guest.goto(`/therapists/specialist-${counsellor.id}`);
    await expect(guest.getByRole('button', { name: /^Book Session/ }).first()).toBeVisible();
    await expect(guest.getByRole('button', { name: /^Send Message/ })).toHaveCount(0);
  } finally {
    await product.query(`update feature_flags set enabled = true where id = 'direct_messaging'`);
    await product.query('notify pages');
  }
});

test('messages look right in every state, on phones and desktops, in the light and in the dark', async ({
  page,
  product,
  open,
  expectNoise,
}) => {
  test.slow();
  expectNoise(/status of 50\d/);
  await page.goto('/messages');
  const prompt = page.getByRole('dialog', { name: "You're almost there!" });
  await expectHoldsFocus(prompt);
  await prompt.getByRole('button', { name: 'Not now, continue browsing' }).click();
  await expectFair(page, 'messages of a guest', { dark: true });

  const empty = await open();
  await signIn(empty, someone('nobody'));
  await empty.goto('/messages');
  await expect(empty.getByRole('link', { name: 'Find a specialist to write to' })).toBeVisible();
  await expectFair(empty, 'no messages', { dark: true });

  const { counsellor, conversationId, address } = await pair(page, product);
  const counsellors = await open();
  await signIn(counsellors, counsellor.email);
  await write(counsellors, conversationId, `${'Averylongwordwithoutanyspace'.repeat(8)}\nשלום, and on.`);
  await page.goto('/messages');
  await expectFair(page, 'the list', { dark: true });
  await page.setViewportSize(desktop);
  await page.goto(address);
  await expect(bubble(page, 'Averylong')).toBeVisible();
  await expect(page.getByText('Messages aren’t read at once.')).toBeVisible();
  await expectFair(page, 'a conversation', { dark: true });
  await counsellors.goto(address);
  await expect(counsellors.getByText('Messages aren’t read at once.')).toHaveCount(0);

  // One that has ended, and one that can't be loaded.
  await product.query(`update profiles set role = 'client' where id = $1`, [counsellor.id]);
  await page.reload();
  await expect(page.getByText('You can read what was written. Nothing can be added any more.')).toBeVisible();
  await expect(field(page)).toHaveCount(0);
  await expectFair(page, 'a conversation that has ended', { dark: true });
  await product.query(`update profiles set role = 'doctor' where id = $1`, [counsellor.id]);
  await product.query('alter table messages rename to messages_away');
  try {
    await page.goto(address);
    await expect(page.getByRole('alert').first()).toContainText('couldn’t be loaded');
    await expectFair(page, 'a conversation that can’t be loaded', { dark: true });
  } finally {
    await product.query('alter table messages_away rename to messages');
  }
  await page.getByRole('button', { name: 'Try again' }).last().click();
  await expect(bubble(page, 'Averylong')).toBeVisible();
});
