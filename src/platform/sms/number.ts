import type { PhoneNumberType } from 'libphonenumber-js/max';

export type NumberFault = 'bad_format' | 'country' | 'not_mobile';

/** Premium rates, shared costs and landlines aren't among them. */
const textable: readonly (PhoneNumberType | undefined)[] = [
  undefined,
  'MOBILE',
  'FIXED_LINE_OR_MOBILE',
  'VOIP',
];

/** Returns a number in E.164. Without `+`, it is read as a number of the first country. */
export async function textableNumber(
  typed: string,
  countries: readonly string[],
): Promise<{ number: string } | { fault: NumberFault }> {
  // The smaller list has number types for only a few countries.
  const {
    default: parsePhoneNumber,
    getCountryCallingCode,
    isSupportedCountry,
  } = await import('libphonenumber-js/max');
  const listed = countries.filter((one) => isSupportedCountry(one));
  const parsed = parsePhoneNumber(typed, { ...(listed[0] && { defaultCountry: listed[0] }), extract: false });
  if (!parsed?.isPossible() || parsed.ext) return { fault: 'bad_format' };
  const { number, country, countryCallingCode } = parsed;
  // New area codes have no country yet.
  const isListed = country
    ? listed.includes(country)
    : listed.some((one) => getCountryCallingCode(one) === countryCallingCode);
  if (!isListed) return { fault: 'country' };
  return textable.includes(parsed.getType()) ? { number } : { fault: 'not_mobile' };
}
