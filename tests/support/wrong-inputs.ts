import { z } from 'zod';
import { newId } from '#/platform/clock.ts';

/** Bad values for a field: some it must reject, others it may accept but must handle. */
export interface Hostile {
  refused: readonly unknown[];
  borne: readonly unknown[];
}

/** Wrong for both text and numbers. */
const wrongTypes = [null, [], ['x'], { a: 1 }];
const hostileTexts = ['🙂', 'א\u202eב', `'; drop table appointments; --`, '\u0000'];
/** Wrong for any text with a fixed format. */
const wrongTexts = [...wrongTypes, 12_345, true, 'x'.repeat(10_000), ...hostileTexts];
const wrongBooleans = [...wrongTypes, 'true', 'false', '', 0, 1];
const wrongNumbers = [...wrongTypes, '30', '', 'NaN', true];

/** Rejected by each known format, regardless of the schema. */
const formats: Readonly<Record<string, readonly unknown[]>> = {
  uuid: ['', 'not-a-uuid', '019a0000-0000-7000-8000-00000000000g', `${newId()} or 1=1`, '../me'],
  datetime: [
    '',
    'tomorrow',
    'NaN',
    '2026-02-30T10:00:00Z',
    '2026-13-01T10:00:00Z',
    '2026-03-02T25:00:00Z',
    '2026-03-02T10:00:60Z',
    '2026-03-02T10:00:00',
    '2026-03-02 10:00:00Z',
    '2026-03-02',
    '2026-03-02T10:00:00+05:45',
    '+275760-09-13T00:00:00Z',
    '-000001-01-01T00:00:00Z',
    `2026-03-02T10:00:00.${'0'.repeat(20)}Z`,
    '2026-03-02T10:00:00Z[Asia/Kathmandu]',
  ],
  date: ['', '2026-02-30', '2026-3-2', '0000-01-01', '9999-12-31T00:00:00Z', '+12026-01-01'],
  email: ['', 'a', 'a@', '@b.example', 'a b@c.example', 'a@b.example\r\nBcc: c@d.example', 'a@b'],
  url: [
    '',
    'http://example.org',
    'javascript:alert(1)',
    'https://',
    'https://localhost',
    '//example.org',
    `https://example.org/${'x'.repeat(2_000)}`,
  ],
};

/** Custom formats, recognized by values they accept, with values each must reject. */
const forms: readonly { takes: readonly string[]; refused: readonly unknown[] }[] = [
  // Time zones.
  {
    takes: ['America/Chicago', 'UTC'],
    refused: ['', 'Mars/Olympus', '../../etc/passwd', '+05:45', 'Europe/Berlin\n', 'A'.repeat(65)],
  },
  // Phone numbers.
  { takes: ['+1 (617) 555-0100'], refused: ['call me', '+1\n555', '1'.repeat(41)] },
  // Base64url.
  { takes: ['AA_-09'], refused: ['', 'AA==', 'a+b', 'a/b', 'A A', '../x', 'AA\n'] },
  // URL slugs.
  {
    takes: ['grief', 'family-care'],
    refused: ['', 'Upper', '../x', 'x_y', '-x', 'a'.repeat(81), "x' or '1'='1"],
  },
  // Month-days and months.
  { takes: ['05-05'], refused: ['', '13-01', '00-10', '1-1', '02-32', '2026-01-01', '05-05 '] },
  { takes: ['2026-03'], refused: ['', '2026-13', '2026-3', '0000-01', '2026-03-02'] },
  // Countries and states.
  { takes: ['US', 'US-CA'], refused: ['', 'us', 'XX', 'US-', 'US-ZZ'] },
  // Lists of ids.
  {
    takes: [newId(), `${newId()},${newId()}`],
    refused: ['', 'not-a-uuid', '019a0000-0000-7000-8000-00000000000g', `${newId()} or 1=1`, '../me'],
  },
  { takes: ['image/png'], refused: ['', 'png', 'IMAGE/PNG', 'a/b\u0000'] },
  // Page cursors.
  {
    takes: [`1~${newId()}`],
    refused: ['', '1', '~', '-1~x', `x~${newId()}`, `1~${newId()}x`, `1e5~${newId()}`],
  },
];

