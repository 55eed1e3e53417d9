import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
import ICAL from 'ical.js';
import { describe, expect, inject, test } from 'vitest';
import { contactCard, specialistCard, supportCard } from '#/features/calendar/card/rules.ts';
import type { ContactCard } from '#/features/calendar/card/rules.ts';
import { cleanText } from '#/features/calendar/line/rules.ts';
import { proving } from '../../../../tests/support/prove.ts';

function read(content: string): ICAL.Component {
  expect(content.endsWith('END:VCARD\r\n')).toBe(true);
  for (const line of content.split('\r\n')) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(line).not.toMatch(/[^\P{Cc}\t]/u);
    expect(line.isWellFormed()).toBe(true);
  }
  const card = ICAL.Component.fromString(content);
  expect(card.name).toBe('vcard');
  return card;
}

function cardOf(changes: Partial<ContactCard> = {}): ContactCard {
  return {
    organization: 'Grace, Hope & Co; Ltd',
    name: 'Dr. Grace Lee, PhD',
    title: 'Psychologist; counsellor',
    phone: '+1 (555) 010-0000',
    email: 'grace@example.org',
    website: 'https://italk.example/a b?c=d,e;f',
    workAddress: {
      street: '12 Main St; Suite 3, rear',
      city: 'Springfield',
      region: 'IL',
      postalCode: '62701',
      country: 'USA',
    },
    note: 'One\nTwo, three; four \\ 🙏',
    ...changes,
  };
}

describe('a contact card', () => {
  test('is a vCard 4.0 that ical.js parses', () => {
    const card = read(contactCard(cardOf()));
    expect(card.getFirstPropertyValue('version')).toBe('4.0');
    expect(card.getFirstPropertyValue('fn')).toBe('Dr. Grace Lee, PhD');
    expect(card.getFirstPropertyValue('n')).toEqual(['', 'Dr. Grace Lee, PhD', '', '', '']);
    expect(card.getFirstPropertyValue('org')).toBe('Grace, Hope & Co; Ltd');
    expect(card.getFirstPropertyValue('title')).toBe('Psychologist; counsellor');
    expect(card.getFirstPropertyValue('tel')).toBe('+1 (555) 010-0000');
    expect(card.getFirstPropertyValue('email')).toBe('grace@example.org');
    expect(card.getFirstPropertyValue('url')).toBe('https://italk.example/a%20b?c=d,e;f');
    expect(card.getFirstPropertyValue('adr')).toEqual([
      '',
      '',
      '12 Main St; Suite 3, rear',
      'Springfield',
      'IL',
      '62701',
      'USA',
    ]);
    expect(card.getFirstPropertyValue('note')).toBe('One\nTwo, three; four \\ 🙏');
  });

  test('omits missing values', () => {
    const content = contactCard({ organization: 'iTalk', name: '', title: '', phone: ' ' });
    expect(content).toBe(
      'BEGIN:VCARD\r\nVERSION:4.0\r\nFN:iTalk\r\nN:;iTalk;;;\r\nORG:iTalk\r\nEND:VCARD\r\n',
    );
  });

  test('escapes the components of an address (RFC 6350, 3.4)', () => {
    const content = contactCard({
      organization: 'o',
      name: 'n',
      workAddress: { street: 'a;b,c\\', city: 'd\ne' },
    });
    expect(content).toContain('\r\nADR;TYPE=work:;;a\\;b\\,c\\\\;d\\ne;;;\r\n');
  });

  test('rejects URLs that would run code on click', () => {
    expect(contactCard(cardOf({ website: 'javascript:alert(1)' }))).not.toContain('URL');
  });

  test('contains fixed data for the product', () => {
    const content = contactCard(
      supportCard({
        siteName: 'iTalk Health',
        siteUrl: 'https://italk.example',
        supportEmail: 'support@italk.example',
      }),
    );
    const card = read(content);
    expect(card.getFirstPropertyValue('org')).toBe('iTalk Health');
    expect(card.getFirstPropertyValue('fn')).toBe('iTalk Support');
    expect(card.getFirstPropertyValue('email')).toBe('support@italk.example');
    expect(card.getFirstPropertyValue('url')).toBe('https://italk.example');
    expect(content).toContain('iTalk Wellness Center');
  });

  describe('for a specialist', () => {
    const specialist = {
      siteName: 'iTalk',
      siteUrl: 'https://italk.example',
      slug: 'grace-lee',
      name: 'Dr. Grace Lee, PhD',
      title: 'Psychologist',
      phone: '+1 555 010 0142',
      email: 'grace@example.org',
      location: 'Springfield, IL',
      place: { address: '12 Main St\nSuite 3', town: 'Chicago, IL' },
    };

    test('contains name, title, phone, email, page and in-person address', () => {
      const card = read(contactCard(specialistCard(specialist)));
      expect(card.getFirstPropertyValue('org')).toBe('iTalk');
      expect(card.getFirstPropertyValue('fn')).toBe('Dr. Grace Lee, PhD');
      expect(card.getFirstPropertyValue('title')).toBe('Psychologist');
      expect(card.getFirstPropertyValue('tel')).toBe('+1 555 010 0142');
      expect(card.getFirstPropertyValue('email')).toBe('grace@example.org');
      expect(card.getFirstPropertyValue('url')).toBe('https://italk.example/therapists/grace-lee');
      expect(card.getFirstPropertyValue('adr')).toEqual([
        '',
        '',
        '12 Main St\nSuite 3',
        'Chicago, IL',
        '',
        '',
        '',
      ]);
    });

    test('falls back to the city without an address, no phone, and the site while unlisted', () => {
      const card = read(contactCard(specialistCard({ ...specialist, slug: null, phone: '', place: null })));
      expect(card.getFirstPropertyValue('adr')).toEqual(['', '', 'Springfield, IL', '', '', '', '']);
      expect(card.getFirstProperty('tel')).toBeNull();
      expect(card.getFirstPropertyValue('url')).toBe('https://italk.example');
    });
  });

  test('property: any text round-trips without adding a property', () => {
    const anyText = oneof(
      string({ unit: 'binary', maxLength: 200 }),
      array(
        constantFrom('\r\n', '\n', '\\', ';', ',', ':', '🙂', 'ש', '\ud83d', '\u0000', 'END:VCARD', ' '),
        { maxLength: 80 },
      ).map((parts) => parts.join('')),
    );
    assert(
      // ical.js reads a trailing backslash in a component as an escaped semicolon.
      property(
        anyText,
        anyText.map((text) => text.replaceAll('\\', '')),
        (text, street) => {
          const card = read(
            contactCard(
              cardOf({ title: `T${text}`, note: `N${text}`, workAddress: { street: `S${street}` } }),
            ),
          );
          expect(card.getFirstPropertyValue('title')).toBe(cleanText(`T${text}`));
          expect(card.getFirstPropertyValue('note')).toBe(cleanText(`N${text}`));
          expect(card.getFirstPropertyValue('adr')).toEqual([
            '',
            '',
            cleanText(`S${street}`),
            '',
            '',
            '',
            '',
          ]);
          expect(card.getAllProperties()).toHaveLength(10);
        },
      ),
      { numRuns: proving ? 300 : 60, seed: inject('seed') },
    );
  });
});
