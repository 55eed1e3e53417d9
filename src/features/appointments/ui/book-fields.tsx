import { HeartHandshake, MapPin, Phone, Video } from 'lucide-react';
import type { SessionType, Specialist } from '#/features/providers/contract.ts';
import { confidentialityLine } from '#/features/providers/rules.ts';
import { kindText } from '#/features/providers/practice/rules.ts';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { ChoiceGroup } from '#/web/components/choice.tsx';
import { TryAgain } from '#/web/components/fetched.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { Loading, Skeleton } from '#/web/components/skeleton.tsx';
import { failureText, isRefusal } from '#/web/failures.ts';
import type { BookForm } from './book-form.ts';
import { FreeTimes } from './free-times.tsx';
import { LengthChoices } from './length-choices.tsx';
import type { BookingParts } from './parts.ts';
import { ProblemNotice } from './problem-notice.tsx';
import { appointmentFailure } from './failure-text.ts';
import { SeriesPlan } from './series-plan.tsx';
import { ServiceSelect } from './service-select.tsx';
import { sessionTypeText } from './session-texts.ts';
import { Field, TextInput } from '#/web/components/field.tsx';
import { useLazyDialog } from './lazy-dialog.ts';

export function BookFields({
  form,
  parts,
  onChosen,
  onChangeWhom,
}: {
  form: BookForm;
  parts: BookingParts;
  onChosen: () => void;
  onChangeWhom?: () => void;
}) {
  const { specialist, services } = form;
  if (specialist.isError || services.isError) {
    const failed = specialist.isError ? specialist : services;
    const problem = isRefusal(failed.error)
      ? appointmentFailure(failed.error, form.about)
      : { title: m.booking_opening_failed(), text: failureText(failed.error) };
    return (
      <Notice
        tone="destructive"
        title={problem.title}
        action={isRefusal(failed.error) ? null : <TryAgain query={failed} />}
      >
        {problem.text}
      </Notice>
    );
  }
  if (!specialist.data || !services.data) return <FieldsLoading />;
  return (
    <div className="grid gap-6">
      <ServiceChoice form={form} onChangeWhom={onChangeWhom} />
      {specialist.data.approvesFirst && (
        <Notice>{m.booking_approves_first({ name: specialist.data.name })}</Notice>
      )}
      <FreeTimes
        times={form.times}
        providerName={specialist.data.name}
        durationMinutes={form.durationMinutes}
        dateError={form.problems.date && m.web_date_missing()}
        timeError={form.problems.time && m.web_time_missing()}
      />
      {form.service && !form.asGuest && (
        <WaitInstead form={form} parts={parts} specialist={specialist.data} serviceId={form.service.id} />
      )}
      <SessionChoices form={form} />
      {form.isSeries && form.times.start && <SeriesPlan form={form} />}
      <ContactFields form={form} />
      <Confidentiality kind={specialist.data.kind} />
      <ProblemNotice
        error={form.book.error}
        about={form.about}
        zone={form.zone}
        onChoose={(start) => {
          form.times.chooseStart(start);
          onChosen();
        }}
      />
    </div>
  );
}

function Confidentiality({ kind }: { kind: Specialist['kind'] }) {
  return (
    <section
      aria-label={m.therapists_confidentiality()}
      className="flex gap-3 rounded-control bg-sunken px-4 py-2.5"
    >
      <HeartHandshake aria-hidden className="mt-0.5 size-5 shrink-0 text-quiet" />
      <div className="min-w-0">
        <h3 className="font-sans text-base font-semibold">{kindText(kind)}</h3>
        <p className="text-sm">{confidentialityLine(kind)}</p>
      </div>
    </section>
  );
}

function ServiceChoice({ form, onChangeWhom }: { form: BookForm; onChangeWhom?: () => void }) {
  const { service, offered, problems } = form;
  if (form.serviceGiven && service) {
    return (
      <p className="-mb-2 flex flex-wrap items-center gap-x-2">
        <span className="font-semibold">{service.title}</span>
        {onChangeWhom && (
          <Button variant="quiet" size="sm" onClick={onChangeWhom}>
            {m.web_change()}
          </Button>
        )}
      </p>
    );
  }
  return (
    <ServiceSelect
      offered={offered}
      service={service}
      error={problems.service && m.booking_service_required()}
      onChoose={(serviceId) => form.change({ serviceId, durationMinutes: null })}
    />
  );
}

