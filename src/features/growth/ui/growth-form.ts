import type { FieldValues } from 'react-hook-form';
import { entriesKept } from '#/web/failures.ts';
import { useForm, type Form, type FormOptions } from '#/web/form.tsx';
import { growthFailureText } from './growth-actions.ts';

export function useGrowthForm<V extends FieldValues>(options: Omit<FormOptions<V>, 'failureText'>): Form<V> {
  return useForm({ ...options, failureText: (error) => growthFailureText(error, entriesKept) });
}
