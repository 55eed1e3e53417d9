import { useCallback, useId, useRef, useState, type ReactNode } from 'react';
import type { FaithPart } from '#/features/providers/contract.ts';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { ChoiceGroup } from '#/web/components/choice.tsx';
import { CrisisLines } from '#/web/components/help-now.tsx';
import { Notice } from '#/web/components/notice.tsx';
import type { MeetingTime } from '../contract.ts';
import { recommendedKind, type Answers, type Weight, type CareFor } from '../match/rules.ts';
import { choicesOf, meetingChoices, texts } from './match-texts.ts';

const steps = 5;

export function MatchQuestions({
  answers,
  hasVideo,
  onAnswer,
  onDone,
}: {
  answers: Answers;
  hasVideo: boolean;
  onAnswer: (answers: Answers) => void;
  onDone: () => void;
}) {
  const [step, setStep] = useState(1);
  const moved = useRef(false);
  const id = useId();
  const last = step === steps;

  // Screen readers announce the focused heading.
  const focusNext = useCallback((heading: HTMLHeadingElement | null) => {
    if (moved.current) heading?.focus();
  }, []);
  const go = (next: number) => {
    moved.current = true;
    if (next > steps) onDone();
    else setStep(next);
  };
  const question = questions[step - 1]!;
  const answered = question.fields.some((field) => answers[field] !== undefined);
  const skip = () => {
    onAnswer({ ...answers, ...Object.fromEntries(question.fields.map((field) => [field, undefined])) });
    go(step + 1);
  };

  return (
    <Card>
      <form
        aria-labelledby={id}
        onSubmit={(event) => {
          event.preventDefault();
          go(step + 1);
        }}
      >
        <p className="text-quiet">{m.match_step({ step, count: steps })}</p>
        <h2 key={step} id={id} ref={focusNext} tabIndex={-1} className="mt-1 text-2xl">
          {question.title()}
        </h2>
        {question.text && <p className="mt-1 text-quiet">{question.text()}</p>}
        <div className="mt-5">
          <question.Fields
            answers={answers}
            hasVideo={hasVideo}
            onAnswer={(more) => onAnswer({ ...answers, ...more })}
          />
        </div>
        <div className="mt-6 flex flex-wrap items-center gap-2 border-t border-line pt-5">
          {step > 1 && (
            <Button variant="secondary" onClick={() => go(step - 1)}>
              {m.match_back()}
            </Button>
          )}
          <span className="grow" />
          <Button variant="quiet" onClick={skip}>
            {m.match_skip()}
          </Button>
          {(answered || last) && <Button type="submit">{last ? m.match_finish() : m.match_next()}</Button>}
        </div>
      </form>
    </Card>
  );
}

interface FieldsProps {
  answers: Answers;
  hasVideo: boolean;
  onAnswer: (more: Answers) => void;
}

interface Question {
  title: () => string;
  text?: () => string;
  fields: readonly (keyof Answers)[];
  Fields: (props: FieldsProps) => ReactNode;
}

const questions: readonly Question[] = [
  {
    title: m.match_whom,
    fields: ['whom'],
    Fields: ({ answers, onAnswer }) => (
      <ChoiceGroup
        legend={<span className="sr-only">{m.match_whom()}</span>}
        layout="cards"
        choices={choicesOf<CareFor>(texts.whom)}
        value={answers.whom ?? null}
        onChange={(whom) => onAnswer({ whom })}
      />
    ),
  },
  {
    title: m.match_weight,
    text: m.match_weight_text,
    fields: ['weight'],
    Fields: ({ answers, onAnswer }) => (
      <>
        <ChoiceGroup
          legend={<span className="sr-only">{m.match_weight()}</span>}
          layout="cards"
          className="sm:[&>div]:grid-cols-2!"
          choices={choicesOf<Weight>(texts.weight)}
          value={answers.weight ?? null}
          onChange={(weight) => onAnswer({ weight })}
        />
        <div role="alert">{answers.weight === 'life' && <Crisis />}</div>
      </>
    ),
  },
  {
    title: m.match_kind,
    fields: ['kind'],
    Fields: ({ answers, onAnswer }) => (
      <>
        {recommendedKind(answers) === 'doctor' && <Notice className="mb-4">{m.match_kind_wiser()}</Notice>}
        <ChoiceGroup
          legend={<span className="sr-only">{m.match_kind()}</span>}
          layout="cards"
          choices={choicesOf<NonNullable<Answers['kind']>>(texts.kind, texts.kindMeaning)}
          value={answers.kind ?? null}
          onChange={(kind) => onAnswer({ kind })}
        />
        {recommendedKind(answers) !== 'doctor' && <p className="mt-4 text-quiet">{m.match_kind_wiser()}</p>}
      </>
    ),
  },
  {
    title: m.match_faith,
    fields: ['faithPart'],
    Fields: ({ answers, onAnswer }) => (
      <ChoiceGroup
        legend={<span className="sr-only">{m.match_faith()}</span>}
        layout="cards"
        choices={choicesOf<FaithPart>(texts.faithPart)}
        value={answers.faithPart ?? null}
        onChange={(faithPart) => onAnswer({ faithPart })}
      />
    ),
  },
  {
    title: m.match_meeting,
    fields: ['sessionType', 'time'],
    Fields: ({ answers, hasVideo, onAnswer }) => (
      <div className="grid gap-6 sm:grid-cols-2">
        <ChoiceGroup
          legend={m.match_meeting_how()}
          layout="cards"
          className="[&>div]:grid-cols-1!"
          choices={meetingChoices(hasVideo)}
          value={answers.sessionType ?? 'any'}
          onChange={(type) => onAnswer({ sessionType: type === 'any' ? undefined : type })}
        />
        <ChoiceGroup
          legend={m.match_meeting_when()}
          layout="cards"
          className="[&>div]:grid-cols-1!"
          choices={choicesOf<MeetingTime | 'any'>({ ...texts.time, any: m.match_any })}
          value={answers.time ?? 'any'}
          onChange={(time) => onAnswer({ time: time === 'any' ? undefined : time })}
        />
      </div>
    ),
  },
];

export function Crisis() {
  return (
    <section className="mt-5 rounded-card border border-clay bg-clay-soft p-5">
      <h3 className="text-xl">{m.match_crisis_title()}</h3>
      <p className="mt-1.5">{m.match_crisis_text()}</p>
      <CrisisLines className="mt-4 [&_a]:bg-card" />
      <p className="mt-4 text-sm">{m.web_help_elsewhere()}</p>
      <p className="mt-3 text-quiet">{m.match_crisis_on()}</p>
    </section>
  );
}
