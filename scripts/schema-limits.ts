import { z } from 'zod';
import type { Limit, Limits } from '#/web/limits.ts';

type Schema = z.core.JSONSchema.BaseSchema;

const datePattern = z.toJSONSchema(z.iso.date()).pattern;

/** Limits of all texts, numbers and lists in an input's schema, by path. */
export function limitsOfSchema(schema: unknown): Limits {
  const shape = z.toJSONSchema(schema as z.ZodType, { io: 'input', unrepresentable: 'any' });
  return Object.fromEntries(limitsAt(shape, [], true));
}

function limitsAt(schema: Schema, path: readonly string[], required: boolean): [string, Limit][] {
  const { type } = schema;
  if (type === 'object') {
    return Object.entries(schema.properties ?? {}).flatMap(([key, property]) =>
      typeof property === 'boolean'
        ? []
        : limitsAt(property, [...path, key], schema.required?.includes(key) ?? false),
    );
  }
  // Ids are never typed.
  if (schema.format === 'uuid') return [];
  const own: [string, Limit][] = [[path.join('.'), { ...(required ? { required } : {}), ...sizes(schema) }]];
  if (type === 'string' && !schema.enum) return own;
  if (type === 'number' || type === 'integer') return own;
  if (type !== 'array') return [];
  const { items } = schema;
  return typeof items === 'object' && !Array.isArray(items)
    ? [...own, ...limitsAt(items, [...path, '*'], true)]
    : own;
}

function sizes(schema: Schema): Omit<Limit, 'required'> {
  if (schema.type === 'array') return { kind: 'list', ...between(schema.minItems, schema.maxItems) };
  if (schema.type !== 'string') {
    const whole = schema.type === 'integer' ? ({ whole: true } as const) : {};
    return { kind: 'number', ...whole, ...between(schema.minimum, schema.maximum) };
  }
  const all = [schema, ...(schema.allOf ?? [])].flatMap((part) =>
    typeof part === 'object' && part.pattern !== undefined ? [part.pattern] : [],
  );
  // Date inputs give a date or nothing.
  const patterns = all.filter((pattern) => pattern !== datePattern);
  return {
    kind: 'text',
    ...between(all.length > patterns.length ? 1 : schema.minLength, schema.maxLength),
    ...(patterns.length > 0 ? { patterns } : {}),
  };
}

function between(min: number | undefined, max: number | undefined): Pick<Limit, 'min' | 'max'> {
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}
