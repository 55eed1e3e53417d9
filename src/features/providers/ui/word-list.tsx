import { Plus, X } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { eachOnce } from '#/kernel/text.ts';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { FieldError, TextInput } from '#/web/components/field.tsx';
import { VisuallyHidden } from '#/web/components/page.tsx';

export interface WordListValue {
  words: readonly string[];
  typing: string;
}

/** With text not added yet. */
export function allWords({ words, typing }: WordListValue): string[] {
  const typed = typing.trim().replaceAll(/\s+/g, ' ');
  return eachOnce(typed ? [...words, typed] : words);
}

export function WordList({
  label,
  hint,
  error,
  optional = false,
  value,
  max,
  longest,
  onChange,
}: {
  label: string;
  hint?: string;
  error?: string | undefined;
  optional?: boolean;
  value: WordListValue;
  max: number;
  longest: number;
  onChange: (value: WordListValue) => void;
}) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { words, typing } = value;
  const shown = problem ?? error;

  const add = () => {
    const whole = allWords(value);
    let found: string | null = null;
    if (typing.trim() === '') found = m.practice_words_empty();
    else if (typing.trim().length > longest) found = m.web_too_long({ max: longest });
    else if (whole.length > max) found = m.practice_words_full({ max });
    setProblem(found);
    input.current?.focus();
    if (!found) onChange({ words: whole, typing: '' });
  };
  const remove = (word: string) => {
    setProblem(null);
    onChange({ words: words.filter((one) => one !== word), typing });
    input.current?.focus();
  };

  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 font-semibold">
        {label}
        {optional && <span className="font-normal text-quiet"> ({m.web_optional()})</span>}
      </legend>
      {words.length > 0 && (
        <ul className="mb-2.5 flex flex-wrap gap-2">
          {words.map((word) => (
            <li
              key={word}
              className="inline-flex min-h-11 max-w-full items-center rounded-full bg-primary-soft pl-4 font-medium text-primary"
            >
              <span className="min-w-0 py-1 wrap-anywhere">{word}</span>
              <button
                type="button"
                aria-label={m.practice_words_remove({ word })}
                onClick={() => remove(word)}
                className="grid size-11 shrink-0 place-items-center rounded-full hover:text-primary-strong"
              >
                <X aria-hidden className="size-4.5" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="flex max-w-reading gap-2">
        <TextInput
          ref={input}
          aria-label={label}
          aria-invalid={shown ? true : undefined}
          aria-describedby={`${id}-hint${shown ? ` ${id}-error` : ''}`}
          autoComplete="off"
          value={typing}
          onChange={({ target }) => {
            setProblem(null);
            onChange({ words, typing: target.value });
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
            event.preventDefault();
            add();
          }}
        />
        <Button variant="secondary" className="shrink-0" onClick={add}>
          <Plus aria-hidden />
          <span>
            {m.practice_words_add()}
            <VisuallyHidden> {m.practice_words_add_to({ list: label })}</VisuallyHidden>
          </span>
        </Button>
      </div>
      <p id={`${id}-hint`} className="mt-1.5 text-sm text-quiet">
        {hint && `${hint} `}
        {m.practice_words_count({ count: words.length, max })}
      </p>
      <div role="alert">{shown && <FieldError id={`${id}-error`}>{shown}</FieldError>}</div>
    </fieldset>
  );
}