/** Ordinary text, rejected by every fixed format. */
const sentence = 'Ruth said: “It’s well” – 100 % & more?';

interface Check {
  check?: string;
  pattern?: RegExp;
  value?: number;
  minimum?: number;
  maximum?: number;
}

const internals = '_zod';
const defOf = (type: z.core.$ZodType) => (type as z.core.$ZodTypes)[internals].def;
const checksOf = (type: z.core.$ZodType) =>
  (defOf(type).checks ?? []).map((check) => check[internals].def as Check);

interface Bare {
  /** Usually one; an email trimmed before validation has two. */
  stages: readonly z.core.$ZodType[];
  takesNull: boolean;
}

function bare(type: z.core.$ZodType): Bare {
  const def = defOf(type);
  switch (def.type) {
    case 'optional':
    case 'default':
    case 'prefault':
      return bare(def.innerType);
    case 'nullable':
      return { ...bare(def.innerType), takesNull: true };
    case 'pipe': {
      const [before, after] = [bare(def.in), bare(def.out)];
      return { ...before, stages: [...before.stages, ...after.stages] };
    }
    default:
      return { stages: [type], takesNull: false };
  }
}

export function objectIn(type: z.core.$ZodType): z.ZodObject | null {
  const [stage] = bare(type).stages;
  return stage instanceof z.ZodObject ? stage : null;
}

/**
 * Generates bad values from a field's schema. `example` is a valid value; `asText` means the value travels in a URL.
 * Known formats use the lists above; lengths and ranges come from the schema.
 */
export function hostileTo(type: z.core.$ZodType, example: unknown, asText = false): Hostile {
  const { stages, takesNull } = bare(type);
  const { refused, borne = [] } = ofKind(stages, example, asText);
  const sendable = (value: unknown) => !asText || typeof value === 'string';
  return {
    refused: refused.filter((value) => sendable(value) && !(takesNull && value === null)),
    borne: borne.filter(sendable),
  };
}

type Found = { refused: readonly unknown[]; borne?: readonly unknown[] };

function ofKind(stages: readonly z.core.$ZodType[], example: unknown, asText: boolean): Found {
  const def = defOf(stages[0]!);
  switch (def.type) {
    case 'string':
      return ofText(stages as z.core.$ZodString[]);
    case 'number':
      return asText ? ofNumberAsText(boundsOf(stages[0]!)) : ofNumber(boundsOf(stages[0]!));
    case 'boolean':
      return { refused: wrongBooleans };
    case 'enum': {
      const [first] = Object.values(def.entries).map(String);
      return {
        refused: [...wrongTexts, '', `${first} `, `${first}x`, 'ONLINE', 'constructor', '__proto__'],
      };
    }
    case 'literal':
      if (def.values.includes(true)) return { refused: [...wrongBooleans, false] };
      return { refused: [...wrongNumbers, 30.5, -1, 0, 16, 1e308] };
    case 'array':
      return ofList(def.element, boundsOf(stages[0]!), example as readonly unknown[]);
    case 'object':
      return { refused: [null, [], 'Naomi', 7, true, ...(needsMore(stages[0]!) ? [{}] : [])] };
    default:
      throw new Error(`say in tests/support/wrong-inputs.ts what is wrong for a ${def.type}`);
  }
}

const needsMore = (type: z.core.$ZodType) => !z.safeParse(type, {}).success;

interface Bounds {
  min: number;
  max: number;
  whole: boolean;
}

