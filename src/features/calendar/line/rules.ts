/** Line limit in octets, excluding the line break (RFC 5545, 3.1). */
const maxOctets = 75;

/** Removes lone surrogates and control characters (except \n and tab); normalizes line breaks to \n. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n|[\r\v\f\u0085\u2028\u2029]/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '');
}

/** Cleans a name or address, and collapses whitespace. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim();
}

/** Escapes iCalendar TEXT (RFC 5545, 3.3.11) or a structured vCard component (RFC 6350, 3.4). */
export function textValue(text: string): string {
  return plainTextValue(text).replaceAll(';', '\\;');
}

/** Escapes an unstructured vCard value. Keeps semicolons: some readers would show the backslash. */
export function plainTextValue(text: string): string {
  return cleanText(text)
    .replace(/[\\,]/g, (char) => `\\${char}`)
    .replaceAll('\n', '\\n');
}

/** Quotes a parameter value with RFC 6868 caret escapes. */
export function parameterValue(text: string): string {
  return `"${cleanLine(text).replaceAll('^', '^^').replaceAll('"', "^'")}"`;
}

/** Percent-encodes characters RFC 3986 doesn't allow. */
export function uriValue(uri: string): string {
  return cleanLine(uri).replace(/[^\w\-.~:/?#[\]@!$&'()*+,;=%]/gu, encodeURIComponent);
}

/** Writes one folded CRLF line. `head` includes parameters; `value` is already escaped. */
export function contentLine(head: string, value: string): string {
  const line = `${head}:${value}`;
  // Fast: calendars have thousands of short lines.
  if (line.length * 3 <= maxOctets || (line.length <= maxOctets && isAscii(line))) return `${line}\r\n`;
  let folded = '';
  let octets = 0;
  for (const char of line) {
    const size = octetsOf(char.codePointAt(0)!);
    if (octets + size > maxOctets) {
      folded += '\r\n ';
      octets = 1;
    }
    folded += char;
    octets += size;
  }
  return `${folded}\r\n`;
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) return false;
  return true;
}

/** UTF-8 length of a code point. */
function octetsOf(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
