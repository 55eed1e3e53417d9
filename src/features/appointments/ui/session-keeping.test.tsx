import { afterEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { answer, askedFor, pressWith, unreachable } from '../../../../tests/components/answers.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const client = recordedFor('client');
const { id, provider } = client['appointments.mine'][0]!;
const session = {
  ...client['appointments.mine'][0]!,
  status: 'confirmed',
  startsAt: '2026-12-09T14:00:00Z',
  endsAt: '2026-12-09T15:00:00Z',
  actions: ['cancel', 'reschedule', 'set_reminder'],
};
const me = client['accounts.me'];
const dialog = page.getByRole('dialog');
const reminder = dialog.getByLabelText('Reminder', { exact: true });
const toast = (text: string) => page.getByText(text).first();

afterEach(() => vi.restoreAllMocks());

interface Saved {
  name: string;
  text: string;
}

/** Captures files the page downloads. */
function catchFiles(): Saved[] {
  const saved: Saved[] = [];
  const blobs = new Map<string, Blob>();
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    const url = `blob:${blobs.size}`;
    blobs.set(url, blob as Blob);
    return url;
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    void blobs
      .get(this.href)!
      .text()
      .then((text) => saved.push({ name: this.download, text }));
  });
  return saved;
}

async function openKeeping(): Promise<void> {
  await openPage('/home', {
    as: 'client',
    answers: { 'appointments.mine': [session], 'appointments.setReminder': session },
  });
  await openMenu();
}

async function openMenu(): Promise<void> {
  await page.getByRole('button', { name: `Actions for the appointment with ${provider.name}` }).click();
  await page.getByRole('menuitem', { name: 'Reminder and calendar' }).click();
  await expect.element(dialog.getByRole('link', { name: /^Google Calendar/ })).toBeVisible();
}

/** Unfolds the lines of an iCalendar file, checking the 75-octet limit (RFC 5545, 3.1). */
function linesOf({ text }: Saved): string[] {
  for (const line of text.split('\r\n'))
    expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
  return text.replaceAll('\r\n ', '').split('\r\n');
}

test('prefills the forms of the four calendar services', { tags: ['long'] }, async () => {
  await openKeeping();
  const links = ['Google Calendar', 'Outlook', 'Office 365', 'Yahoo Calendar'].map((name) => {
    const link = dialog.getByRole('link', { name: new RegExp(`^${name}`) });
    expect(link.element()).toMatchObject({ target: '_blank' });
    const url = new URL((link.element() as HTMLAnchorElement).href);
    return { place: url.host + url.pathname, ...Object.fromEntries(url.searchParams) };
  });
  const [google, outlook, office, yahoo] = links;
  const title = 'iTalk Individual Healing Session';
  expect(google).toMatchObject({
    place: 'calendar.google.com/calendar/render',
    action: 'TEMPLATE',
    text: title,
    dates: '20261209T140000Z/20261209T150000Z',
    ctz: 'America/New_York',
    add: me.email,
    details: expect.stringContaining(provider.name) as string,
    location: expect.stringContaining('Video meeting') as string,
  });
  const compose = {
    subject: title,
    startdt: '2026-12-09T14:00:00Z',
    enddt: '2026-12-09T15:00:00Z',
    to: me.email,
  };
  expect(outlook).toMatchObject({ place: 'outlook.live.com/calendar/0/deeplink/compose', ...compose });
  expect(office).toMatchObject({ place: 'outlook.office.com/calendar/0/deeplink/compose', ...compose });
  expect(yahoo).toMatchObject({
    place: 'calendar.yahoo.com/',
    title,
    st: '20261209T140000Z',
    et: '20261209T150000Z',
    inv_list: me.email,
  });
  // Checks only the URL, without calling the external service.
  document.addEventListener('click', (event) => event.preventDefault(), { once: true });
  await dialog.getByRole('link', { name: /^Google Calendar/ }).click();
  await expect.element(toast('Opening calendar')).toBeVisible();
});

