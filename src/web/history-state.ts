import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type Dispatch, type SetStateAction } from 'react';
import { useLocation } from 'react-router';

/** Like `useState`, but restored when the person comes back to this entry of their history, for a few minutes. */
export function useHistoryState<T>(name: string, initial: T): [T, Dispatch<SetStateAction<T>>] {
  const queries = useQueryClient();
  const { key } = useLocation();
  const [value, setValue] = useState(() => queries.getQueryData<T>(['kept', name, key]) ?? initial);
  useEffect(() => {
    queries.setQueryData(['kept', name, key], value);
  }, [queries, name, key, value]);
  return [value, setValue];
}
