import { describe, expect, it } from 'vitest';
import { blocksOf, readingMinutes } from './rules.ts';
import { cpuTimeOf } from '../../../../tests/support/cpu-time.ts';

describe('a text', () => {
  it('is formatted by its markup', () => {
    const body = [
      '## Tonight',
      'Breathe **slowly** and *gently*.\r\nNo hurry.',
      '',
      '- one',
      '- two',
      '',
      '1. first',
      '2. second',
      '',
      '> Be still.',
      '> — Psalm 46:10',
      '',
      '### More',
      '',
      'Read [the psalms](https://example.org/psalms).',
    ].join('\n');
    expect(blocksOf(body)).toEqual([
      { kind: 'heading', runs: [{ text: 'Tonight', look: 'plain' }] },
      {
        kind: 'paragraph',
        runs: [
          { text: 'Breathe ', look: 'plain' },
          { text: 'slowly', look: 'strong' },
          { text: ' and ', look: 'plain' },
          { text: 'gently', look: 'stressed' },
          { text: '. No hurry.', look: 'plain' },
        ],
      },
      { kind: 'list', items: [[{ text: 'one', look: 'plain' }], [{ text: 'two', look: 'plain' }]] },
      { kind: 'steps', items: [[{ text: 'first', look: 'plain' }], [{ text: 'second', look: 'plain' }]] },
      { kind: 'quote', runs: [{ text: 'Be still.', look: 'plain' }], source: 'Psalm 46:10' },
      { kind: 'subheading', runs: [{ text: 'More', look: 'plain' }] },
      {
        kind: 'paragraph',
        runs: [
          { text: 'Read ', look: 'plain' },
          { text: 'the psalms', look: 'plain', href: 'https://example.org/psalms' },
          { text: '.', look: 'plain' },
        ],
      },
    ]);
  });

  it('keeps unknown markup as text, and links only to https', () => {
    const body = '<script>alert(1)</script> [x](javascript:alert(1)) [y](http://a.example) ** *';
    expect(blocksOf(body)).toEqual([{ kind: 'paragraph', runs: [{ text: body, look: 'plain' }] }]);
    expect(blocksOf('')).toEqual([]);
    expect(blocksOf('\n \n\t\n')).toEqual([]);
  });

  it('is parsed in linear time', () => {
    for (const piece of ['*', '[', '[a', '**a', '*a', '> ', '[a](https://', '[a](https://a'])
      // Linear parsing takes milliseconds here; quadratic takes many seconds.
      expect(cpuTimeOf(() => blocksOf(piece.repeat(200_000 / piece.length)))).toBeLessThan(2_000);
  });

  it('starts a link at the nearest bracket', () => {
    expect(blocksOf('[see [the verse](https://example.org)')).toEqual([
      {
        kind: 'paragraph',
        runs: [
          { text: '[see ', look: 'plain' },
          { text: 'the verse', look: 'plain', href: 'https://example.org' },
        ],
      },
    ]);
  });

  it('has a reading time based on its word count', () => {
    expect(readingMinutes('word '.repeat(600))).toBe(3);
    expect(readingMinutes('')).toBe(1);
  });
});
