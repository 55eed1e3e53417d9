/** RFC 5545 section 3.1: no physical line is longer, its line break not counted. */
const maxOctets = 75;

/** Text as it may stand in a file: no lone surrogates, every kind of line break as \n, no control characters but \n and tab. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n|[\r\v\f\u0085\u2028\u2029]/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '');
}

/** The same on one line, for names and addresses, which have none. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim();
}

/** A TEXT value of a calendar (RFC 5545, 3.3.11), or one component of a structured vCard value (RFC 6350, 3.4). */
export function textValue(text: string): string {
  return plainTextValue(text).replaceAll(';', '\\;');
}

/** A vCard value without components, whose semicolons divide nothing: some readers would show a backslash before them. */
export function plainTextValue(text: string): string {
  return cleanText(text)
    .replace(/[\\,]/g, (char) => `\\${char}`)
    .replaceAll('\n', '\\n');
}

/** A parameter value, always quoted, with the caret escapes of RFC 6868. */
export function parameterValue(text: string): string {
  return `"${cleanLine(text).replaceAll('^', '^^').replaceAll('"', "^'")}"`;
}

/** A URI value: whatever RFC 3986 doesn't allow in one is percent-encoded. */
export function uriValue(uri: string): string {
  return cleanLine(uri).replace(/[^\w\-.~:/?#[\]@!$&'()*+,;=%]/gu, encodeURIComponent);
}

/** One content line, folded and ended by CRLF. `head` is the property name with its parameters, `value` is already escaped. */
export function contentLine(head: string, value: string): string {
  const line = `${head}:${value}`;
  // Most lines are short, also where each character took three octets; a calendar has thousands of them.
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

/** How many octets a code point takes in UTF-8. */
function octetsOf(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
