import { expect, test } from 'vitest';
import { escapedHtml, noDirectionControls, oneLine, severalLines } from './text.ts';

test('allows line breaks only in multi-line text, and rejects other control characters', () => {
  expect(oneLine.test('Ruth van Amsel, תֵּל אָבִיב 🙂')).toBe(true);
  for (const broken of ['a\nb', 'a\rb', 'a\tb', 'a\u2028b', 'a\u2029b', 'a\u0000', '\u0085'])
    expect(oneLine.test(broken), JSON.stringify(broken)).toBe(false);
  for (const unseen of ['\u200b', '\u3164', '\u2800', '\u00ad \u{e0041}'])
    expect(oneLine.test(unseen), JSON.stringify(unseen)).toBe(false);
  for (const seen of ['', '❤️', 'می\u200cخواهم', '🏴\u{e0067}\u{e007f}'])
    expect(oneLine.test(seen), seen).toBe(true);
  expect(severalLines.test('One.\r\n\tTwo.')).toBe(true);
  for (const broken of ['a\u0000', 'a\u001b[31m', 'a\u007f'])
    expect(severalLines.test(broken), JSON.stringify(broken)).toBe(false);
});

test('finds controls that reorder text, but not the marks of right-to-left writing', () => {
  expect(noDirectionControls.test('רות\u200f (Ruth)\u200e')).toBe(true);
  for (const control of '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069')
    expect(noDirectionControls.test(`a${control}b`), JSON.stringify(control)).toBe(false);
});

test('escapes text for HTML', () => {
  expect(escapedHtml(`<a href="x" title='y'>&amp;`)).toBe(
    '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;',
  );
});
