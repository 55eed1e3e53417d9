import { describe, expect, it } from 'vitest';
import { blocksOf, readingMinutes } from './rules.ts';
import { cpuTimeOf } from '../../../../tests/support/cpu-time.ts';

describe('a text', () => {
  it('is set by its marks', () => {
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

  it('keeps whatever is no mark of ours as words, and links to nothing but https', () => {
    const body = '<script>alert(1)</script> [x](javascript:alert(1)) [y](http://a.example) ** *';
    expect(blocksOf(body)).toEqual([{ kind: 'paragraph', runs: [{ text: body, look: 'plain' }] }]);
    expect(blocksOf('')).toEqual([]);
    expect(blocksOf('\n \n\t\n')).toEqual([]);
  });

  it('is read in a time that grows with its length alone', () => {
    for (const piece of ['*', '[', '[a', '**a', '*a', '> ', '[a](https://', '[a](https://a'])
      // Some milliseconds; what grows with the square takes many seconds.
      expect(cpuTimeOf(() => blocksOf(piece.repeat(200_000 / piece.length)))).toBeLessThan(2_000);
  });

  it('takes the nearest bracket for the beginning of a link', () => {
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

  it('takes as many minutes as its words do', () => {
    expect(readingMinutes('word '.repeat(600))).toBe(3);
    expect(readingMinutes('')).toBe(1);
  });
});
