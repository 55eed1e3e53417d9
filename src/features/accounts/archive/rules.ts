import { escapedHtml } from '#/kernel/text.ts';
import { formatInstant } from '#/kernel/date-text.ts';
import { m } from '#/texts/messages.js';
import type { locales } from '#/texts/runtime.js';

export type ArchiveRow = Readonly<Record<string, unknown>>;

export interface ArchivePart {
  name: string;
  tables: Readonly<Record<string, readonly ArchiveRow[]>>;
}

export interface ArchivePages {
  locale: (typeof locales)[number];
  person: { fullName: string; email: string };
  /** Epoch milliseconds, displayed in the IANA `timeZone`. */
  madeAt: number;
  timeZone: string;
  parts: readonly ArchivePart[];
  files: readonly string[];
  leftOut: readonly string[];
}

export function jsonOf(rows: readonly ArchiveRow[]): string {
  return `${JSON.stringify(rows, null, 2)}\n`;
}

/**
 * Formats rows as CSV (RFC 4180) with a UTF-8 BOM. Cells that spreadsheets would read as formulas get a leading
 * apostrophe (OWASP, CSV injection).
 */
export function csvOf(rows: readonly ArchiveRow[]): string {
  const columns = columnsOf(rows);
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))];
  return `\ufeff${lines.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('')}`;
}

function cellOf(value: unknown): string {
  const text = textOf(value);
  const risky = typeof value !== 'number' && /^(?:[\t\r\n]|[\s\p{Cc}]*[=+\-@＝＋－＠])/u.test(text);
  const plain = risky ? `'${text}` : text;
  return /[",\r\n']/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

function columnsOf(rows: readonly ArchiveRow[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

/** Converts a value to text: lists and objects as JSON, null as an empty string. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  const json = JSON.stringify(value);
  return /^".*"$/s.test(json) ? (JSON.parse(json) as string) : json;
}

/** A portable file name that isn't in `taken`. */
export function fileNameIn(taken: ReadonlySet<string>, name: string): string {
  const plain = name
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}\p{M}._ ()-]/gu, '_')
    .replaceAll(/^[. ]+|[. ]+$/g, '')
    .slice(-120);
  const wanted = plain || 'file';
  const dot = wanted.lastIndexOf('.');
  const [stem, ending] = dot > 0 ? [wanted.slice(0, dot), wanted.slice(dot)] : [wanted, ''];
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? wanted : `${stem} (${number})${ending}`;
    if (!taken.has(candidate.toLowerCase())) return candidate;
  }
}

export function indexPage(pages: ArchivePages): string {
  const { locale, parts, files } = pages;
  const inThis = { locale };
  const full = parts.filter(({ tables }) => Object.values(tables).some((rows) => rows.length > 0));
  return pageOf(pages, m.accounts_archive_title({}, inThis), [
    `<p class="lead">${escapedHtml(m.accounts_archive_text({}, inThis))}</p>`,
    `<p><a href="left-out.html">${escapedHtml(m.accounts_archive_left_out_link({}, inThis))}</a></p>`,
    `<nav aria-label="${escapedHtml(m.accounts_archive_contents({}, inThis))}"><ul>`,
    ...full.map(({ name }) => `<li><a href="#${escapedHtml(name)}">${escapedHtml(wordsOf(name))}</a></li>`),
    ...(files.length > 0
      ? [`<li><a href="#files">${escapedHtml(m.accounts_archive_files({}, inThis))}</a></li>`]
      : []),
    '</ul></nav>',
    ...full.map((part) => sectionOf(part, pages)),
    ...(files.length > 0
      ? [
          `<section id="files"><h2>${escapedHtml(m.accounts_archive_files({}, inThis))}</h2><ul>`,
          ...files.map(
            (name) =>
              `<li><a href="files/${escapedHtml(encodeURIComponent(name))}">${escapedHtml(name)}</a></li>`,
          ),
          '</ul></section>',
        ]
      : []),
  ]);
}

export function omittedPage(pages: ArchivePages): string {
  const inThis = { locale: pages.locale };
  return pageOf(pages, m.accounts_archive_left_out_title({}, inThis), [
    `<p class="lead">${escapedHtml(m.accounts_archive_left_out_text({}, inThis))}</p>`,
    '<ul>',
    ...pages.leftOut.map((sentence) => `<li>${escapedHtml(sentence)}</li>`),
    '</ul>',
    `<p><a href="index.html">${escapedHtml(m.accounts_archive_back({}, inThis))}</a></p>`,
  ]);
}