function boundsOf(...types: readonly z.core.$ZodType[]): Bounds {
  const bounds = { min: -Infinity, max: Infinity, whole: false };
  for (const type of types) {
    for (const { check, value, minimum, maximum } of [defOf(type) as Check, ...checksOf(type)]) {
      if (check === 'number_format') bounds.whole = true;
      if (check === 'greater_than' || check === 'min_length')
        bounds.min = Math.max(bounds.min, Number(value ?? minimum));
      if (check === 'less_than' || check === 'max_length')
        bounds.max = Math.min(bounds.max, Number(value ?? maximum));
    }
  }
  return bounds;
}

function ofNumber({ min, max, whole }: Bounds): Found {
  const bounded = whole || Number.isFinite(max);
  return {
    refused: [
      ...wrongNumbers,
      ...(whole ? [30.5, 2 ** 53] : []),
      ...(Number.isFinite(min) ? [min - 1] : []),
      ...(Number.isFinite(max) ? [max + 1] : []),
      ...(bounded ? [1e308] : []),
    ],
    borne: bounded ? [] : [1e308],
  };
}

function ofNumberAsText({ min, max }: Bounds): Found {
  const nothing = min > 0 ? ['', '0'] : [];
  const odd = ['x', 'NaN', 'Infinity', '1.5', '1e9', '٣', '1;select 1'];
  return { refused: [...odd, ...nothing, String(min - 1), String(max + 1)] };
}

function ofText(stages: readonly z.core.$ZodString[]): Found {
  const { min, max } = boundsOf(...stages);
  const tooLong = Number.isFinite(max) ? ['x'.repeat(max + 1)] : [];
  const format = stages.map((stage) => defOf(stage) as { format?: string }).find((one) => one.format)?.format;
  if (format !== undefined && format in formats)
    return { refused: [...wrongTexts, ...tooLong, ...formats[format]!] };
  const checks = stages.flatMap(checksOf);
  const patterns = checks.flatMap(({ pattern }) => pattern ?? []);
  const takes = (text: string) => patterns.every((pattern) => new RegExp(pattern).test(text));
  if (!takes(sentence)) {
    const form = forms.find((one) => one.takes.every(takes));
    // Some binary data may be longer than the long text.
    const wrong = wrongTexts.filter(
      (value) => !(typeof value === 'string' && value.length <= max && takes(value)),
    );
    return { refused: [...wrong, ...tooLong, ...(form?.refused ?? [''])] };
  }
  // Free text or a secret: accepted values must be stored unchanged.
  const odd = [
    ...hostileTexts,
    '<script>alert(1)</script>',
    '../a',
    'a\\b',
    '\u001b[31m',
    'a\nb',
    'a\r\nBcc: b@c.example',
    'a\u0085b',
    'a\u2028b',
  ];
  const trims = checks.some(({ check }) => check === 'overwrite');
  return {
    refused: [
      ...wrongTypes,
      7,
      true,
      'x'.repeat(max === Infinity ? 10_000 : max + 1),
      ...(min > 0 ? ['', 'x'.repeat(min - 1), ...(trims ? ['   '] : [])] : []),
      ...odd.filter((text) => !takes(text)),
    ],
    borne: odd.filter(takes),
  };
}

function ofList(element: z.core.$ZodType, { min, max }: Bounds, example: readonly unknown[]): Found {
  const inner = objectIn(element);
  const [first] = example as readonly Readonly<Record<string, unknown>>[];
  const parts = inner
    ? Object.entries(inner.shape as Record<string, z.ZodType>).flatMap(([field, type]) => {
        const { refused } = hostileTo(type, first?.[field]);
        // The last values are specific to the field's kind.
        return [...refused.slice(0, 1), ...refused.slice(-5)].map((value) => ({ ...first, [field]: value }));
      })
    : [];
  return {
    refused: [
      null,
      {},
      'x',
      7,
      true,
      ...(min > 0 ? [[]] : []),
      ...(first === undefined ? [] : [first]),
      ...(Number.isFinite(max) && first !== undefined ? [Array(max + 1).fill(first)] : []),
      ...[...hostileTo(element, first).refused, ...parts].map((value) => [value]),
    ],
  };
}
