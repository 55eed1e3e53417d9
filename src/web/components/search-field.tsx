import { Search } from 'lucide-react';
import { useEffect, useRef, type RefObject } from 'react';
import { Field, TextInput } from './field.tsx';

/** Debounce in milliseconds. */
const typingPause = 300;

/** Debounced search field; includes text typed before hydration. */
export function SearchField({
  label,
  value,
  onSearch,
  maxLength,
  placeholder,
  className,
  input: given,
}: {
  label: string;
  value: string;
  maxLength: number;
  placeholder?: string;
  className?: string;
  input?: RefObject<HTMLInputElement | null>;
  onSearch: (words: string) => void;
}) {
  const own = useRef<HTMLInputElement>(null);
  const input = given ?? own;
  const soon = useRef<ReturnType<typeof setTimeout>>(undefined);
  const look = () => {
    clearTimeout(soon.current);
    soon.current = setTimeout(() => {
      const words = input.current?.value.trim() ?? '';
      if (words !== value) onSearch(words);
    }, typingPause);
  };
  useEffect(() => {
    if (input.current?.value.trim() !== value) look();
    return () => clearTimeout(soon.current);
    // oxlint-disable-next-line react/exhaustive-deps -- once, as the script begins
  }, []);
  return (
    <Field label={label} className={className}>
      <div className="relative">
        <Search aria-hidden className="absolute top-3.5 left-3.5 size-5 text-quiet" />
        <TextInput
          ref={input}
          type="search"
          maxLength={maxLength}
          defaultValue={value}
          placeholder={placeholder}
          onChange={look}
          className="pl-11"
        />
      </div>
    </Field>
  );
}
