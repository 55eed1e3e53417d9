import { z } from 'zod';

const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const text = z.object({ _: z.string() });

/** Exactly one element of a name. */
const one = <Schema extends z.ZodType>(schema: Schema) => z.tuple([schema]).transform(([only]) => only);

/** A provider's post (SAML Bindings, section 3.5). Unsolicited responses lack a RelayState. */
export const postedForm = z.object({
  SAMLResponse: z.string().regex(/^[\w+/=\s]+$/),
  RelayState: z.string().max(80).catch(''),
});

/** The request that a response must answer. */
export interface Expected {
  entityId: string;
  requestId: string;
  /** Ours, which the response is for. */
  recipient: string;
  nameIdFormat: string;
}

const statusCode = z.object({ $: z.object({ Value: z.string() }) });

/** The unsigned envelope of an assertion, parsed by xml2js. */
export function envelopeFor({ entityId, requestId, recipient }: Expected) {
  return z.object({
    Response: z.object({
      $: z.object({ InResponseTo: z.literal(requestId), Destination: z.literal(recipient).optional() }),
      Issuer: one(text.extend({ _: z.literal(entityId) })).optional(),
      Status: one(
        z.object({ StatusCode: one(statusCode.extend({ StatusCode: z.array(statusCode).default([]) })) }),
      ),
      Signature: z.unknown().optional(),
    }),
  });
}

const attribute = z.object({
  $: z.object({ Name: z.string() }),
  AttributeValue: z.array(z.unknown()).default([]),
});

/** A signed assertion, parsed by xml2js (SAML Profiles, section 4.1.4.2). Its audience is checked elsewhere. */
export function assertionFor(
  { entityId, requestId, recipient, nameIdFormat }: Expected,
  now: Temporal.Instant,
) {
  /** Tolerated clock difference. */
  const tolerance = { seconds: 30 };
  const instant = z.iso.datetime().transform((written) => Temporal.Instant.from(written));
  const start = instant.refine((at) => Temporal.Instant.compare(at, now.add(tolerance)) <= 0).optional();
  const end = instant.refine((at) => Temporal.Instant.compare(now.subtract(tolerance), at) < 0);
  const confirmationData = z.object({
    Recipient: z.literal(recipient),
    InResponseTo: z.literal(requestId),
    NotBefore: start,
    NotOnOrAfter: end,
  });
  return z.object({
    Assertion: z.object({
      Issuer: one(text.extend({ _: z.literal(entityId) })),
      Subject: one(
        z.object({
          NameID: one(
            z.strictObject({
              _: z.string().min(1).max(256),
              $: z.object({ Format: z.literal(nameIdFormat) }),
            }),
          ),
          // Several could answer several requests.
          SubjectConfirmation: one(
            z.object({
              $: z.object({ Method: z.literal(bearer) }),
              SubjectConfirmationData: one(z.object({ $: confirmationData })),
            }),
          ),
        }),
      ),
      // Conditions that aren't understood make an assertion invalid (SAML Core, section 2.5.1).
      Conditions: one(
        z.strictObject({
          $: z.object({ NotBefore: start, NotOnOrAfter: end }),
          AudienceRestriction: z.unknown().optional(),
          OneTimeUse: z.unknown().optional(),
          ProxyRestriction: z.unknown().optional(),
        }),
      ),
      AuthnStatement: z.array(z.unknown()).min(1),
      AttributeStatement: z.array(z.object({ Attribute: z.array(attribute).default([]) })).default([]),
    }),
  });
}

export type SamlAssertion = z.output<ReturnType<typeof assertionFor>>;

/** Returns an attribute's text; undefined unless it has exactly one value. */
export function attributeIn(
  { Assertion: { AttributeStatement: statements } }: SamlAssertion,
  name: string,
): string | undefined {
  const values = statements
    .flatMap(({ Attribute }) => Attribute.filter(({ $ }) => $.Name === name))
    .flatMap(({ AttributeValue }) => AttributeValue);
  return one(text).safeParse(values).data?._;
}
