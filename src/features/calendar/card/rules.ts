import {
  cleanLine,
  contentLine,
  plainTextValue,
  textValue,
  uriValue,
} from '#/features/calendar/line/rules.ts';
import { m } from '#/texts/messages.js';

/** A contact card's fields (client spec, section 3). */
export interface ContactCard {
  organization: string;
  name: string;
  title?: string;
  phone?: string;
  email?: string;
  /** An http(s) address. */
  website?: string;
  workAddress?: PostalAddress;
  note?: string;
}

/** A postal address in its parts; a whole one in free text stands in `street`. */
export interface PostalAddress {
  street?: string;
  city?: string;
  region?: string;
  postalCode?: string;
  country?: string;
}

/** What the contact card's file is called. */
export const contactFileName = 'italk-contact.vcf';

/**
 * A vCard 4.0 (RFC 6350), which is UTF-8 by definition. It holds to what version 3.0 also knows (N present, TEL as text,
 * TYPE as parameter), so that older readers understand it too.
 */
export function contactCard(card: ContactCard): string {
  const organization = cleanLine(card.organization);
  const name = cleanLine(card.name) || organization;
  const lines = [
    contentLine('BEGIN', 'VCARD'),
    contentLine('VERSION', '4.0'),
    contentLine('FN', plainTextValue(name)),
    // Where a name divides into family and given can't be known: all of it stands as the given name.
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

/** The product's own contact card, which a person saves after booking. */
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

/** A specialist's own contact card: their page as the website, and where they receive people, or else where they live. */
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
  /** Their page's address; null while they aren't listed. */
  slug: string | null;
  name: string;
  title: string;
  /** Empty: none. */
  phone: string;
  email: string;
  location: string;
  /** Their first open place. */
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
