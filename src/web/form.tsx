import { useEffect, useLayoutEffect, useRef, useState, type ComponentProps, type RefObject } from 'react';
import {
  get,
  set,
  useForm as useFormState,
  type DefaultValues,
  type FieldErrors,
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  type UseFormRegisterReturn,
  type UseFormReturn,
} from 'react-hook-form';
import { m } from '#/texts/messages.js';
import { directionControls } from '#/kernel/text.ts';
import { fieldTexts, type FieldTexts } from './failures.ts';
import { limitOf, refusalReasons, type Limits } from './limits.ts';

export interface FormOptions<V extends FieldValues> {
  /** Initial values, named as in the procedure's input. */
  values: V;
  /** When it changes, unedited fields follow `values`. */
  version?: number | string;
  /** From `virtual:limits/…`; checked before sending. */
  limits?: Limits;
  /** Converts values to the procedure's input if they differ. Limits apply to the result. */
  input?: (values: V) => unknown;
  /** Describes a refused field; undefined for fields that the form doesn't show. Needed with `limits`. */
  sentence?: (field: string, reason: string) => string | undefined;
  /** Rules that single fields' limits can't express. */
  check?: (values: V) => FieldTexts;
  /** Describes the fields that the server refused, if `sentence` isn't enough. */
  refusedTexts?: (error: unknown) => FieldTexts;
  /** Describes errors unrelated to a field; left out where the form shows them another way. */
  failureText?: (error: unknown) => string;
  /** Runs when fields stop the form. */
  onInvalid?: () => void;
  /** Throws the server's errors; runs one at a time. */
  save: (values: V) => Promise<unknown>;
}

/** Props for the element around the fields. */
export interface FormFrame {
  /** For the `<form>`. */
  props: Required<Pick<ComponentProps<'form'>, 'noValidate' | 'onSubmit'>> & {
    ref: RefObject<HTMLFormElement | null>;
  };
  /** An error unrelated to a field. */
  failure: string | null | undefined;
  busy: boolean;
}

export interface Form<V extends FieldValues>
  extends
    FormFrame,
    Pick<
      UseFormReturn<V, unknown, V>,
      'control' | 'getValues' | 'reset' | 'setFocus' | 'setValue' | 'watch'
    > {
  /** For native inputs. */
  register: (name: FieldPath<V>) => UseFormRegisterReturn & { defaultValue?: string };
  /** For inputs that show their own error. */
  field: (name: FieldPath<V>) => ReturnType<Form<V>['register']> & { error: string | undefined };
  /** For components with a value and `onChange`. */
  choice: <Name extends FieldPath<V>>(
    name: Name,
  ) => { value: FieldPathValue<V, Name>; onChange: (value: FieldPathValue<V, Name>) => void };
  /** A list's may be its first refused entry's. */
  errorOf: (field: string) => string | undefined;
  /** The error behind `failure`, for forms that also need its title. */
  error: unknown;
  /** Shows an error of something other than saving. */
  fail: (error: unknown) => void;
  /** Keeps newer typing; returns whether there was any. */
  takeSaved: (stored: V) => boolean;
  /** For other buttons than the submit button: does `act` with checked values instead of `save`. */
  submit: (act: (values: V) => Promise<unknown>) => Promise<void>;
  unsaved: boolean;
  /** Whether a field differs from its stored value. */
  isEdited: (field: FieldPath<V>) => boolean;
}

/**
 * Manages a form's values and saving. Checks them against the contract's limits, shows the server's errors at their
 * fields, focuses the first invalid one and keeps text typed before hydration.
 */
