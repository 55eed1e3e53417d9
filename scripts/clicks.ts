/**
 * Counts the presses, pages and seconds of ten daily jobs, each from its role's home page, on a phone and a desktop:
 * `npm run clicks`, or `npm run clicks -- note` for those with this word in their name.
 */
import { chromium, type APIResponse, type Locator, type Page } from '@playwright/test';
import { findBrowser } from './browser.ts';
import { chromiumArgs } from './chromium.ts';
import { startProduct } from './product.ts';

const widths = [390, 1280] as const;
/** Milliseconds. */
const longest = 10_000;
const day = 86_400_000;
const password = 'peace-be-with-you';
const pressed = 'clicks-pressed';

interface Job {
  name: string;
  who: 'client' | 'pastor' | 'admin';
  /** More presses than this fail the run. */
  most: number;
  before?: (page: Page, url: string) => Promise<void>;
  act: (hand: Hand) => Promise<void>;
}

/** Does what a person does, and counts it. */
class Hand {
  presses = 0;
  pages = 0;
  /** From each press to what it was for, without the time Playwright needs to press. */
  seconds = 0;
  readonly page: Page;
  #address = '';

  constructor(page: Page) {
    this.page = page;
    this.#address = addressOf(page.url());
    page.on('framenavigated', (frame) => {
      if (frame !== page.mainFrame() || addressOf(frame.url()) === this.#address) return;
      this.#address = addressOf(frame.url());
      this.pages += 1;
    });
  }

  async press(target: Locator): Promise<void> {
    await this.sees(target);
    await target.click();
    this.presses += 1;
  }

  /** Counts as one press, however long the text. */
  async type(field: Locator, text: string): Promise<void> {
    await this.sees(field);
    await field.fill(text);
    this.presses += 1;
  }

  async sees(target: Locator): Promise<void> {
    await target.waitFor({ timeout: longest });
    const now = Date.now();
    const at = await this.page.evaluate((key) => {
      const stored = sessionStorage.getItem(key);
      sessionStorage.removeItem(key);
      return stored;
    }, pressed);
    if (at) this.seconds += Math.max(0, now - Number(at)) / 1000;
  }
}

const jobs: readonly Job[] = [
  {
    name: 'book a session',
    who: 'client',
    most: 3,
    act: async (hand) => {
      const dialog = hand.page.getByRole('dialog');
      await hand.press(hand.page.getByRole('main').getByRole('button', { name: 'Book Appointment' }));
      await hand.press(timesIn(dialog).first());
      await hand.press(dialog.getByRole('button', { name: 'Confirm Appointment' }));
      await hand.sees(hand.page.getByRole('dialog', { name: 'Appointment Confirmed' }));
    },
  },
  {
    name: 'move a session',
    who: 'client',
    most: 4,
    act: async (hand) => {
      await hand.press(hand.page.getByRole('button', { name: /^Actions for/ }).first());
      await hand.press(hand.page.getByRole('menuitem', { name: 'Reschedule' }));
      const dialog = hand.page.getByRole('dialog', { name: 'Reschedule' });
      await hand.press(timesIn(dialog).last());
      await hand.press(dialog.getByRole('button', { name: 'Reschedule appointment' }));
      await hand.sees(hand.page.getByText('Appointment rescheduled', { exact: true }).first());
    },
  },
  {
    name: 'cancel a series',
    who: 'client',
    most: 3,
    before: bookSeries,
    act: async (hand) => {
      await hand.press(hand.page.getByRole('button', { name: /^Actions for the series/ }));
      await hand.press(hand.page.getByRole('menuitem', { name: 'Cancel appointment' }));
      const question = hand.page.getByRole('alertdialog');
      await hand.press(question.getByRole('button', { name: /^Cancel \d sessions/ }));
      await hand.sees(hand.page.getByText(/^\d sessions canceled$/).first());
    },
  },
  {
    name: 'answer a message',
    who: 'client',
    most: 3,
    act: async (hand) => {
      const recent = hand.page.getByRole('region', { name: 'Recent Messages' });
      await hand.press(recent.getByRole('listitem').first().getByRole('link').first());
      await hand.type(hand.page.getByRole('textbox', { name: 'Message' }), 'Thank you. See you then.');
      await hand.press(hand.page.getByRole('button', { name: 'Send', exact: true }));
      await hand.sees(hand.page.getByRole('main').getByText('Thank you. See you then.').last());
    },
  },
  {
    name: 'confirm a request',
    who: 'pastor',
    most: 1,
    act: async (hand) => {
      const waiting = hand.page.getByRole('region', { name: 'Waiting for your confirmation' });
      await hand.press(waiting.getByRole('button', { name: 'Confirm', exact: true }).first());
      await hand.sees(hand.page.getByText('Booking confirmed', { exact: true }).first());
    },
  },
  {
    name: 'write a note',
    who: 'pastor',
    most: 3,
    act: async (hand) => {
      await hand.press(hand.page.getByRole('link', { name: /^Write a note/ }).first());
      await hand.type(hand.page.getByRole('textbox', { name: 'Note' }), 'We read Psalm 23 together.');
      await hand.press(hand.page.getByRole('button', { name: 'Save note' }));
      await hand.sees(hand.page.getByText('Note saved', { exact: true }).first());
    },
  },
  {
    name: 'block an afternoon',
    who: 'pastor',
    most: 5,
    act: async (hand) => {
      await hand.press(hand.page.getByRole('link', { name: 'Schedule', exact: true }).first());
      await hand.press(hand.page.getByRole('button', { name: 'Block time' }));
      const dialog = hand.page.getByRole('dialog', { name: 'Block time' });
      await hand.type(dialog.getByLabel('Date'), new Date(Date.now() + 2 * day).toISOString().slice(0, 10));
      await hand.press(dialog.getByRole('button', { name: 'From noon' }));
      await hand.press(dialog.getByRole('button', { name: 'Block this time' }));
      await hand.sees(hand.page.getByText('Time blocked', { exact: true }).first());
    },
  },
  {
    name: 'approve an application',
    who: 'admin',
    most: 5,
    act: async (hand) => {
      const pending = hand.page.getByRole('region', { name: 'Pending Provider Approvals' });
      await hand.press(pending.getByRole('button', { name: 'Approve' }).first());
      const question = hand.page.getByRole('alertdialog');
      // The documents open in a tab of their own.
      await hand.press(question.getByRole('link', { name: /\.pdf$/ }));
      await hand.sees(question.getByText(/^You opened it on/));
      await hand.press(question.getByRole('button', { name: 'Approve' }));
      const identity = hand.page.getByRole('dialog', { name: 'Confirm it’s you' });
      await hand.type(identity.getByLabel('Your password'), password);
      await hand.press(identity.getByRole('button', { name: 'Confirm' }));
      await hand.sees(hand.page.getByText('Provider Approved', { exact: true }).first());
    },
  },
  {
    name: 'answer a contact message',
    who: 'admin',
    most: 4,
    act: async (hand) => {
      await hand.press(hand.page.getByRole('link', { name: /contact messages? to answer/ }));
      // Desktops open the first.
      if (hand.page.viewportSize()!.width < 700)
        await hand.press(
          hand.page
            .getByRole('navigation', { name: /^Messages/ })
            .getByRole('link')
            .first(),
        );
      await hand.type(hand.page.getByLabel('Answer', { exact: true }), 'Yes, Dr. Bennett does on Tuesdays.');
      await hand.press(hand.page.getByRole('button', { name: 'Send answer' }));
      await hand.sees(hand.page.getByRole('button', { name: 'Undo' }));
    },
  },
  {
    name: 'find who changed a setting',
    who: 'admin',
    most: 2,
    act: async (hand) => {
      const settings = hand.page.getByRole('link', { name: 'Site Settings' });
      // Desktops have it in the sidebar.
      if (!(await settings.first().isVisible()))
        await hand.press(hand.page.getByRole('main').getByRole('link', { name: /^System Settings/ }));
      await hand.press(settings.first());
      await hand.sees(hand.page.getByText(/^Minimum password length: /));
    },
  },
];

function timesIn(dialog: Locator): Locator {
  return dialog.getByRole('radiogroup', { name: /^Time/ }).getByRole('radio');
}

function addressOf(url: string): string {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  return `${pathname} ${searchParams.get('tab') ?? ''}`;
}

/** Books four weekly sessions at the first time that is open in each of the weeks. */
async function bookSeries(page: Page, url: string): Promise<void> {
  const read = async <T>(path: string) => (await (await page.request.get(url + path)).json()) as T;
  const [, , specialist] = await read<{ id: string }[]>('/api/specialists');
  const [from, to] = [3, 9].map((days) => new Date(Date.now() + days * day).toISOString());
  const { starts } = await read<{ starts: string[] }>(
    `/api/specialists/${specialist!.id}/free-starts?from=${from!}&to=${to!}&durationMinutes=60`,
  );
  for (const startsAt of starts) {
    const booked = await post(page, url, '/api/bookings', {
      providerId: specialist!.id,
      serviceId: 'families',
      startsAt,
      durationMinutes: 60,
      recurrence: 'weekly',
      sessions: 4,
      sessionType: 'online',
      contact: { name: 'Hannah Brooks', email: 'client@italk.example' },
      timeZone: 'America/Chicago',
      idempotencyKey: crypto.randomUUID(),
    });
    if (booked.ok()) return;
  }
  throw new Error('No series could be booked.');
}

function post(page: Page, url: string, path: string, data: object): Promise<APIResponse> {
  return page.request.post(url + path, { headers: { origin: url }, data });
}

async function measure(url: string, page: Page, { who, before, act }: Job): Promise<Hand> {
  await post(page, url, '/api/auth/sign-in/email', { email: `${who}@italk.example`, password });
  await before?.(page, url);
  await page.addInitScript({
    content: `for (const event of ['click', 'input'])
      addEventListener(event, () => sessionStorage.setItem('${pressed}', Date.now()), true);`,
  });
  await page.goto(`${url}/home`);
  await page.locator('html[data-ready]').waitFor();
  const hand = new Hand(page);
  await act(hand);
  return hand;
}

const word = process.argv[2] ?? '';
const wanted = jobs.filter(({ name }) => name.includes(word));
const rows = new Map(wanted.map((job) => [job, [] as Hand[]]));
const browser = await chromium.launch({ executablePath: await findBrowser(), args: chromiumArgs });
for (const width of widths) {
  const product = await startProduct();
  for (const job of wanted) {
    const page = await browser.newPage({
      viewport: { width, height: width < 700 ? 844 : 900 },
      locale: 'en-US',
      timezoneId: 'America/Chicago',
    });
    rows.get(job)!.push(await measure(product.url, page, job));
    await page.context().close();
  }
  await product.stop();
}
await browser.close();

console.log(`${''.padEnd(28)}${widths.map((width) => `${width} px`.padEnd(24)).join('')}`);
console.log(`${''.padEnd(28)}${widths.map(() => 'presses  pages  seconds '.padEnd(24)).join('')}`);
for (const [{ name }, hands] of rows) {
  const cells = hands.map(
    ({ presses, pages, seconds }) =>
      `${String(presses).padStart(7)}${String(pages).padStart(7)}${seconds.toFixed(2).padStart(9)} `,
  );
  console.log(`${name.padEnd(28)}${cells.join('')}`);
}
const longer = [...rows].filter(([{ most }, hands]) => hands.some(({ presses }) => presses > most));
for (const [{ name, most }] of longer) console.log(`${name} takes more than ${most} presses.`);
process.exitCode = longer.length > 0 ? 1 : 0;
