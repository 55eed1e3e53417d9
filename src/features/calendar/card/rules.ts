import {
  cleanLine,
  contentLine,
  plainTextValue,
  textValue,
  uriValue,
} from '#/features/calendar/line/rules.ts';
import { m } from '#/texts/messages.js';

/** Contact card fields: client spec, section 3. */
export interface ContactCard {
  organization: string;
  name: string;
  title?: string;
  phone?: string;
  email?: string;
  /** HTTP(S) only. */
  website?: string;
  workAddress?: PostalAddress;
  note?: string;
}

/** A free-text address goes into `street`. */
export interface PostalAddress {
  street?: string;
  city?: string;
  region?: string;
  postalCode?: string;
  country?: string;
}

export const contactFileName = 'italk-contact.vcf';

/** Writes a vCard 4.0 (RFC 6350), using only syntax 3.0 readers understand: N present, TEL as text, TYPE parameter. */
export function contactCard(card: ContactCard): string {
  const organization = cleanLine(card.organization);
  const name = cleanLine(card.name) || organization;
  const lines = [
    contentLine('BEGIN', 'VCARD'),
    contentLine('VERSION', '4.0'),
    contentLine('FN', plainTextValue(name)),
    // Full names can't be split reliably, so the given name gets all of it.
    contentLine('N', `;${textValue(name)};;;`),
  ];
  const add = (head: string, value: string | undefined): void => {
    if (value !== undefined && cleanLine(value) !== '') lines.push(contentLine(head, plainTextValue(value)));
  };
  lines.push(contentLine('ORG', textValue(organization)));
  add('TITLE', card.title);
  add('TEL;TYPE=work,voice', card.phone);
  add('EMAIL;TYPE=work', card.email);
  if (card.website !== undefined && /^https?:\/\//i.test(card.website)) {
    lines.push(contentLine('URL', uriValue(card.website)));
  }
  if (card.workAddress) {
    const { street = '', city = '', region = '', postalCode = '', country = '' } = card.workAddress;
    const parts = ['', '', street, city, region, postalCode, country].map(textValue);
    lines.push(contentLine('ADR;TYPE=work', parts.join(';')));
  }
  add('NOTE', card.note);
  lines.push(contentLine('END', 'VCARD'));
  return lines.join('');
}

export function supportCard(site: {
  siteName: string;
  siteUrl: string;
  supportEmail: string;
  phone?: string;
  workAddress?: PostalAddress;
}): ContactCard {
  const card: ContactCard = {
    organization: site.siteName,
    name: m.calendar_card_name(),
    title: m.calendar_card_title(),
    email: site.supportEmail,
    website: site.siteUrl,
    workAddress: site.workAddress ?? { street: m.calendar_location_in_person() },
    note: m.calendar_card_note(),
  };
  if (site.phone !== undefined) card.phone = site.phone;
  return card;
}

/** Builds a specialist's card; uses the profile location if there's no office. */
export function specialistCard({
  siteName,
  siteUrl,
  slug,
  name,
  title,
  phone,
  email,
  location,
  place,
}: {
  siteName: string;
  siteUrl: string;
  /** Null if unlisted. */
  slug: string | null;
  name: string;
  title: string;
  /** Empty: none. */
  phone: string;
  email: string;
  location: string;
  place: { address: string; town: string } | null;
}): ContactCard {
  return {
    organization: siteName,
    name,
    title,
    phone,
    email,
    website: slug === null ? siteUrl : `${siteUrl}/therapists/${slug}`,
    workAddress: place ? { street: place.address, city: place.town } : { street: location },
  };
}
