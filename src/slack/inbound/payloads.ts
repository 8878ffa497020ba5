import { z } from 'zod'
import type { Tenant } from '../../store/tenant.ts'
import { ForgedValueError } from '../blocks/values.ts'

export function parsePayload<T>(schema: z.ZodType<T>, body: unknown, what: string): T {
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw new ForgedValueError(what, { cause: parsed.error })
  return parsed.data
}

/**
 * Lists only the fields that this app reads, like all schemas of payloads here.
 * @see https://docs.slack.dev/interactivity/implementing-slash-commands
 * @see https://docs.slack.dev/reference/interaction-payloads
 */
export const commandPayloadSchema = z.object({
  command: z.string(),
  text: z.string().default(''),
  team_id: z.string(),
  enterprise_id: z.string().optional(),
  channel_id: z.string(),
  channel_name: z.string().default(''),
  user_id: z.string(),
  response_url: z.string(),
  trigger_id: z.string().default(''),
})
export type CommandPayload = z.infer<typeof commandPayloadSchema>

const userSchema = z.object({ id: z.string() })
const senderFields = {
  team: z.object({ id: z.string(), enterprise_id: z.string().nullish() }).nullish(),
  enterprise: z.object({ id: z.string() }).nullish(),
  user: userSchema,
}

const optionSchema = z.object({ value: z.string() })

const inputValueSchema = z
  .object({
    value: z.string().nullish(),
    selected_option: optionSchema.nullish(),
    selected_date: z.string().nullish(),
    selected_conversation: z.string().nullish(),
    selected_time: z.string().nullish(),
    selected_user: z.string().nullish(),
    selected_users: z.array(z.string()).nullish(),
    selected_options: z.array(optionSchema).nullish(),
  })
  .transform(
    (input) =>
      input.value ??
      input.selected_option?.value ??
      input.selected_date ??
      input.selected_conversation ??
      input.selected_time ??
      input.selected_user ??
      input.selected_users ??
      input.selected_options?.map(({ value }) => value) ??
      undefined,
  )

const viewSchema = z.object({
  id: z.string(),
  type: z.string().default('modal'),
  callback_id: z.string().default(''),
  title: z.object({ text: z.string() }).nullish(),
  private_metadata: z.string().default(''),
  state: z.object({ values: z.record(z.string(), z.record(z.string(), inputValueSchema)) }).optional(),
})
export type ViewPayload = z.infer<typeof viewSchema>

const actionSchema = z.object({
  action_id: z.string(),
  block_id: z.string().default(''),
  action_ts: z.string().default(''),
  value: z.string().optional(),
  selected_option: optionSchema.nullish(),
  selected_conversation: z.string().nullish(),
  selected_options: z.array(optionSchema).nullish(),
})
export type ActionPayload = z.infer<typeof actionSchema> & {
  /** The modal or home tab that was clicked in, with the values of its inputs. */
  readonly view?: ViewPayload | undefined
}

export const blockActionsPayloadSchema = z.object({
  ...senderFields,
  trigger_id: z.string().default(''),
  response_url: z.string().optional(),
  channel: z.object({ id: z.string(), name: z.string().default('') }).nullish(),
  container: z.object({ message_ts: z.string().optional(), channel_id: z.string().optional() }).optional(),
  view: viewSchema.nullish(),
  actions: z.tuple([actionSchema], actionSchema),
})
export type BlockActionsPayload = z.infer<typeof blockActionsPayloadSchema>

const shortcutMessageSchema = z.looseObject({
  team: z.string().nullish(),
  user: z.string().nullish(),
  bot_id: z.string().nullish(),
  app_id: z.string().nullish(),
})
export type ShortcutMessage = z.infer<typeof shortcutMessageSchema>

/** @see https://docs.slack.dev/reference/interaction-payloads/shortcuts-interaction-payload */
export const shortcutPayloadSchema = z.object({
  callback_id: z.string(),
  ...senderFields,
  channel: z.object({ id: z.string(), name: z.string().default('') }),
  trigger_id: z.string(),
  response_url: z.string().optional(),
  message: shortcutMessageSchema,
})
export type ShortcutPayload = z.infer<typeof shortcutPayloadSchema>

export const viewSubmissionPayloadSchema = z.object({ user: userSchema, view: viewSchema })

const eventSchema = z.looseObject({ type: z.string() })
/** @see https://docs.slack.dev/apis/events-api#callback-field */
export const eventPayloadSchema = z.object({
  team_id: z.string().nullish(),
  enterprise_id: z.string().nullish(),
  /** Nested once more: https://docs.slack.dev/reference/events/team_access_revoked */
  event: z.union([z.object({ event: eventSchema }).transform((outer) => outer.event), eventSchema]),
  event_time: z.number().default(0),
  authorizations: z
    .array(
      z.object({ enterprise_id: z.string().nullish(), is_enterprise_install: z.boolean().default(false) }),
    )
    .default([]),
})

export type EventPayload = z.infer<typeof eventPayloadSchema>

export const suggestionPayloadSchema = z.object({
  ...senderFields,
  action_id: z.string(),
  value: z.string().default(''),
  view: viewSchema.nullish(),
})

/** All that an apology for a malformed payload needs. */
export const responseUrlSchema = z.object({ response_url: z.string() })

/**
 * Returns the payload's workspace, if it names one. `user.team_id` can't replace it: in an organization, it is a fixed
 * workspace of that person.
 */
export function getTeam({
  team,
  enterprise,
}: Pick<z.infer<typeof suggestionPayloadSchema>, 'team' | 'enterprise'>): Tenant | undefined {
  return team
    ? { enterpriseId: enterprise?.id ?? team.enterprise_id ?? undefined, teamId: team.id }
    : undefined
}
