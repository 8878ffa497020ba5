import { z } from 'zod'
import type { Tenant } from '../../store/tenant.ts'
import { ForgedValueError } from '../blocks/values.ts'

export function parsePayload<T>(schema: z.ZodType<T>, body: unknown, what: string): T {
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw new ForgedValueError(what, { cause: parsed.error })
  return parsed.data
}

/**
 * What this app reads of Slack's payloads, and no more.
 * @see https://docs.slack.dev/interactivity/implementing-slash-commands
 * @see https://docs.slack.dev/reference/interaction-payloads
 */
export const commandPayload = z.object({
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
export type CommandPayload = z.infer<typeof commandPayload>

const team = z.object({ id: z.string(), enterprise_id: z.string().nullish() }).nullish()
const enterprise = z.object({ id: z.string() }).nullish()
const user = z.object({ id: z.string() })

const option = z.object({ value: z.string() })

const inputValue = z
  .object({
    value: z.string().nullish(),
    selected_option: option.nullish(),
    selected_date: z.string().nullish(),
    selected_conversation: z.string().nullish(),
    selected_time: z.string().nullish(),
    selected_user: z.string().nullish(),
    selected_users: z.array(z.string()).nullish(),
    selected_options: z.array(option).nullish(),
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

const view = z.object({
  id: z.string(),
  type: z.string().default('modal'),
  callback_id: z.string().default(''),
  title: z.object({ text: z.string() }).nullish(),
  private_metadata: z.string().default(''),
  state: z.object({ values: z.record(z.string(), z.record(z.string(), inputValue)) }).optional(),
})
export type ViewPayload = z.infer<typeof view>

const action = z.object({
  action_id: z.string(),
  block_id: z.string().default(''),
  action_ts: z.string().default(''),
  value: z.string().optional(),
  selected_option: option.nullish(),
  selected_conversation: z.string().nullish(),
  selected_options: z.array(option).nullish(),
})
export type ActionPayload = z.infer<typeof action> & {
  /** The modal or home tab that was clicked in, with what its inputs hold. */
  readonly view?: ViewPayload | undefined
}

export const blockActionsPayload = z.object({
  team,
  enterprise,
  user,
  trigger_id: z.string().default(''),
  response_url: z.string().optional(),
  channel: z.object({ id: z.string(), name: z.string().default('') }).nullish(),
  container: z.object({ message_ts: z.string().optional(), channel_id: z.string().optional() }).optional(),
  view: view.nullish(),
  actions: z.tuple([action], action),
})
export type BlockActionsPayload = z.infer<typeof blockActionsPayload>

/** A message whose menu somebody chose a shortcut in; the rest of it is whatever it holds. */
const shortcutMessage = z.looseObject({
  team: z.string().nullish(),
  user: z.string().nullish(),
  bot_id: z.string().nullish(),
  app_id: z.string().nullish(),
})
export type ShortcutMessage = z.infer<typeof shortcutMessage>

/** https://docs.slack.dev/reference/interaction-payloads/shortcuts-interaction-payload */
export const shortcutPayload = z.object({
  callback_id: z.string(),
  team,
  enterprise,
  user,
  channel: z.object({ id: z.string(), name: z.string().default('') }),
  trigger_id: z.string(),
  response_url: z.string().optional(),
  message: shortcutMessage,
})
export type ShortcutPayload = z.infer<typeof shortcutPayload>

export const viewSubmissionPayload = z.object({ team, enterprise, user, view })

const event = z.looseObject({ type: z.string() })
/** https://docs.slack.dev/apis/events-api#callback-field */
export const eventPayload = z.object({
  team_id: z.string().nullish(),
  enterprise_id: z.string().nullish(),
  /** Nested once more: https://docs.slack.dev/reference/events/team_access_revoked */
  event: z.union([z.object({ event }).transform((outer) => outer.event), event]),
  event_time: z.number().default(0),
  authorizations: z
    .array(
      z.object({ enterprise_id: z.string().nullish(), is_enterprise_install: z.boolean().default(false) }),
    )
    .default([]),
})

export const suggestionPayload = z.object({
  team,
  enterprise,
  user,
  action_id: z.string(),
  value: z.string().default(''),
  view: view.nullish(),
})

/**
 * Which workspace a payload speaks of; `undefined` where it names none. `user.team_id` does not say: in an organisation it
 * is one fixed workspace of that person, wherever they are.
 */
export function teamOf({
  team,
  enterprise,
}: Pick<z.infer<typeof suggestionPayload>, 'team' | 'enterprise'>): Tenant | undefined {
  return team
    ? { enterpriseId: enterprise?.id ?? team.enterprise_id ?? undefined, teamId: team.id }
    : undefined
}
