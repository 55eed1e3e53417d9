import { expect, test } from 'vitest';
import { setLetter, type Letter, type MailSite } from './rules.ts';

const site: MailSite = {
  appUrl: 'https://italk.example',
  siteName: 'Cedar House',
  supportEmail: 'support@italk.example',
  locale: 'en',
};
const letter: Letter = {
  subject: 'A subject',
  name: 'Ann',
  text: ['First.', 'Second.'],
  quote: { text: 'Jesus wept.', source: 'John 11:35' },
  facts: [{ label: 'When', value: 'Monday' }],
  more: ['Third.'],
  action: { label: 'Open', url: 'https://italk.example/home?a=1&b=2' },
  note: 'A note.',
  unsubscribe: { label: 'Stop these mails', url: 'https://italk.example/unsubscribe?token=x&y=z' },
};

test('contains the HTML’s full content as text, with its link on a separate line', () => {
  const { text, html } = setLetter(letter, site);
  for (const words of [
    'Hello Ann,',
    'First.',
    'Second.',
    'Jesus wept.',
    'John 11:35',
    'Stop these mails',
    'Monday',
    'Third.',
    'A note.',
    'support@italk.example',
    'Warm regards,',
    'Cedar House',
  ]) {
    expect(text).toContain(words);
    expect(html).toContain(words);
  }
  expect(text.split('\n')).toContain('https://italk.example/home?a=1&b=2');
  expect(html).toContain('href="https://italk.example/home?a=1&amp;b=2"');
  expect(text.split('\n')).toContain('https://italk.example/unsubscribe?token=x&y=z');
  expect(html).toContain('href="https://italk.example/unsubscribe?token=x&amp;y=z"');
});

test('loads no remote content', () => {
  const { html } = setLetter(letter, site);
  expect(html).not.toMatch(/<(?:img|link|script|iframe|table)\b|url\(|@import|@font-face|\bsrc=/i);
});

test.each([
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '&lt;b&gt; & <b>',
  '</title><style>*{display:none}</style>',
  '\u202E<svg/onload=alert(1)>',
])('escapes %s anywhere a person entered it', (hostile) => {
  const plain = setLetter(letter, site).html;
  const { html, text } = setLetter(
    {
      ...letter,
      subject: hostile,
      name: hostile,
      text: [hostile],
      quote: { text: hostile, source: hostile },
      facts: [{ label: hostile, value: hostile }],
      more: [hostile],
      action: { label: hostile, url: `https://italk.example/?next=${hostile}` },
      note: hostile,
      unsubscribe: { label: hostile, url: `https://italk.example/?token=${hostile}` },
    },
    { ...site, siteName: hostile, supportEmail: hostile },
  );
  const tags = (source: string) =>
    source.match(/<[^>]*>/g)?.map((tag) => tag.replace(/href="[^"]*"/, 'href'));
  // The hostile email has one paragraph fewer than the plain one.
  expect(tags(html)).toEqual(tags(plain.replace(/<p[^>]*>Second\.<\/p>\n/, '')));
  expect(text).toContain(hostile);
});

test.each(['Ann\r\nBcc: all@people.example', 'Ann\nX: y', 'Ann\u2028X: y', 'Ann\u0000'])(
  'keeps a name or subject on one line: %j',
  (name) => {
    const { subject, text } = setLetter({ ...letter, name, subject: name }, site);
    // oxlint-disable-next-line no-control-regex -- it is what must not be there
    expect(subject).not.toMatch(/[\u0000-\u001f\u2028\u2029]/);
    expect(text.split('\n')[0]).toMatch(/^Hello Ann.*,$/);
  },
);

test('greets recipients without a name', () => {
  expect(setLetter({ ...letter, name: null }, site).text).toMatch(/^Hello,\n/);
});
