import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const cutToA4 =
  /^America\/(?:Argentina\/|Araguaina|Asuncion|Bahia$|Belem|Boa_Vista|Buenos_Aires|Campo_Grande|Cayenne|Cuiaba|Danmarkshavn|Eirunepe|Fortaleza|Godthab|Guayaquil|Guyana|La_Paz|Lima|Maceio|Manaus|Martinique|Montevideo|Noronha|Nuuk|Paramaribo|Porto_Velho|Recife|Rio_Branco|Santarem|Sao_Paulo|Scoresbysund|Thule)/;

/** Returns a time zone's usual paper size. */
export function paperIn(timeZone: string): 'A4' | 'LETTER' {
  if (/^(?:Pacific\/(?:Honolulu|Guam|Pago_Pago)|Asia\/Manila|US\/|Canada\/)/.test(timeZone)) return 'LETTER';
  return timeZone.startsWith('America/') && !cutToA4.test(timeZone) ? 'LETTER' : 'A4';
}

type FontStyle = 'text' | 'strong' | 'heading';

// `import.meta.resolve` is missing where Vitest runs the tests' global setup.
const require = createRequire(import.meta.url);

const sans = {
  name: 'source-sans-3',
  folder: dirname(require.resolve('@fontsource/source-sans-3/package.json')),
};
const serif = {
  name: 'source-serif-4',
  folder: dirname(require.resolve('@fontsource/source-serif-4/package.json')),
};

const faces: Readonly<Record<FontStyle, { family: typeof sans; weight: number }>> = {
  text: { family: sans, weight: 400 },
  strong: { family: sans, weight: 600 },
  heading: { family: serif, weight: 600 },
};

/** Character ranges of the font files, from the package's style sheets; the first match wins. */
const subsets: readonly (readonly [subset: string, letters: RegExp])[] = [
  [
    'latin',
    /[\u0020-\u007e\u00a0-\u00ff\u0131\u0152\u0153\u02bb\u02bc\u02c6\u02da\u02dc\u2010-\u2027\u2030-\u203a\u20ac\u2122\u2212]/u,
  ],
  ['vietnamese', /[\u0102\u0103\u0110\u0111\u0128\u0129\u0168\u0169\u01a0\u01a1\u01af\u01b0\u1ea0-\u1ef9]/u],
  ['latin-ext', /[\u0100-\u02ba\u1e00-\u1e9f\u1ef2-\u1eff]/u],
  ['cyrillic', /[\u0400-\u045f\u0490\u0491\u04b0\u04b1\u2116]/u],
  ['cyrillic-ext', /[\u0460-\u052f]/u],
  ['greek', /[\u0370-\u03ff]/u],
];

const unknownLetter = '?';

const fonts = new Map<string, Buffer>();

function fontOf(face: FontStyle, subset: string): { name: string; bytes: Buffer } {
  const { family, weight } = faces[face];
  const name = `${family.name}-${subset}-${weight}-normal`;
  let bytes = fonts.get(name);
  if (!bytes) {
    bytes = readFileSync(join(family.folder, 'files', `${name}.woff`));
    fonts.set(name, bytes);
  }
  return { name, bytes };
}

/** Lengths in points, from the top left corner. */
interface Setting {
  face?: FontStyle;
  size: number;
  color: string;
  x: number;
  y: number;
  /** Wrap width; unset for a single line. */
  width?: number;
  /** Aligns text at `x`; single lines only. */
  align?: 'right' | 'center';
}

export interface Paper {
  doc: PDFKit.PDFDocument;
  /** Draws text and returns its bottom edge. */
  set(text: string, setting: Setting): number;
  widthOf(text: string, setting: Pick<Setting, 'face' | 'size'>): number;
  end(): Promise<Uint8Array<ArrayBuffer>>;
}

export async function openPaper({
  size,
  title,
  language,
  margin,
  madeAt,
}: {
  size: 'A4' | 'LETTER';
  title: string;
  language: string;
  margin: number;
  madeAt: Temporal.Instant;
}): Promise<Paper> {
  // Loaded when first needed: fonts and their compression are large.
  const { default: Document } = await import('pdfkit');
  const doc = new Document({
    size,
    margin,
    bufferPages: true,
    lang: language,
    displayTitle: true,
    pdfVersion: '1.7',
    // Avoids the built-in fonts: they resolve from another path and cover only Latin.
    font: '',
    info: { Title: title, Producer: 'iTalk', CreationDate: new Date(madeAt.epochMilliseconds) },
  });
  const chunks: Buffer[] = [];
  doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve) => doc.once('end', resolve));
  const registered = new Set<string>();

  const choose = (face: FontStyle, subset: string, points: number) => {
    const { name, bytes } = fontOf(face, subset);
    if (!registered.has(name)) {
      doc.registerFont(name, bytes);
      registered.add(name);
    }
    doc.font(name).fontSize(points);
  };
  const widthOf: Paper['widthOf'] = (text, { face = 'text', size: points }) =>
    runsOf(text).reduce((width, [subset, run]) => {
      choose(face, subset, points);
      return width + doc.widthOfString(run);
    }, 0);

  return {
    doc,
    widthOf,
    set(text, { face = 'text', size: points, color, x, y, width, align }) {
      const runs = runsOf(text);
      const shift = align ? widthOf(text, { face, size: points }) * (align === 'right' ? 1 : 0.5) : 0;
      for (const [index, [subset, run]] of runs.entries()) {
        choose(face, subset, points);
        doc.fillColor(color);
        const options = {
          continued: index < runs.length - 1,
          lineBreak: width !== undefined,
          ...(width === undefined ? {} : { width }),
        };
        if (index === 0) doc.text(run, x - shift, y, options);
        else doc.text(run, options);
      }
      // Without wrapping, PDFKit doesn't advance `doc.y`.
      return width === undefined ? y + doc.currentLineHeight(true) : doc.y;
    },
    async end() {
      doc.end();
      await ended;
      return new Uint8Array(Buffer.concat(chunks));
    },
  };
}

function runsOf(text: string): [subset: string, run: string][] {
  const runs: [string, string][] = [];
  for (const letter of text.normalize('NFC').replaceAll(/\s+/g, ' ')) {
    const found = subsets.find(([, letters]) => letters.test(letter));
    const last = runs.at(-1);
    // Spaces continue a run: every file has them.
    const subset = letter === ' ' && last ? last[0] : (found?.[0] ?? 'latin');
    const shown = found ? letter : unknownLetter;
    if (last?.[0] === subset) last[1] += shown;
    else runs.push([subset, shown]);
  }
  return runs.length > 0 ? runs : [['latin', ' ']];
}