test('saves a calendar file that follows the spec, for every reminder', { tags: ['long'] }, async () => {
  const saved = catchFiles();
  await openKeeping();
  await expect.element(reminder).toHaveValue('15');
  const offered = reminder.getByRole('option').elements();
  expect(offered.map((one) => one.textContent)).toEqual([
    '15 minutes before',
    '1 hour before',
    '1 day before',
    '2 days before',
    '1 week before',
  ]);
  for (const [index, minutes] of ['15', '60', '1440', '2880', '10080'].entries()) {
    if (minutes !== '15') await reminder.selectOptions(minutes);
    await dialog.getByRole('button', { name: /Download Calendar File/ }).click();
    await expect.element(toast(`Appointment with ${minutes} minute reminder saved.`)).toBeVisible();
    await expect.poll(() => saved.length).toBe(index + 1);
    expect(linesOf(saved[index]!)).toContain(`TRIGGER:-PT${minutes}M`);
  }
  await expect
    .poll(() => askedFor('appointments.setReminder').at(-1))
    .toMatchObject({ appointmentId: id, minutes: 10_080 });
  await expect.element(toast('Calendar file downloaded')).toBeVisible();
  expect(saved[0]!.name).toBe('italk-session-2026-12-09.ics');
  const lines = linesOf(saved[0]!);
  for (const line of [
    'SUMMARY:iTalk Individual Healing Session',
    'STATUS:CONFIRMED',
    'X-MICROSOFT-CDO-BUSYSTATUS:BUSY',
    'CLASS:PRIVATE',
    `LOCATION:Video meeting: ${window.location.origin}/session/${id}`,
  ])
    expect(lines).toContain(line);
  expect(lines.join('\n')).toMatch(/^ORGANIZER;CN="?iTalk"?:mailto:support@italk\.example$/m);
  const description = lines.find((line) => line.startsWith('DESCRIPTION:'));
  for (const part of [
    `Specialist: ${provider.name}`,
    'Service: Individual Healing',
    'Session type: Online Video Call',
    'log in 5 minutes early',
    `visit ${window.location.origin}`,
  ])
    expect(description).toContain(part);
});

test('reports a failed calendar file and creates it on retry', { tags: ['long'] }, async () => {
  const saved = catchFiles();
  await openKeeping();
  vi.spyOn(URL, 'createObjectURL').mockImplementationOnce(() => {
    throw new Error('no room');
  });
  const button = dialog.getByRole('button', { name: /Download Calendar File/ });
  await button.click();
  await expect.element(toast('Download failed')).toBeVisible();
  await expect.element(toast('Unable to generate calendar file. Please try again.')).toBeVisible();
  expect(saved).toEqual([]);
  await button.click();
  await expect.element(toast('Calendar file downloaded')).toBeVisible();
  await expect.poll(() => saved).toHaveLength(1);
  expect(saved[0]!.name).toBe('italk-session-2026-12-09.ics');
});

test('keeps calendar entries discreet if chosen, and remembers the choice', { tags: ['long'] }, async () => {
  const saved = catchFiles();
  await openKeeping();
  const discreet = dialog.getByRole('switch', { name: 'Keep it discreet' });
  await expect.element(discreet).not.toBeChecked();
  const keepsDiscreet = { ...me, keepDiscreet: true };
  await pressWith(discreet, { 'accounts.updatePreferences': keepsDiscreet, 'accounts.me': keepsDiscreet });
  await expect
    .element(dialog.getByRole('link', { name: /^Google/ }))
    .toHaveAttribute('href', expect.stringMatching(/text=iTalk%20session&/));
  await dialog.getByRole('button', { name: /Download Calendar File/ }).click();
  await expect.poll(() => saved).toHaveLength(1);
  expect(linesOf(saved[0]!)).toContain('SUMMARY:iTalk session');
  expect(saved[0]!.text).not.toMatch(/Healing|Whitfield/);
  await expect
    .poll(() => askedFor('accounts.updatePreferences').at(-1))
    .toMatchObject({ keepDiscreet: true });
  await dialog.getByRole('button', { name: 'Close' }).first().click();
  await expect.element(dialog).not.toBeInTheDocument();
  await openMenu();
  await expect.element(discreet).toBeChecked();
});

test('saves a contact card that follows the spec', async () => {
  const saved = catchFiles();
  await openKeeping();
  await dialog.getByRole('button', { name: 'Save Contact Card' }).click();
  await expect.element(toast('Contact card downloaded')).toBeVisible();
  await expect.poll(() => saved).toHaveLength(1);
  expect(saved[0]!.name).toBe('italk-contact.vcf');
  const lines = linesOf(saved[0]!);
  for (const property of ['ORG', 'FN', 'TITLE', 'TEL', 'EMAIL', 'URL', 'ADR', 'NOTE'])
    expect(
      lines.filter((line) => new RegExp(`^${property}[;:]`).test(line)),
      property,
    ).toHaveLength(1);
  const card = lines.join('\n');
  expect(card).toContain('iTalk Health');
  expect(card).toContain('support@italk.example');
  expect(card.replaceAll(/[ -]/g, '')).toContain('+15550100188');
});

test('reports a saved reminder, and a failure for another', async () => {
  await openKeeping();
  await reminder.selectOptions('1 hour before');
  await expect.element(dialog.getByText('Saved.')).toBeVisible();
  answer({ 'appointments.setReminder': unreachable });
  await reminder.selectOptions('1 day before');
  await expect.element(reminder).toHaveAttribute('aria-invalid', 'true');
  await expect.element(reminder).toHaveValue('60');
});