function sectionOf({ name, tables }: ArchivePart, pages: ArchivePages): string {
  const inThis = { locale: pages.locale };
  const shown = Object.entries(tables).filter(([, rows]) => rows.length > 0);
  return [
    `<section id="${escapedHtml(name)}"><h2>${escapedHtml(wordsOf(name))}</h2>`,
    ...shown.flatMap(([table, rows]) => [
      `<h3>${escapedHtml(wordsOf(table))} <small>${rows.length}</small></h3>`,
      `<p class="quiet"><a href="data/${escapedHtml(name)}/${escapedHtml(table)}.csv">${escapedHtml(m.accounts_archive_csv({ table: wordsOf(table) }, inThis))}</a> · <a href="data/${escapedHtml(name)}/${escapedHtml(table)}.json">${escapedHtml(m.accounts_archive_json({ table: wordsOf(table) }, inThis))}</a></p>`,
      ...rows.map(
        (row) =>
          `<dl>${Object.entries(row)
            .filter(([, value]) => shownOf(value, pages) !== '')
            .map(
              ([column, value]) =>
                `<div><dt>${escapedHtml(wordsOf(column))}</dt><dd>${escapedHtml(shownOf(value, pages))}</dd></div>`,
            )
            .join('')}</dl>`,
      ),
    ]),
    '</section>',
  ].join('\n');
}

function shownOf(value: unknown, { locale, timeZone }: ArchivePages): string {
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) {
    return value.map(textOf).join(', ');
  }
  const text = textOf(value);
  if (typeof value === 'object' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) {
    return timeText(Date.parse(text), locale, timeZone);
  }
  return text;
}

function timeText(at: number, locale: string, timeZone: string): string {
  return formatInstant(at, timeZone, { dateStyle: 'long', timeStyle: 'short' }, locale);
}

/** Turns a table or column name into words: `contact_name` becomes "Contact name". */
function wordsOf(name: string): string {
  const words = name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/[_-]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Theme colors (theme.css) in hex for older browsers; loads nothing from the network. */
const style = `:root{color-scheme:light dark;--page:#fcfaf5;--card:#fff;--ink:#1b2333;--quiet:#565e6d;--line:#e3ddd2;--link:#0d5274}
@media (prefers-color-scheme:dark){:root{--page:#11161f;--card:#181e29;--ink:#f0ece4;--quiet:#aab1bd;--line:#333b49;--link:#7cc0e8}}
*{box-sizing:border-box}
body{margin:0;padding:2rem 1rem 4rem;background:var(--page);color:var(--ink);font:1rem/1.6 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif}
main{max-width:52rem;margin:0 auto}
h1,h2,h3{font-family:Georgia,serif;line-height:1.25;overflow-wrap:anywhere}
h1{margin:0 0 .5rem;font-size:2rem}h2{margin:3rem 0 .5rem;font-size:1.5rem}h3{margin:2rem 0 .25rem;font-size:1.15rem}
small,.quiet,dt{color:var(--quiet);font-size:.875rem}
.brand{margin:0 0 1.5rem;font:600 1.35rem/1.3 Georgia,serif;color:var(--link)}
.lead{max-width:42rem;font-size:1.1rem}
a{color:var(--link)}a:focus-visible{outline:3px solid var(--link);outline-offset:2px}
nav ul,section>ul{padding-left:1.25rem}nav a{display:inline-block;padding:.35rem 0}
dl{margin:.75rem 0;padding:.75rem 1rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem}
dl div{display:grid;grid-template-columns:minmax(7rem,13rem) 1fr;gap:.25rem 1rem;padding:.2rem 0}
dd{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}
@media (max-width:30rem){dl div{grid-template-columns:1fr}}
@media print{:root{--page:#fff;--card:#fff;--ink:#000;--quiet:#333;--line:#999;--link:#000}body{padding:0;font-size:10pt}nav,h3+.quiet{display:none}dl{break-inside:avoid}h2,h3{break-after:avoid}}`;

function pageOf(pages: ArchivePages, title: string, body: readonly string[]): string {
  const { locale, person, madeAt, timeZone } = pages;
  const inThis = { locale };
  return [
    '<!doctype html>',
    `<html lang="${escapedHtml(locale)}">`,
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapedHtml(title)}</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    '<main>',
    `<p class="brand">${escapedHtml(m.accounts_archive_brand({}, inThis))}</p>`,
    `<h1>${escapedHtml(title)}</h1>`,
    `<p class="quiet">${escapedHtml(
      m.accounts_archive_made(
        { name: person.fullName, email: person.email, when: timeText(madeAt, locale, timeZone), timeZone },
        inThis,
      ),
    )}</p>`,
    ...body,
    '</main>',
    '</body>',
    '</html>',
    '',
  ].join('\n');
}
