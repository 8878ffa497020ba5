import { z } from 'zod'
import type { Tenant } from '../../store/tenant.ts'
import type { EpochMs } from '../../util/units.ts'
import { readTeam } from '../blocks/block-team.ts'
import { readOrigin } from '../blocks/view-metadata.ts'
import { ForgedValueError } from '../blocks/written-values.ts'

export function parsePayload<T>(schema: z.ZodType<T>, body: unknown, what: string): T {
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw new ForgedValueError(what, { cause: parsed.error })
  return parsed.data
}

// Schemas list only the fields that this app reads: https://docs.slack.dev/reference/interaction-payloads

/** https://docs.slack.dev/interactivity/implementing-slash-commands */
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

const optionSchema = z.object({ value: z.string() })

const stateValueSchema = z.union([
  optionSchema.transform(({ value }) => value),
  z.array(optionSchema).transform((options) => options.map(({ value }) => value)),
  z.unknown(),
])

/** Besides its type, an input's state has one field with what was entered or chosen. */
const inputStateSchema = z
  .record(z.string(), z.unknown())
  .transform(({ type: _, ...entered }) => stateValueSchema.parse(Object.values(entered)[0] ?? undefined))

const viewSchema = z.object({
  id: z.string(),
  type: z.string().default('modal'),
  callback_id: z.string().default(''),
  title: z.object({ text: z.string() }).nullish(),
  private_metadata: z.string().default(''),
  state: z.object({ values: z.record(z.string(), z.record(z.string(), inputStateSchema)) }).optional(),
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
  /** Modal or home tab that was clicked in. */
  readonly view?: ViewPayload | undefined
}

const interactiveFields = {
  team: z.object({ id: z.string(), enterprise_id: z.string().nullish() }).nullish(),
  enterprise: z.object({ id: z.string() }).nullish(),
  user: z.object({ id: z.string() }),
  trigger_id: z.string().default(''),
  channel: z.object({ id: z.string(), name: z.string().default('') }).nullish(),
  view: viewSchema.nullish(),
}

export const clickPayloadSchema = z.object({
  ...interactiveFields,
  response_url: z.string().optional(),
  container: z.object({ message_ts: z.string().optional(), channel_id: z.string().optional() }).optional(),
  actions: z.tuple([actionSchema], actionSchema),
})
export type ClickPayload = z.infer<typeof clickPayloadSchema>

/** @see https://docs.slack.dev/reference/interaction-payloads/shortcuts-interaction-payload */
export const shortcutPayloadSchema = z.object({
  ...interactiveFields,
  callback_id: z.string(),
  message: z.looseObject({
    team: z.string().nullish(),
    user: z.string().nullish(),
    bot_id: z.string().nullish(),
    app_id: z.string().nullish(),
  }),
})
export type ShortcutPayload = z.infer<typeof shortcutPayloadSchema>
export type ShortcutMessage = ShortcutPayload['message']

export const suggestionPayloadSchema = z.object({
  ...interactiveFields,
  action_id: z.string(),
  value: z.string().default(''),
})

export const submissionPayloadSchema = z.object({ user: interactiveFields.user, view: viewSchema })

export const responseUrlSchema = z.object({ response_url: z.string() })

export interface Origin {
  readonly team: Tenant
  readonly userId: string
  readonly channel: string
  /** The payload's `channel_name`: `directmessage`, `privategroup`, or the channel's own; empty in a view. */
  readonly channelName?: string
  /** Required to open a modal. */
  readonly triggerId?: string
  readonly modalId?: string | undefined
  /** True in a modal or on the home tab. */
  readonly isInView?: boolean
}

/** @throws {ForgedValueError} for a view that this app did not make, or if no workspace is named */
export function findOrigin(
  payload: ClickPayload | ShortcutPayload | z.infer<typeof suggestionPayloadSchema>,
): Origin {
  const { team: sender, enterprise, user, channel, view, trigger_id: triggerId } = payload
  const userId = user.id
  if (view) {
    const modalId = view.type === 'modal' ? view.id : undefined
    return { ...readOrigin(view), userId, triggerId, modalId, isInView: true }
  }
  const isShortcut = 'message' in payload
  // In an organization, Slack may not say where a shortcut was chosen: then the message's workspace counts. `user.team_id`
  // can't replace it, because it is a fixed workspace of that person.
  const teamId = sender?.id ?? (isShortcut ? payload.message.team : undefined)
  const enterpriseId = enterprise?.id ?? sender?.enterprise_id ?? undefined
  // Only our own messages carry their workspace.
  const ownTeam = 'actions' in payload ? readTeam(payload.actions[0].block_id).team : undefined
  const team = ownTeam ?? (teamId ? { enterpriseId, teamId } : undefined)
  if (!team) throw new ForgedValueError('a payload that names no workspace')
  const channelId = channel?.id ?? ('container' in payload ? payload.container?.channel_id : undefined) ?? ''
  const channelName = channel?.name ?? ''
  return { team, userId, channel: channelId, channelName, triggerId, isInView: isShortcut }
}

const eventSchema = z.looseObject({ type: z.string() })

export interface SlackEvent {
  /** The team is empty if the event concerns a whole organization. */
  readonly team: Tenant
  readonly isOrganization: boolean
  /** With a precision of one second. */
  readonly at: EpochMs
  readonly event: { readonly type: string } & Readonly<Record<string, unknown>>
}

/** @see https://docs.slack.dev/apis/events-api#callback-field */
export const eventPayloadSchema = z
  .object({
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
  .transform((payload): SlackEvent => {
    const { team_id: id, enterprise_id: enterpriseId, event, event_time: seconds } = payload
    const [authorization] = payload.authorizations
    // The id of an organization isn't a team.
    const organization = id?.startsWith('E') ? id : undefined
    const team = {
      enterpriseId: enterpriseId ?? authorization?.enterprise_id ?? organization,
      teamId: organization === undefined ? (id ?? '') : '',
    }
    const isOrganization = authorization?.is_enterprise_install ?? team.teamId === ''
    return { team, isOrganization, at: seconds * 1000, event }
  })
