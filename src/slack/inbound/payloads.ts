import { z } from 'zod'
import type { Tenant } from '../../store/tenant.ts'
import type { EpochMs } from '../../util/units.ts'
import { ForgedValueError, readOrigin, readTeam } from '../blocks/action.ts'

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

export const suggestionPayloadSchema = z.object({
  ...senderFields,
  action_id: z.string(),
  value: z.string().default(''),
  view: viewSchema.nullish(),
})

/** All that an apology for a malformed payload needs. */
export const responseUrlSchema = z.object({ response_url: z.string() })

/** Who sent a payload, and from where. */
export interface Origin {
  readonly team: Tenant
  readonly userId: string
  readonly channel: string
  /** The payload's `channel_name`: `directmessage`, `privategroup`, or the channel's own; empty in a view. */
  readonly channelName?: string
  /** Commands, clicks and shortcuts have one: they may open a modal. */
  readonly triggerId?: string
  readonly modalId?: string | undefined
  /** Whether it was clicked in a modal or on the home tab. */
  readonly isInView?: boolean
}

/**
 * Returns the payload's workspace, if it names one. `user.team_id` can't replace it: in an organization, it is a fixed
 * workspace of that person.
 */
function getTeam({ team, enterprise }: Pick<BlockActionsPayload, 'team' | 'enterprise'>): Tenant | undefined {
  return team
    ? { enterpriseId: enterprise?.id ?? team.enterprise_id ?? undefined, teamId: team.id }
    : undefined
}

/** @throws {ForgedValueError} for a view that this app did not make, or if no workspace is named */
export function readClickOrigin(payload: BlockActionsPayload): Origin {
  const { view, channel, container, user, trigger_id: triggerId } = payload
  if (view) {
    const modalId = view.type === 'modal' ? view.id : undefined
    return { ...readOrigin(view), userId: user.id, triggerId, modalId, isInView: true }
  }
  // Only our own messages carry their workspace.
  const team = readTeam(payload.actions[0].block_id).team ?? getTeam(payload)
  if (!team) throw new ForgedValueError('a click that names no workspace')
  const channelId = channel?.id ?? container?.channel_id ?? ''
  return { team, userId: user.id, channel: channelId, channelName: channel?.name ?? '', triggerId }
}

/** @throws {ForgedValueError} if no workspace is named */
export function readShortcutOrigin(payload: ShortcutPayload): Origin {
  const { message, enterprise, user, channel, trigger_id: triggerId } = payload
  // In an organization, Slack may not say where the shortcut was chosen: then the message's workspace counts.
  const messageTeam = message.team ? { enterpriseId: enterprise?.id, teamId: message.team } : undefined
  const team = getTeam(payload) ?? messageTeam
  if (!team) throw new ForgedValueError('a shortcut that names no workspace')
  const place = { channel: channel.id, channelName: channel.name, isInView: true }
  return { team, userId: user.id, ...place, triggerId }
}

/** @throws {ForgedValueError} for a view that this app did not make, or if no workspace is named */
export function readSuggestionOrigin(payload: z.infer<typeof suggestionPayloadSchema>): Origin {
  const { view, user } = payload
  if (view) return { ...readOrigin(view), userId: user.id }
  const team = getTeam(payload)
  if (!team) throw new ForgedValueError('a menu that names no workspace')
  return { team, userId: user.id, channel: '' }
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