export function useForm<V extends FieldValues>(options: FormOptions<V>): Form<V> {
  const { version, limits = {}, input = (typed: V) => typed, check } = options;
  const values = withoutDirections(options.values, refusalReasons(limits, input(options.values)));
  const { sentence = () => undefined, onInvalid, failureText, save } = options;
  const describe = withTooLong(limits, sentence);
  const refusedTexts = options.refusedTexts ?? ((error: unknown) => fieldTexts(error, describe));
  const element = useRef<HTMLFormElement>(null);
  const sending = useRef(false);
  const form = useFormState<V, unknown, V>({
    defaultValues: values as DefaultValues<V>,
    shouldFocusError: false,
    resolver: (typed) => {
      const found: FieldTexts = { ...check?.(typed) };
      for (const [field, reason] of refusalReasons(limits, input(typed)))
        found[field] ??= describe(field, reason);
      const errors = errorsOf<V>(found);
      return Object.keys(errors).length > 0 ? { values: {}, errors } : { values: typed, errors: {} };
    },
  });
  const { defaultValues, errors, isDirty, isSubmitted, isSubmitting, submitCount } = form.formState;

  useLayoutEffect(() => {
    const first = element.current?.querySelector<HTMLElement>(
      '[aria-invalid="true"]:is(input,textarea,select), [aria-invalid="true"] :is(input,button):enabled',
    );
    // Nothing folded can have the focus.
    first?.closest('details')?.setAttribute('open', '');
    first?.focus();
  }, [submitCount]);

  const [error, setError] = useState<unknown>(null);
  const fail = (thrown: unknown) => {
    const refused = Object.entries(refusedTexts(thrown));
    for (const [field, message] of refused) form.setError(field as FieldPath<V>, { message });
    if (refused.length > 0) return;
    setError(thrown);
    form.setError('root', { message: failureText?.(thrown) });
  };
  const sent = useRef<V | null>(null);
  const takeSaved = (stored: V) => {
    const changed = (Object.keys(stored) as FieldPath<V>[]).flatMap((field) => {
      const value = form.getValues(field);
      return JSON.stringify(value) === JSON.stringify(get(sent.current, field)) ? [] : [{ field, value }];
    });
    form.reset(stored);
    for (const { field, value } of changed) form.setValue(field, value, { shouldDirty: true });
    return changed.length > 0;
  };
  const submit = async (act: FormOptions<V>['save']) => {
    if (sending.current) return;
    sending.current = true;
    try {
      await form.handleSubmit(async (typed) => {
        sent.current = typed;
        try {
          await act(typed);
        } catch (thrown) {
          fail(thrown);
        }
      }, onInvalid)();
    } finally {
      sending.current = false;
    }
  };
  const isEdited = (field: FieldPath<V>, value: unknown) =>
    JSON.stringify(value) !== JSON.stringify(get(defaultValues, field));
  const followed = useRef(version);
  useEffect(() => {
    if (followed.current === version) return;
    followed.current = version;
    for (const field of Object.keys(values) as FieldPath<V>[])
      if (!isEdited(field, form.getValues(field))) form.setValue(field, get(values, field));
    form.resetDefaultValues(values);
  });

  const register: Form<V>['register'] = (name) => ({
    ...form.register(name),
    ...defaultOf(get(values, name)),
  });
  const errorOf: Form<V>['errorOf'] = (field) => textOf(get(errors, field));
  return {
    ...form,
    props: {
      ref: element,
      noValidate: true,
      onSubmit: (event) => {
        event.preventDefault();
        // React events bubble through portals to outer forms.
        event.stopPropagation();
        void submit(save);
      },
    },
    register,
    field: (name) => ({ ...register(name), error: errorOf(name) }),
    choice: (name) => ({
      // oxlint-disable-next-line react/incompatible-library -- only matters to the React Compiler, which isn't used
      value: form.watch(name),
      onChange: (value) => form.setValue(name, value, { shouldDirty: true, shouldValidate: isSubmitted }),
    }),
    errorOf,
    failure: errors.root?.message,
    error: errors.root ? error : null,
    fail,
    takeSaved,
    submit,
    busy: isSubmitting,
    unsaved: isDirty,
    isEdited: (field) => isEdited(field, form.watch(field)),
  };
}

/** Cleans text stored before these were refused. */
function withoutDirections<V extends FieldValues>(values: V, refused: [field: string, reason: string][]): V {
  const fields = refused.flatMap(([field, reason]) => (reason === 'bad_format' ? field.split('.', 1) : []));
  const text = JSON.stringify(Object.fromEntries(fields.map((field) => [field, values[field]])));
  return { ...values, ...(JSON.parse(text.replaceAll(directionControls, '')) as Partial<V>) };
}

type Sentence = NonNullable<FormOptions<FieldValues>['sentence']>;

/** Names the length limit unless `sentence` has its own text for it. */
function withTooLong(limits: Limits, sentence: Sentence): Sentence {
  return (field, reason) => {
    const text = sentence(field, reason);
    const { kind, max } = limitOf(limits, field) ?? {};
    if (reason !== 'too_large' || kind !== 'text' || max === undefined || text === undefined) return text;
    const others = [sentence(field, 'required'), sentence(field, 'bad_format')];
    return others.includes(text) ? m.web_too_long({ max: new Intl.NumberFormat('en-US').format(max) }) : text;
  };
}

type FoundError = { message?: string } | undefined;

function textOf(error: FoundError | FoundError[]): string | undefined {
  return Array.isArray(error) ? error.find(Boolean)?.message : error?.message;
}

/** For server-rendered pages; the library keeps text typed before hydration. */
function defaultOf(initial: unknown): { defaultValue?: string } {
  return typeof initial === 'string' ? { defaultValue: initial } : {};
}

function errorsOf<V extends FieldValues>(texts: FieldTexts): FieldErrors<V> {
  const errors = {};
  for (const [field, message] of Object.entries(texts))
    if (message !== undefined) set(errors, field, { type: 'refused', message });
  return errors;
}