function SessionChoices({ form }: { form: BookForm }) {
  const { draft, problems } = form;
  return (
    <>
      <div data-problem={problems.sessionType ? '' : undefined}>
        <ChoiceGroup
          legend={m.booking_session_type()}
          error={problems.sessionType && m.booking_session_type_required()}
          choices={form.types.map((value) => ({
            value,
            label: sessionTypeText(value),
            description: typeDescription(value, form),
            icon: typeIcons[value],
          }))}
          value={form.type}
          onChange={(sessionType) => form.change({ sessionType })}
        />
      </div>
      <LengthChoices
        service={form.service}
        durations={form.durations}
        durationMinutes={form.durationMinutes}
        recurrence={draft.recurrence}
        sessions={draft.sessions}
        onlyOnce={form.asGuest}
        onChange={form.change}
      />
    </>
  );
}

const typeIcons = { online: <Video />, phone: <Phone />, 'in-person': <MapPin /> };

function typeDescription(type: SessionType, { specialist, times }: BookForm): string {
  if (type === 'online') return m.booking_type_online_text();
  if (type === 'phone') return m.booking_type_phone_text();
  const { place } = times;
  if (place) return m.booking_place({ name: place.name, town: place.town });
  return specialist.data?.location || m.booking_location_in_person();
}

function FieldsLoading() {
  return (
    <Loading>
      <div className="grid gap-x-8 gap-y-6 sm:grid-cols-2">
        <Skeleton className="h-84" />
        <Skeleton className="h-16" />
      </div>
      <div className="mt-7 grid gap-3 sm:grid-cols-3">
        <Skeleton className="h-20" />
        <Skeleton className="h-20" />
        <Skeleton className="h-20" />
      </div>
    </Loading>
  );
}

function ContactFields({ form: { contact, problems, type, asGuest, change } }: { form: BookForm }) {
  const control = (field: keyof typeof contact) => ({
    autoComplete: field === 'phone' ? 'tel' : field,
    value: contact[field],
    onChange: ({ target }: { target: { value: string } }) => change({ [field]: target.value }),
  });
  return (
    <fieldset className="grid min-w-0 gap-4 sm:grid-cols-2">
      <legend className="mb-3 font-serif text-lg font-semibold">{m.booking_contact()}</legend>
      <div data-problem={problems.name ? '' : undefined}>
        <Field label={m.web_full_name()} error={problems.name && m.booking_contact_name_required()}>
          <TextInput {...control('name')} required />
        </Field>
      </div>
      <div data-problem={problems.email ? '' : undefined}>
        <Field
          label={m.booking_contact_email()}
          hint={asGuest ? m.booking_guest_email_hint() : undefined}
          error={emailProblem(problems.email)}
        >
          <TextInput {...control('email')} type="email" required />
        </Field>
      </div>
      <div data-problem={problems.phone ? '' : undefined} className="sm:col-span-2">
        <Field
          label={m.booking_contact_phone()}
          optional={type !== 'phone'}
          hint={type === 'phone' ? m.booking_contact_phone_for_call() : undefined}
          error={phoneProblem(problems.phone, type)}
        >
          <TextInput {...control('phone')} type="tel" required={type === 'phone'} />
        </Field>
      </div>
    </fieldset>
  );
}

function emailProblem(problem: 'required' | 'format' | undefined): string | undefined {
  if (!problem) return undefined;
  return problem === 'required' ? m.booking_contact_email_required() : m.web_email_bad();
}

function phoneProblem(
  problem: 'required' | 'format' | undefined,
  type: SessionType | null,
): string | undefined {
  if (!problem) return undefined;
  if (problem === 'required') return m.booking_contact_phone_required();
  return type === 'phone' ? m.booking_contact_phone_whole() : m.booking_contact_phone_format();
}

/** Opens the waiting list for a specialist whose free times don't suit. */
function WaitInstead({
  form: { type, types, durationMinutes, times, zone },
  parts: { WaitDialog },
  specialist,
  serviceId,
}: {
  form: BookForm;
  parts: BookingParts;
  specialist: Specialist;
  serviceId: string;
}) {
  const wait = useLazyDialog();
  if (types.length === 0) return null;
  const first = type ?? types[0]!;
  return (
    <p className="-mt-3 flex flex-wrap items-center gap-x-5.5">
      <span className="text-quiet">{m.waitlist_none_suits()}</span>
      <Button variant="quiet" size="sm" className="-ml-3.5" onClick={wait.show}>
        {m.waitlist_title_new()}
      </Button>
      {wait.mounted && (
        <WaitDialog
          key={`${serviceId} ${first}`}
          {...wait.props}
          wanted={{
            provider: specialist,
            serviceId,
            durationMinutes,
            types: [first, ...types.filter((one) => one !== first)],
            appointment: null,
          }}
          timeZone={zone}
          onFree={times.chooseStart}
        />
      )}
    </p>
  );
}
